//! Comparing eight and sixteen octets at a time gives the answers that one at a time gives.

use proptest::collection::vec;
use proptest::prelude::*;
use robosift::text::compare::{Head, begins_with, common_len, ends_with, equal, holds_pair};

/// Few kinds of octets, so that long stretches are the same.
fn text(octets: &'static [u8]) -> impl Strategy<Value = Vec<u8>> {
    vec(prop::sample::select(octets), 0..70)
}

/// A text, and another that agrees with it over some octets.
fn pair(octets: &'static [u8]) -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (text(octets), text(octets), 0..70_usize).prop_map(|(one, other, shared)| {
        let head = &one[..shared.min(one.len())];
        let other = [head, &other[..]].concat();
        (one, other)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn what_two_texts_share_is_counted((one, other) in pair(b"\0ab")) {
        let shared = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        prop_assert_eq!(common_len(&one, &other), shared);
        prop_assert_eq!(common_len(&other, &one), shared);
        prop_assert_eq!(equal(&one, &other), one == other);
        prop_assert_eq!(begins_with(&one, &other), one.starts_with(&other));
        prop_assert_eq!(ends_with(&one, &other), one.ends_with(&other));
    }

    #[test]
    fn a_head_tells_what_its_text_begins_with(
        (text, other) in pair(b"ab/"),
        len in 0..70_usize,
        behind in vec(any::<u8>(), 0..20),
        nul in any::<bool>(),
    ) {
        let len = len.min(other.len());
        let prefix = &other[..len];
        // A path may hold NULs, what it is compared with may not.
        let text = if nul { [&text[..], b"\0\0\0"].concat() } else { text };
        let head = Head::of(&text);
        let wanted = text.starts_with(prefix);
        prop_assert_eq!(head.begins_with(&text, &other, len), wanted);
        // Whatever follows those octets, and where nothing does.
        prop_assert_eq!(head.begins_with(&text, &[prefix, &behind].concat(), len), wanted);
        prop_assert_eq!(head.begins_with(&text, prefix, len), wanted);
        let first: Vec<u8> = text.iter().copied().chain([0; 8]).take(8).collect();
        prop_assert_eq!(head.octets().to_vec(), first);
    }

    #[test]
    fn pairs_are_found((text, wanted) in (text(b"abc"), [0..3_usize, 0..3])) {
        let wanted = wanted.map(|at| b"abc"[at]);
        prop_assert_eq!(holds_pair(&text, wanted), text.windows(2).any(|pair| pair == wanted));
    }
}
