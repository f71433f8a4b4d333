//! The rules of all bodies, which stand in a corpus as the table that they are wanted as.

use std::path::Path;

use super::shard_rules;
use super::table::Partial;
use crate::corpus::format::RULES;
use crate::corpus::{Corpus, CorpusError, CorpusFiles};
use crate::table::{ParquetFile, refuse_special};

/// Writes a row for each allow and disallow line of each distinct body of the corpus that has these files, in the order of
/// body numbers. Returns the number of rows.
///
/// # Errors
/// A damaged table; those of the disk.
pub fn write_rules(corpus: &CorpusFiles, path: &Path) -> Result<u64, CorpusError> {
    if !corpus.shards.is_empty() {
        return shard_rules::write(&Corpus::open_any(&corpus.path)?, &corpus.shards, path);
    }
    let region = corpus.folder.region(RULES)?;
    let octets = region.try_get(0, region.len())?;
    let io = |error| CorpusError::io(path, error);
    refuse_special(path).map_err(io)?;
    let partial = Partial::of(path);
    std::fs::write(partial.path(), octets).map_err(io)?;
    std::fs::rename(partial.path(), path).map_err(io)?;
    let table = ParquetFile::open(path).map_err(|error| CorpusError::table(path, error))?;
    Ok(table.num_rows())
}
