//! One unit of work: a row group read, judged, encoded.
//!
//! **Purpose.** The inner loop. **Enters**: a prepared file, the number of a row group. **Leaves**: encoded column chunks, counts.
//! **Cost**: a batch at a time; only encoded columns pile up. **Must not know**: order, other units.

use super::error::StreamError;
use super::judge::{Judge, Progress};
use super::layout::Layout;
use super::prepare::{Group, Prepared};
use crate::table::{BatchLimits, Rows};
use arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};

/// A row group ready to be appended.
pub(crate) struct Encoded<T> {
    pub(crate) chunks: Vec<ArrowColumnChunk>,
    pub(crate) tally: T,
    pub(crate) rows: u64,
    pub(crate) stored: u64,
}

impl<T> Encoded<T> {
    /// Octets held.
    pub(crate) fn len(&self) -> u64 {
        self.chunks.iter().map(|chunk| chunk.close().bytes_written).sum()
    }
}

/// Reads, judges and encodes row group `g` of a file.
///
/// # Errors
/// The file is damaged there, the judge refuses, or the judge's answer does not fit its schema.
pub(crate) fn work<J: Judge>(
    judge: &J,
    prepared: &Prepared<J::Plan>,
    g: usize,
    limits: BatchLimits,
    progress: &dyn Progress<J::Tally>,
) -> Result<Encoded<J::Tally>, StreamError> {
    let unknown =
        || StreamError::plan(format!("{}: no row group {g}", prepared.input.path.display()));
    let group = prepared.groups.get(g).ok_or_else(unknown)?;
    let file = prepared.file()?;
    let mut batches = file.read_rows(g, &prepared.columns, &prepared.layout.kept, limits)?;
    let mut encoder = Encoder::new(prepared, g, judge.schema())?;
    let mut state = judge.state();
    let mut tally = J::Tally::default();
    let mut row = 0_u64;
    while let Some(rows) = batches.next_rows() {
        let rows = rows?;
        let answer = judge
            .judge(
                &prepared.plan,
                &mut state,
                &rows.columns,
                rows.num_rows,
                group.first_row + row,
                &mut tally,
            )
            .map_err(|error| StreamError::judge(&prepared.input.path, error))?;
        encoder.write(&rows, &answer)?;
        let before = row;
        row += rows.num_rows as u64;
        progress.advance(rows.num_rows as u64, share(group, before, row));
    }
    progress.tally(&tally);
    Ok(Encoded { chunks: encoder.close()?, tally, rows: row, stored: group.stored })
}

/// The octets that belong to rows `from..to` of a row group; the shares add up to all of it.
fn share(group: &Group, from: u64, to: u64) -> u64 {
    let up_to = |row: u64| {
        let part = u128::from(group.stored) * u128::from(row) / (group.rows.max(1) as u128);
        u64::try_from(part).unwrap_or(group.stored)
    };
    up_to(to).saturating_sub(up_to(from))
}

struct Encoder<'a, P> {
    prepared: &'a Prepared<P>,
    schema: SchemaRef,
    writers: Vec<ArrowColumnWriter>,
}

impl<'a, P> Encoder<'a, P> {
    fn new(prepared: &'a Prepared<P>, g: usize, schema: SchemaRef) -> Result<Self, StreamError> {
        let writers = prepared.layout.factory.create_column_writers(g);
        let writers =
            writers.map_err(|error| StreamError::output(&prepared.input.output, error))?;
        Ok(Self { prepared, schema, writers })
    }

    fn layout(&self) -> &'a Layout {
        &self.prepared.layout
    }

    fn refuse(&self, what: impl std::fmt::Display) -> StreamError {
        StreamError::output(&self.prepared.input.output, what)
    }

    fn write(&mut self, rows: &Rows, answer: &RecordBatch) -> Result<(), StreamError> {
        self.check(answer)?;
        let kept = repeated(rows, answer.num_rows()).map_err(|what| self.refuse(what))?;
        let arrays = kept.iter().chain(answer.columns());
        let layout = self.layout();
        let mut writers = self.writers.iter_mut();
        for (field, array) in layout.fields.iter().zip(arrays) {
            let written = compute_leaves(field, array).and_then(|leaves| {
                leaves.iter().zip(&mut writers).try_for_each(|(leaf, writer)| writer.write(leaf))
            });
            written.map_err(|error| StreamError::output(&self.prepared.input.output, error))?;
        }
        Ok(())
    }

    /// The answer must have the types that the layout was made for.
    fn check(&self, answer: &RecordBatch) -> Result<(), StreamError> {
        let schema = answer.schema_ref();
        let fits = schema.fields().len() == self.schema.fields().len()
            && schema
                .fields()
                .iter()
                .zip(self.schema.fields())
                .all(|(got, promised)| got.data_type() == promised.data_type());
        match fits {
            true => Ok(()),
            false => Err(self.refuse("the judge's answer does not have the columns it promised")),
        }
    }

    fn close(self) -> Result<Vec<ArrowColumnChunk>, StreamError> {
        let output = &self.prepared.input.output;
        let chunks = self.writers.into_iter().map(ArrowColumnWriter::close);
        chunks.collect::<Result<_, _>>().map_err(|error| StreamError::output(output, error))
    }
}

/// The carried columns with each row as often as the judge answered it.
fn repeated(rows: &Rows, num_answers: usize) -> Result<Vec<ArrayRef>, String> {
    if rows.kept.is_empty() || num_answers == rows.num_rows {
        return Ok(rows.kept.clone());
    }
    let times = num_answers.checked_div(rows.num_rows).unwrap_or(0);
    if times * rows.num_rows != num_answers {
        return Err(format!("the judge answered {} rows with {num_answers}", rows.num_rows));
    }
    let each = (0..rows.num_rows as u64).flat_map(|row| std::iter::repeat_n(row, times));
    let picks = UInt64Array::from_iter_values(each);
    let repeat = |array: &ArrayRef| take(array, &picks, None).map_err(|error| error.to_string());
    rows.kept.iter().map(repeat).collect()
}
