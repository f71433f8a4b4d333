//! Sorting more records than memory holds: runs sorted in memory, spilled to files, merged.
//!
//! Enters: records, octets that sort as they compare. Leaves: all of them in order. Memory: the budget given, and a
//! buffer for each run while merging. Disk: the records once, and once more where runs are many. Cost: `n log n`
//! comparisons, each record copied twice. Must not know: what records mean.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rayon::slice::ParallelSliceMut;

use crate::compile::narrow;
use crate::corpus::CorpusError;

/// Octets of records that are held together: more room is made by the block, so that none is copied for it.
const BLOCK: usize = 256 << 10;

/// What an entry of the list costs beside its record.
const ENTRY_LEN: usize = size_of::<Entry>();

/// Octets that runs are read through while merging: together, and each at least and at most.
const MERGE_BUFFERS: usize = 64 << 20;
const LEAST_BUFFER: usize = 16 << 10;
const MOST_BUFFER: usize = 1 << 20;

/// Runs that are merged at a time: each is an open file, and many systems let a process have 1,024 or 256 of them.
const MOST_RUNS: usize = 128;

/// Takes records and sorts them.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    records: Records,
    entries: Vec<Entry>,
}

/// Records end to end, none over the end of a block.
#[derive(Debug, Default)]
pub(super) struct Records {
    blocks: Vec<Vec<u8>>,
    num_octets: usize,
}

/// Where a record stands, and its first octets, which decide most comparisons: names of one top-level domain differ
/// behind the fifth.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    first: u128,
    block: u32,
    at: u32,
    len: u32,
}

impl Sorter {
    /// Adds a record.
    pub(super) fn push(&mut self, record: &[u8]) {
        let mut first = [0; size_of::<u128>()];
        for (to, from) in first.iter_mut().zip(record) {
            *to = *from;
        }
        let (block, at) = self.records.push(record);
        let (first, len) = (u128::from_be_bytes(first), narrow(record.len()));
        self.entries.push(Entry { first, block, at, len });
    }

    /// Octets held.
    pub(super) fn memory_usage(&self) -> usize {
        self.records.num_octets + self.entries.len() * ENTRY_LEN
    }

    /// Whether nothing was added since the last run.
    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sorts what there is and writes it to `path` as a run, whole when this returns; what was held is let go.
    pub(super) fn spill(&mut self, path: &Path) -> io::Result<()> {
        self.sort();
        let mut output = BufWriter::with_capacity(MOST_BUFFER, File::create(path)?);
        for entry in &self.entries {
            write_record(&mut output, self.records.get(*entry))?;
        }
        output.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
        self.records = Records::default();
        self.entries.clear();
        Ok(())
    }

    /// Sorts what there is; it stays in memory as a run.
    pub(super) fn into_run(mut self) -> Run {
        self.sort();
        Run::Memory { records: self.records, entries: self.entries.into_iter() }
    }

    fn sort(&mut self) {
        let records = &self.records;
        self.entries.par_sort_unstable_by(|one, other| {
            one.first.cmp(&other.first).then_with(|| records.get(*one).cmp(records.get(*other)))
        });
    }
}

impl Records {
    /// Adds a record; gives its block and where it begins there.
    fn push(&mut self, record: &[u8]) -> (u32, u32) {
        let room = |block: &Vec<u8>| block.capacity() - block.len();
        if self.blocks.last().is_none_or(|block| room(block) < record.len()) {
            self.blocks.push(Vec::with_capacity(BLOCK.max(record.len())));
        }
        let number = narrow(self.blocks.len().saturating_sub(1));
        let Some(block) = self.blocks.last_mut() else { return (0, 0) };
        let at = narrow(block.len());
        block.extend_from_slice(record);
        self.num_octets += record.len();
        (number, at)
    }

    fn get(&self, entry: Entry) -> &[u8] {
        let block = self.blocks.get(index(entry.block));
        let octets = block.and_then(|block| block.get(index(entry.at)..));
        octets.and_then(|octets| octets.get(..index(entry.len))).unwrap_or_default()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// Records in order, in memory or in a file.
#[derive(Debug)]
pub(super) enum Run {
    Memory { records: Records, entries: std::vec::IntoIter<Entry> },
    File(PathBuf),
}

impl Run {
    /// Gives each record to `visit`, in no order that matters.
    pub(super) fn for_each(
        &self,
        mut visit: impl FnMut(&[u8]) -> Result<(), CorpusError>,
    ) -> Result<(), CorpusError> {
        match self {
            Run::Memory { records, entries } => {
                entries.as_slice().iter().try_for_each(|entry| visit(records.get(*entry)))
            }
            Run::File(path) => {
                let io = |error| CorpusError::io(path, error);
                let mut input =
                    BufReader::with_capacity(MOST_BUFFER, File::open(path).map_err(io)?);
                let mut record = Vec::new();
                while read_record(&mut input, &mut record).map_err(io)? {
                    visit(&record)?;
                    record.clear();
                }
                Ok(())
            }
        }
    }
}

/// All runs as one, in order. Of equal records all come out.
pub(super) struct Merge {
    heads: BinaryHeap<Head>,
    record: Vec<u8>,
}

/// A run and its next record.
struct Head {
    record: Vec<u8>,
    rest: Rest,
}

enum Rest {
    Memory { records: Records, entries: std::vec::IntoIter<Entry> },
    File { input: BufReader<File>, path: PathBuf },
}

impl Merge {
    /// Of `runs`, each in order. Where there are more files than may be open, files of several are made first, in `folder`
    /// and under names that begin with `name`.
    pub(super) fn new(mut runs: Vec<Run>, folder: Option<&Path>, name: &str) -> io::Result<Self> {
        let mut files = 0..;
        while let Some(folder) = folder.filter(|_| runs.len() > MOST_RUNS) {
            let mut fewer = Vec::with_capacity(runs.len().div_ceil(MOST_RUNS));
            let mut rest = runs.into_iter();
            while rest.len() > 0 {
                let some = rest.by_ref().take(MOST_RUNS).collect();
                let path = folder.join(format!("{name}{}", files.next().unwrap_or(0)));
                fewer.push(Merge::of_few(some)?.into_file(path)?);
            }
            runs = fewer;
        }
        Merge::of_few(runs)
    }

    /// Writes all records as one run.
    fn into_file(mut self, path: PathBuf) -> io::Result<Run> {
        let mut output = BufWriter::with_capacity(MOST_BUFFER, File::create(&path)?);
        while let Some(record) = self.next()? {
            write_record(&mut output, record)?;
        }
        output.flush()?;
        Ok(Run::File(path))
    }

    fn of_few(runs: Vec<Run>) -> io::Result<Self> {
        let buffer = (MERGE_BUFFERS / runs.len().max(1)).clamp(LEAST_BUFFER, MOST_BUFFER);
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for run in runs {
            let rest = match run {
                Run::Memory { records, entries } => Rest::Memory { records, entries },
                Run::File(path) => {
                    let input = BufReader::with_capacity(buffer, File::open(&path)?);
                    Rest::File { input, path }
                }
            };
            let mut head = Head { record: Vec::new(), rest };
            if head.advance()? {
                heads.push(head);
            }
        }
        Ok(Merge { heads, record: Vec::new() })
    }

    /// The next record.
    pub(super) fn next(&mut self) -> io::Result<Option<&[u8]>> {
        let Some(mut least) = self.heads.peek_mut() else { return Ok(None) };
        std::mem::swap(&mut self.record, &mut least.record);
        if !least.advance()? {
            PeekMut::pop(least);
        }
        Ok(Some(&self.record))
    }
}

impl Head {
    /// Goes to the next record; false where there is none.
    fn advance(&mut self) -> io::Result<bool> {
        self.record.clear();
        match &mut self.rest {
            Rest::Memory { records, entries } => {
                let Some(entry) = entries.next() else { return Ok(false) };
                self.record.extend_from_slice(records.get(entry));
                Ok(true)
            }
            Rest::File { input, path } => {
                read_record(input, &mut self.record).map_err(|error| at_path(path, &error))
            }
        }
    }
}

/// Writes one record of a run.
fn write_record(output: &mut impl Write, record: &[u8]) -> io::Result<()> {
    output.write_all(&(record.len() as u64).to_le_bytes())?;
    output.write_all(record)
}

/// Reads one record of a run; false at its end.
fn read_record(input: &mut impl Read, record: &mut Vec<u8>) -> io::Result<bool> {
    let mut len = [0; 8];
    let read = input.read(&mut len)?;
    if read == 0 {
        return Ok(false);
    }
    input.read_exact(len.get_mut(read..).unwrap_or_default())?;
    let len = u64::from_le_bytes(len);
    if input.take(len).read_to_end(record)? as u64 != len {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(true)
}

fn at_path(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

// The heap gives its greatest first; what is wanted is the least record.
impl Ord for Head {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.record.cmp(&self.record)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.record == other.record
    }
}

impl Eq for Head {}
