//! A path in the form in which it is compared → one that can stand in a URL and is compared so.
//!
//! Only an escape needs care: where dialect `rfc9309` would read `%6A` as `j`, a path that is compared as `%6A` has to escape one of its
//! digits. Must not know: rules.

use crate::parse::Normalisation;
use crate::text::percent;

/// A path that is `compared` once it is prepared.
pub(super) fn spell(compared: &[u8], normalisation: Normalisation) -> Vec<u8> {
    if normalisation == Normalisation::RuleOnly {
        return compared.to_vec();
    }
    let mut path = Vec::with_capacity(compared.len());
    let mut rest = compared;
    while let Some((octet, behind)) = rest.split_first() {
        path.push(*octet);
        rest = behind;
        if let (true, Some((digit, behind))) = (is_rewritten(*octet, behind), behind.split_first())
        {
            percent::push_encoded(*digit, &mut path);
            rest = behind;
        }
    }
    path
}

/// Whether `octet` and what is behind it are an escape that would be compared in another form.
fn is_rewritten(octet: u8, behind: &[u8]) -> bool {
    let digits = behind.get(..2).unwrap_or_default();
    let escape = [&[octet], digits].concat();
    percent::decoded(&escape).is_some_and(|decoded| {
        percent::is_unreserved(decoded) || digits.iter().any(u8::is_ascii_lowercase)
    })
}
