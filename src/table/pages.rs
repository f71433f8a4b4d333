//! The pages of a column chunk, checked between unpacking and decoding.
//!
//! **Purpose.** Stand between the Parquet reader's page reader and its decoders. **Enters**: one open file and its footer.
//! **Leaves**: pages whose counts are plausible. **Cost**: a few comparisons a page; delta-encoded pages are walked once more.
//! **Must not know**: Arrow types.

use super::delta::{check_delta_length, check_delta_prefixed};
use super::source::{Chunk, Source};
use bytes::Bytes;
use parquet::arrow::arrow_reader::RowGroups;
use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::ColumnDescriptor;
use std::sync::Arc;

/// One row group as the Arrow reader wants it; its column `i` is column `leaves[i]` of the file.
pub(crate) struct OneRowGroup {
    pub(crate) source: Arc<Source>,
    pub(crate) metadata: Arc<ParquetMetaData>,
    pub(crate) row_group: usize,
    pub(crate) leaves: Vec<usize>,
}

impl RowGroups for OneRowGroup {
    fn num_rows(&self) -> usize {
        usize::try_from(self.metadata.row_group(self.row_group).num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column: usize) -> Result<Box<dyn PageIterator>> {
        let leaf = self.leaves.get(column).copied();
        let leaf = leaf.ok_or(ParquetError::IndexOutOfBound(column, self.leaves.len()))?;
        let group = self.metadata.row_group(self.row_group);
        let pages = CheckedPages::new(&self.source, group.column(leaf), self.num_rows())?;
        Ok(Box::new(OneChunk(Some(pages))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.metadata.row_group(self.row_group)))
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

struct OneChunk(Option<CheckedPages>);

impl Iterator for OneChunk {
    type Item = Result<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(|pages| Ok(Box::new(pages) as Box<dyn PageReader>))
    }
}

impl PageIterator for OneChunk {}

struct CheckedPages {
    pages: SerializedPageReader<Chunk>,
    column: Arc<ColumnDescriptor>,
}

impl CheckedPages {
    fn new(source: &Arc<Source>, chunk: &ColumnChunkMetaData, num_rows: usize) -> Result<Self> {
        let codec = chunk.compression();
        let len = u64::try_from(chunk.uncompressed_size())?;
        let reader = Arc::new(Chunk::new(Arc::clone(source), codec, len));
        let shown = shown_chunk(chunk)?;
        let pages = SerializedPageReader::new(reader, &shown, num_rows, None)?;
        Ok(Self { pages, column: chunk.column_descr_ptr() })
    }

    fn check(&self, page: &Page) -> Result<()> {
        let plausible = match page {
            Page::DictionaryPage { buf, num_values, .. } => {
                check_dictionary(&self.column, buf.len(), *num_values)
            }
            Page::DataPage { buf, num_values, encoding, .. } => {
                check_values(*encoding, *num_values, || values_after_levels(&self.column, buf))
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                def_levels_byte_len,
                rep_levels_byte_len,
                ..
            } => check_values(*encoding, *num_values, || {
                let skip = u64::from(*def_levels_byte_len) + u64::from(*rep_levels_byte_len);
                usize::try_from(skip).ok().and_then(|skip| buf.get(skip..))
            }),
        };
        plausible.map_err(ParquetError::General)
    }
}

/// The chunk's metadata as the page reader should see it.
///
/// GZIP is unpacked by [`Chunk`]. Some writers store a dictionary offset of 0 or one behind the data where there is no dictionary page.
fn shown_chunk(chunk: &ColumnChunkMetaData) -> Result<ColumnChunkMetaData> {
    let mut shown = chunk.clone().into_builder();
    if matches!(chunk.compression(), Compression::GZIP(_)) {
        shown = shown.set_compression(Compression::UNCOMPRESSED);
    }
    let dictionary = chunk.dictionary_page_offset();
    let is_real = dictionary.is_some_and(|offset| (4..chunk.data_page_offset()).contains(&offset));
    if dictionary.is_some() && !is_real {
        shown = shown.set_dictionary_page_offset(None);
    }
    shown.build()
}

/// A dictionary cannot hold more values than its octets allow.
fn check_dictionary(column: &ColumnDescriptor, len: usize, num_values: u32) -> Result<(), String> {
    let width: u64 = match column.physical_type() {
        Type::INT64 | Type::DOUBLE => 8,
        Type::INT96 => 12,
        Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
        Type::BOOLEAN | Type::FIXED_LEN_BYTE_ARRAY => 1,
    };
    if u64::from(num_values) * width > len as u64 {
        return Err(format!("a dictionary of {len} octets claims {num_values} values"));
    }
    Ok(())
}

fn check_values<'a>(
    encoding: Encoding,
    num_values: u32,
    values: impl FnOnce() -> Option<&'a [u8]>,
) -> Result<(), String> {
    let check = match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => check_delta_length,
        Encoding::DELTA_BYTE_ARRAY => check_delta_prefixed,
        _ => return Ok(()),
    };
    let values = values().ok_or("a page ends inside its levels")?;
    check(values, num_values)
}

/// The values of a V1 page: behind the repetition and the definition levels, each with its length in front.
fn values_after_levels<'a>(column: &ColumnDescriptor, page: &'a Bytes) -> Option<&'a [u8]> {
    let mut rest: &[u8] = page;
    for max_level in [column.max_rep_level(), column.max_def_level()] {
        if max_level > 0 {
            let (len, after) = rest.split_first_chunk::<4>()?;
            rest = after.get(usize::try_from(u32::from_le_bytes(*len)).ok()?..)?;
        }
    }
    Some(rest)
}

impl Iterator for CheckedPages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for CheckedPages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let name = |error| ParquetError::General(format!("column {}: {error}", self.column.path()));
        let page = self.pages.get_next_page().map_err(name)?;
        if let Some(page) = &page {
            self.check(page).map_err(name)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}
