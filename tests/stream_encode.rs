//! Columns of flags, numbers and words: what is written is what was judged.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]
#![allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "small numbers")]

mod parquet_files;
mod toy_judge;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt8Type};
use parquet::basic::Encoding;
use parquet::data_type::Int64Type;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet_files::*;
use robosift::stream::{Codec, Judge, Keep, Silent, StreamPlan, run};
use robosift::table::{Column, ParquetFile, TableError};
use toy_judge::Counts;

/// How often a value changes, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Shape {
    run: usize,
    distinct: usize,
    /// Every so many runs there is none.
    null_every: usize,
}

impl Shape {
    fn number(self, row: usize) -> Option<i64> {
        let at = row / self.run;
        let mixed = at.wrapping_mul(0x9E37_79B9) >> 7;
        (!at.is_multiple_of(self.null_every)).then_some((mixed % self.distinct) as i64 - 5)
    }

    fn batch(self, rows: std::ops::Range<usize>) -> RecordBatch {
        let numbers: Int64Array = rows.clone().map(|row| self.number(row)).collect();
        let flags: BooleanArray = numbers.iter().map(|n| n.map(|n| n % 3 == 0)).collect();
        let words = ["", "allow", "disallow", "e", "f"];
        let word = |number: Option<i64>| number.map(|n| words[n.unsigned_abs() as usize % 5]);
        let words: DictionaryArray<UInt8Type> = numbers.iter().map(word).collect();
        let all: Int64Array = numbers.iter().map(|n| Some(n.unwrap_or(0))).collect();
        let columns: Vec<ArrayRef> =
            vec![Arc::new(numbers), Arc::new(flags), Arc::new(words), Arc::new(all)];
        RecordBatch::try_new(schema(), columns).unwrap()
    }
}

fn schema() -> SchemaRef {
    let words = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    Arc::new(Schema::new(vec![
        Field::new("number", DataType::Int64, true),
        Field::new("flag", DataType::Boolean, true),
        Field::new("word", words, true),
        Field::new("all", DataType::Int64, false),
    ]))
}

impl Judge for Shape {
    type Tally = Counts;
    type Plan = ();
    type State = ();
    type Error = TableError;

    fn schema(&self) -> SchemaRef {
        schema()
    }

    fn plan(&self, file: &ParquetFile) -> Result<((), Vec<Column>), TableError> {
        Ok(((), vec![file.column("n")?]))
    }

    fn state(&self) {}

    fn judge(
        &self,
        (): &(),
        (): &mut (),
        _: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        _: &mut Counts,
    ) -> Result<RecordBatch, TableError> {
        let first = usize::try_from(first_row).unwrap();
        Ok(self.batch(first..first + num_rows))
    }
}

fn assert_written(shape: Shape, rows: usize, codec: Codec) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, rows, 250_000);
    let plan = StreamPlan::new(&[&input], &output).unwrap();
    run(&shape, &StreamPlan { codec, ..plan }, &Silent).unwrap();
    let (back, wanted) = (read_back(&output), shape.batch(0..rows));
    for (field, wanted) in schema().fields().iter().zip(wanted.columns()) {
        let got = back.column_by_name(field.name()).unwrap();
        let wanted = match wanted.data_type() {
            DataType::Dictionary(..) => cast(wanted, &DataType::Utf8).unwrap(),
            _ => Arc::clone(wanted),
        };
        assert_eq!(got, &wanted, "{} of {shape:?}, {codec:?}", field.name());
    }
}

#[test]
fn every_shape_comes_back() {
    for run in [1, 3, 40, 100_000] {
        for (distinct, null_every) in [(1, 2), (7, usize::MAX), (5_000, 5), (400_000, 3)] {
            assert_written(Shape { run, distinct, null_every }, 300_017, Codec::Zstd);
        }
    }
}

#[test]
fn every_codec_and_few_rows() {
    let shape = Shape { run: 2, distinct: 30, null_every: 4 };
    for codec in [Codec::Zstd, Codec::Snappy, Codec::Lz4, Codec::None] {
        for rows in [1, 7, 8, 9, 40_000] {
            assert_written(shape, rows, codec);
        }
    }
    assert_written(Shape { null_every: 1, ..shape }, 20, Codec::Zstd);
}

#[test]
fn statistics_tell_bounds_and_nulls() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, 10_000, 10_000);
    let shape = Shape { run: 1, distinct: 90, null_every: 4 };
    run(&shape, &StreamPlan::new(&[&input], &output).unwrap(), &Silent).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&output).unwrap()).unwrap();
    let group = reader.metadata().row_group(0);
    let Some(Statistics::Int64(numbers)) = group.column(0).statistics() else { unreachable!() };
    assert_eq!((numbers.min_opt(), numbers.max_opt()), (Some(&-5), Some(&84)));
    assert_eq!(numbers.null_count_opt(), Some(2_500));
    let Some(Statistics::Boolean(flags)) = group.column(1).statistics() else { unreachable!() };
    assert_eq!((flags.min_opt(), flags.max_opt()), (Some(&false), Some(&true)));
    let Some(Statistics::ByteArray(words)) = group.column(2).statistics() else { unreachable!() };
    assert_eq!(words.max_opt().unwrap().data(), b"f");
    assert_eq!(words.min_opt().unwrap().data(), b"");
    assert_eq!(group.column(3).statistics().unwrap().null_count_opt(), Some(0));
}

/// What the footer says of each row group.
fn row_groups(path: &Path) -> Vec<RowGroupMetaData> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    reader.metadata().row_groups().to_vec()
}

/// Answers each row so many times, with a number that was not there before.
struct Distinct {
    times: usize,
}

impl Judge for Distinct {
    type Tally = Counts;
    type Plan = ();
    type State = ();
    type Error = TableError;

    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(vec![Field::new("answer", DataType::Int64, true)]))
    }

    fn plan(&self, file: &ParquetFile) -> Result<((), Vec<Column>), TableError> {
        Ok(((), vec![file.column("n")?]))
    }

    fn state(&self) {}

    fn judge(
        &self,
        (): &(),
        (): &mut (),
        _: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        _: &mut Counts,
    ) -> Result<RecordBatch, TableError> {
        let first = usize::try_from(first_row).unwrap() * self.times;
        let answers: Int64Array =
            (first..first + num_rows * self.times).map(|answer| answer as i64).collect();
        Ok(RecordBatch::try_new(self.schema(), vec![Arc::new(answers)]).unwrap())
    }
}

/// Writes `rows` rows answered `times` times each; the encodings of the answers, and whether they have
/// a dictionary.
fn encodings(rows: usize, times: usize) -> (Vec<Encoding>, bool) {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, rows, rows);
    run(&Distinct { times }, &StreamPlan::new(&[&input], &output).unwrap(), &Silent).unwrap();
    let wanted: Int64Array = (0..rows * times).map(|answer| answer as i64).collect();
    assert_eq!(read_back(&output).column(0).as_ref(), &wanted as &dyn Array);
    let group = row_groups(&output).remove(0);
    let Some(Statistics::Int64(bounds)) = group.column(0).statistics() else { unreachable!() };
    assert_eq!((bounds.min_opt(), bounds.max_opt()), (Some(&0), wanted.values().last()));
    let mut encodings: Vec<Encoding> = group.column(0).encodings().collect();
    encodings.sort();
    (encodings, group.column(0).dictionary_page_offset().is_some())
}

#[test]
fn a_dictionary_is_there_only_where_a_page_uses_it() {
    let (plain, rle, keys) = (Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY);
    // As many as a dictionary has room for in the first page, one more, many more.
    assert_eq!(encodings(2, 65_536), (vec![plain, rle, keys], true));
    assert_eq!(encodings(1, 131_073), (vec![plain, rle], false));
    assert_eq!(encodings(1_000, 140), (vec![plain, rle], false));
    // Many pages, the last of which are past the dictionary.
    assert_eq!(encodings(300_000, 1), (vec![plain, rle, keys], true));
}

#[test]
fn columns_without_a_value_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    let rows = 70_001;
    let kept: Vec<(&str, ArrayRef)> = vec![
        ("n", Arc::new((0..rows as i64).collect::<Int64Array>())),
        ("numbers", Arc::new(Int64Array::new_null(rows))),
        ("flags", Arc::new(BooleanArray::new_null(rows))),
        ("words", Arc::new(StringArray::new_null(rows))),
    ];
    write(&input, &batch(kept), groups_of(50_000).build());
    let plan = StreamPlan::new(&[&input], &output).unwrap();
    let none = Shape { run: 1, distinct: 9, null_every: 1 };
    run(&none, &StreamPlan { keep: Keep::All, ..plan }, &Silent).unwrap();
    let back = read_back(&output);
    assert_eq!(back.num_rows(), rows);
    for name in ["numbers", "flags", "words", "number", "flag", "word"] {
        assert_eq!(back.column_by_name(name).unwrap().null_count(), rows, "{name}");
    }
    assert_eq!(back.column_by_name("n").unwrap().null_count(), 0);
    for (group, rows) in row_groups(&output).iter().zip([50_000, 20_001]) {
        for column in [1, 2, 3, 4, 5, 6] {
            let statistics = group.column(column).statistics().unwrap();
            assert_eq!(statistics.null_count_opt(), Some(rows), "column {column}");
            assert_eq!((statistics.min_bytes_opt(), statistics.max_bytes_opt()), (None, None));
        }
    }
}

/// A file of a column `n` with so many rows in its row groups.
fn file_of_groups(path: &Path, groups: &[usize]) {
    let schema = Arc::new(parse_message_type("message schema { OPTIONAL INT64 n; }").unwrap());
    let properties = Arc::new(WriterProperties::default());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, properties).unwrap();
    for rows in groups {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let values: Vec<i64> = (0..*rows as i64).collect();
        let levels = vec![1; *rows];
        column.typed::<Int64Type>().write_batch(&values, Some(&levels), None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn row_groups_without_rows_stay_what_they_are() {
    let shape = Shape { run: 2, distinct: 9, null_every: 4 };
    for groups in [&[][..], &[0], &[0, 5, 0], &[3, 0, 0, 4]] {
        let folder = tempfile::tempdir().unwrap();
        let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
        file_of_groups(&input, groups);
        let plan = StreamPlan::new(&[&input], &output).unwrap();
        run(&shape, &StreamPlan { keep: Keep::All, ..plan }, &Silent).unwrap();
        let rows: Vec<_> = row_groups(&output).iter().map(RowGroupMetaData::num_rows).collect();
        assert_eq!(rows, groups.iter().map(|rows| *rows as i64).collect::<Vec<_>>());
        let all = groups.iter().sum();
        let back = read_back(&output);
        let numbers: Int64Array = groups.iter().flat_map(|rows| 0..*rows as i64).collect();
        assert_eq!(back.column(0).as_ref(), &numbers as &dyn Array);
        assert_eq!(back.column_by_name("number").unwrap(), shape.batch(0..all).column(0));
    }
}
