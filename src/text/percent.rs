//! Percent-encoding: the form in which the paths and patterns of dialect `rfc9309` are compared.
//!
//! RFC 9309 section 2.2.2 and RFC 3986 section 6.2.2: octets outside ASCII become `%XX`, hex digits
//! are upper case, encoded unreserved octets are decoded. Other reserved octets stay as written, a
//! stray `%` stays. One pass, output at most three times the input.

use super::lanes::{LANES, Lanes};

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// Unreserved octets of RFC 3986 section 2.3: letters, digits, `-`, `.`, `_`, `~`.
#[must_use]
pub fn is_unreserved(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'.' | b'_' | b'~')
}

/// The octet that `%XX` at the start of `text` stands for, if one stands there.
#[must_use]
pub fn decoded(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] => Some(hex_value(*high)? << 4 | hex_value(*low)?),
        _ => None,
    }
}

fn hex_value(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// Appends `octet` as `%XX`.
pub fn push_encoded(octet: u8, out: &mut Vec<u8>) {
    out.extend_from_slice(&[b'%', HEX[usize::from(octet >> 4)], HEX[usize::from(octet & 15)]]);
}

/// Appends the normalised form of `text`; `literals` are raw octets to be encoded besides those
/// outside ASCII.
///
/// # Complexity
/// Linear in `text`; what stays as it is is found and copied sixteen octets at a time.
pub fn normalise(text: &[u8], literals: [u8; 2], out: &mut Vec<u8>) {
    let mut rest = text;
    loop {
        let (plain, special) = rest.split_at(plain_len(rest, literals));
        out.extend_from_slice(plain);
        let Some((&octet, behind)) = special.split_first() else { return };
        rest = match decoded(special) {
            Some(plain) if is_unreserved(plain) => {
                out.push(plain);
                &special[3..]
            }
            Some(other) => {
                push_encoded(other, out);
                &special[3..]
            }
            None if octet == b'%' => {
                out.push(octet);
                behind
            }
            None => {
                push_encoded(octet, out);
                behind
            }
        };
    }
}

/// How many octets from the beginning of `text` are neither `%`, nor outside ASCII, nor `literals`.
#[inline]
fn plain_len(text: &[u8], literals: [u8; 2]) -> usize {
    let (chunks, rest) = text.as_chunks::<LANES>();
    for (at, chunk) in chunks.iter().enumerate() {
        let octets = Lanes::new(chunk);
        let special = octets.is(b'%').or(octets.is(literals[0])).or(octets.is(literals[1]));
        let special = special.or(octets).high_bits();
        if special != 0 {
            return at * LANES + usize::try_from(special.trailing_zeros()).unwrap_or(0);
        }
    }
    let is_special = |octet: &u8| !octet.is_ascii() || *octet == b'%' || literals.contains(octet);
    text.len() - rest.len() + rest.iter().position(is_special).unwrap_or(rest.len())
}

/// Appends `text` as Google's matcher escapes a rule: octets outside ASCII as `%XX`, the hex digits
/// of what is encoded already in upper case, nothing decoded.
///
/// # Complexity
/// Linear in `text`.
pub fn escape_only(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(&octet) = text.get(at) {
        match decoded(&text[at..]) {
            Some(plain) => {
                push_encoded(plain, out);
                at += 2;
            }
            None if octet >= 0x80 => push_encoded(octet, out),
            None => out.push(octet),
        }
        at += 1;
    }
}
