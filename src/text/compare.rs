//! Comparing short runs of octets without a call.
//!
//! Prefixes of URLs and tails of patterns are some ten to forty octets long; at that length a call of
//! `memcmp` costs more than the comparison. Linear, eight octets at a time.

/// Whether `text` begins with `prefix`.
#[must_use]
#[inline]
pub fn begins_with(text: &[u8], prefix: &[u8]) -> bool {
    text.get(..prefix.len()).is_some_and(|head| equal(head, prefix))
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

#[inline]
fn word(octets: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*octets)
}
