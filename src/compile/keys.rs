//! The order of a group's rules: one word a rule, which sorts faster than the rule.
//!
//! Many keys are counted by what they sort by before the number, which is one pass and not a search;
//! few are compared.

use super::ids::{narrow, widen};
use crate::parse::Kind;
use crate::text::room::empty;

/// Where a rule belongs in any group, and which rule it is.
///
/// Keys sort as programs keep rules: literal rules first, then those with a wildcard, each by rank,
/// which is more octets, then allow, then the earlier of a body's rules, which are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key(u64);

/// More octets than any normalised pattern has: three times the largest body that is read.
const MOST_OCTETS: u32 = (1 << 30) - 1;

/// How many of the lowest bits of a key number the rule: enough for the largest body that is read.
const NUMBER_BITS: u32 = 31;

impl Key {
    #[inline]
    pub(super) fn new(is_literal: bool, specificity: u32, kind: Kind, number: usize) -> Self {
        let first = u32::from(!is_literal) << 31 | MOST_OCTETS.saturating_sub(specificity);
        let later = u32::from(kind == Kind::Disallow) << NUMBER_BITS | narrow(number);
        Key(u64::from(first) << 32 | u64::from(later))
    }

    /// Whether the rule has no wildcard, but at its end.
    #[inline]
    pub(super) fn is_literal(self) -> bool {
        self.0 >> 63 == 0
    }

    /// Whether the rule has better rank than `other`, which is of the same group.
    #[inline]
    pub(super) fn outranks(self, other: Key) -> bool {
        self.0 << 1 < other.0 << 1
    }

    /// The number of the rule.
    #[inline]
    pub(super) fn number(self) -> usize {
        const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
        usize::try_from(self.0 & NUMBER).unwrap_or(usize::MAX)
    }

    /// What keys sort by before the number, patterns of many octets being one.
    #[inline]
    fn bucket(self) -> usize {
        let octets = u64::from(MOST_OCTETS).saturating_sub(self.0 >> 32 & u64::from(MOST_OCTETS));
        let fewer = COUNTED_OCTETS - octets.min(COUNTED_OCTETS);
        let is_disallow = self.0 >> NUMBER_BITS & 1;
        let bucket = (self.0 >> 63) * (COUNTED_OCTETS + 1) * 2 + fewer * 2 + is_disallow;
        usize::try_from(bucket).unwrap_or(usize::MAX)
    }
}

/// Patterns of as many octets or more are counted together.
const COUNTED_OCTETS: u64 = 63;
const NUM_BUCKETS: usize = 256;

/// Keys from which on they are sorted by counting them.
const MIN_COUNTED: usize = 64;

/// Sorts keys, again and again in the same memory.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    sorted: Vec<Key>,
}

impl Sorter {
    /// Gives back what memory is large.
    pub(super) fn empty(&mut self) {
        empty(&mut self.sorted);
    }

    /// Sorts `keys`, whose numbers ascend among those that are equal but for them.
    pub(super) fn sort(&mut self, keys: &mut [Key]) {
        if keys.len() < MIN_COUNTED {
            return keys.sort_unstable();
        }
        let mut places = places_of(keys);
        self.sorted.clear();
        self.sorted.resize(keys.len(), Key(0));
        for key in keys.iter() {
            let Some(place) = places.get_mut(key.bucket()) else { continue };
            if let Some(sorted) = self.sorted.get_mut(widen(*place)) {
                *sorted = *key;
            }
            *place += 1;
        }
        keys.copy_from_slice(&self.sorted);
        // Long patterns come first among the literal ones and among the others.
        let end_of = |bucket: usize| places.get(bucket).map_or(0, |place| widen(*place));
        let long = [(0, end_of(1)), (end_of(NUM_BUCKETS / 2 - 1), end_of(NUM_BUCKETS / 2 + 1))];
        for (from, to) in long {
            keys.get_mut(from..to).unwrap_or_default().sort_unstable();
        }
    }
}

/// Where the keys of each bucket begin when they are sorted.
fn places_of(keys: &[Key]) -> [u32; NUM_BUCKETS] {
    let mut places = [0_u32; NUM_BUCKETS];
    for key in keys {
        if let Some(count) = places.get_mut(key.bucket()) {
            *count += 1;
        }
    }
    let mut next = 0;
    for place in &mut places {
        next += std::mem::replace(place, next);
    }
    places
}
