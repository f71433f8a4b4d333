//! `robosift compare`, the real binary: what differs between two ways of judging, and which setting makes it.
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

#[path = "cli_compare/clauses.rs"]
mod clauses;
#[path = "cli_compare/corpora.rs"]
mod corpora;
#[path = "cli_compare/outputs.rs"]
mod outputs;
#[path = "cli_compare/real.rs"]
mod real;
#[path = "cli_compare/settings.rs"]
mod settings;
#[path = "cli_compare/work.rs"]
mod work;

use cli::{Bench, Robots, Run};

/// A robots table and a URL for each row.
fn bench(captures: &[Robots], urls: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", captures);
    bench.urls("rows.parquet", urls);
    bench
}

/// `robosift compare` with these arguments, split at blanks, into `out.parquet`.
fn compare(bench: &Bench, arguments: &str) -> Run {
    let fixed = ["compare", "-o", "out.parquet"];
    let words: Vec<&str> = fixed.into_iter().chain(arguments.split_whitespace()).collect();
    bench.run(&words)
}

/// Rows of the output: position, what differs, clause, left and right verdict.
type Difference = (i64, String, Option<String>, [Option<bool>; 2]);

fn differences(bench: &Bench) -> Vec<Difference> {
    let table = bench.table("out.parquet");
    let sides = ["robots_allowed_left", "robots_allowed_right"].map(|name| table.bools(name));
    let kinds = table.texts("robots_difference").into_iter().map(Option::unwrap);
    let rows = table.ints("robots_row").into_iter().map(Option::unwrap);
    let rows = rows.zip(kinds).zip(table.texts("robots_clause")).enumerate();
    let of = |(at, ((row, kind), clause))| (row, kind, clause, [sides[0][at], sides[1][at]]);
    rows.map(of).collect()
}

/// Every count of a summary adds up to the verdicts, and the differences to the rows written.
#[track_caller]
fn adds_up(json: &serde_json::Value, num_written: usize) {
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let sum =
        |value: &serde_json::Value| value.as_object().unwrap().values().map(number).sum::<u64>();
    let agents = json["agents"].as_object().unwrap();
    let of_agents: u64 = agents.values().map(|agent| number(&agent["verdicts"])).sum();
    assert_eq!(of_agents, number(&json["all"]["verdicts"]));
    for pairs in agents.values().chain([&json["all"]]) {
        let verdicts = number(&pairs["verdicts"]);
        assert_eq!(number(&pairs["same"]) + sum(&pairs["differing"]), verdicts);
        assert_eq!(sum(&pairs["by_verdict"]), verdicts);
        let bases = pairs["by_basis"].as_array().unwrap().iter();
        assert_eq!(bases.map(|basis| sum(&basis["verdicts"])).sum::<u64>(), verdicts);
    }
    let clauses = json["clauses"].as_object().unwrap().values().map(sum).sum::<u64>();
    assert_eq!(clauses, number(&json["differences"]));
    assert_eq!(number(&json["differences"]), num_written as u64);
}
