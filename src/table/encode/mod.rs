//! Parts of column chunks that are written without the Arrow writer.
//!
//! **Purpose.** Write columns whose values come nearly as Parquet has them for a fraction of what a writer for everything costs.
//! **Enters**: encoded pages, numbers of a few bits. **Leaves**: column chunks as any Parquet writer would make them: pages of
//! format V1, statistics of the chunk. **Cost**: one compression a page. **Must not know**: what the columns mean, files.

mod codec;
mod delta;
pub(crate) mod hybrid;
mod pages;

use std::io::Write;

use bytes::Bytes;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::writer::SerializedRowGroupWriter;

pub(crate) use delta::Deltas;
pub(crate) use pages::Pages;

/// An encoded column chunk.
pub(crate) struct Chunk {
    octets: Bytes,
    close: Box<ColumnCloseResult>,
}

impl Chunk {
    /// Octets held.
    pub(crate) fn len(&self) -> u64 {
        self.octets.len() as u64
    }

    /// Writes the chunk as the next of a row group.
    pub(crate) fn append<W: Write + Send>(
        self,
        row_group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<()> {
        row_group.append_column(&self.octets, *self.close)
    }
}
