//! Columns of rows: every string type, nulls, invalid text, nested, missing, ambiguous.

use crate::cli::{optional, strings};
use crate::{FIXED, bench};
use arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int64Array, LargeBinaryArray,
    LargeStringArray, ListArray, ListBuilder, StringArray, StringBuilder, StringViewArray,
    StructArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Int32Type};
use std::sync::Arc;

const TEXTS: [Option<&str>; 4] =
    [Some("https://a.example/x"), None, Some("https://a.example/y"), Some("")];
const BASES: [&str; 4] = ["rule", "bad_url", "no_rule", "bad_url"];

fn every_type() -> Vec<ArrayRef> {
    let texts = TEXTS.to_vec();
    let octets: Vec<Option<&[u8]>> = texts.iter().map(|text| text.map(str::as_bytes)).collect();
    let dictionary: DictionaryArray<Int32Type> = texts.iter().copied().collect();
    vec![
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts)),
        Arc::new(BinaryArray::from(octets.clone())),
        Arc::new(LargeBinaryArray::from(octets.clone())),
        Arc::new(BinaryViewArray::from(octets)),
        Arc::new(dictionary),
    ]
}

#[test]
fn urls_of_every_string_type() {
    let bench = bench();
    for column in every_type() {
        let kind = column.data_type().clone();
        bench.parquet("rows.parquet", vec![("url", column)]);
        assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), BASES, "{kind}");
    }
}

#[test]
fn br182_inputs_of_different_types_in_one_run_have_equal_verdicts() {
    let bench = bench();
    for (at, column) in every_type().into_iter().enumerate() {
        bench.parquet(&format!("rows/{at}.parquet"), vec![("url", column)]);
    }
    bench.eval(&format!("{FIXED} rows -o out")).ends_with(0);
    let first = bench.read("out/0.parquet");
    for at in 0..every_type().len() {
        let table = bench.table(&format!("out/{at}.parquet"));
        assert_eq!(table.bases(), BASES, "{at}");
    }
    assert!(!first.is_empty());
}

#[test]
fn br182_a_missing_column_is_told_before_any_work_is_done() {
    let bench = bench();
    bench.urls("rows/1.parquet", &["https://a.example/x"]);
    bench.parquet("rows/2.parquet", vec![("address", strings(&["?"])), ("n", strings(&["?"]))]);
    let run = bench.eval(&format!("{FIXED} rows -o out"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["2.parquet", "address", "n", "url"]);
    assert!(!bench.exists("out/1.parquet"));
    let run = bench.eval(&format!("{FIXED} --url-column link rows -o out"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["link", "1.parquet"]);
    let run =
        bench.eval("--corpus robots.parquet --agent-column who rows/1.parquet -o out.parquet");
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["who", "1.parquet", "url"]);
    assert!(!bench.exists("out.parquet"));
}

#[test]
fn a_mistyped_column_names_the_type_found_and_those_accepted() {
    let bench = bench();
    bench.parquet("rows.parquet", vec![("url", Arc::new(Int64Array::from(vec![1])) as ArrayRef)]);
    for more in ["", "--on-error skip"] {
        let run = bench.eval(&format!("{FIXED} {more} rows.parquet -o out.parquet"));
        assert!(run.code == 2 || run.code == 4, "{run:?}");
        run.says(&["url", "Int64", "rows.parquet", "tring"]);
        assert!(!bench.exists("out.parquet"));
    }
}

#[test]
fn octets_that_are_no_utf8_are_a_bad_url_and_nothing_else_is_lost() {
    let bench = bench();
    let urls: Vec<&[u8]> = vec![b"https://a.example/caf\xE9", b"https://a.example/x", b"\xFF\xFE"];
    bench.parquet("rows.parquet", vec![("url", Arc::new(BinaryArray::from(urls)) as ArrayRef)]);
    let table = bench.verdicts(&format!("{FIXED} rows.parquet"));
    assert_eq!(table.bases(), ["bad_url", "rule", "bad_url"]);
    assert_eq!(table.allowed(), [None, Some(false), None]);
}

#[test]
fn a_url_longer_than_64_kib_is_evaluated() {
    let bench = bench();
    let long = format!("https://a.example/x{}", "y".repeat(70_000));
    let other = format!("https://a.example/?{}", "%41".repeat(30_000));
    bench.urls("rows.parquet", &[&long, &other]);
    assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), ["rule", "no_rule"]);
}

/// A struct column with one field, whose validity is its own.
fn nested(name: &str, values: ArrayRef, present: &[bool]) -> ArrayRef {
    let fields = vec![Field::new(name, values.data_type().clone(), true)];
    let valid = NullBuffer::from(present.to_vec());
    Arc::new(StructArray::new(fields.into(), vec![values], Some(valid)))
}

#[test]
fn nested_columns_by_dotted_path() {
    let bench = bench();
    let urls = optional(&[Some("https://a.example/x"), None, Some("https://a.example/x")]);
    let inner = nested("address", urls.clone(), &[true, true, false]);
    let outer = nested("page", inner, &[true, true, true]);
    bench.parquet("rows.parquet", vec![("record", outer)]);
    let table = bench.verdicts(&format!("{FIXED} --url-column record.page.address rows.parquet"));
    assert_eq!(table.bases(), ["rule", "bad_url", "bad_url"]);
    let run = bench.eval(&format!("{FIXED} --url-column record.page rows.parquet -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["record.page", "rows.parquet"]);
    bench.parquet("rows.parquet", vec![("metadata", nested("url", urls, &[true; 3]))]);
    let table = bench.verdicts(&format!("{FIXED} rows.parquet"));
    assert_eq!(table.bases(), ["rule", "bad_url", "rule"]);
}

#[test]
fn the_default_column_is_the_first_present_and_names_ignore_case() {
    let bench = bench();
    let (x, y) = (strings(&["https://a.example/x"]), strings(&["https://a.example/y"]));
    bench.parquet("rows.parquet", vec![("u", y.clone()), ("url", x.clone())]);
    assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), ["rule"]);
    bench.parquet("rows.parquet", vec![("u", x.clone()), ("other", y.clone())]);
    assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), ["rule"]);
    bench.parquet("rows.parquet", vec![("URL", x.clone())]);
    assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), ["rule"]);
    bench.parquet("rows.parquet", vec![("Url", y.clone()), ("url", x.clone())]);
    assert_eq!(bench.verdicts(&format!("{FIXED} rows.parquet")).bases(), ["rule"]);
    bench.parquet("rows.parquet", vec![("Url", y), ("URL", x)]);
    let run = bench.eval(&format!("{FIXED} rows.parquet -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["Url", "URL", "rows.parquet"]);
}

#[test]
fn br179_a_list_of_urls_is_refused_with_a_clear_message() {
    let bench = bench();
    let mut lists = ListBuilder::new(StringBuilder::new());
    lists.values().append_value("https://a.example/x");
    lists.append(true);
    lists.append(true);
    lists.append(false);
    let lists: ListArray = lists.finish();
    assert!(matches!(lists.data_type(), DataType::List(_)));
    bench.parquet("rows.parquet", vec![("url", Arc::new(lists) as ArrayRef)]);
    let run = bench.eval(&format!("{FIXED} rows.parquet -o out.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["url", "rows.parquet", "ist"]);
    assert!(!bench.exists("out.parquet"));
}

#[test]
fn paths_with_an_origin_column() {
    let bench = bench();
    let https = Some("https://a.example");
    let origins = [
        https,
        https,
        https,
        https,
        None,
        Some("nonsense"),
        Some("https://b.example"),
        Some("HTTPS://A.Example:443"),
    ];
    let slash = Some("/x?a=b");
    let paths = [slash, Some("/y"), None, Some("/robots.txt"), slash, slash, slash, slash];
    bench.parquet("rows.parquet", vec![("site", optional(&origins)), ("path", optional(&paths))]);
    let table =
        bench.verdicts(&format!("{FIXED} --origin-column site --url-column path rows.parquet"));
    let bases =
        ["rule", "no_rule", "bad_url", "robots_txt", "bad_url", "bad_url", "no_capture", "rule"];
    assert_eq!(table.bases(), bases);
    let run = bench.eval(&format!(
        "{FIXED} --origin-column lost --url-column path rows.parquet -o no.parquet"
    ));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["lost", "site", "path"]);
}
