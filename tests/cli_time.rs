//! Time: which capture answers for a row, the real binary, from a table of captures and from a built corpus.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_time/columns.rs"]
mod columns;
#[path = "cli_time/deciding.rs"]
mod deciding;
#[path = "cli_time/origins.rs"]
mod origins;
#[path = "cli_time/recorded.rs"]
mod recorded;

use arrow::array::{ArrayRef, TimestampMicrosecondArray};
use cli::{Bench, HOUR, Robots, Table, robots_columns, strings};
use std::sync::Arc;

/// Microseconds of a day.
const DAY: i64 = 24 * HOUR;

/// The days, since 1970, of the four captures: 10 January, 10 March, 10 May, 10 July 2024, at midnight.
const CAPTURED: [i64; 4] = [19_732, 19_792, 19_853, 19_914];

const YES: Option<bool> = Some(true);
const NO: Option<bool> = Some(false);
const NULL: Option<bool> = None;

/// At midnight of a day since 1970.
fn on(capture: Robots, day: i64) -> Robots {
    capture.hour(day * 24)
}

/// A column of times, in microseconds.
fn micros(times: &[Option<i64>]) -> ArrayRef {
    Arc::new(TimestampMicrosecondArray::from(times.to_vec()).with_timezone("UTC"))
}

/// Captures as a table, robots.parquet, and as a built corpus, C.
fn captured(captures: &[Robots]) -> Bench {
    let bench = Bench::new();
    bench.parquet("robots.parquet", robots_columns("url", captures));
    let build = ["corpus", "build", "robots.parquet", "-o", "C", "--quiet"];
    bench.run(&build).ends_with(0);
    bench
}

/// Rows with URLs and times, rows.parquet.
fn write_rows(bench: &Bench, urls: &[&str], times: &[i64]) {
    let times: Vec<_> = times.iter().copied().map(Some).collect();
    bench.parquet("rows.parquet", vec![("url", strings(urls)), ("fetch_time", micros(&times))]);
}

/// All columns for the rows, which are the same from the table and from the corpus.
#[track_caller]
fn judge(bench: &Bench, more: &str) -> Table {
    let fixed = format!("--columns full {more} rows.parquet");
    let table = bench.verdicts(&format!("--corpus robots.parquet {fixed}"));
    let built = bench.verdicts(&format!("--corpus C {fixed}"));
    let is_same = table.batch.columns() == built.batch.columns();
    assert!(is_same, "{more}: a built corpus answers otherwise");
    table
}
