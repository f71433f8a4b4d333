//! Writes a file and its checksums in one go.
//!
//! Enters: octets in any portions. Leaves: the same octets in one writer, the levels of [`super::sums`] in another, and
//! the root. Memory: a buffer, and one sum for each 32 MiB of the file: level 0 goes out as it comes. Cost: a hash
//! of each octet. Must not know what the octets mean.

use std::io::{self, Write};

use super::sums::{BLOCK_LEN, sum};

/// [`super::sums::BLOCK_LEN`] as a length in memory.
const BLOCK: usize = 16 * 1024;
const _: () = assert!(BLOCK_LEN == 16 * 1024);

/// Octets that are written at once: a plain file needs no other buffer.
const BUFFER_LEN: usize = 16 * BLOCK;

/// Sums of one block of a level.
const SUMS_PER_BLOCK: usize = BLOCK / 8;

/// A writer that sums what goes through it. Nothing is whole before [`SummingWriter::finish`].
#[derive(Debug)]
pub struct SummingWriter<W: Write, S: Write> {
    file: W,
    sums: S,
    buffer: Vec<u8>,
    len: u64,
    /// The sums of level 0's last, not yet full block.
    level_0: Vec<u64>,
    level_1: Vec<u64>,
}

/// What a [`SummingWriter`] leaves.
#[derive(Debug)]
pub struct Summed<W, S> {
    /// The writer of the file.
    pub file: W,
    /// The writer of the levels.
    pub sums: S,
    /// Octets of the file.
    pub len: u64,
    /// The one sum over all.
    pub root: u64,
}

impl<W: Write, S: Write> SummingWriter<W, S> {
    /// Writes a file into `file` and its levels into `sums`.
    pub fn new(file: W, sums: S) -> Self {
        let buffer = Vec::with_capacity(BUFFER_LEN);
        SummingWriter { file, sums, buffer, len: 0, level_0: Vec::new(), level_1: Vec::new() }
    }

    /// Writes what is left, and the upper levels.
    ///
    /// # Errors
    /// Those of the two writers.
    pub fn finish(mut self) -> io::Result<Summed<W, S>> {
        self.write_buffer()?;
        let root = match (self.level_1.as_slice(), self.level_0.as_slice()) {
            ([], [root]) => *root,
            _ => self.finish_levels()?,
        };
        self.file.flush()?;
        self.sums.flush()?;
        Ok(Summed { file: self.file, sums: self.sums, len: self.len, root })
    }

    /// Writes the rest of level 0 and all levels above; gives the root.
    fn finish_levels(&mut self) -> io::Result<u64> {
        self.end_block()?;
        let mut level = std::mem::take(&mut self.level_1);
        while level.len() > 1 {
            let mut above = Vec::with_capacity(level.len().div_ceil(SUMS_PER_BLOCK));
            for block in level.chunks(SUMS_PER_BLOCK) {
                above.push(write_sums(&mut self.sums, block)?);
            }
            level = above;
        }
        // Without any block there is the empty one.
        Ok(level.first().copied().unwrap_or_else(|| sum(&[])))
    }

    /// Sums and writes the buffer; only the last one may be no multiple of blocks.
    fn write_buffer(&mut self) -> io::Result<()> {
        let buffer = std::mem::take(&mut self.buffer);
        self.write_blocks(&buffer)?;
        self.buffer = buffer;
        self.buffer.clear();
        Ok(())
    }

    fn write_blocks(&mut self, octets: &[u8]) -> io::Result<()> {
        for block in octets.chunks(BLOCK) {
            self.level_0.push(sum(block));
            if self.level_0.len() == SUMS_PER_BLOCK {
                self.end_block()?;
            }
        }
        self.file.write_all(octets)
    }

    /// Writes a block of level 0, if there is any of it.
    fn end_block(&mut self) -> io::Result<()> {
        if !self.level_0.is_empty() {
            self.level_1.push(write_sums(&mut self.sums, &self.level_0)?);
            self.level_0.clear();
        }
        Ok(())
    }
}

/// Writes a block of sums and gives its own.
fn write_sums(writer: &mut impl Write, sums: &[u64]) -> io::Result<u64> {
    let octets: Vec<u8> = sums.iter().flat_map(|sum| sum.to_le_bytes()).collect();
    writer.write_all(&octets)?;
    Ok(sum(&octets))
}

impl<W: Write, S: Write> Write for SummingWriter<W, S> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if self.buffer.is_empty() && octets.len() >= BUFFER_LEN {
            // Whole blocks need no copy.
            let whole = octets.get(..octets.len() / BLOCK * BLOCK).unwrap_or_default();
            self.write_blocks(whole)?;
            self.len += u64::try_from(whole.len()).unwrap_or(0);
            return Ok(whole.len());
        }
        let room = BUFFER_LEN.saturating_sub(self.buffer.len());
        let taken = octets.get(..room.min(octets.len())).unwrap_or_default();
        self.buffer.extend_from_slice(taken);
        self.len += u64::try_from(taken.len()).unwrap_or(0);
        if self.buffer.len() == BUFFER_LEN {
            self.write_buffer()?;
        }
        Ok(taken.len())
    }

    /// Passes on nothing: a block is summed when it is full.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
