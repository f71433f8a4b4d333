//! Pages of one column chunk, compressed and counted.
//!
//! **Purpose.** Keep what the chunk's metadata says in step with what is written. **Enters**: pages. **Leaves**: the chunk.
//! **Cost**: one compression a page. **Must not know**: how values became pages.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::Chunk;
use super::codec::Codec;

/// The pages of a column chunk so far.
pub(crate) struct Pages {
    column: ColumnDescPtr,
    compression: Compression,
    codec: Codec,
    data: TrackedWrite<Vec<u8>>,
    sizes: Sizes,
    num_rows: u64,
    num_values: u64,
    /// Data pages by encoding, in the order in which encodings came.
    encodings: Vec<(Encoding, i32)>,
}

/// Octets with page headers.
#[derive(Clone, Copy, Default)]
struct Sizes {
    compressed: usize,
    uncompressed: usize,
}

impl Sizes {
    fn add(&mut self, page: &PageWriteSpec) {
        self.compressed += page.compressed_size;
        self.uncompressed += page.uncompressed_size;
    }
}

impl Pages {
    pub(crate) fn new(column: &ColumnDescPtr, compression: Compression) -> Result<Self> {
        Ok(Self {
            column: ColumnDescPtr::clone(column),
            compression,
            codec: Codec::new(compression)?,
            data: TrackedWrite::new(Vec::new()),
            sizes: Sizes::default(),
            num_rows: 0,
            num_values: 0,
            encodings: Vec::new(),
        })
    }

    /// Adds a data page of `num_rows` rows: levels, then values in `encoding`. Of a list, rows have other numbers of values
    /// than one; an empty one counts as a value.
    pub(crate) fn add(
        &mut self,
        octets: &[u8],
        num_rows: usize,
        num_values: usize,
        encoding: Encoding,
    ) -> Result<()> {
        let page = Page::DataPage {
            buf: self.codec.compress(octets)?.into(),
            num_values: u32::try_from(num_values)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let page = CompressedPage::new(page, octets.len());
        self.sizes.add(&SerializedPageWriter::new(&mut self.data).write_page(page)?);
        self.num_rows += num_rows as u64;
        self.num_values += num_values as u64;
        match self.encodings.last_mut().filter(|(known, _)| *known == encoding) {
            Some((_, count)) => *count += 1,
            None => self.encodings.push((encoding, 1)),
        }
        Ok(())
    }

    /// Ends the chunk; the dictionary, where there is one, stands in front.
    pub(crate) fn close(
        mut self,
        dictionary: Option<(Vec<u8>, usize)>,
        statistics: Statistics,
    ) -> Result<Chunk> {
        let mut octets = Vec::new();
        let is_used =
            self.encodings.iter().any(|(encoding, _)| *encoding == Encoding::RLE_DICTIONARY);
        let has_dictionary = dictionary.is_some() && is_used;
        if let Some((values, count)) = dictionary.filter(|_| has_dictionary) {
            octets = self.write_dictionary(&values, count)?;
        }
        let data_offset = i64::try_from(octets.len())?;
        let metadata = ColumnChunkMetaData::builder(ColumnDescPtr::clone(&self.column))
            .set_compression(self.compression)
            .set_encodings(self.all_encodings(has_dictionary))
            .set_page_encoding_stats(self.page_counts(has_dictionary))
            .set_total_compressed_size(i64::try_from(self.sizes.compressed)?)
            .set_total_uncompressed_size(i64::try_from(self.sizes.uncompressed)?)
            .set_num_values(i64::try_from(self.num_values)?)
            .set_data_page_offset(data_offset)
            .set_dictionary_page_offset(has_dictionary.then_some(0))
            .set_statistics(statistics)
            .build()?;
        octets.append(&mut self.data.into_inner()?);
        let close = ColumnCloseResult {
            bytes_written: octets.len() as u64,
            rows_written: self.num_rows,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok(Chunk { octets: Bytes::from(octets), close: Box::new(close) })
    }

    fn write_dictionary(&mut self, values: &[u8], count: usize) -> Result<Vec<u8>> {
        let page = Page::DictionaryPage {
            buf: self.codec.compress(values)?.into(),
            num_values: u32::try_from(count)?,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let mut written = TrackedWrite::new(Vec::new());
        let page = CompressedPage::new(page, values.len());
        self.sizes.add(&SerializedPageWriter::new(&mut written).write_page(page)?);
        written.into_inner()
    }

    fn all_encodings(&self, has_dictionary: bool) -> Vec<Encoding> {
        let mut all: Vec<Encoding> = self.encodings.iter().map(|(encoding, _)| *encoding).collect();
        all.push(Encoding::RLE);
        if has_dictionary && !all.contains(&Encoding::PLAIN) {
            all.push(Encoding::PLAIN);
        }
        all
    }

    fn page_counts(&self, has_dictionary: bool) -> Vec<PageEncodingStats> {
        let page = |page_type, encoding, count| PageEncodingStats { page_type, encoding, count };
        let dictionary =
            has_dictionary.then(|| page(PageType::DICTIONARY_PAGE, Encoding::PLAIN, 1));
        let data = self.encodings.iter();
        let data = data.map(|(encoding, count)| page(PageType::DATA_PAGE, *encoding, *count));
        dictionary.into_iter().chain(data).collect()
    }
}
