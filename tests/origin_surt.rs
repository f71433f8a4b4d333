//! Sort keys compared without being written compare as those that are.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use proptest::prelude::*;
use robosift::text::origin::Origin;
use robosift::text::surt;

fn origin() -> impl Strategy<Value = Origin> {
    let label = "[a-c0-2-]{1,2}";
    let name = proptest::collection::vec(label, 1..4).prop_map(|labels| labels.join("."));
    let odd = prop_oneof![
        Just("[::1]".to_owned()),
        Just("10.0.0.1".to_owned()),
        Just("10.0.0.10".to_owned()),
        Just("1.2.3.4.5".to_owned()),
        Just("a,b.c".to_owned()),
    ];
    let host = prop_oneof![4 => name, 1 => odd];
    let port = prop_oneof![Just(""), Just(":80"), Just(":443"), Just(":8"), Just(":81")];
    let text = (prop_oneof![Just("http"), Just("https")], host, port);
    let text = text.prop_map(|(scheme, host, port)| format!("{scheme}://{host}{port}"));
    text.prop_filter_map("no origin", |text| Origin::parse(text.as_bytes()))
}

proptest! {
    #[test]
    fn compared_as_written(one in origin(), other in origin(), cut in 0..12_usize) {
        let (key, other) = (one.surt(), other.surt());
        prop_assert_eq!(surt::compare(one.as_str().as_bytes(), other.as_bytes()), key.cmp(&other));
        prop_assert_eq!(surt::compare(one.as_str().as_bytes(), key.as_bytes()), std::cmp::Ordering::Equal);
        let cut = &key[..cut.min(key.len() - 1)];
        prop_assert_eq!(surt::compare(one.as_str().as_bytes(), cut.as_bytes()), key.as_str().cmp(cut));
    }
}
