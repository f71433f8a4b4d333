//! The rules of all bodies of a corpus of shards: each body's from the first shard that has it, under its number in all of them.
//!
//! Enters: the shards' own tables of rules. Leaves: rows, handed on batch by batch in the order of numbers. Memory: a row group, and the
//! rules of those bodies that no origin serves itself, which stand at the end. Must not know: what rules say.

use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Int32Array, Int64Array, RecordBatch, UInt32Array};
use arrow::compute::{cast, concat_batches, take};
use arrow::datatypes::{Int64Type, SchemaRef};
use arrow::error::ArrowError;

use super::table::{ROWS_PER_GROUP, TableFile};
use crate::corpus::build::RULES_SCHEMA;
use crate::corpus::files::Folder;
use crate::corpus::format::RULES;
use crate::corpus::{BodyId, Corpus, CorpusError};
use crate::table::{BatchLimits, ParquetFile};

/// What is read at a time.
const BATCH: BatchLimits = BatchLimits { rows: 1 << 14, octets: 64 << 20 };

/// The columns that are written anew.
const RULE_ID: usize = 0;
const NUM_ORIGINS: usize = 7;

/// Writes the rules of `corpus`, whose shards are `folders`. Returns the number of rows.
pub(super) fn write(corpus: &Corpus, folders: &[Folder], path: &Path) -> Result<u64, CorpusError> {
    let table = TableFile::create(path, &RULES_SCHEMA)?;
    let mut rules = Rules { table, ready: Vec::new(), last: Vec::new() };
    for (part, folder) in (0..).zip(folders) {
        // The reader of tables knows nothing of checksums.
        folder.region(RULES)?.verify()?;
        rules.add_shard(corpus, part, &folder.path_of(RULES))?;
    }
    corpus.check()?;
    let last = in_order(&rules.last).map_err(|error| arrow(path, &error))?;
    rules.add(last)?;
    rules.write()?;
    rules.table.finish()
}

fn arrow(path: &Path, error: &ArrowError) -> CorpusError {
    CorpusError::message(path, error.to_string())
}

/// Rows that are written as row groups.
struct Rules<'p> {
    table: TableFile<'p>,
    ready: Vec<RecordBatch>,
    /// Those of bodies that no origin serves itself.
    last: Vec<RecordBatch>,
}

impl Rules<'_> {
    /// Adds what shard `part` has first, from its table at `path`.
    fn add_shard(&mut self, corpus: &Corpus, part: u32, path: &Path) -> Result<(), CorpusError> {
        let failed = |error| CorpusError::table(path, error);
        let file = ParquetFile::open(path).map_err(failed)?;
        let columns: Vec<usize> = (0..RULES_SCHEMA.fields().len()).collect();
        for group in 0..file.num_row_groups() {
            let mut batches = file.read_rows(group, &[], &columns, BATCH).map_err(failed)?;
            while let Some(rows) = batches.next_rows() {
                let rows = rows.map_err(failed)?.kept;
                let numbered = numbered(corpus, part, &rows);
                let (served, other) = numbered.map_err(|error| arrow(path, &error))?;
                self.add(served)?;
                self.last.extend((other.num_rows() > 0).then_some(other));
            }
        }
        Ok(())
    }

    fn add(&mut self, batch: RecordBatch) -> Result<(), CorpusError> {
        self.ready.push(batch);
        let num_rows: usize = self.ready.iter().map(RecordBatch::num_rows).sum();
        if num_rows >= ROWS_PER_GROUP { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), CorpusError> {
        let batch = concat_batches(&RULES_SCHEMA, &self.ready);
        let batch = batch.map_err(|error| arrow(Path::new(RULES), &error))?;
        self.ready.clear();
        if batch.num_rows() > 0 { self.table.write(batch.columns().to_vec()) } else { Ok(()) }
    }
}

/// Those of a shard's rows whose bodies it is the first to have, under their numbers: of bodies that origins serve, and of others.
fn numbered(
    corpus: &Corpus,
    part: u32,
    rows: &[ArrayRef],
) -> Result<(RecordBatch, RecordBatch), ArrowError> {
    let missing = || ArrowError::SchemaError("a table of rules without rule ids".to_owned());
    let ids = rows.first().and_then(|ids| ids.as_primitive_opt::<Int64Type>());
    let ids = ids.ok_or_else(missing)?;
    let (mut served, mut others) = (Picked::default(), Picked::default());
    // Rows of one body stand together.
    let mut known: Option<(i64, Option<(BodyId, u64)>)> = None;
    for (row, id) in (0..).zip(ids.values()) {
        let body = id >> 32;
        let found = match known {
            Some((last, found)) if last == body => found,
            _ => corpus.first_of_shard(part, u32::try_from(body).unwrap_or(u32::MAX)),
        };
        known = Some((body, found));
        if let Some((number, num_origins)) = found {
            let picked = if num_origins > 0 { &mut served } else { &mut others };
            picked.rows.push(row);
            picked.ids.push(i64::from(number.number()) << 32 | id & i64::from(u32::MAX));
            picked.nums_origins.push(i32::try_from(num_origins).unwrap_or(i32::MAX));
        }
    }
    Ok((served.batch(rows)?, others.batch(rows)?))
}

/// Rows to be taken, with what is written anew.
#[derive(Default)]
struct Picked {
    rows: Vec<u32>,
    ids: Vec<i64>,
    nums_origins: Vec<i32>,
}

impl Picked {
    fn batch(self, rows: &[ArrayRef]) -> Result<RecordBatch, ArrowError> {
        let picks = UInt32Array::from(self.rows);
        let (ids, nums) = (Int64Array::from(self.ids), Int32Array::from(self.nums_origins));
        let mut columns = Vec::with_capacity(rows.len());
        for (at, (column, field)) in rows.iter().zip(RULES_SCHEMA.fields()).enumerate() {
            columns.push(match at {
                RULE_ID => Arc::new(ids.clone()) as ArrayRef,
                NUM_ORIGINS => Arc::new(nums.clone()),
                _ => cast(&take(column, &picks, None)?, field.data_type())?,
            });
        }
        RecordBatch::try_new(SchemaRef::clone(&RULES_SCHEMA), columns)
    }
}

/// The rows of `batches` in the order of their bodies.
fn in_order(batches: &[RecordBatch]) -> Result<RecordBatch, ArrowError> {
    let all = concat_batches(&RULES_SCHEMA, batches)?;
    let ids = all.column(RULE_ID).as_primitive::<Int64Type>();
    let mut picks: Vec<(i64, u32)> = ids.values().iter().map(|id| id >> 32).zip(0..).collect();
    // Rows of one body keep their order.
    picks.sort_unstable();
    let picks = UInt32Array::from_iter_values(picks.into_iter().map(|(_, row)| row));
    let columns = all.columns().iter().map(|column| take(column, &picks, None));
    RecordBatch::try_new(all.schema(), columns.collect::<Result<_, _>>()?)
}
