//! Batches of rows into a Parquet file.

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::corpus::CorpusError;
use crate::table::refuse_special;

/// Rows of a row group.
pub(crate) const ROWS_PER_GROUP: usize = 1 << 17;

/// A file being written; under another name until it is whole.
pub(crate) struct TableFile<'p> {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    path: &'p Path,
    partial: Partial,
    num_rows: u64,
}

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// The name of a file that is not whole yet; it goes with what it names, unless that was renamed.
pub(super) struct Partial(PathBuf);

impl Partial {
    /// That of `path` for as long as it is not whole: nobody else's file has it.
    pub(super) fn of(path: &Path) -> Self {
        let mut partial = OsString::from(".");
        partial.push(path.file_name().unwrap_or_default());
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        partial.push(format!(".{}-{serial}.partial", std::process::id()));
        Partial(path.with_file_name(partial))
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // Renamed, or of no use to anybody.
        let _ = std::fs::remove_file(&self.0);
    }
}

impl<'p> TableFile<'p> {
    pub(crate) fn create(path: &'p Path, schema: &SchemaRef) -> Result<Self, CorpusError> {
        refuse_special(path).map_err(|error| CorpusError::io(path, error))?;
        let partial = Partial::of(path);
        let file = File::create(&partial.0).map_err(|error| CorpusError::io(path, error))?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3).unwrap_or_default()))
            .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
            .build();
        let writer = ArrowWriter::try_new(file, SchemaRef::clone(schema), Some(properties));
        let writer = writer.map_err(|error| CorpusError::message(path, error.to_string()))?;
        Ok(TableFile { writer, schema: SchemaRef::clone(schema), path, partial, num_rows: 0 })
    }

    pub(crate) fn write(&mut self, columns: Vec<ArrayRef>) -> Result<(), CorpusError> {
        let failed = |error: String| CorpusError::message(self.path, error);
        let batch = RecordBatch::try_new(SchemaRef::clone(&self.schema), columns);
        let batch = batch.map_err(|error| failed(error.to_string()))?;
        self.num_rows += batch.num_rows() as u64;
        self.writer.write(&batch).map_err(|error| failed(error.to_string()))?;
        // A row group ends with a batch, so that no more than one is held.
        self.writer.flush().map_err(|error| failed(error.to_string()))
    }

    /// Gives the file its name; returns its rows.
    pub(crate) fn finish(self) -> Result<u64, CorpusError> {
        let io = |error| CorpusError::io(self.path, error);
        let file = self.writer.into_inner();
        let file = file.map_err(|error| CorpusError::message(self.path, error.to_string()))?;
        file.sync_all().map_err(io)?;
        std::fs::rename(&self.partial.0, self.path).map_err(io)?;
        Ok(self.num_rows)
    }
}
