//! The demo against its expectations, which were worked out apart from the crate.

use crate::cli::{Bench, Table};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    rows: u64,
    run: Vec<ExpectedRun>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ExpectedRun {
    name: String,
    arguments: Vec<String>,
    allowed: u64,
    refused: u64,
    unknown: u64,
    basis: BTreeMap<String, u64>,
}

fn in_crate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn demo(bench: &Bench, arguments: &[&str]) -> crate::cli::Run {
    let (robots, rows) = (in_crate("data/demo/robots.jsonl"), in_crate("data/demo/rows.parquet"));
    let fixed = [
        "eval",
        "--corpus",
        robots.to_str().unwrap(),
        "--as-of",
        "latest",
        "-o",
        "out.parquet",
        "--json",
    ];
    let all = [&fixed, arguments, &[rows.to_str().unwrap()]].concat();
    bench.run(&all).ends_with(0)
}

#[test]
fn every_run_counts_as_expected() {
    let text = std::fs::read_to_string(in_crate("data/demo/expected.toml")).unwrap();
    let expected: Expected = toml::from_str(&text).unwrap();
    assert!(expected.run.len() >= 5);
    for run in expected.run {
        let bench = Bench::new();
        let arguments: Vec<&str> = run.arguments.iter().map(String::as_str).collect();
        let summary = demo(&bench, &arguments).json();
        assert_eq!(summary["rows"], expected.rows, "{}", run.name);
        let verdicts = &summary["verdicts"];
        let counts = ["allowed", "refused", "unknown"].map(|word| verdicts[word].as_u64().unwrap());
        assert_eq!(counts, [run.allowed, run.refused, run.unknown], "{}", run.name);
        let table = bench.table("out.parquet");
        let mut bases = BTreeMap::new();
        table.bases().into_iter().for_each(|basis| *bases.entry(basis).or_default() += 1);
        assert_eq!(bases, run.basis, "{}", run.name);
        let allowed = table.allowed();
        let count = |wanted| allowed.iter().filter(|found| **found == wanted).count() as u64;
        assert_eq!([Some(true), Some(false), None].map(count), counts, "{}", run.name);
    }
}

#[test]
fn every_row_is_judged_as_expected() {
    let expected = Table::read(&in_crate("tests/data/demo_expected.parquet"));
    let runs = [("gptbot", ["--agent", "GPTBot"]), ("agent", ["--agent-column", "agent"])];
    for (name, arguments) in runs {
        let bench = Bench::new();
        demo(&bench, &arguments);
        let table = bench.table("out.parquet");
        assert_eq!(table.num_rows(), 2000);
        assert_eq!(table.allowed(), expected.bools(&format!("{name}_allowed")), "{name}");
        let bases = expected.texts(&format!("{name}_basis"));
        assert_eq!(table.texts("robots_basis"), bases, "{name}");
        let lines: Vec<_> =
            table.rules().into_iter().map(|rule| rule.map(|(_, line)| line)).collect();
        assert_eq!(lines, expected.ints(&format!("{name}_rule_line")), "{name}");
    }
}

#[test]
fn row_groups_are_those_of_the_rows() {
    let bench = Bench::new();
    demo(&bench, &["--agent", "GPTBot"]);
    let rows = Table::read(&in_crate("data/demo/rows.parquet"));
    assert_eq!(bench.table("out.parquet").row_groups, rows.row_groups);
    assert_eq!(rows.row_groups.len(), 4);
}
