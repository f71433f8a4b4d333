//! One table: an Arrow IPC file of record batches of the same number of rows, read by column and row.
//!
//! Enters: record batches to write; the region of a file and the schema it must have. Leaves: values of rows, borrowed from
//! the region. Arrow's own reader looks at every value of a batch to validate it; this one looks at what is asked for and
//! checks it then, so that opening costs the footer and a read costs two or three bounds-checked slices. A batch's
//! metadata is read when its first row is. Must not know what the columns mean.

mod batch;
mod footer;
mod handles;
mod schema;
mod write;

use std::sync::OnceLock;

use arrow::datatypes::{DataType, Schema, SchemaRef};

use self::batch::{Block, Places};
pub use self::handles::{Fixed, Number, Numbers, Texts};
pub use self::write::TableWriter;
use super::{FilesError, Region};

/// How many rows, and how many of them in each batch but the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableShape {
    /// Rows of the table.
    pub num_rows: u64,
    /// Rows of a batch; a power of two.
    pub rows_per_batch: u32,
}

impl TableShape {
    /// How many batches that makes.
    fn num_batches(self) -> u64 {
        self.num_rows.div_ceil(u64::from(self.rows_per_batch.max(1)))
    }

    /// Rows of one batch.
    fn batch_rows(self, batch: u64) -> u64 {
        let rows_per_batch = u64::from(self.rows_per_batch);
        let before = batch.saturating_mul(rows_per_batch);
        self.num_rows.saturating_sub(before).min(rows_per_batch)
    }
}

/// An open table. Memory: 48 octets for each batch, and 40 for each column of the batches that were read.
#[derive(Debug)]
pub struct Table {
    region: Region,
    schema: SchemaRef,
    shape: TableShape,
    /// `row >> shift` is the batch, `row & mask` the row in it.
    shift: u32,
    mask: u64,
    batches: Box<[Batch]>,
}

#[derive(Debug)]
struct Batch {
    block: Block,
    /// One for each column; none in a batch that is damaged, which was noted.
    places: OnceLock<Box<[Places]>>,
}

impl Table {
    /// Opens a table that must have the columns of `schema`. Cost: reads the footer, some 24 octets for each batch.
    ///
    /// # Errors
    /// A file that is no such table, or is damaged where this reads it.
    pub fn open(region: Region, schema: &Schema) -> Result<Self, FilesError> {
        schema::check_supported(schema).map_err(|w| FilesError::mismatch(region.name(), w))?;
        let (shape, blocks) = footer::read(&region, schema)?;
        let batches = blocks.into_iter().map(|block| Batch { block, places: OnceLock::new() });
        Ok(Table {
            schema: SchemaRef::new(schema.clone()),
            shape,
            shift: shape.rows_per_batch.trailing_zeros(),
            mask: u64::from(shape.rows_per_batch).saturating_sub(1),
            batches: batches.collect(),
            region,
        })
    }

    /// Rows of the table.
    #[must_use]
    pub fn num_rows(&self) -> u64 {
        self.shape.num_rows
    }

    /// Rows and rows in a batch.
    #[must_use]
    pub fn shape(&self) -> TableShape {
        self.shape
    }

    /// Notes that what stands in a row is not what its owner wrote, unless damage was noted already.
    #[cold]
    pub fn note_damage(&self, row: u64, what: &str) {
        let what = format!("row {row}: {what}");
        self.region.damage().note(self.region.malformed(0, what));
    }

    /// The octets that it is read from.
    #[must_use]
    pub fn region(&self) -> &Region {
        &self.region
    }

    /// A column of numbers, by its place in the schema.
    ///
    /// # Errors
    /// A column that holds something else.
    pub fn numbers<T: Number>(&self, column: usize) -> Result<Numbers<T>, FilesError> {
        self.check_type(column, T::is_stored_as, || std::any::type_name::<T>().to_owned())?;
        Ok(Numbers::new(column))
    }

    /// A column of strings or octets, by its place in the schema.
    ///
    /// # Errors
    /// A column that holds something else.
    pub fn texts(&self, column: usize) -> Result<Texts, FilesError> {
        self.check_type(column, |t| schema::offset_len(t).is_some(), || "text".to_owned())?;
        let field = self.schema.fields().get(column);
        let offset_len = field.and_then(|field| schema::offset_len(field.data_type()));
        Ok(Texts { column, offset_len: offset_len.unwrap_or_default() })
    }

    /// A column of `N` octets in each row, by its place in the schema.
    ///
    /// # Errors
    /// A column that holds something else.
    pub fn fixed<const N: usize>(&self, column: usize) -> Result<Fixed<N>, FilesError> {
        let is_fixed = |stored: &DataType| match stored {
            DataType::FixedSizeBinary(len) => usize::try_from(*len) == Ok(N),
            _ => false,
        };
        self.check_type(column, is_fixed, || format!("{N} octets"))?;
        Ok(Fixed { column })
    }

    /// The number in a row; `None` for null and for damage, which is noted.
    #[inline]
    #[must_use]
    pub fn number<T: Number>(&self, numbers: Numbers<T>, row: u64) -> Option<T> {
        let (places, at) = self.places(numbers.column, row)?;
        if !self.is_valid(places, at) {
            return None;
        }
        T::from_le(self.region.get(places.first.start + at * T::LEN, T::LEN))
    }

    /// The octets in a row; `None` for null and for damage, which is noted.
    #[inline]
    #[must_use]
    pub fn octets(&self, texts: Texts, row: u64) -> Option<&[u8]> {
        let (start, len) = self.text_place(texts, row)?;
        let octets = self.region.get(start, len);
        // Shorter than wanted is damage.
        (octets.is_empty() == (len == 0)).then_some(octets)
    }

    /// The octets in a row; `None` for null and for damage, which is noted.
    #[inline]
    #[must_use]
    pub fn fixed_octets<const N: usize>(&self, fixed: Fixed<N>, row: u64) -> Option<&[u8; N]> {
        let (places, at) = self.places(fixed.column, row)?;
        if !self.is_valid(places, at) {
            return None;
        }
        let len = u64::try_from(N).ok()?;
        self.region.get(places.first.start + at * len, len).first_chunk()
    }

    /// Where the octets of a row stand in the region.
    #[inline]
    fn text_place(&self, texts: Texts, row: u64) -> Option<(u64, u64)> {
        let (places, at) = self.places(texts.column, row)?;
        if !self.is_valid(places, at) {
            return None;
        }
        let offset_len = u64::from(texts.offset_len);
        let offsets = self.region.get(places.first.start + at * offset_len, offset_len * 2);
        match texts.offsets(offsets) {
            Some((start, end)) if start <= end && end <= places.second.len => {
                Some((places.second.start + start, end - start))
            }
            _ => self.note_text(places, row),
        }
    }

    /// The places of a column in the batch that has `row`, and the row in that batch.
    #[inline]
    fn places(&self, column: usize, row: u64) -> Option<(&Places, u64)> {
        if row >= self.shape.num_rows {
            return self.note_row(row);
        }
        let batch = row >> self.shift;
        let entry = usize::try_from(batch).ok().and_then(|at| self.batches.get(at))?;
        let places = match entry.places.get() {
            Some(places) => places,
            None => self.read_places(entry, batch),
        };
        Some((places.get(column)?, row & self.mask))
    }

    /// Reads a batch's metadata; more than one thread may, and they find the same.
    #[cold]
    fn read_places<'a>(&self, entry: &'a Batch, batch: u64) -> &'a [Places] {
        entry.places.get_or_init(|| {
            let rows = self.shape.batch_rows(batch);
            let places = batch::read(&self.region, &self.schema, entry.block, rows);
            places.unwrap_or_else(|error| {
                self.region.damage().note(error);
                Box::default()
            })
        })
    }

    #[inline]
    fn is_valid(&self, places: &Places, at: u64) -> bool {
        let Some(validity) = places.validity else { return true };
        let octet = self.region.get(validity.get() + at / 8, 1).first();
        octet.is_some_and(|octet| octet >> (at % 8) & 1 == 1)
    }

    /// A row number may come from another file, so a wrong one is damage and no mistake of the caller.
    #[cold]
    fn note_row<T>(&self, row: u64) -> Option<T> {
        let what = format!("row {row} is referred to, there are {}", self.shape.num_rows);
        self.region.damage().note(self.region.malformed(self.region.len(), what));
        None
    }

    #[cold]
    fn note_text<T>(&self, places: &Places, row: u64) -> Option<T> {
        let what = format!("the offsets of row {row} do not fit its column");
        self.region.damage().note(self.region.malformed(places.first.start, what));
        None
    }

    fn check_type(
        &self,
        column: usize,
        is_type: impl Fn(&DataType) -> bool,
        wanted: impl Fn() -> String,
    ) -> Result<(), FilesError> {
        let stored = self.schema.fields().get(column).map(|field| field.data_type());
        if stored.is_some_and(is_type) {
            return Ok(());
        }
        let found = stored.map_or_else(|| "nothing".to_owned(), ToString::to_string);
        let what = format!("column {column} holds {found}, not {}", wanted());
        Err(FilesError::mismatch(self.region.name(), what))
    }
}
