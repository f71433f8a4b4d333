//! Patterns with `*`, without backtracking.
//!
//! The literals between stars are searched one after the other, each at its leftmost place behind
//! the one before: if a pattern matches at all, it matches so. Only the last literal of an anchored
//! pattern has no choice: it must end the path. Linear in path and pattern.

use memchr::{memchr, memmem};

use super::Steps;

/// Whether `text` (a pattern with at least one `*`, its anchor taken off) matches `path`.
pub(super) fn matches(text: &[u8], anchored: bool, path: &[u8], steps: &mut impl Steps) -> bool {
    let Some(star) = memchr(b'*', text) else { return false };
    let (prefix, mut rest) = (&text[..star], &text[star + 1..]);
    let Some(mut tail) = path.strip_prefix(prefix) else { return false };
    while let Some(star) = memchr(b'*', rest) {
        let Some(behind) = behind_first(&rest[..star], tail, steps) else { return false };
        tail = behind;
        rest = &rest[star + 1..];
    }
    if anchored { tail.ends_with(rest) } else { behind_first(rest, tail, steps).is_some() }
}

/// What stands behind the leftmost `literal` in `tail`.
fn behind_first<'t>(literal: &[u8], tail: &'t [u8], steps: &mut impl Steps) -> Option<&'t [u8]> {
    let found = memmem::find(tail, literal);
    steps.add(found.map_or(tail.len(), |at| at + literal.len()));
    found.map(|at| &tail[at + literal.len()..])
}
