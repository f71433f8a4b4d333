//! One unit of work: a row group read, judged, encoded.
//!
//! **Purpose.** The inner loop. **Enters**: a prepared file, the number of a row group. **Leaves**: encoded column chunks, counts.
//! **Cost**: a batch at a time, or some for each worker; only encoded columns pile up. **Must not know**: order, other units.

use super::encode::{Chunk, FieldWriter, num_leaves};
use super::error::StreamError;
use super::judge::{Judge, Progress};
use super::prepare::{Group, Prepared};
use super::together::Together;
use crate::table::{BatchLimits, Batches, Rows};
use arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;

/// A row group ready to be appended.
pub(crate) struct Encoded<T> {
    pub(crate) chunks: Vec<Chunk>,
    pub(crate) tally: T,
    pub(crate) rows: u64,
    pub(crate) stored: u64,
}

impl<T> Encoded<T> {
    /// Octets held.
    pub(crate) fn len(&self) -> u64 {
        self.chunks.iter().map(Chunk::len).sum()
    }
}

/// Reads, judges and encodes row group `g` of a file, with `width` workers. What is written does not
/// depend on their number.
///
/// # Errors
/// The file is damaged there, the judge refuses, or the judge's answer does not fit its schema.
pub(crate) fn work<J: Judge>(
    judge: &J,
    prepared: &Prepared<J::Plan>,
    g: usize,
    limits: BatchLimits,
    progress: &dyn Progress<J::Tally>,
    width: usize,
) -> Result<Encoded<J::Tally>, StreamError> {
    let unknown =
        || StreamError::plan(format!("{}: no row group {g}", prepared.input.path.display()));
    let group = prepared.groups.get(g).ok_or_else(unknown)?;
    let file = prepared.file()?;
    let mut batches = file.read_rows(g, &prepared.columns, &prepared.layout.kept, limits)?;
    let unit = Unit { judge, prepared, group, schema: judge.schema(), progress };
    let mut writers = unit.writers(g)?;
    let (mut rows, mut tally) = (0, J::Tally::default());
    if width <= 1 || writers.is_empty() {
        unit.run_alone(&mut batches, &mut rows, &mut writers, &mut tally)?;
    } else {
        let together = Together::new(&unit, &mut batches, &mut rows, &mut writers, width);
        together.run(width, &mut tally)?;
    }
    progress.tally(&tally);
    Ok(Encoded { chunks: unit.close(writers)?, tally, rows, stored: group.stored })
}

/// A row group under way.
pub(super) struct Unit<'a, J: Judge> {
    pub(super) judge: &'a J,
    pub(super) prepared: &'a Prepared<J::Plan>,
    pub(super) group: &'a Group,
    /// That of the judge's answers.
    schema: SchemaRef,
    progress: &'a dyn Progress<J::Tally>,
}

/// A batch as read, and the position of its first row in the file.
pub(super) struct Read {
    pub(super) rows: Rows,
    first_row: u64,
}

impl<J: Judge> Unit<'_, J> {
    /// One batch after the other, on this thread.
    fn run_alone(
        &self,
        batches: &mut Batches,
        rows: &mut u64,
        writers: &mut [FieldWriter],
        tally: &mut J::Tally,
    ) -> Result<(), StreamError> {
        let mut state = self.judge.state();
        while let Some(read) = read_one(batches, self.group, rows)? {
            let answer = judge(self.judge, self.prepared, &mut state, &read, tally)?;
            let arrays = self.arrays(&read.rows, &answer)?;
            for (at, (writer, array)) in writers.iter_mut().zip(&arrays).enumerate() {
                write_column(self.prepared, at, writer, std::iter::once(array))?;
            }
            self.advance(&read);
        }
        Ok(())
    }

    /// Tells the watcher that a batch is judged.
    pub(super) fn advance(&self, read: &Read) {
        let from = read.first_row - self.group.first_row;
        let rows = read.rows.num_rows as u64;
        self.progress.advance(rows, share(self.group, from, from + rows));
    }

    /// A writer for each field.
    fn writers(&self, g: usize) -> Result<Vec<FieldWriter>, StreamError> {
        let layout = &self.prepared.layout;
        let refuse = |error| self.refuse(error);
        let mut leaves = layout.factory.create_column_writers(g).map_err(refuse)?.into_iter();
        let mut columns = layout.columns.as_slice();
        let mut writers = Vec::with_capacity(layout.fields.len());
        for field in &layout.fields {
            let count = num_leaves(field);
            let (of_field, further) = columns.split_at_checked(count).unwrap_or_default();
            columns = further;
            let leaves = leaves.by_ref().take(count).collect();
            let writer = FieldWriter::new(field, leaves, of_field, layout.codec);
            writers.push(writer.map_err(refuse)?);
        }
        Ok(writers)
    }

    /// What is written of a batch, field by field.
    pub(super) fn arrays(
        &self,
        rows: &Rows,
        answer: &RecordBatch,
    ) -> Result<Vec<ArrayRef>, StreamError> {
        self.check(answer)?;
        let kept = repeated(rows, answer.num_rows()).map_err(|what| self.refuse(what))?;
        Ok(kept.into_iter().chain(answer.columns().iter().cloned()).collect())
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

    fn close(&self, writers: Vec<FieldWriter>) -> Result<Vec<Chunk>, StreamError> {
        let chunks = writers.into_iter().map(FieldWriter::close).collect::<Result<Vec<_>, _>>();
        Ok(chunks.map_err(|error| self.refuse(error))?.into_iter().flatten().collect())
    }

    fn refuse(&self, what: impl std::fmt::Display) -> StreamError {
        StreamError::output(&self.prepared.input.output, what)
    }
}

/// Reads the next batch; `rows_read` are those of the row group before it.
pub(super) fn read_one(
    batches: &mut Batches,
    group: &Group,
    rows_read: &mut u64,
) -> Result<Option<Read>, StreamError> {
    let Some(rows) = batches.next_rows().transpose()? else { return Ok(None) };
    let first_row = group.first_row + *rows_read;
    *rows_read += rows.num_rows as u64;
    Ok(Some(Read { rows, first_row }))
}

/// Judges a batch.
pub(super) fn judge<J: Judge>(
    judge: &J,
    prepared: &Prepared<J::Plan>,
    state: &mut J::State,
    read: &Read,
    tally: &mut J::Tally,
) -> Result<RecordBatch, StreamError> {
    let Rows { columns, num_rows, .. } = &read.rows;
    judge
        .judge(&prepared.plan, state, columns, *num_rows, read.first_row, tally)
        .map_err(|error| StreamError::judge(&prepared.input.path, error))
}

/// Writes what batches have in column `at` of the output.
pub(super) fn write_column<'r, P>(
    prepared: &Prepared<P>,
    at: usize,
    writer: &mut FieldWriter,
    mut arrays: impl Iterator<Item = &'r ArrayRef>,
) -> Result<(), StreamError> {
    let Some(field) = prepared.layout.fields.get(at) else { return Ok(()) };
    arrays
        .try_for_each(|array| writer.write(field, array))
        .map_err(|error| StreamError::output(&prepared.input.output, error))
}

/// The octets that belong to rows `from..to` of a row group; the shares add up to all of it.
fn share(group: &Group, from: u64, to: u64) -> u64 {
    let up_to = |row: u64| {
        let part = u128::from(group.stored) * u128::from(row) / (group.rows.max(1) as u128);
        u64::try_from(part).unwrap_or(group.stored)
    };
    up_to(to).saturating_sub(up_to(from))
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
