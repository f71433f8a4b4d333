//! The columns of numbers of `rules.parquet`, a row group at a time.
//!
//! Enters: a number a rule. Leaves: encoded columns. Memory: the encoded column. Must not know: texts, files.

use parquet::basic::{Compression, Encoding, Type};
use parquet::errors::Result;
use parquet::file::statistics::Statistics;
use parquet::schema::types::ColumnDescPtr;

use crate::table::encode::{Chunk, Deltas, Pages};

/// A column of numbers, all of one page: they seldom stand twice, so that they are not looked up in a dictionary.
pub(super) struct NumberColumn {
    pages: Pages,
    deltas: Deltas,
    is_wide: bool,
}

impl NumberColumn {
    /// For a column of 32 or 64 bits.
    pub(super) fn new(column: &ColumnDescPtr, compression: Compression) -> Result<Self> {
        let is_wide = column.physical_type() == Type::INT64;
        Ok(NumberColumn { pages: Pages::new(column, compression)?, deltas: Deltas::new(), is_wide })
    }

    /// Adds a number of 32 bits; the largest that such a column has stands for those above it.
    #[inline]
    pub(super) fn push(&mut self, number: u32) {
        self.deltas.push(i64::from(number).min(i32::MAX.into()));
    }

    /// Adds a number of 64 bits, which is not below zero.
    #[inline]
    pub(super) fn push_wide(&mut self, number: i64) {
        self.deltas.push(number);
    }

    /// Ends the row group.
    pub(super) fn close(mut self) -> Result<Chunk> {
        let (page, numbers) = self.deltas.into_page();
        let (least, greatest) = numbers.bounds.unzip();
        let narrow = |number: Option<i64>| number.and_then(|number| i32::try_from(number).ok());
        let statistics = match self.is_wide {
            true => Statistics::int64(least, greatest, None, Some(0), false),
            false => Statistics::int32(narrow(least), narrow(greatest), None, Some(0), false),
        };
        let len = numbers.len;
        self.pages.add(&page, len, len, Encoding::DELTA_BINARY_PACKED)?;
        self.pages.close(None, statistics)
    }
}
