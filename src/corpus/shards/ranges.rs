//! Which shard's range of the SURT order a name lies in.
//!
//! Enters: the first key of each shard that has any. Leaves: the number of a shard. Cost: a search among shards, nothing allocated.
//! Must not know: what shards hold.

use std::cmp::Ordering;

use crate::text::surt;

/// Where ranges begin.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    /// The first key of each shard that has origins or other URLs, with the shard's number; ascending.
    firsts: Vec<(Box<str>, u32)>,
}

impl Ranges {
    /// Adds the next shard; whether its first key stands after that of the one before.
    pub(super) fn add(&mut self, first: &str, part: u32) -> bool {
        let is_next = self.firsts.last().is_none_or(|(before, _)| **before < *first);
        self.firsts.push((first.into(), part));
        is_next
    }

    /// The shard in whose range an origin lies; for what stands before all of them, the first.
    pub(super) fn of_origin(&self, name: &[u8]) -> u32 {
        let begins = |first: &str| surt::compare(name, first.as_bytes()) != Ordering::Less;
        let after = self.firsts.partition_point(|(first, _)| begins(first));
        self.firsts.get(after.saturating_sub(1)).map_or(0, |(_, part)| *part)
    }
}
