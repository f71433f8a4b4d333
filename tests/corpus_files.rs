//! Tables of a corpus on disk: what is written is what is read, by this crate and by Arrow's own reader.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

mod corpus_tables;

use arrow::array::UInt64Array;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::ipc::reader::FileReader;
use arrow::record_batch::RecordBatch;
use corpus_tables::*;
use robosift::corpus::files::{Damage, Region, Table, TableShape, TableWriter};
use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

/// The rows of `tests/data/corpus_table.arrow`; tests/python reads the same.
fn kept_rows() -> Vec<Row> {
    let full = Row {
        id: u64::MAX,
        flags: Some(3),
        status: 404,
        delta: Some(-1),
        time: Some(1_700_000_000_000_000),
        name: Some("com,example)/é".to_owned()),
        body: b"User-agent: *\nDisallow: /\n".to_vec(),
        large: Some(vec![0, 255]),
        digest: Some(*b"0123456789abcdef"),
    };
    let empty = Row { name: Some(String::new()), large: Some(Vec::new()), ..Row::default() };
    vec![full.clone(), Row::default(), empty, Row { id: 7, status: 200, ..full }, Row::default()]
}

fn assert_rows(table: &Table, rows: &[Row]) {
    assert_eq!(table.num_rows(), rows.len() as u64);
    for (number, row) in (0..).zip(rows) {
        assert_eq!(read_row(table, number).unwrap().as_ref(), Some(row), "row {number}");
    }
    table.region().damage().check().unwrap();
}

#[test]
fn every_row_reads_as_it_was_written() {
    let mut random = Random::new(1);
    for nth in 0..100 {
        let rows_per_batch = random.pick(&[1, 2, 8, 16, 64, 1024]);
        let len = random.pick(&[0, 1, 2, 7, 8, 9, 63, 64, 65, 300]);
        let rows = random_rows(&mut random, len);
        let octets = table_octets(&rows, rows_per_batch);
        let table = heap_table(octets.clone()).unwrap();
        let shape = TableShape { num_rows: len as u64, rows_per_batch };
        assert_eq!(table.shape(), shape, "table {nth}");
        assert_rows(&table, &rows);
        assert_eq!(arrow_rows(octets), batch(&rows), "table {nth}");
    }
}

/// All rows, as Arrow's reader finds them.
fn arrow_rows(octets: Vec<u8>) -> RecordBatch {
    let reader = FileReader::try_new(Cursor::new(octets), None).unwrap();
    let schema = reader.schema();
    let batches: Vec<_> = reader.map(Result::unwrap).collect();
    arrow::compute::concat_batches(&schema, &batches).unwrap()
}

#[test]
fn a_kept_file_is_still_written_and_read_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus_table.arrow");
    let octets = table_octets(&kept_rows(), 2);
    if std::env::var_os("ROBOSIFT_WRITE_KEPT").is_some() {
        std::fs::write(&path, &octets).unwrap();
    }
    let kept = std::fs::read(&path).unwrap();
    assert_rows(&heap_table(kept.clone()).unwrap(), &kept_rows());
    assert!(kept == octets, "Arrow's writer changed; ROBOSIFT_WRITE_KEPT=1 writes the file anew");
}

#[test]
fn rows_past_the_end_are_damage() {
    let table = heap_table(table_octets(&kept_rows(), 2)).unwrap();
    let numbers = table.numbers::<u64>(0).unwrap();
    for row in [5, 6, u64::from(u32::MAX), u64::MAX] {
        assert_eq!(table.number(numbers, row), None);
    }
    let error = table.region().damage().check().unwrap_err();
    assert!(error.is_damage());
    let message = error.to_string();
    assert!(message.contains("row 5 is referred to, there are 5"), "{message}");
    assert!(message.ends_with("copy it again or build it anew"), "{message}");
}

#[test]
fn a_column_of_another_type_has_no_handle() {
    let table = heap_table(table_octets(&kept_rows(), 2)).unwrap();
    let message = table.numbers::<u32>(0).unwrap_err().to_string();
    assert!(message.contains("column 0 holds UInt64, not u32"), "{message}");
    assert!(table.numbers::<i64>(0).is_err() && table.numbers::<u64>(9).is_err());
    assert!(table.texts(0).is_err() && table.texts(8).is_err());
    assert!(table.fixed::<15>(8).is_err() && table.fixed::<16>(7).is_err());
}

#[test]
fn a_schema_that_differs_is_named() {
    let octets = table_octets(&kept_rows(), 2);
    let field = |nth: usize| schema().field(nth).clone();
    let with = |nth: usize, field: Field| {
        let mut fields: Vec<_> = schema().fields().iter().map(|f| f.as_ref().clone()).collect();
        fields[nth] = field;
        Schema::new(fields)
    };
    let cases = [
        (with(0, field(0).with_name("key")), "a column `id` of UInt64, wanted `key` of UInt64"),
        (with(1, field(1).with_nullable(false)), "`flags` of UInt8 with nulls, wanted `flags` of"),
        (with(2, field(2).with_data_type(DataType::Int16)), "of UInt16, wanted `status` of Int16"),
        (with(6, field(6).with_data_type(DataType::Utf8)), "`body` of Binary, wanted `body` of"),
        (
            with(8, field(8).with_data_type(DataType::FixedSizeBinary(8))),
            "wanted `digest` of FixedSizeBinary(8)",
        ),
        (Schema::new(vec![field(0)]), "9 columns, 1 wanted"),
        (with(0, field(0).with_data_type(DataType::Boolean)), "tables have no Boolean"),
    ];
    for (wanted, message) in cases {
        let region = Region::heap("rows", octets.clone(), &Damage::default());
        let error = Table::open(region, &wanted).unwrap_err();
        assert!(!error.is_damage());
        assert!(error.to_string().contains(message), "{error} has no {message}");
    }
}

#[test]
fn a_file_of_another_writer_is_refused() {
    let mut writer = arrow::ipc::writer::FileWriter::try_new(Vec::new(), &schema()).unwrap();
    writer.write(&batch(&kept_rows())).unwrap();
    let error = heap_table(writer.into_inner().unwrap()).unwrap_err();
    assert!(error.to_string().contains("no number of rows"), "{error}");
}

#[test]
fn the_writer_takes_only_batches_that_rows_can_be_found_in() {
    let rows = kept_rows();
    let refused = |rows_per_batch, parts: &[usize]| {
        let mut writer =
            TableWriter::try_new("rows", Vec::new(), &schema(), rows_per_batch).unwrap();
        parts.iter().find_map(|len| writer.write(&batch(&rows[..*len])).err()).unwrap().to_string()
    };
    assert!(refused(2, &[3]).contains("a batch of 3 rows behind 0; all but the last have 2"));
    assert!(refused(4, &[4, 3, 0, 4]).contains("a batch of 4 rows behind 7"));
    let mut writer = TableWriter::try_new("rows", Vec::new(), &schema(), 4).unwrap();
    let other = batch(&rows).project(&[0, 1]).unwrap();
    let error = writer.write(&other).unwrap_err().to_string();
    assert!(error.contains("a batch of another schema"), "{error}");
    let boolean = Schema::new(vec![Field::new("x", DataType::Boolean, false)]);
    let error = TableWriter::try_new("rows", Vec::new(), &boolean, 4).unwrap_err().to_string();
    assert!(error.contains("column `x`: tables have no Boolean"), "{error}");
    let error = TableWriter::try_new("rows", Vec::new(), &schema(), 0).unwrap_err().to_string();
    assert!(error.contains("0 rows in a batch are no power of two"), "{error}");
}

#[test]
fn offsets_outside_their_column_are_damage() {
    let row = |name: &str| Row { name: Some(name.to_owned()), ..Row::default() };
    let good = table_octets(&[row("abcdefg"), row("hijklmnop")], 2);
    let offsets = |numbers: [i32; 3]| numbers.map(i32::to_le_bytes).concat();
    let at = good.windows(12).position(|octets| octets == offsets([0, 7, 16])).unwrap();
    // Each with which of the two values are left.
    for (numbers, left) in [
        ([0, 7, 16], [true, true]),
        ([0, 9, 16], [true, true]),
        ([7, 7, 7], [true, true]),
        ([0, 7, 400], [true, false]),
        ([0, 17, 16], [false, false]),
        ([9, 8, 16], [false, true]),
        ([-1, 7, 16], [false, true]),
        ([0, i32::MAX, i32::MIN], [false, false]),
    ] {
        let mut octets = good.clone();
        octets[at..at + 12].copy_from_slice(&offsets(numbers));
        let table = heap_table(octets).unwrap();
        let texts = table.texts(5).unwrap();
        assert_eq!([0, 1].map(|row| table.octets(texts, row).is_some()), left, "{numbers:?}");
        assert_eq!(table.region().damage().check().is_ok(), left == [true, true], "{numbers:?}");
    }
}

#[test]
fn nulls_where_none_may_be_are_damage() {
    // Written as a nullable column; in the footer the flag is one octet, which is then forged.
    let schema = |is_nullable| Schema::new(vec![Field::new("x", DataType::UInt64, is_nullable)]);
    let mut writer = TableWriter::try_new("rows", Vec::new(), &schema(true), 2).unwrap();
    let column = Arc::new(UInt64Array::from(vec![Some(1), None]));
    writer.write(&RecordBatch::try_new(schema(true).into(), vec![column]).unwrap()).unwrap();
    let nullable = writer.finish().unwrap().0;
    let open =
        |octets| Table::open(Region::heap("rows", octets, &Damage::default()), &schema(false));
    let forged = (nullable.len() - 600..nullable.len()).find_map(|at| {
        let mut octets = nullable.clone();
        octets[at] = if octets[at] == 1 { 0 } else { return None };
        open(octets).ok()
    });
    let table = forged.unwrap();
    assert_eq!(table.number(table.numbers::<u64>(0).unwrap(), 1), None);
    let error = table.region().damage().check().unwrap_err().to_string();
    assert!(error.contains("buffers that do not hold the batch's rows"), "{error}");
}
