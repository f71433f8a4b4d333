//! The writer of one flat column of flags, numbers or words.
//!
//! **Purpose.** Cut batches into pages and pages into a chunk. **Enters**: arrays of one type. **Leaves**: a column chunk.
//! **Cost**: see the folder's head. **Must not know**: other columns.

use arrow::array::{Array, AsArray};
use arrow::datatypes::{DataType, Int64Type, UInt8Type};
use parquet::basic::{Compression, Encoding, Type};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::statistics::Statistics;
use parquet::schema::types::{ColumnDescPtr, ColumnDescriptor};

use super::flags::Flags;
use super::levels::Levels;
use super::numbers::Numbers;
use super::words::Words;
use crate::table::encode::{Chunk, Pages};

/// Rows from which on a page is written: enough that its header and the codec's start do not count.
const PAGE_ROWS: usize = 32 << 10;

/// The writer of a flat column.
pub(in crate::stream) struct PlainWriter {
    pages: Pages,
    levels: Levels,
    num_nulls: u64,
    values: Values,
    /// A page before it is compressed.
    page: Vec<u8>,
}

enum Values {
    Flags(Flags),
    Numbers(Numbers),
    Words(Box<Words>),
}

impl Values {
    fn new(data_type: &DataType) -> Result<Self> {
        match data_type {
            DataType::Boolean => Ok(Self::Flags(Flags::new())),
            DataType::Int64 => Ok(Self::Numbers(Numbers::new())),
            DataType::Dictionary(..) => Ok(Self::Words(Box::new(Words::new()))),
            other => Err(ParquetError::NYI(format!("a flat column of {other}"))),
        }
    }

    fn take(&mut self, out: &mut Vec<u8>) -> Encoding {
        match self {
            Self::Flags(flags) => {
                flags.take(out);
                Encoding::PLAIN
            }
            Self::Numbers(numbers) => numbers.take(out),
            Self::Words(words) => {
                words.take(out);
                Encoding::RLE_DICTIONARY
            }
        }
    }

    fn dictionary(&self) -> Option<(Vec<u8>, usize)> {
        match self {
            Self::Flags(_) => None,
            Self::Numbers(numbers) => Some(numbers.dictionary()),
            Self::Words(words) => Some(words.dictionary()),
        }
    }

    fn statistics(&self, nulls: u64) -> Statistics {
        match self {
            Self::Flags(flags) => {
                let (least, greatest) = flags.bounds().unzip();
                Statistics::boolean(least, greatest, None, Some(nulls), false)
            }
            Self::Numbers(numbers) => {
                let (least, greatest) = numbers.bounds().unzip();
                Statistics::int64(least, greatest, None, Some(nulls), false)
            }
            Self::Words(words) => {
                let (least, greatest) = words.bounds().unzip();
                let word = |word: &[u8]| ByteArray::from(word.to_vec());
                let (least, greatest) = (least.map(word), greatest.map(word));
                Statistics::byte_array(least, greatest, None, Some(nulls), false)
            }
        }
    }
}

impl PlainWriter {
    /// Whether a column of this type, written as `column`, can be written here.
    pub(super) fn accepts(data_type: &DataType, column: &ColumnDescriptor) -> bool {
        let physical = match data_type {
            DataType::Boolean => Type::BOOLEAN,
            DataType::Int64 => Type::INT64,
            DataType::Dictionary(key, value)
                if **key == DataType::UInt8 && **value == DataType::Utf8 =>
            {
                Type::BYTE_ARRAY
            }
            _ => return false,
        };
        column.physical_type() == physical
            && column.max_rep_level() == 0
            && column.max_def_level() <= 1
    }

    pub(super) fn new(
        data_type: &DataType,
        column: &ColumnDescPtr,
        codec: Compression,
    ) -> Result<Self> {
        Ok(Self {
            pages: Pages::new(column, codec)?,
            levels: Levels::new(column.max_def_level() > 0),
            num_nulls: 0,
            values: Values::new(data_type)?,
            page: Vec::new(),
        })
    }

    /// Adds the values of a batch.
    ///
    /// # Errors
    /// An array of another type; nulls where the column has none.
    pub(super) fn write(&mut self, array: &dyn Array) -> Result<()> {
        let other = || ParquetError::General(format!("an array of {}", array.data_type()));
        match &mut self.values {
            Values::Flags(flags) => flags.add(array.as_boolean_opt().ok_or_else(other)?),
            Values::Numbers(numbers) => {
                numbers.add(array.as_primitive_opt::<Int64Type>().ok_or_else(other)?);
            }
            Values::Words(words) => {
                words.add(array.as_dictionary_opt::<UInt8Type>().ok_or_else(other)?)?;
            }
        }
        self.levels.add(array)?;
        if self.levels.num_rows >= PAGE_ROWS { self.end_page() } else { Ok(()) }
    }

    fn end_page(&mut self) -> Result<()> {
        self.page.clear();
        let num_rows = self.levels.num_rows;
        self.num_nulls += self.levels.num_nulls as u64;
        self.levels.take(&mut self.page);
        let encoding = self.values.take(&mut self.page);
        self.pages.add(&self.page, num_rows, num_rows, encoding)
    }

    pub(super) fn close(mut self) -> Result<Chunk> {
        if self.levels.num_rows > 0 {
            self.end_page()?;
        }
        let statistics = self.values.statistics(self.num_nulls);
        self.pages.close(self.values.dictionary(), statistics)
    }
}
