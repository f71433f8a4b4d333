//! String-like Arrow arrays as octets.
//!
//! **Purpose.** One view over every way Arrow spells a string, so that a column may be text or binary, short or long offsets, views,
//! a dictionary, or all null. **Enters**: any array. **Leaves**: `Option<&[u8]>` a row. **Cost**: nothing a row but a match; a dictionary
//! costs one word a row to build. **Must not know**: what the octets spell; no UTF-8 is asked for.

use arrow::array::{
    Array, AsArray, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray,
    LargeStringArray, StringArray, StringViewArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::DataType;

/// A string-like array, row by row as octets.
///
/// Accepted: Utf8, LargeUtf8, Utf8View, Binary, LargeBinary, BinaryView, FixedSizeBinary, Null (every row null), and a Dictionary of any
/// integer key over one of those.
pub struct Octets<'a>(Source<'a>);

enum Source<'a> {
    Utf8(&'a StringArray),
    LargeUtf8(&'a LargeStringArray),
    Utf8View(&'a StringViewArray),
    Binary(&'a BinaryArray),
    LargeBinary(&'a LargeBinaryArray),
    BinaryView(&'a BinaryViewArray),
    FixedSize(&'a FixedSizeBinaryArray),
    Null(usize),
    Dictionary { keys: Vec<usize>, nulls: Option<&'a NullBuffer>, values: Box<Source<'a>> },
}

impl<'a> Octets<'a> {
    /// Whether [`Octets::try_new`] takes arrays of this type.
    pub fn accepts(data_type: &DataType) -> bool {
        match data_type {
            DataType::Dictionary(_, value) => accepts_plain(value),
            other => accepts_plain(other),
        }
    }

    /// The octets of `array`, or `None` where its type is not string-like.
    pub fn try_new(array: &'a dyn Array) -> Option<Self> {
        Self::accepts(array.data_type()).then(|| Source::new(array).map(Octets)).flatten()
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The octets of a row; `None` for a null and for a row past the end.
    pub fn value(&self, row: usize) -> Option<&'a [u8]> {
        self.0.value(row)
    }

    /// For a dictionary: the key of a row, below [`Octets::num_values`] (`None` for a null, for a row past the end, and for other arrays).
    ///
    /// With it a caller resolves each distinct value once.
    pub fn key(&self, row: usize) -> Option<usize> {
        self.0.key(row)
    }

    /// For a dictionary: the number of its values, used or not; `None` for other arrays.
    pub fn num_values(&self) -> Option<usize> {
        match &self.0 {
            Source::Dictionary { values, .. } => Some(values.len()),
            _ => None,
        }
    }

    /// For a dictionary: the octets of one of its values (`None` for a null value and out of range).
    pub fn dictionary_value(&self, key: usize) -> Option<&'a [u8]> {
        match &self.0 {
            Source::Dictionary { values, .. } => values.value(key),
            _ => None,
        }
    }
}

fn accepts_plain(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8
            | DataType::LargeUtf8
            | DataType::Utf8View
            | DataType::Binary
            | DataType::LargeBinary
            | DataType::BinaryView
            | DataType::FixedSizeBinary(_)
            | DataType::Null
    )
}

impl<'a> Source<'a> {
    fn new(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Self::Utf8(array.as_string_opt::<i32>()?),
            DataType::LargeUtf8 => Self::LargeUtf8(array.as_string_opt::<i64>()?),
            DataType::Utf8View => Self::Utf8View(array.as_string_view_opt()?),
            DataType::Binary => Self::Binary(array.as_binary_opt::<i32>()?),
            DataType::LargeBinary => Self::LargeBinary(array.as_binary_opt::<i64>()?),
            DataType::BinaryView => Self::BinaryView(array.as_binary_view_opt()?),
            DataType::FixedSizeBinary(_) => Self::FixedSize(array.as_fixed_size_binary_opt()?),
            DataType::Null => Self::Null(array.len()),
            DataType::Dictionary(_, _) => Self::dictionary(array)?,
            _ => return None,
        })
    }

    fn dictionary(array: &'a dyn Array) -> Option<Self> {
        let dictionary = array.as_any_dictionary_opt()?;
        let values = dictionary.values().as_ref();
        // `normalized_keys` panics on an empty dictionary, in which every key is null.
        let keys = match values.len() {
            0 => vec![0; array.len()],
            _ => dictionary.normalized_keys(),
        };
        let nulls = dictionary.keys().nulls();
        Some(Self::Dictionary { keys, nulls, values: Box::new(Self::new(values)?) })
    }

    fn len(&self) -> usize {
        match self {
            Self::Utf8(array) => array.len(),
            Self::LargeUtf8(array) => array.len(),
            Self::Utf8View(array) => array.len(),
            Self::Binary(array) => array.len(),
            Self::LargeBinary(array) => array.len(),
            Self::BinaryView(array) => array.len(),
            Self::FixedSize(array) => array.len(),
            Self::Null(len) => *len,
            Self::Dictionary { keys, .. } => keys.len(),
        }
    }

    fn value(&self, row: usize) -> Option<&'a [u8]> {
        macro_rules! present {
            ($array:expr) => {
                (row < $array.len() && $array.is_valid(row)).then(|| $array.value(row))
            };
        }
        match self {
            Self::Utf8(array) => present!(array).map(str::as_bytes),
            Self::LargeUtf8(array) => present!(array).map(str::as_bytes),
            Self::Utf8View(array) => present!(array).map(str::as_bytes),
            Self::Binary(array) => present!(array),
            Self::LargeBinary(array) => present!(array),
            Self::BinaryView(array) => present!(array),
            Self::FixedSize(array) => present!(array),
            Self::Null(_) => None,
            Self::Dictionary { values, .. } => values.value(self.key(row)?),
        }
    }

    fn key(&self, row: usize) -> Option<usize> {
        let Self::Dictionary { keys, nulls, values } = self else { return None };
        let key = *keys.get(row)?;
        let present = nulls.is_none_or(|nulls| nulls.is_valid(row));
        (present && key < values.len()).then_some(key)
    }
}
