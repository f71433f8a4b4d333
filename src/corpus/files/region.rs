//! The octets of one file, on the heap or mapped, verified as they are read.
//!
//! Enters: a file with its length and the root of its checksums, or octets in memory. Leaves: slices. A read past the
//! end or of a block that fails gives nothing and is noted as [`Damage`]. Cost of a read: a bounds check and one bit for each
//! block it touches. Must not know what the octets mean.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::map::map;
use super::sums::{BLOCK_LEN, Failure, SumTree, num_blocks, side_len};
use super::{Damage, FilesError};

/// What the name of a file's checksums ends with.
pub(super) const SUMS_SUFFIX: &str = ".sums";

/// The octets of one file. Cloning shares them.
#[derive(Debug, Clone)]
pub struct Region {
    octets: Bytes,
    /// None: nothing to verify, as for octets that this process made.
    sums: Option<Arc<SumTree>>,
    name: Arc<str>,
    damage: Damage,
}

impl Region {
    /// Octets in memory, not verified; messages call them `name`.
    pub fn heap(name: &str, octets: impl Into<Bytes>, damage: &Damage) -> Self {
        let name = name.into();
        Region { octets: octets.into(), sums: None, name, damage: damage.clone() }
    }

    /// Maps the file at `path`, which has `len` octets and checksums beside it whose root is `root`. Reads nothing.
    ///
    /// # Errors
    /// A file that is missing, is no plain file, or has another length.
    pub fn open(path: &Path, len: u64, root: u64, damage: &Damage) -> Result<Self, FilesError> {
        let name: Arc<str> = path.display().to_string().into();
        let octets = map_file(path, len)?;
        let side = map_file(&sums_path(path), side_len(len))?;
        let too_large = || FilesError::damaged(&name, 0, "too large for this machine");
        let sums = SumTree::new(len, root, &side).ok_or_else(too_large)?;
        Ok(Region { octets, sums: Some(Arc::new(sums)), name, damage: damage.clone() })
    }

    /// Its length in octets.
    #[must_use]
    pub fn len(&self) -> u64 {
        u64::try_from(self.octets.len()).unwrap_or(u64::MAX)
    }

    /// Whether it has no octets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.octets.is_empty()
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Where damage is noted.
    #[must_use]
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// `len` octets from `start` on; none of them, and noted damage, when they are not all there or not as written.
    #[inline]
    #[must_use]
    pub fn get(&self, start: u64, len: u64) -> &[u8] {
        match self.slice(start, len) {
            Some(octets) if self.knows(start, len) => octets,
            _ => self.get_first(start, len),
        }
    }

    /// As [`Region::get`], with the damage as an error and not noted.
    ///
    /// # Errors
    /// Octets that are not all there or not as written.
    pub fn try_get(&self, start: u64, len: u64) -> Result<&[u8], FilesError> {
        let past_end = || {
            let what = format!("{len} octets wanted, the file ends at {}", self.len());
            FilesError::damaged(&self.name, start, what)
        };
        let octets = self.slice(start, len).ok_or_else(past_end)?;
        let verified = self.sums.as_ref().map_or(Ok(()), |t| t.verify(&self.octets, start, len));
        verified.map_err(|(number, failure)| self.failed(number, failure))?;
        Ok(octets)
    }

    /// Verifies all of it. Cost: reads the whole file.
    ///
    /// # Errors
    /// The first block that is not as it was written.
    pub fn verify(&self) -> Result<(), FilesError> {
        let Some(sums) = &self.sums else { return Ok(()) };
        let len = num_blocks(self.len()).saturating_mul(BLOCK_LEN);
        sums.verify(&self.octets, 0, len).map_err(|(number, failure)| self.failed(number, failure))
    }

    /// Blocks of it and of its checksums that were read so far; none of octets in memory.
    #[must_use]
    pub fn num_blocks_read(&self) -> u64 {
        self.sums.as_ref().map_or(0, |sums| sums.num_verified())
    }

    /// An error for what is wrong at `offset` though the octets are as written.
    pub(super) fn malformed(&self, offset: u64, what: impl Into<Arc<str>>) -> FilesError {
        FilesError::damaged(&self.name, offset, what)
    }

    #[inline]
    fn slice(&self, start: u64, len: u64) -> Option<&[u8]> {
        let start = usize::try_from(start).ok()?;
        let end = start.checked_add(usize::try_from(len).ok()?)?;
        self.octets.get(start..end)
    }

    #[inline]
    fn knows(&self, start: u64, len: u64) -> bool {
        self.sums.as_ref().is_none_or(|sums| sums.knows(start, len))
    }

    /// A read that is not plain: past the end, or the first one of a block.
    #[cold]
    fn get_first(&self, start: u64, len: u64) -> &[u8] {
        self.try_get(start, len).unwrap_or_else(|error| {
            self.damage.note(error);
            &[]
        })
    }

    fn failed(&self, number: u64, failure: Failure) -> FilesError {
        let what = "the block's checksum does not match";
        match failure {
            Failure::Block => {
                FilesError::damaged(&self.name, number.saturating_mul(BLOCK_LEN), what)
            }
            Failure::Sums(offset) => {
                let name = format!("{}{SUMS_SUFFIX}", self.name).into();
                FilesError::damaged(&name, offset, what)
            }
        }
    }
}

/// Where the checksums of the file at `path` stand.
pub(super) fn sums_path(path: &Path) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(SUMS_SUFFIX);
    name.into()
}

/// Asks whether `path` is a plain file of `len` octets, without opening it: a pipe would wait for a writer.
pub(super) fn check_len(path: &Path, len: u64) -> Result<(), FilesError> {
    let found = path.metadata().map_err(|error| FilesError::io(path, "opening", error))?;
    let name = || path.display().to_string().into();
    if !found.is_file() {
        return Err(FilesError::damaged(&name(), 0, "no plain file"));
    }
    if found.len() != len {
        let what = format!("{} octets long, {len} by the manifest", found.len());
        return Err(FilesError::damaged(&name(), found.len().min(len), what));
    }
    Ok(())
}

/// Maps a file that has `len` octets.
fn map_file(path: &Path, len: u64) -> Result<Bytes, FilesError> {
    check_len(path, len)?;
    if len == 0 {
        return Ok(Bytes::new());
    }
    let file = File::open(path).map_err(|error| FilesError::io(path, "opening", error))?;
    let octets = map(&file).map_err(|error| FilesError::io(path, "mapping", error))?;
    if u64::try_from(octets.len()).ok() == Some(len) {
        return Ok(octets);
    }
    let name = path.display().to_string().into();
    Err(FilesError::damaged(&name, 0, "it changed its length while it was opened"))
}
