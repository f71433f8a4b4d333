//! Octets: blanks, tokens, percent-encoding.
//!
//! Enters and leaves: slices of any octets. Cost: one pass each. It must not know: what the octets
//! are part of.

fn is_blank(octet: &u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\n' | b'\r' | 0x0B | 0x0C)
}

pub(super) fn trim(octets: &[u8]) -> &[u8] {
    let start = octets.iter().position(|octet| !is_blank(octet)).unwrap_or(octets.len());
    trim_end(octets.get(start..).unwrap_or_default())
}

pub(super) fn trim_end(octets: &[u8]) -> &[u8] {
    let end = octets.iter().rposition(|octet| !is_blank(octet)).map_or(0, |last| last + 1);
    octets.get(..end).unwrap_or_default()
}

/// A `*` alone, or a `*`, a blank and anything.
pub(super) fn is_star(value: &[u8]) -> bool {
    value.strip_prefix(b"*").is_some_and(|rest| rest.first().is_none_or(is_blank))
}

/// The letters, `_` and `-` at the start.
pub(super) fn token(value: &[u8]) -> &[u8] {
    let is_token = |octet: &u8| octet.is_ascii_alphabetic() || *octet == b'_' || *octet == b'-';
    let end = value.iter().position(|octet| !is_token(octet)).unwrap_or(value.len());
    value.get(..end).unwrap_or_default()
}

pub(super) fn position_of_any(octets: &[u8], wanted: &[u8]) -> Option<usize> {
    octets.iter().position(|octet| wanted.contains(octet))
}

/// What stands before the first of the wanted octets; all of it without one.
pub(super) fn up_to<'a>(octets: &'a [u8], wanted: &[u8]) -> &'a [u8] {
    let end = position_of_any(octets, wanted).unwrap_or(octets.len());
    octets.get(..end).unwrap_or_default()
}

/// Which side of the comparison octets are on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Pattern,
    Path,
}

/// RFC 9309: one form for octets that mean the same.
///
/// Unreserved octets are decoded, octets outside ASCII encoded, hex digits upper case, a literal
/// star is `%2A` and a literal dollar `%24`; so a `*` or `$` that is left in a pattern is special.
pub(super) fn normalise(octets: &[u8], side: Side) -> Vec<u8> {
    let mut form = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let special =
            side == Side::Pattern && (*first == b'*' || *first == b'$' && rest.is_empty());
        if let Some((octet, after)) = decode_one(*first, after) {
            rest = after;
            if octet.is_ascii_alphanumeric() || b"-._~".contains(&octet) {
                form.push(octet);
            } else {
                form.extend(encode(octet));
            }
        } else if !special && (*first == b'*' || *first == b'$' || !first.is_ascii()) {
            form.extend(encode(*first));
        } else {
            form.push(*first);
        }
    }
    form
}

/// Google: in patterns only, octets outside ASCII are encoded and hex digits made upper case.
pub(super) fn escape(pattern: &[u8]) -> Vec<u8> {
    let mut form = Vec::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        if let Some((octet, after)) = decode_one(*first, after) {
            rest = after;
            form.extend(encode(octet));
        } else if first.is_ascii() {
            form.push(*first);
        } else {
            form.extend(encode(*first));
        }
    }
    form
}

/// The octet that `%` and two hex digits stand for, and what follows them.
fn decode_one(first: u8, after: &[u8]) -> Option<(u8, &[u8])> {
    let (digits, rest) = after.split_first_chunk::<2>()?;
    let [high, low] = digits.map(|digit| char::from(digit).to_digit(16));
    let octet = u8::try_from(high? * 16 + low?).ok()?;
    (first == b'%').then_some((octet, rest))
}

/// `%` and two upper-case hex digits.
fn encode(octet: u8) -> [u8; 3] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    [b'%', digit(octet >> 4), digit(octet & 15)]
}

/// Every `%XX` as its octet.
pub(super) fn decode(octets: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(octets.len());
    let mut rest = octets;
    while let Some((first, after)) = rest.split_first() {
        let (octet, after) = decode_one(*first, after).unwrap_or((*first, after));
        decoded.push(octet);
        rest = after;
    }
    decoded
}
