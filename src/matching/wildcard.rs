//! Patterns with `*`, without backtracking.
//!
//! The literals between stars are searched one after the other, each at its leftmost place behind
//! the one before: if a pattern matches at all, it matches so. Only the last literal of an anchored
//! pattern has no choice: it must end the path, and is compared first. Linear in path and pattern.

use memchr::{memchr, memmem, memrchr};

use super::Steps;
use crate::text::compare::{begins_with, ends_with, equal};

/// Whether `text` (a pattern with at least one `*`, its anchor taken off) matches `path`.
pub(super) fn matches(text: &[u8], anchored: bool, path: &[u8], steps: &mut impl Steps) -> bool {
    let Some(star) = memchr(b'*', text) else { return false };
    let (prefix, rest) = (&text[..star], &text[star + 1..]);
    if !begins_with(path, prefix) {
        return false;
    }
    let behind = path.get(prefix.len()..).unwrap_or_default();
    if !anchored {
        return holds_in_order(rest, behind, steps);
    }
    // The end of an anchored pattern has one place only: what stands there is known first.
    let (middle, end) = match memrchr(b'*', rest) {
        Some(star) => (&rest[..star], &rest[star + 1..]),
        None => (&rest[..0], rest),
    };
    ends_with(behind, end) && holds_in_order(middle, &behind[..behind.len() - end.len()], steps)
}

/// Whether the literals of `pattern`, which stand between stars, stand in `tail` one after the
/// other.
#[inline]
fn holds_in_order(pattern: &[u8], tail: &[u8], steps: &mut impl Steps) -> bool {
    let mut patience = PATIENCE * tail.len();
    let (mut pattern, mut tail) = (pattern, tail);
    loop {
        let star = memchr(b'*', pattern);
        let literal = star.map_or(pattern, |star| &pattern[..star]);
        let Some(behind) = behind_first(literal, tail, &mut patience, steps) else { return false };
        let Some(star) = star else { return true };
        (pattern, tail) = (&pattern[star + 1..], behind);
    }
}

/// What stands behind the leftmost `literal` in `tail`.
#[inline]
fn behind_first<'t>(
    literal: &[u8],
    tail: &'t [u8],
    patience: &mut usize,
    steps: &mut impl Steps,
) -> Option<&'t [u8]> {
    let before = *patience;
    let found = find(literal, tail, patience);
    steps.add(before - *patience);
    steps.add(found.map_or(tail.len(), |at| at + literal.len()));
    found.map(|at| &tail[at + literal.len()..])
}

/// Octets compared in vain for one pattern, as a multiple of the path's, before the search that is
/// linear whatever the octets takes over.
const PATIENCE: usize = 2;

/// The leftmost place of `literal` in `tail`.
///
/// Paths are short and a searcher costs more to make than such a search takes, so the rarer one of
/// the literal's first and last octets is looked for and the rest compared. Literals that agree
/// again and again but for their ends make that slow; then `memmem` takes over.
#[inline]
fn find(literal: &[u8], tail: &[u8], patience: &mut usize) -> Option<usize> {
    let (Some(&first), Some(&last)) = (literal.first(), literal.last()) else { return Some(0) };
    let span = literal.len() - 1;
    let (wanted, offset) = if is_rarer(last, first) { (last, span) } else { (first, 0) };
    let mut from = offset;
    while let Some(at) = memchr(wanted, tail.get(from..)?) {
        let start = from + at - offset;
        let candidate = tail.get(start..start + literal.len())?;
        if equal(candidate, literal) {
            return Some(start);
        }
        *patience = patience.saturating_sub(literal.len());
        if *patience == 0 {
            return memmem::find(&tail[start..], literal).map(|found| start + found);
        }
        from += at + 1;
    }
    None
}

/// Whether `one` is rarer in paths than `other`: what is neither letter nor slash is rare.
fn is_rarer(one: u8, other: u8) -> bool {
    let commonness = |octet: u8| match octet {
        b'/' | b'-' | b'e' | b'a' | b'i' | b't' | b'o' | b's' => 2,
        b'a'..=b'z' => 1,
        _ => 0,
    };
    commonness(one) < commonness(other)
}
