//! The stream on good inputs: order, sameness, kept columns, where outputs go.
// A test that cannot go on says so by panicking; its numbers are small.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod parquet_files;
mod toy_judge;

use arrow::array::*;
use arrow::datatypes::{DataType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet_files::*;
use robosift::stream::{Codec, Keep, Progress, Silent, StreamPlan, run, survey};
use robosift::table::ParquetFile;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use toy_judge::*;

fn expected_len(row: usize) -> Option<i64> {
    text(row).map(|text| text.len() as i64)
}

/// Checks that a file holds the lengths of the plain rows, each once, in order.
fn assert_lengths(path: &Path, rows: usize) {
    let back = read_back(path);
    assert_eq!(back.num_rows(), rows);
    let lens = back.column_by_name("len").unwrap().as_primitive::<Int64Type>();
    let numbers = back.column_by_name("row").unwrap().as_primitive::<Int64Type>();
    for row in 0..rows {
        assert_eq!(numbers.value(row), row as i64);
        assert_eq!(lens.is_valid(row).then(|| lens.value(row)), expected_len(row), "row {row}");
    }
}

#[test]
fn one_row_group_out_for_each_row_group_in() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("new/out.parquet"));
    plain_file(&input, 1000, 300);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.key_values = vec![("tool".into(), "toy".into()), ("as_of".into(), "row".into())];
    let report = run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!((report.rows, report.row_groups, report.files), (1000, 4, 1));
    let octets = (0..1000).filter_map(text).map(|text| text.len() as u64).sum();
    assert_eq!(report.tally, Counts { rows: 1000, octets });
    assert_eq!(report.octets_written, fs::metadata(&output).unwrap().len());
    assert!(report.octets_read > 0 && report.skipped.is_empty());
    assert_lengths(&output, 1000);

    let written = ParquetFile::open(&output).unwrap();
    let rows: Vec<_> = (0..4).map(|g| written.row_group_rows(g)).collect();
    assert_eq!(rows, [300, 300, 300, 100]);
    let reader = parquet::file::reader::SerializedFileReader::new(fs::File::open(&output).unwrap());
    let reader = reader.unwrap();
    let footer = parquet::file::reader::FileReader::metadata(&reader).file_metadata();
    let pairs = footer.key_value_metadata().unwrap();
    assert_eq!((pairs[0].key.as_str(), pairs[0].value.as_deref()), ("tool", Some("toy")));
    assert_eq!(pairs[1].key, "as_of");
    assert_eq!(pairs.len(), 2, "no ARROW:schema");
    assert_eq!(listing(output.parent().unwrap()), ["out.parquet"], "no temporary is left");
}

#[test]
fn the_same_octets_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    plain_file(&inputs.join("one_group.parquet"), 30_000, 100_000);
    plain_file(&inputs.join("many_groups.parquet"), 30_000, 700);
    for small in 0..12 {
        plain_file(&inputs.join(format!("deep/small_{small}.parquet")), small * 3, 4);
    }
    let mut seen: Vec<Vec<(String, Vec<u8>)>> = Vec::new();
    for threads in [1, 2, 7] {
        let output = folder.path().join(format!("out{threads}"));
        let mut plan = StreamPlan::new(&[&inputs], &output).unwrap();
        plan.threads = threads;
        plan.keep = Keep::All;
        let report = run(&ONCE, &plan, &Silent).unwrap();
        assert_eq!((report.files, report.rows), (14, 60_000 + 3 * 66));
        assert_eq!(report.tally.rows, report.rows);
        let names = plan.inputs.iter().map(|input| &input.output);
        let file = |path: &std::path::PathBuf| {
            (path.strip_prefix(&output).unwrap().display().to_string(), fs::read(path).unwrap())
        };
        seen.push(names.map(file).collect());
        assert_lengths(&output.join("many_groups.parquet"), 30_000);
        assert_lengths(&output.join("deep/small_5.parquet"), 15);
    }
    assert!(seen[0] == seen[1] && seen[1] == seen[2]);
}

#[test]
fn forty_thousand_small_row_groups() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, 400_000, 10);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.threads = 2;
    plan.memory = 4 << 20;
    let report = run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!((report.row_groups, report.rows), (40_000, 400_000));
    let written = ParquetFile::open(&output).unwrap();
    assert_eq!((written.num_row_groups(), written.num_rows()), (40_000, 400_000));
    let last = written.column("row").unwrap();
    let limits = robosift::table::BatchLimits { rows: 10, octets: 1 << 20 };
    let arrays = written.read(39_999, &[last], limits).unwrap().next().unwrap().unwrap();
    assert_eq!(arrays[0].as_primitive::<Int64Type>().value(9), 399_999);
}

#[test]
fn no_row_groups_give_a_valid_file_with_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    plain_file(&input, 0, 10);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::Names(vec!["URL".into()]);
    let report = run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!((report.files, report.rows, report.row_groups), (1, 0, 0));
    let written = ParquetFile::open(&output).unwrap();
    assert_eq!(written.column_names(), ["url", "len", "row"]);
    assert_eq!(read_back(&output).num_rows(), 0);
}

#[test]
fn a_row_group_of_no_rows_stays_a_row_group() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    write_with_empty_group(&input);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::All;
    let report = run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!((report.row_groups, report.rows), (3, 4));
    let written = ParquetFile::open(&output).unwrap();
    let rows: Vec<_> = (0..3).map(|g| written.row_group_rows(g)).collect();
    assert_eq!(rows, [2, 0, 2]);
    let numbers = read_back(&output);
    let numbers = numbers.column_by_name("row").unwrap().as_primitive::<Int64Type>().clone();
    assert_eq!(numbers.values(), &[0, 1, 2, 3]);
}

fn write_with_empty_group(path: &Path) {
    use parquet::data_type::{ByteArray, ByteArrayType};
    use parquet::file::writer::SerializedFileWriter;
    let schema = "message m { required binary url (STRING); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let file = fs::File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    for words in [vec!["a", "b"], vec![], vec!["c", "d"]] {
        let mut group = writer.next_row_group().unwrap();
        let mut column = group.next_column().unwrap().unwrap();
        let words: Vec<ByteArray> = words.into_iter().map(ByteArray::from).collect();
        column.typed::<ByteArrayType>().write_batch(&words, None, None).unwrap();
        column.close().unwrap();
        group.close().unwrap();
    }
    writer.close().unwrap();
}

/// Columns of many types, invalid UTF-8 in one that calls itself a string included.
fn wide_batch() -> RecordBatch {
    let mut list = ListBuilder::new(StringBuilder::new());
    list.append_value([Some("x"), None]);
    list.append_null();
    list.append_value([Some("z")]);
    let day = Date32Array::from(vec![1, 2, 3]);
    let time = TimestampMicrosecondArray::from(vec![Some(5), None, Some(7)]).with_timezone("UTC");
    let point = StructArray::from(vec![(
        Arc::new(arrow::datatypes::Field::new("x", DataType::Int32, true)),
        Arc::new(Int32Array::from(vec![Some(1), None, Some(3)])) as ArrayRef,
    )]);
    let price = Decimal128Array::from(vec![100, 200, 300]).with_precision_and_scale(9, 2).unwrap();
    batch(vec![
        ("url", Arc::new(StringArray::from(vec![Some("a"), None, Some("ccc")]))),
        ("tags", Arc::new(list.finish())),
        ("day", Arc::new(day)),
        ("time", Arc::new(time)),
        ("point", Arc::new(point)),
        ("price", Arc::new(price)),
        ("raw", Arc::new(BinaryArray::from(vec![&b"\xFF"[..], b"", b"q"]))),
        ("flag", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None]))),
        ("nothing", Arc::new(NullArray::new(3))),
    ])
}

#[test]
fn kept_columns_keep_their_types_and_values() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    write(&input, &wide_batch(), WriterProperties::default());
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::All;
    plan.codec = Codec::Snappy;
    run(&ONCE, &plan, &Silent).unwrap();
    let (before, after) = (read_back(&input), read_back(&output));
    assert_eq!(after.num_columns(), before.num_columns() + 2);
    for (field, array) in before.schema().fields().iter().zip(before.columns()) {
        let carried = after.column_by_name(field.name()).unwrap();
        assert_eq!(carried.to_data(), array.to_data(), "{}", field.name());
    }
    assert_eq!(after.schema().field(9).name(), "len", "the judge's columns come last");
}

#[test]
fn kept_by_name_in_the_order_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    write(&input, &wide_batch(), WriterProperties::default());
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::Names(vec!["point".into(), "Day".into()]);
    run(&ONCE, &plan, &Silent).unwrap();
    assert_eq!(ParquetFile::open(&output).unwrap().root_names(), ["point", "day", "len", "row"]);

    plan.keep = Keep::Names(vec!["absent".into()]);
    let error = run(&ONCE, &plan, &Silent).unwrap_err();
    assert!(error.table().unwrap().is_missing_column(), "{error}");
    plan.keep = Keep::Names(vec!["day".into(), "DAY".into()]);
    assert!(run(&ONCE, &plan, &Silent).unwrap_err().is_plan());
}

#[test]
fn long_layout_repeats_kept_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    write(&input, &wide_batch(), WriterProperties::default());
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::Names(vec!["url".into(), "point".into(), "tags".into()]);
    let report = run(&Lengths { column: "url", times: 2 }, &plan, &Silent).unwrap();
    assert_eq!(report.rows, 3, "input rows");
    let after = read_back(&output);
    let url: Vec<_> = after.column(0).as_string::<i32>().iter().collect();
    assert_eq!(url, [Some("a"), Some("a"), None, None, Some("ccc"), Some("ccc")]);
    let x = after.column(1).as_struct().column(0).as_primitive::<Int32Type>().clone();
    let x: Vec<_> = x.iter().collect();
    assert_eq!(x, [Some(1), Some(1), None, None, Some(3), Some(3)]);
    let tags: Vec<_> =
        after.column(2).as_list::<i32>().iter().map(|l| l.map(|l| l.len())).collect();
    assert_eq!(tags, [Some(2), Some(2), None, None, Some(1), Some(1)]);
    let rows = after.column(4).as_primitive::<Int64Type>().clone();
    assert_eq!(rows.values(), &[0, 0, 1, 1, 2, 2]);
}

#[test]
fn a_kept_column_with_a_name_of_the_output_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    let rows = batch(vec![("url", texts(0..3)), ("LEN", texts(0..3))]);
    write(&input, &rows, WriterProperties::default());
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.keep = Keep::All;
    let error = run(&ONCE, &plan, &Silent).unwrap_err();
    assert!(error.is_plan() && error.to_string().contains("\"LEN\""), "{error}");
    assert!(!output.exists());
}

#[test]
fn a_missing_column_stops_before_the_first_row() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    plain_file(&inputs.join("a.parquet"), 10, 10);
    write(
        &inputs.join("b.parquet"),
        &batch(vec![("other", texts(0..3))]),
        WriterProperties::default(),
    );
    let output = folder.path().join("out");
    let mut plan = StreamPlan::new(&[&inputs], &output).unwrap();
    plan.on_error = robosift::stream::OnError::Skip;
    let error = run(&ONCE, &plan, &Silent).unwrap_err();
    assert!(error.judged().is_some(), "{error}");
    assert!(error.to_string().contains("b.parquet") && error.to_string().contains("other"));
    assert!(!output.exists(), "nothing was written");
    assert!(survey(&ONCE, &plan).is_err());
}

#[test]
fn a_survey_reads_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    plain_file(&inputs.join("a.parquet"), 25, 10);
    fs::write(inputs.join("z.parquet"), b"no parquet at all").unwrap();
    let output = folder.path().join("out");
    let mut plan = StreamPlan::new(&[&inputs], &output).unwrap();
    plan.on_error = robosift::stream::OnError::Skip;
    let surveys = survey(&ONCE, &plan).unwrap();
    assert_eq!((surveys[0].rows, surveys[0].row_groups), (25, 3));
    assert_eq!(surveys[0].columns, ["url"]);
    assert_eq!(surveys[0].output, output.join("a.parquet"));
    assert!(surveys[1].skipped.as_ref().unwrap().contains("z.parquet"));
    assert!(!output.exists());
}

#[derive(Default)]
struct Watch {
    planned: AtomicU64,
    rows: AtomicU64,
    octets: AtomicU64,
    tallied: AtomicU64,
    files: AtomicU64,
}

impl Progress<Counts> for Watch {
    fn planned(&self, _files: u64, rows: u64, octets: u64) {
        self.planned.store(rows, Ordering::Relaxed);
        self.octets.store(octets, Ordering::Relaxed);
    }
    fn advance(&self, rows: u64, octets: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.octets.fetch_sub(octets, Ordering::Relaxed);
    }
    fn tally(&self, unit: &Counts) {
        self.tallied.fetch_add(unit.rows, Ordering::Relaxed);
    }
    fn file_done(&self) {
        self.files.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn progress_adds_up() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = folder.path().join("in");
    plain_file(&inputs.join("a.parquet"), 2500, 1000);
    plain_file(&inputs.join("b.parquet"), 0, 10);
    let plan = StreamPlan::new(&[&inputs], &folder.path().join("out")).unwrap();
    let watch = Watch::default();
    run(&ONCE, &plan, &watch).unwrap();
    for seen in [&watch.planned, &watch.rows, &watch.tallied] {
        assert_eq!(seen.load(Ordering::Relaxed), 2500);
    }
    assert_eq!(watch.octets.load(Ordering::Relaxed), 0, "all octets planned were advanced over");
    assert_eq!(watch.files.load(Ordering::Relaxed), 2);
}
