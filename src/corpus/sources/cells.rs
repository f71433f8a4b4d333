//! Statuses as tables hold them, cell by cell.
//!
//! A cell that holds something else is an error of its row: taken as missing, it would count as a 200.

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Float64Type, Int64Type, UInt64Type};

use crate::corpus::Status;
use crate::table::Octets;

/// What a cell holds, or a sentence on what is wrong with it.
type Cell<T> = Result<Option<T>, String>;

/// Statuses: whole numbers of any type, or strings of digits.
pub(super) fn statuses(array: &ArrayRef) -> Vec<Cell<Status>> {
    if let Some(texts) = Octets::try_new(array.as_ref()) {
        return of_texts(&texts, |text| text.trim().parse().ok().map(Status::new), NO_STATUS);
    }
    if let Some(numbers) = array.as_primitive_opt::<UInt64Type>() {
        let read = |number| Status::new(i64::try_from(number).unwrap_or(i64::MAX));
        return numbers.iter().map(|number| Ok(number.map(read))).collect();
    }
    if array.data_type().is_floating() {
        return of_floats(array, whole, NO_STATUS);
    }
    match cast(array, &DataType::Int64) {
        Ok(numbers) => {
            let numbers = numbers.as_primitive::<Int64Type>();
            numbers.iter().map(|number| Ok(number.map(Status::new))).collect()
        }
        Err(error) => vec![Err(error.to_string()); array.len()],
    }
}

const NO_STATUS: &str = "a status is not a whole number";

/// Whole numbers with nulls come as floats from some writers.
#[expect(clippy::cast_possible_truncation, reason = "far outside, the nearest value is kept")]
fn whole(number: f64) -> Option<Status> {
    (number.fract() == 0.0).then(|| Status::new(number as i64))
}

fn of_texts<T>(
    texts: &Octets<'_>,
    read: impl Fn(&str) -> Option<T>,
    complaint: &str,
) -> Vec<Cell<T>> {
    let cell = |row| {
        let Some(text) = texts.value(row) else { return Ok(None) };
        let value = std::str::from_utf8(text).ok().and_then(&read);
        let complain = || format!("{complaint}: `{}`", String::from_utf8_lossy(text));
        value.ok_or_else(complain).map(Some)
    };
    (0..texts.len()).map(cell).collect()
}

fn of_floats<T: Clone>(
    array: &ArrayRef,
    read: impl Fn(f64) -> Option<T>,
    complaint: &str,
) -> Vec<Cell<T>> {
    let cell = |number: Option<f64>| {
        let Some(number) = number else { return Ok(None) };
        read(number).ok_or_else(|| format!("{complaint}: {number}")).map(Some)
    };
    match cast(array, &DataType::Float64) {
        Ok(numbers) => numbers.as_primitive::<Float64Type>().iter().map(cell).collect(),
        Err(error) => vec![Err(error.to_string()); array.len()],
    }
}
