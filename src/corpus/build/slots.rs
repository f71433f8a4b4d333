//! The index of origins by name, written from one end to the other.
//!
//! Enters: names with their numbers. Leaves: the table of slots. Memory: sixteen octets and more for each name,
//! spilled beyond a budget. Must not know: how slots are read.

use std::path::PathBuf;
use std::sync::Arc;

use arrow::array::{ArrayRef, UInt64Builder};

use super::out::Out;
use super::rows::write;
use super::sorter::{Merge, Run, Sorter};
use crate::corpus::CorpusError;
use crate::corpus::format::{INDEX, INDEX_SCHEMA, ROWS_PER_BATCH};
use crate::corpus::index::{NameHash, num_homes};

/// What the names of its runs begin with.
pub(super) const NAMES: &str = "names-";

/// What the names of files begin with that several of them were merged into.
const MERGED: &str = "names-merged-";

/// Collects names and writes their index.
pub(super) struct SlotWriter {
    seed: u64,
    sorter: Sorter,
    runs: Vec<Run>,
    budget: usize,
    folder: Option<PathBuf>,
    num_origins: u64,
}

impl SlotWriter {
    /// With names hashed under `seed`; past `budget` octets they go to files of `folder`.
    pub(super) fn new(seed: u64, budget: usize, folder: Option<PathBuf>) -> Self {
        let sorter = Sorter::default();
        SlotWriter { seed, sorter, runs: Vec::new(), budget, folder, num_origins: 0 }
    }

    pub(super) fn push(&mut self, name: &[u8], origin: u32) -> Result<(), CorpusError> {
        let mut record = [0; 12];
        let hash = NameHash::new(name, self.seed).to_bits().to_be_bytes();
        let number = origin.to_be_bytes();
        record.iter_mut().zip(hash.iter().chain(&number)).for_each(|(to, from)| *to = *from);
        self.sorter.push(&record);
        self.num_origins += 1;
        if let Some(folder) = &self.folder
            && self.sorter.memory_usage() > self.budget
        {
            let path = folder.join(format!("{NAMES}{}", self.runs.len()));
            self.sorter.spill(&path).map_err(|error| CorpusError::io(&path, error))?;
            self.runs.push(Run::File(path));
        }
        Ok(())
    }

    pub(super) fn write(mut self, out: &mut Out) -> Result<(), CorpusError> {
        let homes = num_homes(self.num_origins);
        let mut table = out.table(INDEX, &INDEX_SCHEMA, ROWS_PER_BATCH, slots_len(homes))?;
        self.runs.push(self.sorter.into_run());
        let merge = Merge::new(self.runs, self.folder.as_deref(), MERGED);
        let mut merge = merge.map_err(|error| CorpusError::spill(&error))?;
        let mut slots = UInt64Builder::new();
        let mut num_slots = 0_u64;
        let mut put = |slot: u64| {
            slots.append_value(slot);
            num_slots += 1;
            match num_slots.is_multiple_of(ROWS_PER_BATCH.into()) {
                true => write(&mut table, vec![Arc::new(slots.finish()) as ArrayRef])
                    .map(|()| num_slots),
                false => Ok(num_slots),
            }
        };
        let mut at = 0;
        while let Some(record) = merge.next().map_err(|error| CorpusError::spill(&error))? {
            let (hash, number) = record.split_first_chunk().unwrap_or((&[0; 8], &[]));
            let hash = NameHash::from_bits(u64::from_be_bytes(*hash));
            let number = number.first_chunk().map_or(0, |number| u32::from_be_bytes(*number));
            while at < hash.home(homes) {
                at = put(0)?;
            }
            at = put(hash.slot(number))?;
        }
        write(&mut table, vec![Arc::new(slots.finish()) as ArrayRef])?;
        Ok(out.close(table)?)
    }
}

/// Octets of a table of so many slots, roughly.
fn slots_len(homes: u64) -> usize {
    usize::try_from(homes.saturating_mul(9)).unwrap_or(0)
}
