//! Columns whose type was checked once, when the table was opened.
//!
//! Enters: a column's place in the schema. Leaves: a handle of a word or two that a read takes. Knows the octets of one
//! value, not where they stand.

use std::marker::PhantomData;

use arrow::datatypes::DataType;

/// A column of numbers.
#[derive(Debug, Clone, Copy)]
pub struct Numbers<T> {
    pub(super) column: usize,
    kind: PhantomData<T>,
}

impl<T> Numbers<T> {
    pub(super) fn new(column: usize) -> Self {
        Numbers { column, kind: PhantomData }
    }
}

/// A column of strings or octets.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    pub(super) column: usize,
    /// Octets of an offset: 4 or 8.
    pub(super) offset_len: u8,
}

impl Texts {
    /// Start and end of a value from its two offsets; `None` for negative ones and for less than two.
    #[inline]
    pub(super) fn offsets(self, octets: &[u8]) -> Option<(u64, u64)> {
        if self.offset_len == 4 {
            let start = i32::from_le_bytes(*octets.first_chunk()?);
            let end = i32::from_le_bytes(*octets.last_chunk()?);
            return Some((u64::try_from(start).ok()?, u64::try_from(end).ok()?));
        }
        let start = i64::from_le_bytes(*octets.first_chunk()?);
        let end = i64::from_le_bytes(*octets.last_chunk()?);
        Some((u64::try_from(start).ok()?, u64::try_from(end).ok()?))
    }
}

/// A column of `N` octets in each row.
#[derive(Debug, Clone, Copy)]
pub struct Fixed<const N: usize> {
    pub(super) column: usize,
}

/// A number as Arrow stores it: little-endian, side by side.
pub trait Number: Copy + sealed::Sealed {
    /// Octets of one.
    const LEN: u64;

    /// Whether a column of this type holds such numbers.
    fn is_stored_as(stored: &DataType) -> bool;

    /// The number that these octets are; `None` when they are too few.
    fn from_le(octets: &[u8]) -> Option<Self>;
}

mod sealed {
    /// Only the integers below.
    pub trait Sealed {}
}

/// Implements [`Number`] for integers, each with the Arrow types that are stored so.
macro_rules! numbers {
    ($($number:ty, $stored:pat => $len:literal;)*) => {$(
        impl sealed::Sealed for $number {}

        impl Number for $number {
            const LEN: u64 = $len;

            fn is_stored_as(stored: &DataType) -> bool {
                matches!(stored, $stored)
            }

            #[inline]
            fn from_le(octets: &[u8]) -> Option<Self> {
                octets.first_chunk().map(|octets| <$number>::from_le_bytes(*octets))
            }
        }
    )*};
}

numbers! {
    u8, DataType::UInt8 => 1;
    i8, DataType::Int8 => 1;
    u16, DataType::UInt16 => 2;
    i16, DataType::Int16 => 2;
    u32, DataType::UInt32 => 4;
    i32, DataType::Int32 | DataType::Date32 => 4;
    u64, DataType::UInt64 => 8;
    i64, DataType::Int64 | DataType::Timestamp(_, _) => 8;
}
