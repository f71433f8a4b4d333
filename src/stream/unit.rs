//! One unit of work: a row group read, judged, encoded.
//!
//! **Purpose.** The inner loop. **Enters**: a prepared file, the number of a row group. **Leaves**: encoded column chunks, counts.
//! **Cost**: a batch at a time; only encoded columns pile up. **Must not know**: order, other units.

use super::encode::{Chunk, FieldWriter, num_leaves};
use super::error::StreamError;
use super::judge::{Judge, Progress};
use super::prepare::{Group, Prepared};
use crate::table::{BatchLimits, Batches, Rows};
use arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::SchemaRef;
use rayon::prelude::*;

/// Batches of a round for each worker, where several share a row group: the workers wait for each
/// other at the end of a round, so it should not be short.
const BATCHES_PER_WORKER: usize = 8;

/// Batches of a round beyond which there is one for each worker: three rounds are held at a time.
const MAX_ROUND: usize = 16;

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

/// Reads, judges and encodes row group `g` of a file, `width` batches at a time.
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
    let batches = file.read_rows(g, &prepared.columns, &prepared.layout.kept, limits)?;
    let encoder = Encoder::new(prepared, g, judge.schema())?;
    let mut unit = Unit { judge, prepared, group, batches, encoder, progress, rows: 0 };
    let mut tally = J::Tally::default();
    match width {
        1 => unit.run_alone(&mut tally)?,
        _ => unit.run_together(width, &mut tally)?,
    }
    progress.tally(&tally);
    let (rows, stored) = (unit.rows, group.stored);
    Ok(Encoded { chunks: unit.encoder.close()?, tally, rows, stored })
}

/// A row group under way.
struct Unit<'a, J: Judge> {
    judge: &'a J,
    prepared: &'a Prepared<J::Plan>,
    group: &'a Group,
    batches: Batches,
    encoder: Encoder<'a, J::Plan>,
    progress: &'a dyn Progress<J::Tally>,
    /// Rows read so far.
    rows: u64,
}

/// A batch as read, and the position of its first row in the file.
struct Read {
    rows: Rows,
    first_row: u64,
}

impl<J: Judge> Unit<'_, J> {
    /// One batch after the other, on this thread.
    fn run_alone(&mut self, tally: &mut J::Tally) -> Result<(), StreamError> {
        let mut state = self.judge.state();
        while let Some(read) = self.read()? {
            let answer = judge(self.judge, self.prepared, &mut state, &read, tally)?;
            self.encoder.write(&read.rows, &answer)?;
            self.advance(&read);
        }
        Ok(())
    }

    /// For the last units, when other workers have nothing to do: while some batches are read,
    /// those before them are judged, and those before these encoded, column by column. What is
    /// written does not depend on it.
    fn run_together(&mut self, width: usize, tally: &mut J::Tally) -> Result<(), StreamError> {
        let round = (width * BATCHES_PER_WORKER).min(MAX_ROUND).max(width);
        let mut states: Vec<J::State> = (0..round).map(|_| self.judge.state()).collect();
        let mut read: Vec<Read> = Vec::new();
        let mut judged: Vec<(Read, RecordBatch)> = Vec::new();
        loop {
            let Unit { judge: judging, prepared, encoder, .. } = self;
            let (batches, group, rows) = (&mut self.batches, self.group, &mut self.rows);
            let current = std::mem::take(&mut read);
            // The smallest pieces of work last: they fill up what the others leave.
            let (next, (written, answers)) = rayon::join(
                || read_some(batches, group, rows, round),
                || {
                    rayon::join(
                        || encoder.write_all(&judged),
                        || judge_all(*judging, prepared, &mut states, current),
                    )
                },
            );
            written?;
            judged.iter().for_each(|(read, _)| self.advance(read));
            judged = Vec::new();
            for (read, answer, counts) in answers? {
                judged.push((read, answer));
                *tally += counts;
            }
            read = next?;
            if read.is_empty() && judged.is_empty() {
                return Ok(());
            }
        }
    }

    fn read(&mut self) -> Result<Option<Read>, StreamError> {
        read_one(&mut self.batches, self.group, &mut self.rows)
    }

    /// Tells the watcher that a batch is done.
    fn advance(&self, read: &Read) {
        let from = read.first_row - self.group.first_row;
        let rows = read.rows.num_rows as u64;
        self.progress.advance(rows, share(self.group, from, from + rows));
    }
}

fn read_one(
    batches: &mut Batches,
    group: &Group,
    rows_read: &mut u64,
) -> Result<Option<Read>, StreamError> {
    let Some(rows) = batches.next_rows().transpose()? else { return Ok(None) };
    let first_row = group.first_row + *rows_read;
    *rows_read += rows.num_rows as u64;
    Ok(Some(Read { rows, first_row }))
}

fn read_some(
    batches: &mut Batches,
    group: &Group,
    rows_read: &mut u64,
    most: usize,
) -> Result<Vec<Read>, StreamError> {
    std::iter::from_fn(|| read_one(batches, group, rows_read).transpose()).take(most).collect()
}

fn judge<J: Judge>(
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

/// Judges several batches at a time, each with a state and a tally of its own.
fn judge_all<J: Judge>(
    judging: &J,
    prepared: &Prepared<J::Plan>,
    states: &mut [J::State],
    batches: Vec<Read>,
) -> Result<Vec<(Read, RecordBatch, J::Tally)>, StreamError> {
    let pairs = batches.into_par_iter().zip(states.par_iter_mut());
    let judged = pairs.map(|(read, state)| {
        let mut tally = J::Tally::default();
        let answer = judge(judging, prepared, state, &read, &mut tally)?;
        Ok((read, answer, tally))
    });
    judged.collect()
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
    /// A writer for each field.
    writers: Vec<FieldWriter>,
}

impl<'a, P: Sync> Encoder<'a, P> {
    fn new(prepared: &'a Prepared<P>, g: usize, schema: SchemaRef) -> Result<Self, StreamError> {
        let layout = &prepared.layout;
        let refuse = |error| StreamError::output(&prepared.input.output, error);
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
        Ok(Self { prepared, schema, writers })
    }

    fn refuse(&self, what: impl std::fmt::Display) -> StreamError {
        StreamError::output(&self.prepared.input.output, what)
    }

    fn write(&mut self, rows: &Rows, answer: &RecordBatch) -> Result<(), StreamError> {
        let arrays = self.arrays(rows, answer)?;
        let output = &self.prepared.input.output;
        let columns = self.prepared.layout.fields.iter().zip(&mut self.writers).zip(&arrays);
        for ((field, writer), array) in columns {
            writer.write(field, array).map_err(|error| StreamError::output(output, error))?;
        }
        Ok(())
    }

    /// Writes several batches, all columns at a time.
    fn write_all(&mut self, batches: &[(Read, RecordBatch)]) -> Result<(), StreamError> {
        let arrays = batches.iter().map(|(read, answer)| self.arrays(&read.rows, answer));
        let arrays: Vec<Vec<ArrayRef>> = arrays.collect::<Result<_, _>>()?;
        let output = &self.prepared.input.output;
        let columns = self.prepared.layout.fields.par_iter().zip(&mut self.writers).enumerate();
        columns.try_for_each(|(at, (field, writer))| {
            let mut of_field = arrays.iter().filter_map(|arrays| arrays.get(at));
            of_field
                .try_for_each(|array| writer.write(field, array))
                .map_err(|error| StreamError::output(output, error))
        })
    }

    /// What is written of a batch, field by field.
    fn arrays(&self, rows: &Rows, answer: &RecordBatch) -> Result<Vec<ArrayRef>, StreamError> {
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

    fn close(self) -> Result<Vec<Chunk>, StreamError> {
        let output = &self.prepared.input.output;
        let chunks = self.writers.into_iter().map(FieldWriter::close);
        let chunks = chunks.collect::<Result<Vec<_>, _>>();
        let chunks = chunks.map_err(|error| StreamError::output(output, error))?;
        Ok(chunks.into_iter().flatten().collect())
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
