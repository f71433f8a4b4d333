//! Comparing and searching short runs of octets without a call.
//!
//! Prefixes of URLs and tails of patterns are some ten to forty octets long; at that length a call of
//! `memcmp` costs more than the comparison. Linear, eight octets at a time.

use super::lanes::{LANES, Lanes};

/// Whether `text` begins with `prefix`.
#[must_use]
#[inline]
pub fn begins_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|head| equal(head, prefix))
}

/// Whether `text` ends with `suffix`.
#[must_use]
#[inline]
pub fn ends_with(text: &[u8], suffix: &[u8]) -> bool {
    let start = text.len().checked_sub(suffix.len());
    start.and_then(|start| text.get(start..)).is_some_and(|tail| equal(tail, suffix))
}

/// Whether `one` and `other` are the same octets.
#[must_use]
#[inline]
pub fn equal(one: &[u8], other: &[u8]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    match (one.last_chunk::<8>(), other.last_chunk::<8>()) {
        (Some(one_end), Some(other_end)) => {
            let (ones, _) = one.as_chunks::<8>();
            let (others, _) = other.as_chunks::<8>();
            word(one_end) == word(other_end)
                && ones.iter().zip(others).all(|(one, other)| word(one) == word(other))
        }
        _ => one.iter().zip(other).all(|(one, other)| one == other),
    }
}

/// Whether `first` and `second` stand next to each other somewhere in `text`.
///
/// # Complexity
/// One pass without an early end, sixteen octets at a time.
#[must_use]
#[inline]
pub fn holds_pair(text: &[u8], [first, second]: [u8; 2]) -> bool {
    let (Some(firsts), Some(seconds)) = (text.get(..text.len().saturating_sub(1)), text.get(1..))
    else {
        return false;
    };
    let (Some(last_firsts), Some(last_seconds)) = (firsts.last_chunk(), seconds.last_chunk())
    else {
        return firsts.iter().zip(seconds).any(|pair| pair == (&first, &second));
    };
    let mut found = [0; 16];
    let chunks = firsts.as_chunks::<16>().0.iter().zip(seconds.as_chunks::<16>().0);
    for (firsts, seconds) in chunks.chain([(last_firsts, last_seconds)]) {
        for (found, (one, other)) in found.iter_mut().zip(firsts.iter().zip(seconds)) {
            *found |= u8::from(*one == first) & u8::from(*other == second);
        }
    }
    u128::from_le_bytes(found) != 0
}

#[inline]
fn word(octets: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*octets)
}

/// How many octets `one` and `other` have in common at their beginnings.
///
/// # Complexity
/// One pass over what they share, sixteen octets at a time.
#[must_use]
#[inline]
pub fn common_len(one: &[u8], other: &[u8]) -> usize {
    let pairs = one.as_chunks::<LANES>().0.iter().zip(other.as_chunks::<LANES>().0);
    let mut len = 0;
    for (one, other) in pairs {
        let same = Lanes::new(one).equals(Lanes::new(other)).high_bits();
        if same != 0xFFFF {
            return len + usize::try_from(same.trailing_ones()).unwrap_or(0);
        }
        len += LANES;
    }
    let tails = one.iter().skip(len).zip(other.iter().skip(len));
    len + tails.take_while(|(one, other)| one == other).count()
}
