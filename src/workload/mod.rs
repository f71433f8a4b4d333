//! A made-up crawl for benchmarks and demonstrations: rows, and the robots table that answers them.
//!
//! Enters: how many rows and origins, a seed. Leaves: record batches, or a folder with `robots.parquet` and
//! `rows/part-00000.parquet` …; the same arguments give the same octets. Everything about origin *i* is made from
//! (seed, *i*), so nothing is kept: a billion rows need no more memory than a million.
//! Cost on one core: about 140 ns a row and 4 µs an origin made, 400 ns and 6 µs written.
//! Must not know: how verdicts are made.
//!
//! The way through: `origins` (names in SURT order) → `captures` (statuses, times, which body) → `bodies` (text) →
//! `robots_batches`; `quotas` (rows an origin) → `urls` → `row_batches`; `files` writes both.

mod bodies;
mod captures;
mod defaults;
mod error;
mod files;
mod hostile;
mod name_parts;
mod origins;
mod quotas;
mod random;
mod robots_batches;
mod row_batches;
mod rules;
mod schedule;
mod urls;
mod vocabulary;

use std::path::Path;

use arrow::array::RecordBatch;

pub use error::WorkloadError;

use bodies::Bodies;
use files::{TableFile, TableLayout, prepare_folder};
use origins::Origins;
use robots_batches::{RobotsBatches, robots_schema};
use row_batches::{RowBatches, row_schema};

/// Rows of a file when the number of files is not given.
const ROWS_PER_FILE: u64 = 10_000_000;
/// Rows of a row group when not given.
const ROW_GROUP_ROWS: usize = 1_000_000;
/// Captures of a row group of the robots table: at some 4 KiB a body, 80 MB.
const CAPTURE_GROUP_ROWS: usize = 20_000;
/// The most files, so that their names sort as their numbers do.
const MOST_FILES: u32 = 100_000;

/// A made-up crawl: what to make. Making nothing yet, it is a few words large.
///
/// # Examples
///
/// ```
/// use robosift::workload::Workload;
///
/// let workload = Workload::try_new(1_000, 50, 7)?;
/// let rows: usize = workload.row_batches().map(|batch| batch.num_rows()).sum();
/// assert_eq!(rows, 1_000);
/// # Ok::<(), robosift::workload::WorkloadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    rows: u64,
    origins: u64,
    seed: u64,
    files: u32,
    row_group_rows: usize,
    replace: bool,
}

/// What [`Workload::write`] wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkloadSummary {
    /// Rows in all files of rows.
    pub rows: u64,
    /// Origins that the rows belong to.
    pub origins: u64,
    /// Rows of the robots table.
    pub captures: u64,
    /// Distinct bodies that captures with status 200 have, up to a few that are equal by chance.
    pub bodies: u64,
    /// Files of rows.
    pub files: u32,
    /// Length of all files written, the robots table included, in octets.
    pub octets: u64,
}

impl Workload {
    /// `rows` rows over exactly `origins` origins, in files of about ten million rows with row groups of a million.
    ///
    /// # Errors
    ///
    /// When there is no origin, or fewer rows than origins.
    pub fn try_new(rows: u64, origins: u64, seed: u64) -> Result<Self, WorkloadError> {
        if origins == 0 {
            return Err(WorkloadError::size(
                "0 origins: a workload needs at least one; ask for 1 or more".to_owned(),
            ));
        }
        if rows < origins {
            return Err(WorkloadError::size(format!(
                "{rows} rows for {origins} origins: every origin has at least one row; \
                 ask for {origins} rows or more, or for fewer origins"
            )));
        }
        let files = u32::try_from(rows.div_ceil(ROWS_PER_FILE)).unwrap_or(u32::MAX).min(MOST_FILES);
        Ok(Self { rows, origins, seed, files, row_group_rows: ROW_GROUP_ROWS, replace: false })
    }

    /// Splits the rows evenly into `files` files.
    ///
    /// # Errors
    ///
    /// When `files` is 0, above 100,000, or above the number of rows.
    pub fn with_files(mut self, files: u32) -> Result<Self, WorkloadError> {
        if files == 0 || files > MOST_FILES || u64::from(files) > self.rows {
            return Err(WorkloadError::size(format!(
                "{files} files for {} rows: ask for 1 to {}",
                self.rows,
                self.rows.min(u64::from(MOST_FILES))
            )));
        }
        self.files = files;
        Ok(self)
    }

    /// Sets how many rows a row group holds.
    ///
    /// # Errors
    ///
    /// When `row_group_rows` is 0.
    pub fn with_row_group_rows(mut self, row_group_rows: usize) -> Result<Self, WorkloadError> {
        if row_group_rows == 0 {
            return Err(WorkloadError::size(
                "row groups of 0 rows: ask for at least 1, say 1000000".to_owned(),
            ));
        }
        self.row_group_rows = row_group_rows;
        Ok(self)
    }

    /// Whether [`write`](Self::write) may use a folder that holds files: it then removes the tables of an earlier
    /// workload and leaves other files alone. Off at first.
    #[must_use]
    pub fn with_replace(mut self, replace: bool) -> Self {
        self.replace = replace;
        self
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of origins.
    #[must_use]
    pub fn origins(&self) -> u64 {
        self.origins
    }

    /// The number of files of rows.
    #[must_use]
    pub fn files(&self) -> u32 {
        self.files
    }

    /// The robots table: `origin`, `body`, `status`, `fetch_time`, `content_type`, `redirect`, in SURT order of
    /// origins, oldest capture first. Batches end at 8,192 captures or 16 MiB of bodies.
    pub fn robots_batches(&self) -> impl Iterator<Item = RecordBatch> + use<> {
        self.robots()
    }

    /// The rows: `url`, `agent`, `fetch_time`, grouped by origin in SURT order. Batches of 65,536 rows.
    pub fn row_batches(&self) -> impl Iterator<Item = RecordBatch> + use<> {
        RowBatches::new(self.seed, self.rows, Origins::new(self.seed, self.origins))
    }

    /// Every body of the pool once, by number: what the origins share. For measuring bodies by themselves.
    pub fn bodies(&self) -> impl Iterator<Item = Vec<u8>> + use<> {
        let bodies = Bodies::new(self.seed, self.origins);
        (0..bodies.len()).map(move |number| {
            let mut body = Vec::new();
            bodies.write(number, &mut body);
            body
        })
    }

    /// Writes `robots.parquet` and `rows/part-00000.parquet` … into `folder`, which is made where needed.
    /// The robots table comes first; then `progress` is told the rows written so far, about every 65,536 rows.
    ///
    /// A file has its name only when it is whole. Cost: about 400 ns a row and 6 µs an origin on one core; memory
    /// for one row group.
    ///
    /// # Errors
    ///
    /// When the folder already holds files and [`with_replace`](Self::with_replace) was not asked for, or when a file
    /// cannot be written.
    pub fn write(
        &self,
        folder: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<WorkloadSummary, WorkloadError> {
        let rows_folder = folder.join("rows");
        prepare_folder(folder, &rows_folder, self.replace)?;
        let (captures, bodies, robots_octets) = self.write_robots(folder)?;
        let rows_octets = self.write_rows(&rows_folder, progress)?;
        Ok(WorkloadSummary {
            rows: self.rows,
            origins: self.origins,
            captures,
            bodies,
            files: self.files,
            octets: robots_octets + rows_octets,
        })
    }

    fn robots(&self) -> RobotsBatches {
        RobotsBatches::new(self.seed, Origins::new(self.seed, self.origins))
    }

    /// Writes the robots table; returns captures, distinct bodies, octets.
    fn write_robots(&self, folder: &Path) -> Result<(u64, u64, u64), WorkloadError> {
        let layout = TableLayout {
            schema: robots_schema(),
            row_group_rows: CAPTURE_GROUP_ROWS,
            dictionary_columns: &["status", "content_type"],
        };
        let mut file = TableFile::create(&folder.join("robots.parquet"), &layout)?;
        let mut batches = self.robots();
        let mut captures = 0;
        for batch in batches.by_ref() {
            captures += batch.num_rows() as u64;
            file.write(&batch)?;
        }
        Ok((captures, batches.num_bodies(), file.finish()?))
    }

    /// Writes the files of rows; returns octets.
    fn write_rows(
        &self,
        folder: &Path,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, WorkloadError> {
        let layout = TableLayout {
            schema: row_schema(),
            row_group_rows: self.row_group_rows,
            dictionary_columns: &["agent"],
        };
        let mut batches = self.row_batches();
        let mut pending = RecordBatch::new_empty(row_schema());
        let (mut octets, mut written) = (0, 0);
        for number in 0..self.files {
            let path = folder.join(format!("part-{number:05}.parquet"));
            let mut file = TableFile::create(&path, &layout)?;
            let end = self.end_of_file(number);
            while written < end {
                if pending.num_rows() == 0 {
                    let Some(batch) = batches.next() else { break };
                    pending = batch;
                }
                let room = usize::try_from(end - written).unwrap_or(usize::MAX);
                let taken = room.min(pending.num_rows());
                file.write(&pending.slice(0, taken))?;
                pending = pending.slice(taken, pending.num_rows() - taken);
                written += taken as u64;
                progress(written);
            }
            octets += file.finish()?;
        }
        Ok(octets)
    }

    /// The number of rows in all files up to and with file `number`.
    fn end_of_file(&self, number: u32) -> u64 {
        let end = u128::from(self.rows) * (u128::from(number) + 1) / u128::from(self.files);
        u64::try_from(end).unwrap_or(self.rows)
    }
}
