//! What was done.
//!
//! **Purpose.** Carry the sums to whoever tells the user. **Must not know**: how it is shown.

use std::path::PathBuf;

/// What a stream did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report<T> {
    /// Sum of the tallies of all row groups that were written.
    pub tally: T,
    /// Input rows that were judged and whose file was written.
    pub rows: u64,
    /// Row groups written.
    pub row_groups: u64,
    /// Files written.
    pub files: u64,
    /// Octets of the input columns read, as stored, in files that were written.
    pub octets_read: u64,
    /// Octets of the files written.
    pub octets_written: u64,
    /// Files that an earlier run had written and that stayed as they were; in no other count.
    pub kept_files: u64,
    /// The rows of their inputs.
    pub kept_rows: u64,
    /// Files left out, in the order of the inputs, one entry each.
    pub skipped: Vec<Skipped>,
}

/// An input file that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// The damaged row group, counted from 0; `None` where the file could not be opened at all.
    pub row_group: Option<usize>,
    /// Rows that have no answer: all of the file, as its footer claims; 0 where the footer is unreadable.
    pub rows: u64,
    /// Why.
    pub reason: String,
}

/// What a stream would do with one input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The file that would be read.
    pub path: PathBuf,
    /// The file that would be written.
    pub output: PathBuf,
    /// Its rows.
    pub rows: u64,
    /// Its row groups.
    pub row_groups: usize,
    /// The columns the judge would read, as the file spells them.
    pub columns: Vec<String>,
    /// Its output is there already and would stay: no row would be read.
    pub kept: bool,
    /// Why the file would be left out, where it would (damaged, and the plan says to skip such files).
    pub skipped: Option<String>,
}
