//! Columns of points in time in whatever form tables hold them, as microseconds since 1970 UTC.
//!
//! Enters: timestamps of any unit and zone, dates, ISO 8601 strings, 14-digit archive dates as text or numbers, epoch seconds. Leaves: a time, nothing, or
//! a sentence on what stands there instead. Cost: one pass over a batch.

use arrow::array::{Array, ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, TimeUnit, TimestampMicrosecondType};

use super::Octets;
use crate::text::timestamp;

/// What a time column takes, for messages.
pub const TIME_TYPES: &str = "timestamps, ISO 8601 strings, 14-digit dates or epoch seconds";

/// Whether a column of this type may hold times.
#[must_use]
pub fn may_hold_times(found: &DataType) -> bool {
    found.is_integer()
        || found.is_floating()
        || matches!(found, DataType::Timestamp(..) | DataType::Date32)
        || Octets::accepts(found)
}

/// The times of a batch.
#[derive(Debug)]
pub struct Times(Kind);

#[derive(Debug)]
enum Kind {
    Micros(TimestampMicrosecondArray),
    Read(Vec<Result<Option<i64>, String>>),
}

impl Times {
    /// Reads a column; `None` where its type holds no times.
    #[must_use]
    pub fn try_new(array: &ArrayRef) -> Option<Self> {
        if !may_hold_times(array.data_type()) {
            return None;
        }
        if let Some(texts) = Octets::try_new(array.as_ref()) {
            return Some(Times(Kind::Read(
                (0..texts.len()).map(|row| of_text(&texts, row)).collect(),
            )));
        }
        if matches!(array.data_type(), DataType::Timestamp(..) | DataType::Date32) {
            let micros = cast(array, &DataType::Timestamp(TimeUnit::Microsecond, None)).ok()?;
            return Some(Times(Kind::Micros(
                micros.as_primitive::<TimestampMicrosecondType>().clone(),
            )));
        }
        let numbers = cast(array, &DataType::Float64).ok()?;
        let numbers = numbers.as_primitive::<Float64Type>().iter();
        Some(Times(Kind::Read(numbers.map(of_number).collect())))
    }

    /// The time of a row; `None` where it has none, and where what stands there is none.
    #[must_use]
    #[inline]
    pub fn value(&self, row: usize) -> Option<i64> {
        match &self.0 {
            Kind::Micros(times) => {
                (row < times.len() && times.is_valid(row)).then(|| times.value(row))
            }
            Kind::Read(times) => times.get(row)?.as_ref().ok().copied().flatten(),
        }
    }

    /// As [`Times::value`], where something else is an error.
    ///
    /// # Errors
    /// A sentence on what stands there.
    pub fn read(&self, row: usize) -> Result<Option<i64>, String> {
        match &self.0 {
            Kind::Micros(_) => Ok(self.value(row)),
            Kind::Read(times) => times.get(row).cloned().unwrap_or(Ok(None)),
        }
    }
}

fn of_text(texts: &Octets<'_>, row: usize) -> Result<Option<i64>, String> {
    let Some(text) = texts.value(row) else { return Ok(None) };
    let time = std::str::from_utf8(text).ok().and_then(timestamp::parse);
    time.map(Some).ok_or_else(|| complaint(&String::from_utf8_lossy(text)))
}

fn of_number(number: Option<f64>) -> Result<Option<i64>, String> {
    let Some(number) = number else { return Ok(None) };
    timestamp::from_number(number).map(Some).ok_or_else(|| complaint(&number.to_string()))
}

fn complaint(found: &str) -> String {
    format!("a time is neither ISO 8601, a 14-digit date nor epoch seconds: `{found}`")
}
