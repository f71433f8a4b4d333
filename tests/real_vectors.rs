//! Half a million real rows through the real binary: every verdict and every line in both dialects.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "common/shared_data.rs"]
mod shared_data;

use cli::{Bench, Table};
use shared_data::shared;

const ROWS: usize = 553_406;

/// Runs the vectors in a dialect and compares row by row with the columns named.
fn check(dialect: &str, allowed: &str, line: &str) {
    let names = ["data/real_robots.parquet", "data/real_vectors.parquet"];
    let [Some(robots), Some(vectors)] = names.map(shared) else { return };
    let (robots, rows) = (robots.to_str().unwrap(), vectors.to_str().unwrap());
    let bench = Bench::new();
    let arguments = ["--agent-column", "agent", "--dialect", dialect, "--body-limit", "0", rows];
    let fixed = ["eval", "--corpus", robots, "-o", "out.parquet", "--json"];
    let json = bench.run(&[&fixed[..], &arguments].concat()).ends_with(0).json();
    let (ours, theirs) = (bench.table("out.parquet"), Table::read(&vectors));
    assert_eq!((ours.num_rows(), theirs.num_rows()), (ROWS, ROWS));
    assert_eq!(json["rows"], ROWS);
    let lines = ours.rules().into_iter().map(|rule| rule.map_or(0, |(_, line)| line));
    let found: Vec<_> = ours.allowed().into_iter().zip(lines).collect();
    let expected = theirs.bools(allowed).into_iter().zip(theirs.ints(line));
    let expected: Vec<_> = expected.map(|(allowed, line)| (allowed, line.unwrap_or(0))).collect();
    let wrong: Vec<usize> = (0..ROWS).filter(|row| found[*row] != expected[*row]).collect();
    let first = wrong.first().map(|row| (row, found[*row], expected[*row]));
    assert!(wrong.is_empty(), "{dialect}: {} rows differ, the first: {first:?}", wrong.len());
}

#[test]
fn google_decides_every_row_as_google_s_matcher_does() {
    check("google", "allowed", "rule_line");
}

#[test]
fn rfc9309_decides_every_row_as_a_plain_reading_of_the_rules_does() {
    check("rfc9309", "rfc9309_allowed", "rfc9309_rule_line");
}

#[test]
fn threads_change_no_octet_of_real_verdicts() {
    let names = ["data/real_robots.parquet", "data/real_vectors.parquet"];
    let [Some(robots), Some(vectors)] = names.map(shared) else { return };
    let bench = Bench::new();
    let outputs = ["1", "2", "7"].map(|threads| {
        let (robots, rows) = (robots.to_str().unwrap(), vectors.to_str().unwrap());
        let fixed = ["eval", "--corpus", robots, "--agent-column", "agent", "-q", rows];
        let more = ["--columns", "full", "--threads", threads, "-o", "out.parquet"];
        bench.run(&[&fixed[..], &more].concat()).ends_with(0);
        bench.read("out.parquet")
    });
    assert!(outputs[1] == outputs[0] && outputs[2] == outputs[0]);
}
