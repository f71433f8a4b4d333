//! Captured URLs that are no origin's, of several shards in one order.
//!
//! Enters: shards. Leaves: each URL once with its captures, in the order of its octets; what shards hold of each other is left out.
//! Memory: one URL for each shard. Must not know: what becomes of them.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::CaptureFlags;
use super::captures::Captures;
use super::part::Part;

/// Goes through the targets of shards.
pub(super) struct Merged<'c> {
    parts: Vec<&'c Part>,
    /// The next target of each shard that has one left.
    next: BinaryHeap<Reverse<Next<'c>>>,
}

/// A URL by its octets, its shard and its row there.
type Next<'c> = (&'c [u8], usize, u32);

/// A captured URL.
pub(super) struct Target<'c> {
    pub(super) url: &'c [u8],
    pub(super) captures: Captures<'c>,
    /// Which of the shards has it.
    pub(super) part: usize,
}

impl<'c> Merged<'c> {
    pub(super) fn new(parts: impl Iterator<Item = &'c Part>) -> Self {
        let parts: Vec<_> = parts.collect();
        let firsts = parts.iter().enumerate();
        let firsts = firsts.filter_map(|(at, part)| own(part, at, 0).map(Reverse));
        Merged { next: firsts.collect(), parts }
    }
}

impl<'c> Iterator for Merged<'c> {
    type Item = Target<'c>;

    fn next(&mut self) -> Option<Target<'c>> {
        let mut top = self.next.peek_mut()?;
        let Reverse((url, at, row)) = *top;
        let part = *self.parts.get(at)?;
        match own(part, at, row.saturating_add(1)) {
            Some(next) => *top = Reverse(next),
            None => {
                PeekMut::pop(top);
            }
        }
        Some(Target { url, captures: part.captures_of_target(row), part: at })
    }
}

/// The first target from `row` on that is no other shard's.
fn own(part: &Part, at: usize, row: u32) -> Option<Next<'_>> {
    let is_own = |row: &u32| {
        let first = part.captures_of_target(*row).first();
        first.is_none_or(|capture| !capture.flags.contains(CaptureFlags::IMPORTED))
    };
    let row = (row..u32::try_from(part.targets.len()).unwrap_or(u32::MAX)).find(is_own)?;
    Some((part.targets.name(row)?, at, row))
}
