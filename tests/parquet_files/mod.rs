//! Small Parquet files for tests.
#![allow(dead_code)]

use arrow::array::{ArrayRef, BinaryViewArray, Int64Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

/// Writer properties with row groups of `rows` rows.
pub(crate) fn groups_of(rows: usize) -> WriterPropertiesBuilder {
    WriterProperties::builder().set_max_row_group_row_count(Some(rows))
}

pub(crate) fn write(path: &Path, batch: &RecordBatch, properties: WriterProperties) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

pub(crate) fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let fields: Vec<_> = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true))
        .collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

/// The text of row `row`: every seventh is null; lengths from 0 to some 40.
pub(crate) fn text(row: usize) -> Option<String> {
    (row % 7 != 3).then(|| format!("https://www.example.com/{}", "x".repeat(row % 17)))
}

pub(crate) fn texts(rows: std::ops::Range<usize>) -> ArrayRef {
    Arc::new(rows.map(text).collect::<StringArray>())
}

/// Columns `url` (string with nulls) and `n` (the row number).
pub(crate) fn plain_batch(rows: usize) -> RecordBatch {
    let numbers: Int64Array = (0..rows as i64).collect();
    batch(vec![("url", texts(0..rows)), ("n", Arc::new(numbers))])
}

pub(crate) fn plain_file(path: &Path, rows: usize, per_group: usize) {
    write(path, &plain_batch(rows), groups_of(per_group).build());
}

/// All rows of a written file, by the Parquet crate's own reader.
pub(crate) fn read_back(path: &Path) -> RecordBatch {
    let file = File::open(path).unwrap();
    let builder =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let schema = builder.schema().clone();
    let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
    arrow::compute::concat_batches(&schema, &batches).unwrap()
}

/// Names of everything in a folder, hidden files too.
pub(crate) fn listing(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub(crate) fn octets_of(array: &ArrayRef) -> Vec<Option<Vec<u8>>> {
    assert_eq!(array.data_type(), &DataType::BinaryView);
    let views = array.as_any().downcast_ref::<BinaryViewArray>().unwrap();
    views.iter().map(|value| value.map(<[u8]>::to_vec)).collect()
}
