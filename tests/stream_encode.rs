//! Columns of flags, numbers and words: what is written is what was judged.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]
#![allow(clippy::cast_possible_wrap, clippy::cast_possible_truncation, reason = "small numbers")]

mod parquet_files;
mod toy_judge;

use std::sync::Arc;

use arrow::array::*;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt8Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::statistics::Statistics;
use parquet_files::*;
use robosift::stream::{Codec, Judge, Silent, StreamPlan, run};
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
