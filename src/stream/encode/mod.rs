//! Columns → encoded column chunks.
//!
//! **Purpose.** Write flags, 64-bit numbers and words of a small vocabulary, which is what verdicts and some kept columns are, for a
//! fraction of what a writer for everything costs: their Arrow form is nearly their Parquet form. All other columns go to the Arrow writer. **Enters**: arrays, batch
//! by batch. **Leaves**: column chunks. **Cost**: a few operations a value, one compression a page; memory for a page and what is encoded.
//! **Must not know**: what the columns mean, files.
//!
//! A chunk is what any Parquet writer would make of it: pages of format V1, values plain or as a dictionary, statistics of the chunk.

mod flags;
mod levels;
mod numbers;
mod plain;
mod words;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, FieldRef};
use parquet::arrow::arrow_writer::{ArrowColumnChunk, ArrowColumnWriter, compute_leaves};
use parquet::basic::Compression;
use parquet::errors::Result;
use parquet::file::writer::SerializedRowGroupWriter;
use parquet::schema::types::ColumnDescPtr;
use std::io::Write;

use crate::table::encode;
use plain::PlainWriter;

/// The writer of one field and all that is in it.
pub(super) enum FieldWriter {
    Plain(Box<PlainWriter>),
    Arrow(Vec<ArrowColumnWriter>),
}

/// An encoded column chunk.
pub(super) enum Chunk {
    Own(encode::Chunk),
    Arrow(Box<ArrowColumnChunk>),
}

impl FieldWriter {
    /// The writer for `field`, given the Arrow writers of its leaves and their columns.
    ///
    /// # Errors
    /// The codec cannot be set up.
    pub(super) fn new(
        field: &FieldRef,
        leaves: Vec<ArrowColumnWriter>,
        columns: &[ColumnDescPtr],
        codec: Compression,
    ) -> Result<Self> {
        match columns {
            [column] if PlainWriter::accepts(field.data_type(), column) => {
                PlainWriter::new(field.data_type(), column, codec).map(Box::new).map(Self::Plain)
            }
            _ => Ok(Self::Arrow(leaves)),
        }
    }

    /// Adds the values of a batch.
    ///
    /// # Errors
    /// The array does not belong to the field.
    pub(super) fn write(&mut self, field: &FieldRef, array: &ArrayRef) -> Result<()> {
        match self {
            Self::Plain(writer) => writer.write(array.as_ref()),
            Self::Arrow(writers) => {
                let leaves = compute_leaves(field, array)?;
                leaves.iter().zip(writers).try_for_each(|(leaf, writer)| writer.write(leaf))
            }
        }
    }

    /// The chunks, leaf by leaf.
    pub(super) fn close(self) -> Result<Vec<Chunk>> {
        match self {
            Self::Plain(writer) => Ok(vec![Chunk::Own(writer.close()?)]),
            Self::Arrow(writers) => {
                let chunks = writers.into_iter().map(ArrowColumnWriter::close);
                chunks.map(|chunk| chunk.map(Box::new).map(Chunk::Arrow)).collect()
            }
        }
    }
}

impl Chunk {
    /// Octets held.
    pub(super) fn len(&self) -> u64 {
        match self {
            Self::Own(chunk) => chunk.len(),
            Self::Arrow(chunk) => chunk.close().bytes_written,
        }
    }

    /// Writes the chunk as the next of a row group.
    pub(super) fn append<W: Write + Send>(
        self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        match self {
            Self::Own(chunk) => chunk.append(row_group),
            Self::Arrow(chunk) => chunk.append_to_row_group(row_group),
        }
    }
}

/// Leaf columns of a field.
pub(super) fn num_leaves(field: &FieldRef) -> usize {
    match field.data_type() {
        DataType::Struct(fields) => fields.iter().map(num_leaves).sum(),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => num_leaves(item),
        _ => 1,
    }
}
