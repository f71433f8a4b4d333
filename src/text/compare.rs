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

/// The first eight octets of a text, zeros where it has fewer: read once for many comparisons.
#[derive(Clone, Copy, Debug)]
pub struct Head(u64);

impl Head {
    /// That of `text`.
    #[must_use]
    #[inline]
    pub fn of(text: &[u8]) -> Self {
        Head(chunk_at(text, 0).unwrap_or_else(|| head_of_short(text)))
    }

    /// The octets.
    #[must_use]
    #[inline]
    pub fn octets(self) -> [u8; 8] {
        self.0.to_le_bytes()
    }

    /// Whether `text`, whose head this is, begins with the first `len` octets of `other`, none of which
    /// is zero.
    ///
    /// Up to sixteen octets are compared without a branch on their number, which no processor could
    /// foresee; for that `other` should go on for eight octets whatever `len` is.
    #[must_use]
    #[inline]
    pub fn begins_with(self, text: &[u8], other: &[u8], len: usize) -> bool {
        let start = len.saturating_sub(8);
        let (Some(first), Some(last)) = (chunk_at(other, 0), chunk_at(other, start)) else {
            return other.get(..len).is_some_and(|prefix| begins_with(text, prefix));
        };
        // What stands behind the first `len` octets does not count.
        let unused = (8 - len.min(8)) * 8;
        let shift = u32::try_from(unused).unwrap_or(u64::BITS);
        let first_differs = (self.0 ^ first).unbounded_shl(shift);
        match chunk_at(text, start) {
            Some(end) => {
                (first_differs | (end ^ last).unbounded_shl(shift)) == 0
                    && (8..start).step_by(8).all(|at| chunk_at(text, at) == chunk_at(other, at))
            }
            None => start == 0 && first_differs == 0,
        }
    }
}

/// Eight octets of `text` from `at` on.
#[inline]
fn chunk_at(text: &[u8], at: usize) -> Option<u64> {
    text.get(at..).and_then(|tail| tail.first_chunk()).map(word)
}

fn head_of_short(text: &[u8]) -> u64 {
    text.iter().rev().fold(0, |head, octet| head << 8 | u64::from(*octet))
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
        let same = common_of_lanes(one, other);
        len += same;
        if same != LANES {
            return len;
        }
    }
    // The last octets once more with some of those before, which are the same.
    let end = one.len().min(other.len());
    let (one, other) = (one.get(..end).unwrap_or_default(), other.get(..end).unwrap_or_default());
    match (one.last_chunk(), other.last_chunk()) {
        (Some(one), Some(other)) => end - LANES + common_of_lanes(one, other),
        _ => common_of_few(one, other),
    }
}

/// How many octets two full vectors have in common at their beginnings.
#[inline]
fn common_of_lanes(one: &[u8; LANES], other: &[u8; LANES]) -> usize {
    let same = Lanes::new(one).equals(Lanes::new(other)).high_bits();
    usize::try_from(same.trailing_ones()).unwrap_or(LANES)
}

/// As [`common_len`], of less than sixteen octets, as many of both.
#[inline]
fn common_of_few(one: &[u8], other: &[u8]) -> usize {
    let common = |at: usize| {
        let differing = chunk_at(one, at)? ^ chunk_at(other, at)?;
        usize::try_from(differing.trailing_zeros() / u8::BITS).ok()
    };
    match (common(0), common(one.len().saturating_sub(8))) {
        (Some(8), Some(behind)) => one.len() - 8 + behind,
        (Some(before), _) => before,
        _ => one.iter().zip(other).take_while(|(one, other)| one == other).count(),
    }
}
