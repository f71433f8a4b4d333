//! The column types that a table may have, and the comparison of a file's schema with the one wanted.
//!
//! Enters: a schema as the reader knows it, and as the file's footer holds it. Leaves: what differs first. Arrow's own
//! conversion of the footer is not used: it panics on types it does not know.

use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use arrow::ipc;

/// Octets of a fixed-size value; `None` for types of another kind.
pub(super) fn value_len(stored: &DataType) -> Option<u64> {
    match stored {
        DataType::UInt8 | DataType::Int8 => Some(1),
        DataType::UInt16 | DataType::Int16 => Some(2),
        DataType::UInt32 | DataType::Int32 | DataType::Date32 => Some(4),
        DataType::UInt64 | DataType::Int64 | DataType::Timestamp(_, _) => Some(8),
        DataType::FixedSizeBinary(len) => u64::try_from(*len).ok().filter(|len| *len > 0),
        _ => None,
    }
}

/// Octets of an offset of a text column; `None` for types of another kind.
pub(super) fn offset_len(stored: &DataType) -> Option<u8> {
    match stored {
        DataType::Utf8 | DataType::Binary => Some(4),
        DataType::LargeUtf8 | DataType::LargeBinary => Some(8),
        _ => None,
    }
}

/// Names the first column of a type that tables do not have.
pub(super) fn check_supported(schema: &Schema) -> Result<(), String> {
    for field in schema.fields() {
        let stored = field.data_type();
        if value_len(stored).is_none() && offset_len(stored).is_none() {
            return Err(format!("column `{}`: tables have no {stored}", field.name()));
        }
    }
    Ok(())
}

/// Names the first difference between the schema of a file and the one wanted.
pub(super) fn check_same(found: ipc::Schema<'_>, wanted: &Schema) -> Result<(), String> {
    if found.endianness() != ipc::Endianness::Little {
        return Err("its numbers are big-endian".to_owned());
    }
    let num_found = found.fields().map_or(0, |fields| fields.len());
    if num_found != wanted.fields().len() {
        return Err(format!("{num_found} columns, {} wanted", wanted.fields().len()));
    }
    for (found, wanted) in found.fields().into_iter().flatten().zip(wanted.fields()) {
        if !is_same(found, wanted) {
            return Err(format!(
                "a column `{}` of {}, wanted `{}` of {}",
                found.name().unwrap_or_default(),
                stored_type(found).map_or_else(|| "another type".to_owned(), described(found)),
                wanted.name(),
                described_field(wanted),
            ));
        }
    }
    Ok(())
}

fn is_same(found: ipc::Field<'_>, wanted: &Field) -> bool {
    found.name() == Some(wanted.name())
        && found.nullable() == wanted.is_nullable()
        && found.dictionary().is_none()
        && found.children().is_none_or(|children| children.is_empty())
        && stored_type(found).as_ref() == Some(wanted.data_type())
}

fn described(found: ipc::Field<'_>) -> impl Fn(DataType) -> String {
    move |stored| described_field(&Field::new("", stored, found.nullable()))
}

fn described_field(field: &Field) -> String {
    let nulls = if field.is_nullable() { " with nulls" } else { "" };
    format!("{}{nulls}", field.data_type())
}

/// The type of a column in a file, where it is one that tables have.
fn stored_type(field: ipc::Field<'_>) -> Option<DataType> {
    match field.type_type() {
        ipc::Type::Int => integer_type(field.type_as_int()?),
        ipc::Type::Date => {
            (field.type_as_date()?.unit() == ipc::DateUnit::DAY).then_some(DataType::Date32)
        }
        ipc::Type::Timestamp => timestamp_type(field.type_as_timestamp()?),
        ipc::Type::Utf8 => Some(DataType::Utf8),
        ipc::Type::LargeUtf8 => Some(DataType::LargeUtf8),
        ipc::Type::Binary => Some(DataType::Binary),
        ipc::Type::LargeBinary => Some(DataType::LargeBinary),
        ipc::Type::FixedSizeBinary => {
            let len = field.type_as_fixed_size_binary()?.byteWidth();
            Some(DataType::FixedSizeBinary(len))
        }
        _ => None,
    }
}

fn integer_type(integer: ipc::Int<'_>) -> Option<DataType> {
    match (integer.bitWidth(), integer.is_signed()) {
        (8, false) => Some(DataType::UInt8),
        (8, true) => Some(DataType::Int8),
        (16, false) => Some(DataType::UInt16),
        (16, true) => Some(DataType::Int16),
        (32, false) => Some(DataType::UInt32),
        (32, true) => Some(DataType::Int32),
        (64, false) => Some(DataType::UInt64),
        (64, true) => Some(DataType::Int64),
        _ => None,
    }
}

fn timestamp_type(timestamp: ipc::Timestamp<'_>) -> Option<DataType> {
    let unit = match timestamp.unit() {
        ipc::TimeUnit::SECOND => TimeUnit::Second,
        ipc::TimeUnit::MILLISECOND => TimeUnit::Millisecond,
        ipc::TimeUnit::MICROSECOND => TimeUnit::Microsecond,
        ipc::TimeUnit::NANOSECOND => TimeUnit::Nanosecond,
        _ => return None,
    };
    Some(DataType::Timestamp(unit, timestamp.timezone().map(Into::into)))
}
