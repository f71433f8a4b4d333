//! Writes the tables of a root, and its manifest.
//!
//! Enters: numbers, entries, facts. Leaves: a folder that opens as one corpus. What an earlier run left is written anew. Must not know:
//! how bodies were numbered.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int32Array};
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;

use super::entries::{Entry, SHARDS};
use super::numbering::Numbering;
use crate::corpus::files::{FilesError, FolderWriter, MANIFEST_NAME};
use crate::corpus::format::{
    ROWS_PER_BATCH, SHARD_BODIES, SHARD_BODIES_SCHEMA, SHARD_NUMBERS, SHARD_NUMBERS_SCHEMA,
};
use crate::corpus::{CorpusError, Facts};

/// Writes what makes `root` one corpus; the manifest last.
pub(super) fn write(
    root: &Path,
    numbering: &Numbering,
    entries: &[Entry],
    facts: &Facts,
) -> Result<(), CorpusError> {
    clear(root).map_err(|error| CorpusError::io(root, error))?;
    let mut folder = FolderWriter::within(root, concat!("robosift ", env!("CARGO_PKG_VERSION")));
    let numbers = numbering.numbers.chunks(rows_per_batch());
    let numbers = numbers.map(|chunk| vec![signed(chunk.iter().copied())]);
    write_table(&mut folder, SHARD_NUMBERS, &SHARD_NUMBERS_SCHEMA, numbers)?;
    let bodies = numbering.bodies.chunks(rows_per_batch()).map(|chunk| {
        let places = signed(chunk.iter().map(|(place, _)| *place));
        vec![places, signed(chunk.iter().map(|(_, num_origins)| *num_origins))]
    });
    write_table(&mut folder, SHARD_BODIES, &SHARD_BODIES_SCHEMA, bodies)?;
    facts.settings().into_iter().for_each(|(name, value)| folder.setting(name, value));
    folder.setting(SHARDS, Entry::to_setting(entries));
    facts.counts.named().into_iter().for_each(|(name, count)| folder.count(name, count));
    folder.count("bodies", numbering.bodies.len() as u64);
    folder.count("origins", entries.iter().map(|entry| entry.origins).sum());
    folder.finish()?;
    Ok(())
}

/// Removes what an earlier run wrote. The manifest goes first: without it the root is no corpus.
fn clear(root: &Path) -> io::Result<()> {
    let tables = [SHARD_NUMBERS, SHARD_BODIES].into_iter();
    let tables = tables.flat_map(|name| [name.to_owned(), format!("{name}.sums")]);
    let manifest = [MANIFEST_NAME, "manifest.partial"].map(str::to_owned);
    for name in manifest.into_iter().chain(tables) {
        match fs::remove_file(root.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

fn rows_per_batch() -> usize {
    usize::try_from(ROWS_PER_BATCH).unwrap_or(1)
}

fn write_table(
    folder: &mut FolderWriter,
    name: &str,
    schema: &SchemaRef,
    batches: impl Iterator<Item = Vec<ArrayRef>>,
) -> Result<(), FilesError> {
    let mut table = folder.table(name, schema, ROWS_PER_BATCH)?;
    for columns in batches {
        let batch = RecordBatch::try_new(SchemaRef::clone(schema), columns);
        table.write(&batch.map_err(|error| FilesError::arrow(&name.into(), error))?)?;
    }
    folder.close_table(table).map(|_| ())
}

/// Numbers as a column; there are fewer than 2³¹ of anything.
fn signed(numbers: impl Iterator<Item = u32>) -> ArrayRef {
    let numbers = numbers.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    Arc::new(Int32Array::from_iter_values(numbers))
}
