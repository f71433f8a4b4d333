//! Which rows of a page are null.
//!
//! **Purpose.** Gather definition levels, which for a flat column are the bits of Arrow's validity. **Enters**: validity, batch by batch.
//! **Leaves**: the levels of a page. **Cost**: a copy of the bits. **Must not know**: values.

use arrow::array::{Array, BooleanBufferBuilder};
use parquet::errors::{ParquetError, Result};

use crate::table::encode::hybrid;

/// The levels of a page under way.
pub(super) struct Levels {
    /// Absent where the column has no nulls by its type.
    valid: Option<BooleanBufferBuilder>,
    pub(super) num_rows: usize,
    pub(super) num_nulls: usize,
}

impl Levels {
    pub(super) fn new(nullable: bool) -> Self {
        let valid = nullable.then(|| BooleanBufferBuilder::new(0));
        Self { valid, num_rows: 0, num_nulls: 0 }
    }

    /// # Errors
    /// Nulls where the column has none by its type.
    pub(super) fn add(&mut self, array: &dyn Array) -> Result<()> {
        self.num_rows += array.len();
        self.num_nulls += array.null_count();
        match (&mut self.valid, array.nulls()) {
            (Some(valid), Some(nulls)) => valid.append_buffer(nulls.inner()),
            (Some(valid), None) => valid.append_n(array.len(), true),
            (None, _) if array.null_count() > 0 => {
                return Err(ParquetError::General("a null in a column without nulls".to_owned()));
            }
            (None, _) => {}
        }
        Ok(())
    }

    /// Writes the levels with their length in front, and begins a page anew.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        if let Some(valid) = &mut self.valid {
            let start = out.len();
            out.extend_from_slice(&[0; 4]);
            match self.num_nulls {
                0 => hybrid::write_ones(self.num_rows, out),
                _ => hybrid::write_bitmap(valid.as_slice(), self.num_rows, out),
            }
            let len = u32::try_from(out.len() - start - 4).unwrap_or(u32::MAX);
            if let Some(place) = out.get_mut(start..start + 4) {
                place.copy_from_slice(&len.to_le_bytes());
            }
            valid.truncate(0);
        }
        (self.num_rows, self.num_nulls) = (0, 0);
    }
}
