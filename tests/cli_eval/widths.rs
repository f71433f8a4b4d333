//! Columns at their widest: long patterns and names, names that meet.

use crate::cli::{Bench, capture};

#[test]
fn a_pattern_as_long_as_a_body_is_cut_in_its_column_and_nowhere_else() {
    let bench = Bench::new();
    let body = format!("User-agent: *\nDisallow: /{}\nAllow: /b\n", "é".repeat(100_000));
    bench.robots("robots.parquet", &[capture("https://a.example").body(&body)]);
    let path = format!("https://a.example/{}", "é".repeat(100_000));
    let urls: Vec<&str> =
        std::iter::repeat_n(path.as_str(), 50).chain(["https://a.example/b"]).collect();
    bench.urls("rows.parquet", &urls);
    let arguments =
        "--corpus robots.parquet --agent X --columns pattern,specificity,allowed rows.parquet";
    let table = bench.verdicts(arguments);
    let patterns = table.texts("robots_pattern");
    assert_eq!(patterns[0].as_ref().map(String::len), Some(4_096));
    assert_eq!(patterns[50].as_deref(), Some("/b"));
    assert_eq!(table.ints("robots_specificity")[0], Some(600_001));
    assert_eq!(table.allowed()[0], Some(false));
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[capture("https://a.example").body("")]);
    bench.urls("rows.parquet", &["https://a.example/"]);
    let run = bench
        .eval("--corpus robots.parquet --agent x,id-x --columns full rows.parquet -o v.parquet");
    run.ends_with(2).says(&["robots_rule_id_x"]);
}

#[test]
fn a_status_set_to_unknown_is_unknown_whatever_no_capture_says() {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[capture("https://a.example").status(403)]);
    bench.urls("rows.parquet", &["https://a.example/", "https://b.example/"]);
    let arguments =
        "--corpus robots.parquet --agent x --status 403=unknown --no-capture allow rows.parquet";
    let table = bench.verdicts(arguments);
    assert_eq!(table.allowed(), [None, Some(true)]);
    assert_eq!(table.bases(), ["no_capture", "no_capture"]);
}
