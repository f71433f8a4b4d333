//! Batches of rows, one after the other → batches of verdicts.
//!
//! Enters: a stream of batches. Leaves: a stream of verdicts in the order of the rows, judged as it is read: on several threads
//! where some are given, ahead by as many pieces. Memory: those pieces. Must not know: corpora.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, UInt64Array};
use arrow::compute::take_record_batch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use rayon::prelude::*;
use robosift::evaluate::RowColumns;

use crate::capsule::{self, Imported};
use crate::error;
use crate::judge::Judge;
use crate::pool::pool;
use crate::rows::{BatchColumns, RowPlaces};

/// Rows that are judged in one go.
const PIECE_ROWS: usize = 1 << 16;

/// How the rows of a stream are judged.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) judge: Arc<Judge>,
    pub(crate) places: RowPlaces,
    /// Columns of the rows that are carried over in front of the verdicts.
    pub(crate) kept: Vec<usize>,
    pub(crate) schema: SchemaRef,
    /// 0 is one for each core.
    pub(crate) threads: usize,
}

impl Plan {
    /// The verdicts on the rows of `batch`, the first of which is number `first_row`.
    fn judge(&self, batch: &RecordBatch, first_row: u64) -> Result<RecordBatch, ArrowError> {
        let with_times = self.judge.tell(|evaluator| evaluator.uses_times());
        let columns = self.places.of(batch, with_times);
        let columns = columns.ok_or_else(|| {
            ArrowError::SchemaError("a batch lacks columns that its stream has".to_owned())
        })?;
        let BatchColumns { url, agent, origin, time } = &columns;
        let rows = RowColumns::try_new(url, agent.as_ref(), origin.as_ref())
            .and_then(|rows| rows.with_times(time.as_ref()))
            .map_err(|error| ArrowError::InvalidArgumentError(error.to_string()))?;
        let verdicts = self.judge.judge(&rows, first_row)?;
        self.with_kept(batch, &verdicts)
    }

    /// The verdicts on all rows, in order.
    pub(crate) fn read(self, rows: Imported) -> VerdictReader {
        VerdictReader {
            plan: self,
            rows,
            rest: None,
            next_row: 0,
            ready: VecDeque::new(),
            is_over: false,
        }
    }

    /// The verdicts behind the columns that are carried over.
    fn with_kept(
        &self,
        batch: &RecordBatch,
        verdicts: &RecordBatch,
    ) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = Vec::new();
        if !self.kept.is_empty() {
            let kept = batch.project(&self.kept)?;
            let per_row = self.judge.tell(|evaluator| evaluator.rows_per_row());
            match per_row {
                1 => columns.extend_from_slice(kept.columns()),
                _ => columns.extend_from_slice(repeated(&kept, per_row)?.columns()),
            }
        }
        columns.extend_from_slice(verdicts.columns());
        let options = RecordBatchOptions::new().with_row_count(Some(verdicts.num_rows()));
        RecordBatch::try_new_with_options(SchemaRef::clone(&self.schema), columns, &options)
    }
}

/// Each row so many times.
fn repeated(batch: &RecordBatch, times: usize) -> Result<RecordBatch, ArrowError> {
    let rows = 0..batch.num_rows() as u64;
    let rows: UInt64Array = rows.flat_map(|row| std::iter::repeat_n(row, times)).collect();
    take_record_batch(batch, &rows)
}

/// A stream of verdicts.
pub(crate) struct VerdictReader {
    plan: Plan,
    rows: Imported,
    /// What is left of a batch that was longer than what is judged at a time.
    rest: Option<RecordBatch>,
    next_row: u64,
    ready: VecDeque<RecordBatch>,
    is_over: bool,
}

impl VerdictReader {
    /// The next rows, at most as many as are judged in one go.
    fn piece(&mut self) -> Result<Option<(RecordBatch, u64)>, ArrowError> {
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match self.rows.next().transpose()? {
                Some(batch) => batch,
                None => return Ok(None),
            },
        };
        let len = batch.num_rows().min(PIECE_ROWS);
        if len < batch.num_rows() {
            self.rest = Some(batch.slice(len, batch.num_rows() - len));
        }
        let first_row = self.next_row;
        self.next_row += len as u64;
        Ok(Some((batch.slice(0, len), first_row)))
    }

    /// A panic must not leave through the C interface, where it would end the process: a producer's batches may be what no reader
    /// of Arrow expects.
    fn judge_next_unless_it_panics(&mut self) -> Result<(), ArrowError> {
        let judged = catch_unwind(AssertUnwindSafe(|| self.judge_next()));
        judged.unwrap_or_else(|_| {
            let message = "the batches are not what their schema says, or robosift has a fault";
            Err(ArrowError::CDataInterface(message.to_owned()))
        })
    }

    /// Judges as many pieces as there are threads; none are left where this makes none ready.
    fn judge_next(&mut self) -> Result<(), ArrowError> {
        // Asked for each time: the process may have been forked meanwhile.
        let Some(pool) = pool(self.plan.threads) else {
            let piece = self.piece()?;
            let verdicts = piece.map(|(batch, first_row)| self.plan.judge(&batch, first_row));
            self.ready.extend(verdicts.transpose()?);
            return Ok(());
        };
        let mut pieces = Vec::new();
        let mut num_rows = 0;
        // Rows for all threads are waited for; where they trickle in, one thread gives verdicts sooner.
        while num_rows < pool.current_num_threads() * PIECE_ROWS {
            let Some(piece) = self.piece()? else { break };
            num_rows += piece.0.num_rows();
            pieces.push(piece);
        }
        let plan = &self.plan;
        let judged: Result<Vec<RecordBatch>, ArrowError> = match pieces.len() {
            0 | 1 => pieces.iter().map(|(batch, first)| plan.judge(batch, *first)).collect(),
            _ => pool.install(|| {
                pieces.par_iter().map(|(batch, first)| plan.judge(batch, *first)).collect()
            }),
        };
        self.ready.extend(judged?);
        Ok(())
    }
}

impl Iterator for VerdictReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ready.is_empty()
            && !self.is_over
            && let Err(error) = self.judge_next_unless_it_panics()
        {
            self.is_over = true;
            return Some(Err(error));
        }
        let next = self.ready.pop_front();
        self.is_over |= next.is_none();
        next.map(Ok)
    }
}

impl RecordBatchReader for VerdictReader {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.plan.schema)
    }
}

/// Verdicts of a stream of rows, judged as they are read; to be read once, by the Arrow C stream interface.
#[pyclass(frozen, module = "robosift._robosift")]
pub(crate) struct VerdictStream {
    schema: SchemaRef,
    reader: std::sync::Mutex<Option<Box<dyn RecordBatchReader + Send>>>,
}

impl VerdictStream {
    pub(crate) fn new(plan: Plan, rows: Imported) -> Self {
        let schema = SchemaRef::clone(&plan.schema);
        let reader = Box::new(plan.read(rows));
        VerdictStream { schema, reader: std::sync::Mutex::new(Some(reader)) }
    }

    /// A stream of verdicts that are all there.
    pub(crate) fn of_batches(schema: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let of = SchemaRef::clone(&schema);
        let reader = arrow::array::RecordBatchIterator::new(batches.into_iter().map(Ok), of);
        VerdictStream { schema, reader: std::sync::Mutex::new(Some(Box::new(reader))) }
    }
}

#[pymethods]
impl VerdictStream {
    /// The stream, once.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Another form may be asked for; who asks has to be ready for what there is.
        drop(requested_schema);
        let reader = self.reader.lock().ok().and_then(|mut reader| reader.take());
        let reader =
            reader.ok_or_else(|| error::rows("the verdicts of this stream were read already"))?;
        capsule::export(py, reader)
    }

    /// Its schema.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::export_schema(py, &self.schema)
    }
}

/// The schema of verdicts behind the kept columns of rows.
pub(crate) fn schema_of(
    rows: &Schema,
    kept: &[usize],
    judge: &Judge,
    metadata: Vec<(String, String)>,
) -> Result<SchemaRef, ArrowError> {
    let kept = rows.project(kept)?;
    let verdicts = judge.tell(|evaluator| evaluator.schema());
    let twin = kept.fields().iter().find(|field| verdicts.field_with_name(field.name()).is_ok());
    if let Some(twin) = twin {
        return Err(ArrowError::SchemaError(format!(
            "column `{}` would be there twice, as one of the rows and as one of the verdicts; keep other columns, or \
             rename it",
            twin.name()
        )));
    }
    let fields: Vec<_> = kept.fields().iter().chain(verdicts.fields()).cloned().collect();
    let metadata: HashMap<String, String> = metadata.into_iter().collect();
    Ok(SchemaRef::new(Schema::new_with_metadata(fields, metadata)))
}
