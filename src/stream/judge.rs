//! What the stream asks of those who use it.
//!
//! **Purpose.** The two interfaces: the judge of rows, the watcher of progress. **Enters/leaves**: see the methods.
//! **Must not know**: any implementation.

use crate::table::{Column, ParquetFile};
use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use std::ops::AddAssign;

/// What is done with the rows of a batch.
pub trait Judge: Sync {
    /// Counters of one unit of work; the sum over the units that were written is in the report.
    type Tally: Default + Send + AddAssign;
    /// What was found out about an input file before its first row.
    type Plan: Send + Sync;
    /// Scratch of one unit of work (one row group): caches, buffers.
    type State: Send;
    /// Why rows or a file were refused. Always ends the stream.
    type Error: std::error::Error + Send + Sync + 'static;

    /// The columns of the output.
    fn schema(&self) -> SchemaRef;

    /// Looks at an input file: what to do with it and which of its columns are needed. Called for every input before any row is read.
    ///
    /// # Errors
    /// A missing or mistyped column; the stream then stops before the first row, whatever `on_error` says.
    fn plan(&self, file: &ParquetFile) -> Result<(Self::Plan, Vec<Column>), Self::Error>;

    /// Scratch for one unit of work.
    fn state(&self) -> Self::State;

    /// Judges the rows of one batch.
    ///
    /// `columns` are those of the plan, in its order, `num_rows` long; `first_row` is the position of the first row in the input file,
    /// counted from 0. Batches of a row group come in order. The answer has the schema of [`Judge::schema`] and a row for each row in
    /// order, or k rows for each row (the first k belong to the first row). Where outputs are gathered it may have any rows.
    ///
    /// # Errors
    /// Ends the stream.
    fn judge(
        &self,
        plan: &Self::Plan,
        state: &mut Self::State,
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Self::Tally,
    ) -> Result<RecordBatch, Self::Error>;
}

/// Watches a stream. All methods do nothing by default; they are called from several threads and should return at once.
pub trait Progress<T>: Sync {
    /// All inputs were opened: so many files, rows and octets (of the columns that are read, as stored) lie ahead.
    fn planned(&self, files: u64, rows: u64, octets: u64) {
        let _ = (files, rows, octets);
    }

    /// A batch was judged: so many rows, and its share of the octets.
    fn advance(&self, rows: u64, octets: u64) {
        let _ = (rows, octets);
    }

    /// A row group was judged: its own counts, to be added up by the watcher. Not taken back if its file is left out later.
    fn tally(&self, unit: &T) {
        let _ = unit;
    }

    /// An output file is whole and under its name, or was left out.
    fn file_done(&self) {}
}

/// A watcher that does not look.
pub struct Silent;

impl<T> Progress<T> for Silent {}
