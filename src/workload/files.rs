//! Writing Parquet files that appear under their name only when whole.
//!
//! Enters: a path and record batches. Leaves: the file and its length. A file is written as `.NAME.partial` beside its
//! place and renamed at the end; when something fails, the partial file is removed.
//! Cost: what encoding and zstd take; memory for one row group of encoded pages. Must not know: what the columns mean.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use parquet::schema::types::ColumnPath;

use super::error::WorkloadError;

/// How a table is laid out.
#[derive(Clone, Debug)]
pub(crate) struct TableLayout {
    pub(crate) schema: SchemaRef,
    /// Rows of a row group.
    pub(crate) row_group_rows: usize,
    /// Columns with few distinct values.
    pub(crate) dictionary_columns: &'static [&'static str],
}

/// A Parquet file on its way.
pub(crate) struct TableFile {
    writer: ArrowWriter<File>,
    partial: PartialFile,
}

/// A file that is removed again unless it gets its final name.
struct PartialFile {
    partial_path: PathBuf,
    path: PathBuf,
}

impl TableFile {
    /// Starts the file.
    pub(crate) fn create(path: &Path, layout: &TableLayout) -> Result<Self, WorkloadError> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let partial_path = path.with_file_name(format!(".{name}.partial"));
        let file = File::create(&partial_path).map_err(|e| WorkloadError::file(path, e))?;
        let partial = PartialFile { partial_path, path: path.to_owned() };
        let properties = layout.properties();
        let writer = ArrowWriter::try_new(file, layout.schema.clone(), Some(properties))
            .map_err(|e| WorkloadError::parquet(path, e))?;
        Ok(Self { writer, partial })
    }

    /// Appends a batch.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), WorkloadError> {
        self.writer.write(batch).map_err(|e| WorkloadError::parquet(&self.partial.path, e))
    }

    /// Ends the file, gives it its name, returns its length in octets.
    pub(crate) fn finish(self) -> Result<u64, WorkloadError> {
        let Self { writer, partial } = self;
        let path = partial.path.clone();
        let file = writer.into_inner().map_err(|e| WorkloadError::parquet(&path, e))?;
        let octets = file.metadata().map_err(|e| WorkloadError::file(&path, e))?.len();
        drop(file);
        fs::rename(&partial.partial_path, &path).map_err(|e| WorkloadError::file(&path, e))?;
        Ok(octets)
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After the rename there is nothing left under this name.
        let _ = fs::remove_file(&self.partial_path);
    }
}

impl TableLayout {
    fn properties(&self) -> WriterProperties {
        let mut builder = WriterProperties::builder()
            // Level 1, the default: higher ones cost more than all the rest and save little here.
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("robosift ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_max_row_group_row_count(Some(self.row_group_rows))
            .set_dictionary_enabled(false);
        for column in self.dictionary_columns {
            builder = builder.set_column_dictionary_enabled(ColumnPath::from(*column), true);
        }
        builder.build()
    }
}

/// Makes `folder` and its subfolder for rows. Refuses a folder with files in it, or, where `replace` is true,
/// removes the tables of an earlier workload (and nothing else).
pub(crate) fn prepare_folder(
    folder: &Path,
    rows_folder: &Path,
    replace: bool,
) -> Result<(), WorkloadError> {
    if let Some(first) = entries(folder)?.first() {
        if !replace {
            return Err(WorkloadError::folder_in_use(first.parent().unwrap_or(folder)));
        }
        for path in entries(folder)?.iter().chain(&entries(rows_folder)?) {
            if is_table(path) {
                fs::remove_file(path).map_err(|e| WorkloadError::file(path, e))?;
            }
        }
    }
    fs::create_dir_all(rows_folder).map_err(|e| WorkloadError::file(rows_folder, e))
}

/// What stands in a folder; nothing where there is none.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, WorkloadError> {
    let listing = match fs::read_dir(folder) {
        Ok(listing) => listing,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(WorkloadError::file(folder, error)),
    };
    let paths: io::Result<Vec<PathBuf>> = listing.map(|entry| entry.map(|e| e.path())).collect();
    paths.map_err(|error| WorkloadError::file(folder, error))
}

/// Whether a path has the name of a workload's table.
fn is_table(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.strip_prefix('.').and_then(|n| n.strip_suffix(".partial")).unwrap_or(&name);
    let number = name.strip_prefix("part-").and_then(|rest| rest.strip_suffix(".parquet"));
    name == "robots.parquet"
        || number.is_some_and(|n| n.len() >= 5 && n.bytes().all(|o| o.is_ascii_digit()))
}
