//! Writes a table.
//!
//! Enters: record batches, each of the same number of rows but the last. Leaves: an Arrow IPC file, uncompressed, its buffers
//! at multiples of 64 octets, with its shape in the footer. The octets are the same in memory and on disk. Must not
//! know where they go.

use std::fmt;
use std::io::Write;
use std::sync::Arc;

use arrow::datatypes::{Schema, SchemaRef};
use arrow::ipc::MetadataVersion;
use arrow::ipc::writer::{FileWriter, IpcWriteOptions};
use arrow::record_batch::RecordBatch;

use super::footer::{NUM_ROWS_KEY, ROWS_PER_BATCH_KEY};
use super::schema::check_supported;
use super::{FilesError, TableShape};

/// Buffers start at multiples of this, as Arrow recommends.
const ALIGNMENT: usize = 64;

/// A table being written. Nothing is whole before [`TableWriter::finish`].
pub struct TableWriter<W: Write> {
    name: Arc<str>,
    schema: SchemaRef,
    writer: FileWriter<W>,
    shape: TableShape,
}

impl<W: Write> fmt::Debug for TableWriter<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, shape, .. } = self;
        f.debug_struct("TableWriter")
            .field("name", name)
            .field("shape", shape)
            .finish_non_exhaustive()
    }
}

impl<W: Write> TableWriter<W> {
    /// Begins a table in `writer`; messages call it `name`. `rows_per_batch` is a power of two.
    ///
    /// # Errors
    /// Column types that tables do not have, another number of rows, those of the writer.
    pub fn try_new(
        name: &str,
        writer: W,
        schema: &Schema,
        rows_per_batch: u32,
    ) -> Result<Self, FilesError> {
        let name: Arc<str> = name.into();
        check_supported(schema).map_err(|what| FilesError::unwritable(&name, what))?;
        if !rows_per_batch.is_power_of_two() {
            let what = format!("{rows_per_batch} rows in a batch are no power of two");
            return Err(FilesError::unwritable(&name, what));
        }
        let options = IpcWriteOptions::try_new(ALIGNMENT, false, MetadataVersion::V5);
        let writer = options
            .and_then(|options| FileWriter::try_new_with_options(writer, schema, options))
            .map_err(|error| FilesError::arrow(&name, error))?;
        let shape = TableShape { num_rows: 0, rows_per_batch };
        Ok(TableWriter { name, schema: SchemaRef::new(schema.clone()), writer, shape })
    }

    /// Rows in each batch but the last.
    #[must_use]
    pub fn rows_per_batch(&self) -> u32 {
        self.shape.rows_per_batch
    }

    /// Writes a batch; one without rows is passed over.
    ///
    /// # Errors
    /// A batch of another schema, of too many rows, or behind one of too few; those of the writer.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<(), FilesError> {
        let unwritable = |what: String| Err(FilesError::unwritable(&self.name, what));
        let rows_per_batch = u64::from(self.shape.rows_per_batch);
        let rows = u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        if batch.schema_ref().fields() != self.schema.fields() {
            return unwritable("a batch of another schema".to_owned());
        }
        if rows == 0 {
            return Ok(());
        }
        if rows > rows_per_batch || !self.shape.num_rows.is_multiple_of(rows_per_batch) {
            return unwritable(format!(
                "a batch of {rows} rows behind {}; all but the last have {rows_per_batch}",
                self.shape.num_rows
            ));
        }
        self.writer.write(batch).map_err(|error| FilesError::arrow(&self.name, error))?;
        self.shape.num_rows += rows;
        Ok(())
    }

    /// Writes the footer; gives the writer back, and the shape.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(mut self) -> Result<(W, TableShape), FilesError> {
        self.writer.write_metadata(NUM_ROWS_KEY, self.shape.num_rows.to_string());
        self.writer.write_metadata(ROWS_PER_BATCH_KEY, self.shape.rows_per_batch.to_string());
        let writer = self.writer.into_inner();
        let writer = writer.map_err(|error| FilesError::arrow(&self.name, error))?;
        Ok((writer, self.shape))
    }
}
