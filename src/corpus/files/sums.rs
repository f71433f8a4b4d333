//! The checksums of a file as a tree, verified as far as a read needs.
//!
//! ```text
//! file:      block 0 │ block 1 │ …                           each of BLOCK_LEN octets, the last one shorter
//! level 0:   sum of block 0, sum of block 1, …               8 octets each; cut into blocks again
//! level 1:   sum of level 0's block 0, …                     and so on, until one sum is left:
//! root       stands in the manifest; the levels stand one after the other in `<name>.sums`
//! ```
//!
//! Enters: the octets of a file, of its levels, and its root. Leaves: whether a block is as it was written. Opening touches
//! nothing; a block costs one hash when it is first read, and one for each block of a level on its way to the root that
//! was not verified yet (one block of level 0 stands for 32 MiB of the file). Afterwards one bit. The sums are XXH3:
//! they find damage; against an attacker they are no proof, which is why readers check bounds all the same.

use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use twox_hash::XxHash3_64;

/// Octets that are verified together. Measured on cached pages in random order: the first read of a block takes
/// 1.9 µs at 4 KiB, 3.0 at 16, 4.5 at 64, most of it page faults; 16 KiB have a quarter of the sums of 4.
pub const BLOCK_LEN: u64 = 16 * 1024;

/// Octets of one sum.
pub(super) const SUM_LEN: u64 = 8;

/// The sum of one block.
pub(super) fn sum(block: &[u8]) -> u64 {
    XxHash3_64::oneshot(block)
}

/// How many blocks `len` octets are; no octets are one empty block.
pub(super) fn num_blocks(len: u64) -> u64 {
    len.div_ceil(BLOCK_LEN).max(1)
}

/// Octets of each level of a file of `len` octets, level 0 first; none where one block's sum is the root.
pub(super) fn level_lens(len: u64) -> Vec<u64> {
    let mut lens = Vec::new();
    let mut blocks = num_blocks(len);
    while blocks > 1 {
        let len = blocks.saturating_mul(SUM_LEN);
        lens.push(len);
        blocks = num_blocks(len);
    }
    lens
}

/// Length of the side file of a file of `len` octets.
pub(super) fn side_len(len: u64) -> u64 {
    level_lens(len).iter().sum()
}

/// One block of `octets`, or what there is of it.
pub(super) fn block(octets: &[u8], number: u64) -> &[u8] {
    let start = number.saturating_mul(BLOCK_LEN);
    let end = start.saturating_add(BLOCK_LEN);
    let place = |at: u64| usize::try_from(at).unwrap_or(usize::MAX).min(octets.len());
    octets.get(place(start)..place(end)).unwrap_or_default()
}

/// Where a block fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// The block of the file itself.
    Block,
    /// The block of a level at this octet of the side file.
    Sums(u64),
}

/// The tree over one file.
#[derive(Debug)]
pub(super) struct SumTree {
    root: u64,
    levels: Vec<Level>,
    /// Which blocks of the file are verified.
    blocks: Bits,
}

#[derive(Debug)]
struct Level {
    /// In the side file.
    start: u64,
    octets: Bytes,
    verified: Bits,
}

impl SumTree {
    /// A tree over a file of `len` octets; `None` when `side` has another length than its levels.
    pub(super) fn new(len: u64, root: u64, side: &Bytes) -> Option<Self> {
        let mut levels = Vec::new();
        let mut at = 0_usize;
        for level_len in level_lens(len) {
            let end = at.checked_add(usize::try_from(level_len).ok()?)?;
            // Asked first: `slice` would panic.
            side.get(at..end)?;
            let verified = Bits::new(num_blocks(level_len))?;
            let start = u64::try_from(at).ok()?;
            levels.push(Level { start, octets: side.slice(at..end), verified });
            at = end;
        }
        let blocks = Bits::new(num_blocks(len))?;
        (at == side.len()).then_some(SumTree { root, levels, blocks })
    }

    /// Whether the blocks that `len` octets from `start` on touch were verified before. Cost: one bit for each.
    #[inline]
    pub(super) fn knows(&self, start: u64, len: u64) -> bool {
        let Some(last) = len.checked_sub(1) else { return true };
        let (first, last) = (start / BLOCK_LEN, start.saturating_add(last) / BLOCK_LEN);
        if first == last {
            return self.blocks.has(first);
        }
        (first..=last).all(|number| self.blocks.has(number))
    }

    /// Verifies the blocks of `file` that `len` octets from `start` on touch; gives the first that fails.
    pub(super) fn verify(&self, file: &[u8], start: u64, len: u64) -> Result<(), (u64, Failure)> {
        let Some(last) = len.checked_sub(1) else { return Ok(()) };
        for number in start / BLOCK_LEN..=start.saturating_add(last) / BLOCK_LEN {
            self.verify_block(file, number).map_err(|failure| (number, failure))?;
        }
        Ok(())
    }

    /// How many blocks were read and verified so far, of the file and of its levels: what it cost to answer.
    pub(super) fn num_verified(&self) -> u64 {
        let levels: u64 = self.levels.iter().map(|level| level.verified.count()).sum();
        self.blocks.count() + levels
    }

    fn verify_block(&self, file: &[u8], number: u64) -> Result<(), Failure> {
        if self.blocks.has(number) {
            return Ok(());
        }
        if self.expected(0, number)? != sum(block(file, number)) {
            return Err(Failure::Block);
        }
        self.blocks.set(number);
        Ok(())
    }

    /// The sum that stands in `level` for a block of what is below it; the blocks that it is read from are verified.
    fn expected(&self, level: usize, number: u64) -> Result<u64, Failure> {
        let Some(this) = self.levels.get(level) else { return Ok(self.root) };
        let at = number.saturating_mul(SUM_LEN);
        let own = at / BLOCK_LEN;
        let failure = Failure::Sums(this.start.saturating_add(own.saturating_mul(BLOCK_LEN)));
        if !this.verified.has(own) {
            // As many calls deep as the tree has levels: below six for any file.
            if self.expected(level + 1, own)? != sum(block(&this.octets, own)) {
                return Err(failure);
            }
            this.verified.set(own);
        }
        let rest = usize::try_from(at).ok().and_then(|at| this.octets.get(at..));
        let octets = rest.and_then(|rest| rest.first_chunk()).ok_or(failure)?;
        Ok(u64::from_le_bytes(*octets))
    }
}

/// Bits that are only ever set, from any thread. The memory comes zeroed from the system and is not touched.
#[derive(Debug)]
struct Bits(Box<[AtomicU64]>);

impl Bits {
    /// `None` when there is no memory for so many.
    fn new(num_bits: u64) -> Option<Self> {
        let words = usize::try_from(num_bits.div_ceil(64)).ok()?;
        bytemuck::allocation::try_zeroed_slice_box(words).ok().map(Bits)
    }

    #[inline]
    fn has(&self, bit: u64) -> bool {
        let word = usize::try_from(bit / 64).ok().and_then(|at| self.0.get(at));
        // Relaxed: what was verified never changes, so nothing else has to become visible with the bit.
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (bit % 64) & 1 == 1)
    }

    /// How many are set. Cost: linear in all of them.
    fn count(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.load(Ordering::Relaxed).count_ones())).sum()
    }

    fn set(&self, bit: u64) {
        let word = usize::try_from(bit / 64).ok().and_then(|at| self.0.get(at));
        if let Some(word) = word {
            word.fetch_or(1 << (bit % 64), Ordering::Relaxed);
        }
    }
}
