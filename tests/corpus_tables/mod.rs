//! Made-up tables with columns of every kind, as batches and as plain rows to compare with.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "../common/random.rs"]
mod random;

use arrow::array::{
    ArrayRef, BinaryArray, FixedSizeBinaryBuilder, Int32Array, LargeBinaryArray, StringArray,
    TimestampMicrosecondArray, UInt8Array, UInt16Array, UInt64Array,
};
use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use arrow::record_batch::RecordBatch;
use robosift::corpus::files::{Damage, FilesError, Region, Table, TableWriter};
use std::io::Write;
use std::sync::Arc;

pub use random::Random;

/// One row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Row {
    pub id: u64,
    pub flags: Option<u8>,
    pub status: u16,
    pub delta: Option<i32>,
    pub time: Option<i64>,
    pub name: Option<String>,
    pub body: Vec<u8>,
    pub large: Option<Vec<u8>>,
    pub digest: Option<[u8; 16]>,
}

/// The columns of a [`Row`], in order.
pub fn schema() -> Schema {
    let utc = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Schema::new(vec![
        Field::new("id", DataType::UInt64, false),
        Field::new("flags", DataType::UInt8, true),
        Field::new("status", DataType::UInt16, false),
        Field::new("delta", DataType::Int32, true),
        Field::new("time", utc, true),
        Field::new("name", DataType::Utf8, true),
        Field::new("body", DataType::Binary, false),
        Field::new("large", DataType::LargeBinary, true),
        Field::new("digest", DataType::FixedSizeBinary(16), true),
    ])
}

/// `rows` as one batch.
pub fn batch(rows: &[Row]) -> RecordBatch {
    let mut digests = FixedSizeBinaryBuilder::new(16);
    for row in rows {
        match row.digest {
            Some(digest) => digests.append_value(digest).unwrap(),
            None => digests.append_null(),
        }
    }
    let times = TimestampMicrosecondArray::from_iter(rows.iter().map(|row| row.time));
    let columns: Vec<ArrayRef> = vec![
        Arc::new(UInt64Array::from_iter_values(rows.iter().map(|row| row.id))),
        Arc::new(UInt8Array::from_iter(rows.iter().map(|row| row.flags))),
        Arc::new(UInt16Array::from_iter_values(rows.iter().map(|row| row.status))),
        Arc::new(Int32Array::from_iter(rows.iter().map(|row| row.delta))),
        Arc::new(times.with_timezone("UTC")),
        Arc::new(StringArray::from_iter(rows.iter().map(|row| row.name.as_ref()))),
        Arc::new(BinaryArray::from_iter_values(rows.iter().map(|row| &row.body))),
        Arc::new(LargeBinaryArray::from_iter(rows.iter().map(|row| row.large.as_ref()))),
        Arc::new(digests.finish()),
    ];
    RecordBatch::try_new(Arc::new(schema()), columns).unwrap()
}

/// Writes `rows` in batches of `rows_per_batch`.
pub fn write_rows<W: Write>(
    writer: &mut TableWriter<W>,
    rows: &[Row],
    rows_per_batch: u32,
) -> Result<(), FilesError> {
    let whole = batch(rows);
    let len = usize::try_from(rows_per_batch).unwrap();
    for start in (0..rows.len()).step_by(len) {
        // Slices of one batch: their offsets do not start at 0.
        writer.write(&whole.slice(start, len.min(rows.len() - start)))?;
    }
    Ok(())
}

/// The octets of a table.
pub fn table_octets(rows: &[Row], rows_per_batch: u32) -> Vec<u8> {
    let mut writer = TableWriter::try_new("rows", Vec::new(), &schema(), rows_per_batch).unwrap();
    write_rows(&mut writer, rows, rows_per_batch).unwrap();
    writer.finish().unwrap().0
}

/// A table in memory.
pub fn heap_table(octets: Vec<u8>) -> Result<Table, FilesError> {
    Table::open(Region::heap("rows", octets, &Damage::default()), &schema())
}

/// Reads every value of one row.
pub fn read_row(table: &Table, row: u64) -> Result<Option<Row>, FilesError> {
    let octets = |column| Ok::<_, FilesError>(table.octets(table.texts(column)?, row));
    let name = octets(5)?.map(<[u8]>::to_vec);
    let found = (
        table.number(table.numbers::<u64>(0)?, row),
        table.number(table.numbers::<u16>(2)?, row),
        octets(6)?.map(<[u8]>::to_vec),
    );
    let (Some(id), Some(status), Some(body)) = found else { return Ok(None) };
    Ok(Some(Row {
        id,
        flags: table.number(table.numbers::<u8>(1)?, row),
        status,
        delta: table.number(table.numbers::<i32>(3)?, row),
        time: table.number(table.numbers::<i64>(4)?, row),
        name: name.map(|name| String::from_utf8_lossy(&name).into_owned()),
        body,
        large: octets(7)?.map(<[u8]>::to_vec),
        digest: table.fixed_octets(table.fixed::<16>(8)?, row).copied(),
    }))
}

/// Made-up rows: nulls, empty values, and now and then a long one.
pub fn random_rows(random: &mut Random, len: usize) -> Vec<Row> {
    let row = |id: usize| {
        let mut octets = |most: usize| {
            let most = if random.one_in(50) { most * 100 } else { most };
            let len = random.below(most + 1);
            (0..len).map(|_| u8::try_from(random.below(256)).unwrap()).collect::<Vec<u8>>()
        };
        let (body, large, digest) = (octets(20), octets(30), octets(0xFFFF));
        let name = octets(12).iter().map(|octet| char::from(*octet)).collect::<String>();
        let number = random.next();
        Row {
            id: u64::try_from(id).unwrap() << 40 | number >> 30,
            flags: u8::try_from(number % 256).ok().filter(|_| !random.one_in(3)),
            status: u16::try_from(number % 600).unwrap(),
            delta: (!random.one_in(4)).then(|| i32::try_from(number % 1000).unwrap() - 500),
            time: (!random.one_in(5)).then(|| i64::try_from(number >> 12).unwrap()),
            name: (!random.one_in(3)).then_some(name),
            body,
            large: (!random.one_in(2)).then_some(large),
            digest: digest.first_chunk().copied(),
        }
    };
    (0..len).map(row).collect()
}
