//! Features: kinds of octets, one bit each, that a path has or a wildcard rule needs.
//!
//! Most wildcard rules ask for something that most paths have not: a query, a dot, a digit. One
//! octet a rule and one for the path turn sixteen rules down at a time. Necessary, not sufficient.

use crate::text::lanes::{Lanes, filled, for_each_chunk};

/// A set of features.
pub(crate) type Features = u8;

const QUESTION: Features = 1;
const EQUALS: Features = 1 << 1;
const AMPERSAND: Features = 1 << 2;
const DOT: Features = 1 << 3;
const UNDERSCORE: Features = 1 << 4;
const HYPHEN: Features = 1 << 5;
const DIGIT: Features = 1 << 6;
const UPPER: Features = 1 << 7;

/// The features of a path, or those that a wildcard rule asks for.
///
/// # Complexity
/// One pass, sixteen octets at a time.
#[must_use]
#[inline]
pub(crate) fn features_of(path: &[u8]) -> Features {
    let mut found = Lanes::all(0);
    for_each_chunk(path, b'/', |octets| {
        let mut mark = |which: Lanes, feature| found = found.or(which.and(Lanes::all(feature)));
        mark(octets.is(b'?'), QUESTION);
        mark(octets.is(b'='), EQUALS);
        mark(octets.is(b'&'), AMPERSAND);
        mark(octets.is(b'.'), DOT);
        mark(octets.is(b'_'), UNDERSCORE);
        mark(octets.is(b'-'), HYPHEN);
        mark(octets.is_in(b'0', b'9'), DIGIT);
        mark(octets.is_in(b'A', b'Z'), UPPER);
    });
    found.united()
}

/// Which of the first sixteen sets in `needs` hold nothing but what `has` holds, one bit each.
#[inline]
pub(super) fn satisfied(needs: &[u8], has: Features) -> u32 {
    let needs = Lanes::new(&filled(needs, 0));
    needs.and(Lanes::all(!has)).is(0).high_bits()
}
