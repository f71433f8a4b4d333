//! The rows of one row group, in batches.
//!
//! **Purpose.** Decode a row group piece by piece. **Enters**: a file, a row group, a projection, limits. **Leaves**: arrays.
//! **Cost**: memory of about one batch and one page a column. **Must not know**: what is done with the arrays.

use super::error::TableError;
use super::file::{ParquetFile, Size};
use super::guard::guard;
use super::pages::OneRowGroup;
use super::projection::Projection;
use super::source::Source;
use arrow::array::{ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::basic::Type;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Widest value of a fixed-width column; wider ones are refused, because even a null takes the full width in memory.
const MAX_WIDTH: usize = 16 << 20;

/// How large a batch may be.
#[derive(Clone, Copy, Debug)]
pub struct BatchLimits {
    /// Most rows of a batch.
    pub rows: usize,
    /// About the most octets of the columns in a batch, by the row group's mean row (one row is always read).
    pub octets: usize,
}

/// The batches of one row group; each item holds one array a column, all of one length.
///
/// The batches together hold exactly the rows that the footer promises, or the last item is an error.
pub struct Batches(Option<Reading>);

struct Reading {
    path: PathBuf,
    row_group: usize,
    source: Arc<Source>,
    projection: Projection,
    reader: ParquetRecordBatchReader,
    kept_len: usize,
    rows_left: usize,
}

/// One batch: the columns flattened, the carried top-level columns as they are.
pub(crate) struct Rows {
    pub(crate) columns: Vec<ArrayRef>,
    pub(crate) kept: Vec<ArrayRef>,
    pub(crate) num_rows: usize,
}

impl Batches {
    pub(crate) fn new(
        file: &ParquetFile,
        row_group: usize,
        projection: Projection,
        limits: BatchLimits,
    ) -> Result<Self, TableError> {
        let rows_left = file.row_group_rows(row_group);
        if rows_left == 0 {
            return Ok(Self(None));
        }
        let refuse = |what: String| TableError::damaged(file.path(), what).in_row_group(row_group);
        let batch_rows = batch_rows(file, row_group, &projection.leaves, limits).map_err(refuse)?;
        let source = Arc::new(file.source()?);
        let groups = OneRowGroup {
            source: Arc::clone(&source),
            metadata: Arc::clone(file.metadata()),
            row_group,
            leaves: projection.leaves.clone(),
        };
        let levels = &projection.levels;
        let made = guard(|| {
            ParquetRecordBatchReader::try_new_with_row_groups(levels, &groups, batch_rows, None)
        });
        let reader = made
            .and_then(|made| made.map_err(|error| error.to_string()))
            .map_err(|what| blame(file.path(), row_group, &source, &what))?;
        let kept_len = projection.kept.len();
        let path = file.path().to_path_buf();
        Ok(Self(Some(Reading { path, row_group, source, projection, reader, kept_len, rows_left })))
    }

    /// The next batch with the carried columns; `None` after the last row.
    pub(crate) fn next_rows(&mut self) -> Option<Result<Rows, TableError>> {
        let reading = self.0.as_mut()?;
        let read = guard(|| reading.step()).and_then(|read| read);
        let read =
            read.map_err(|what| blame(&reading.path, reading.row_group, &reading.source, &what));
        if read.is_err() || reading.rows_left == 0 {
            self.0 = None;
        }
        Some(read)
    }
}

impl Iterator for Batches {
    type Item = Result<Vec<ArrayRef>, TableError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_rows().map(|read| read.map(|rows| rows.columns))
    }
}

impl Reading {
    fn step(&mut self) -> Result<Rows, String> {
        let batch = match self.reader.next() {
            Some(read) => read.map_err(|error| error.to_string())?,
            None => return Err(format!("the columns end {} rows early", self.rows_left)),
        };
        let num_rows = batch.num_rows();
        self.rows_left = self
            .rows_left
            .checked_sub(num_rows)
            .ok_or("the columns have more rows than the row group")?;
        self.split(&batch, num_rows).map_err(|error| error.to_string())
    }

    fn split(&self, batch: &RecordBatch, num_rows: usize) -> parquet::errors::Result<Rows> {
        let columns = self.projection.flatten(batch.columns())?;
        let kept = batch.columns().iter().take(self.kept_len).cloned().collect();
        Ok(Rows { columns, kept, num_rows })
    }
}

fn blame(path: &Path, row_group: usize, source: &Source, what: &str) -> TableError {
    let error = match source.take_failure() {
        Some(failure) => TableError::io(path, failure),
        None => TableError::reader(path, what),
    };
    error.in_row_group(row_group)
}

/// Rows of a batch so that the columns stay near the limit of octets.
fn batch_rows(
    file: &ParquetFile,
    row_group: usize,
    leaves: &[usize],
    limits: BatchLimits,
) -> Result<usize, String> {
    let rows = file.row_group_rows(row_group).max(1);
    let octets = file.sum(row_group, leaves, Size::Uncompressed);
    let mean = usize::try_from(octets / rows as u64).unwrap_or(usize::MAX).max(1);
    let widest = leaves
        .iter()
        .map(|leaf| width(file, *leaf))
        .try_fold(1, |widest, width| width.map(|width| widest.max(width)))?;
    let by_octets = limits.octets / mean.max(widest);
    Ok(by_octets.min(limits.rows).min(rows).max(1))
}

fn width(file: &ParquetFile, leaf: usize) -> Result<usize, String> {
    let column = file.schema().column(leaf);
    if column.physical_type() != Type::FIXED_LEN_BYTE_ARRAY {
        return Ok(1);
    }
    let width = usize::try_from(column.type_length()).unwrap_or(usize::MAX);
    if width > MAX_WIDTH {
        return Err(format!("column {:?} claims values of {width} octets", column.path().string()));
    }
    Ok(width)
}
