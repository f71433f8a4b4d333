//! Odd shapes of files: no rows, no row groups, very many row groups, null types, lying schemas.

use crate::cli::{optional, strings};
use crate::forged_files::{data_page, dictionary_page, forge, with_levels};
use crate::{FIXED, bench};
use arrow::array::{ArrayRef, NullArray, RecordBatch, StringArray, StringViewArray};
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::sync::Arc;

const STANDARD: [&str; 4] = ["robots_allowed", "robots_basis", "robots_rule_id", "robots_group"];

#[test]
fn br173_zero_row_groups() {
    let bench = bench();
    let schema = Arc::new(Schema::new(vec![Field::new("url", DataType::Utf8, true)]));
    let file = File::create(bench.path("rows.parquet")).unwrap();
    ArrowWriter::try_new(file, schema, None).unwrap().close().unwrap();
    assert_eq!(bench.table("rows.parquet").row_groups, [0; 0]);
    let run = bench.eval(&format!("{FIXED} rows.parquet --json -o out.parquet")).ends_with(0);
    assert_eq!(run.json()["rows"], 0);
    let table = bench.table("out.parquet");
    assert_eq!((table.names(), table.num_rows()), (STANDARD.map(str::to_owned).to_vec(), 0));
    let run = bench.eval(&format!("{FIXED} rows.parquet -o out.parquet")).ends_with(0);
    assert!(run.stdout.starts_with("0 rows") && !run.stdout.contains("NaN"), "{}", run.stdout);
}

#[test]
fn br174_zero_rows_of_logical_type_null() {
    let bench = bench();
    for rows in [0, 3] {
        let column: ArrayRef = Arc::new(NullArray::new(rows));
        bench.parquet("rows.parquet", vec![("url", column)]);
        let table = bench.verdicts(&format!("{FIXED} rows.parquet"));
        assert_eq!(table.bases(), vec!["bad_url"; rows]);
    }
}

#[test]
fn no_rows_in_the_long_layout_and_with_kept_columns() {
    let bench = bench();
    bench.parquet("rows.parquet", vec![("url", strings(&[])), ("tag", strings(&[]))]);
    let table = bench.verdicts(&format!("{FIXED},CCBot --layout long --keep all rows.parquet"));
    assert_eq!(table.num_rows(), 0);
    assert!(table.names().contains(&"tag".to_owned()), "{:?}", table.names());
}

#[test]
fn br180_forty_thousand_row_groups() {
    let bench = bench();
    let groups = 40_000;
    let urls: Vec<String> = (0..groups)
        .map(|n| format!("https://a.example/{}{n}", if n % 3 == 0 { "x" } else { "y" }))
        .collect();
    let column = strings(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let small = WriterProperties::builder()
        .set_max_row_group_row_count(Some(1))
        .set_dictionary_enabled(false)
        .set_statistics_enabled(parquet::file::properties::EnabledStatistics::None);
    bench.parquet_with("rows.parquet", vec![("url", column)], small);
    let table = bench.verdicts(&format!("{FIXED} rows.parquet"));
    assert_eq!(table.row_groups, vec![1; groups]);
    let expected: Vec<_> = (0..groups).map(|n| Some(n % 3 != 0)).collect();
    assert_eq!(table.allowed(), expected);
}

#[test]
fn br166_an_arrow_schema_of_two_octets_never_panics() {
    let bench = bench();
    let url: ArrayRef = Arc::new(StringArray::from(vec!["https://a.example/x"]));
    let batch = RecordBatch::try_from_iter([("url", url)]).unwrap();
    let schema = KeyValue::new("ARROW:schema".to_owned(), "AA".to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![schema])).build();
    let options =
        ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let file = File::create(bench.path("rows.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new_with_options(file, batch.schema(), options).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    let run = bench.eval(&format!("{FIXED} rows.parquet -o out.parquet"));
    if run.code == 0 {
        assert_eq!(bench.table("out.parquet").bases(), ["rule"]);
    } else {
        run.ends_with(4).says(&["rows.parquet"]);
    }
}

#[test]
fn br172_a_dictionary_page_at_the_data_page_offset() {
    let bench = bench();
    let value = |text: &str| {
        let len = u32::try_from(text.len()).unwrap();
        [&len.to_le_bytes()[..], text.as_bytes()].concat()
    };
    let words = [value("https://a.example/x"), value("https://a.example/y")].concat();
    // Indices of one bit: a run of 4 packed as 0, 1, 1, 0.
    let indices = with_levels(4, &[1, 3, 0b0110]);
    let words = dictionary_page(words.len() as i64, 2, &words);
    let pages = [words, data_page(indices.len() as i64, 4, 8, &indices)].concat();
    forge(&bench.path("rows.parquet"), Compression::UNCOMPRESSED, 4, &pages);
    let table = bench.verdicts(&format!("{FIXED} rows.parquet"));
    assert_eq!(table.bases(), ["rule", "no_rule", "no_rule", "rule"]);
}

#[test]
fn br158_kept_views_are_compact() {
    let bench = bench();
    let rows = 50_000;
    // Octets that hardly compress, so that sizes tell.
    let noise = |n: u64| {
        n.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(0xBF58_476D_1CE4_E5B9)
    };
    let url = |n: u64| {
        let tail: String = (0..10).map(|k| format!("{:016x}", noise(n * 10 + k))).collect();
        format!("https://a.example/{tail}")
    };
    let urls: Vec<String> = (0..rows).map(url).collect();
    let views: ArrayRef = Arc::new(StringViewArray::from_iter_values(&urls));
    bench.parquet("rows.parquet", vec![("url", views)]);
    let table = bench.verdicts(&format!("{FIXED} --keep url rows.parquet"));
    assert_eq!(table.num_rows(), urls.len());
    let kept: Vec<String> = table.texts("url").into_iter().map(Option::unwrap).collect();
    assert!(kept == urls);
    let (input, output) = (bench.read("rows.parquet").len(), bench.read("out.parquet").len());
    assert!(output < input * 11 / 10, "{input} octets became {output}");
}

#[test]
fn all_rows_null() {
    let bench = bench();
    bench.parquet("rows.parquet", vec![("url", optional(&[None; 5]))]);
    let table = bench.verdicts(&format!("{FIXED} --columns full rows.parquet"));
    assert_eq!((table.bases(), table.allowed()), (vec!["bad_url".to_owned(); 5], vec![None; 5]));
    assert_eq!(table.ints("robots_row"), (0..5).map(Some).collect::<Vec<_>>());
}
