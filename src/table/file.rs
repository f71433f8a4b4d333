//! One Parquet file.
//!
//! **Purpose.** The face of this folder: open, ask, read. **Enters**: a path. **Leaves**: facts, columns, batches.
//! **Cost**: the footer in memory, shared by clones; no file handle is held between calls, each row group read opens its own.
//! **Must not know**: what is done with the rows.

use super::batches::{BatchLimits, Batches};
use super::columns::{Column, dictionary_type, find_leaf, leaf_names, path_of_leaf, pick};
use super::error::{Kind, TableError};
use super::footer::read_footer;
use super::guard::guard;
use super::projection::{Projection, leaf_type};
use super::source::Source;
use arrow::datatypes::DataType;
use parquet::basic::Encoding;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::Length;
use parquet::schema::types::{SchemaDescriptor, TypePtr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A Parquet file whose footer was read and checked. Clones share the footer.
#[derive(Clone)]
pub struct ParquetFile(Arc<Opened>);

struct Opened {
    path: PathBuf,
    file_len: u64,
    metadata: Arc<ParquetMetaData>,
}

impl ParquetFile {
    /// Opens a file: reads its footer and checks it against the file.
    ///
    /// # Errors
    /// [`TableError::is_damaged`] where it is no Parquet file, cut, or contradicts itself; [`TableError::is_io`] where it cannot be read.
    pub fn open(path: &Path) -> Result<Self, TableError> {
        let source = open_source(path)?;
        let metadata = Arc::new(read_footer(path, &source)?);
        Ok(Self(Arc::new(Opened { path: path.to_path_buf(), file_len: source.len(), metadata })))
    }

    /// The path it was opened by.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Rows of all row groups.
    pub fn num_rows(&self) -> u64 {
        u64::try_from(self.0.metadata.file_metadata().num_rows()).unwrap_or(0)
    }

    /// Number of row groups.
    pub fn num_row_groups(&self) -> usize {
        self.0.metadata.num_row_groups()
    }

    /// Rows of row group `g`; 0 past the last.
    pub fn row_group_rows(&self, g: usize) -> usize {
        let group = self.0.metadata.row_groups().get(g);
        group.and_then(|group| usize::try_from(group.num_rows()).ok()).unwrap_or(0)
    }

    /// Octets of the file.
    pub fn file_len(&self) -> u64 {
        self.0.file_len
    }

    /// The dotted names of all leaf columns, lists included.
    pub fn column_names(&self) -> Vec<String> {
        leaf_names(self.schema())
    }

    /// The names of the top-level columns.
    pub fn root_names(&self) -> Vec<String> {
        self.schema().root_schema().get_fields().iter().map(|root| root.name().to_owned()).collect()
    }

    /// The column that `dotted` names, if there is one: exactly, else ignoring ASCII case where that is unambiguous.
    ///
    /// Dots reach into structs; a name that has dots itself matches too.
    ///
    /// # Errors
    /// [`TableError::is_unusable_column`] where the name is ambiguous, or names a list, a map or a struct.
    pub fn find(&self, dotted: &str) -> Result<Option<Column>, TableError> {
        let Some(leaf) = find_leaf(self.schema(), dotted, self.path())? else { return Ok(None) };
        let lost = |what: String| TableError::reader(self.path(), &what).in_column(dotted);
        let schema = self.schema();
        let path = path_of_leaf(schema.root_schema(), leaf)
            .ok_or_else(|| lost("the schema has no such leaf".to_owned()))?;
        let data_type = guard(|| leaf_type(schema, &path))
            .and_then(|read| read.map_err(|error| error.to_string()))
            .map_err(lost)?;
        let name = schema.column(leaf).path().string();
        Ok(Some(Column { name, leaf, path, data_type, as_dictionary: false }))
    }

    /// `column` with arrays that are dictionaries, where it is a top-level column of strings and every
    /// page of it is stored so: then who reads it can follow keys. Else the column as it is.
    #[must_use]
    pub fn as_stored(&self, column: Column) -> Column {
        let is_string = column.data_type == DataType::BinaryView && column.path.len() == 1;
        let is_dictionary = |group: &RowGroupMetaData| {
            let chunk = group.columns().get(column.leaf);
            let pages = chunk.and_then(ColumnChunkMetaData::page_encoding_stats_mask);
            pages.is_some_and(|pages| {
                pages.is_only(Encoding::RLE_DICTIONARY) || pages.is_only(Encoding::PLAIN_DICTIONARY)
            })
        };
        match is_string && self.0.metadata.row_groups().iter().all(is_dictionary) {
            true => Column { data_type: dictionary_type(), as_dictionary: true, ..column },
            false => column,
        }
    }

    /// As [`ParquetFile::find`], for a column that must be there.
    ///
    /// # Errors
    /// Also [`TableError::is_missing_column`], with the columns that are present.
    pub fn column(&self, dotted: &str) -> Result<Column, TableError> {
        self.find(dotted)?.ok_or_else(|| {
            let what = format!("no such column; present are {}", self.column_names().join(", "));
            TableError::new(Kind::MissingColumn, self.path(), what).in_column(dotted)
        })
    }

    /// Octets of the columns in row group `g` as stored.
    pub fn compressed_len(&self, g: usize, columns: &[Column]) -> u64 {
        self.sum(g, &leaves_of(columns), Size::Compressed)
    }

    /// Octets of the columns in row group `g` unpacked, as the footer claims.
    pub fn uncompressed_len(&self, g: usize, columns: &[Column]) -> u64 {
        self.sum(g, &leaves_of(columns), Size::Uncompressed)
    }

    /// Reads row group `g` in batches; one array for each of `columns`, in their order.
    ///
    /// # Errors
    /// [`TableError::is_damaged`] or [`TableError::is_io`]; also from the iterator, which then ends.
    pub fn read(
        &self,
        g: usize,
        columns: &[Column],
        limits: BatchLimits,
    ) -> Result<Batches, TableError> {
        self.read_rows(g, columns, &[], limits)
    }

    /// As [`ParquetFile::read`], with whole top-level columns carried along.
    pub(crate) fn read_rows(
        &self,
        g: usize,
        columns: &[Column],
        kept: &[usize],
        limits: BatchLimits,
    ) -> Result<Batches, TableError> {
        Batches::new(self, g, self.project(columns, kept)?, limits)
    }

    /// Octets of some leaves in row group `g`: as stored, and unpacked.
    pub(crate) fn lengths(&self, g: usize, leaves: &[usize]) -> (u64, u64) {
        (self.sum(g, leaves, Size::Compressed), self.sum(g, leaves, Size::Uncompressed))
    }

    /// Plans a read of columns and of whole top-level columns.
    pub(crate) fn project(
        &self,
        columns: &[Column],
        kept: &[usize],
    ) -> Result<Projection, TableError> {
        guard(|| Projection::new(self.schema(), columns, kept))
            .and_then(|built| built.map_err(|error| error.to_string()))
            .map_err(|what| TableError::reader(self.path(), &what))
    }

    /// The top-level column of that name, by the rule of [`ParquetFile::find`].
    pub(crate) fn root(&self, name: &str) -> Result<usize, TableError> {
        let names = self.root_names();
        let refuse = |kind, what| TableError::new(kind, self.path(), what).in_column(name);
        pick(&names, name).map_err(|what| refuse(Kind::Column, what))?.ok_or_else(|| {
            let what = format!("no such top-level column; present are {}", names.join(", "));
            refuse(Kind::MissingColumn, what)
        })
    }

    /// The Parquet type of top-level column number `root`.
    pub(crate) fn root_type(&self, root: usize) -> Option<&TypePtr> {
        self.schema().root_schema().get_fields().get(root)
    }

    pub(crate) fn schema(&self) -> &SchemaDescriptor {
        self.0.metadata.file_metadata().schema_descr()
    }

    pub(crate) fn metadata(&self) -> &Arc<ParquetMetaData> {
        &self.0.metadata
    }

    /// Opens the file again for reading; refused where it is not the file it was.
    pub(crate) fn source(&self) -> Result<Source, TableError> {
        let source = open_source(self.path())?;
        if source.len() != self.0.file_len {
            let what = format!("it had {} octets and now has {}", self.0.file_len, source.len());
            return Err(TableError::damaged(self.path(), what));
        }
        Ok(source)
    }

    pub(crate) fn sum(&self, g: usize, leaves: &[usize], size: Size) -> u64 {
        let Some(group) = self.0.metadata.row_groups().get(g) else { return 0 };
        let chunks = leaves.iter().filter_map(|leaf| group.columns().get(*leaf));
        let sizes = chunks.map(|chunk| match size {
            Size::Compressed => chunk.compressed_size(),
            Size::Uncompressed => chunk.uncompressed_size(),
        });
        sizes.fold(0, |sum, len| sum.saturating_add(u64::try_from(len).unwrap_or(0)))
    }
}

/// Which of the two lengths of a column chunk is meant.
#[derive(Clone, Copy)]
pub(crate) enum Size {
    Compressed,
    Uncompressed,
}

fn leaves_of(columns: &[Column]) -> Vec<usize> {
    columns.iter().map(|column| column.leaf).collect()
}

fn open_source(path: &Path) -> Result<Source, TableError> {
    Source::open(path).map_err(|error| TableError::io(path, error.to_string()))
}
