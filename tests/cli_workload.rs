//! `robosift workload`, the real binary: shape, determinism, refusals, and `eval` over what it made.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

use cli::{Bench, Run};
use std::collections::BTreeSet;

fn workload(bench: &Bench, arguments: &str) -> Run {
    let words: Vec<&str> = ["workload"].into_iter().chain(arguments.split_whitespace()).collect();
    bench.run(&words)
}

fn contents(bench: &Bench, folder: &str) -> Vec<(String, Vec<u8>)> {
    let names = bench.listing(folder);
    names.into_iter().map(|name| (name.clone(), bench.read(&format!("{folder}/{name}")))).collect()
}

#[test]
fn ten_thousand_rows() {
    let bench = Bench::new();
    let run = workload(&bench, "--rows 10k --origins 200 --seed 7 -o w").ends_with(0);
    assert!(run.stdout.contains("10000") || run.stdout.contains("10,000"), "{}", run.stdout);
    assert_eq!(bench.listing("w"), ["robots.parquet", "rows/part-00000.parquet"]);
    let rows = bench.table("w/rows/part-00000.parquet");
    assert_eq!(rows.num_rows(), 10_000);
    assert_eq!(rows.names(), ["url", "agent", "fetch_time"]);
    let robots = bench.table("w/robots.parquet");
    for name in ["origin", "body", "status", "fetch_time", "redirect"] {
        assert!(robots.names().iter().any(|found| found == name), "{name}");
    }
    // Some origins were never captured.
    let origins: BTreeSet<_> = robots.texts("origin").into_iter().map(Option::unwrap).collect();
    assert!((180..=200).contains(&origins.len()), "{}", origins.len());
}

#[test]
fn the_same_arguments_give_the_same_octets() {
    let bench = Bench::new();
    let runs = [("a", "10k"), ("b", "10k"), ("c", "200k"), ("d", "200k")];
    for (folder, rows) in runs {
        workload(&bench, &format!("--rows {rows} --seed 3 -q -o {folder}")).ends_with(0);
    }
    assert!(contents(&bench, "a") == contents(&bench, "b"));
    assert!(contents(&bench, "c") == contents(&bench, "d"));
    workload(&bench, "--rows 10k --seed 4 -q -o e").ends_with(0);
    assert!(contents(&bench, "a") != contents(&bench, "e"), "the seed decides nothing");
}

#[test]
fn files_split_the_same_rows() {
    let bench = Bench::new();
    workload(&bench, "--rows 200k -q -o one").ends_with(0);
    workload(&bench, "--rows 200k --files 3 -q -o three").ends_with(0);
    let parts = bench.listing("three/rows");
    assert_eq!(parts, ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]);
    let urls = |name: &str| bench.table(name).texts("url");
    let whole = urls("one/rows/part-00000.parquet");
    let joined: Vec<_> =
        parts.iter().flat_map(|part| urls(&format!("three/rows/{part}"))).collect();
    assert_eq!(whole.len(), 200_000);
    assert!(joined == whole);
    assert!(bench.read("one/robots.parquet") == bench.read("three/robots.parquet"));
}

#[test]
fn a_used_folder_is_refused() {
    let bench = Bench::new();
    bench.write("w/mine.txt", "keep");
    let run = workload(&bench, "--rows 100 -o w").ends_with(2).says(&["w", "--force"]);
    assert_eq!(run.stdout, "");
    assert_eq!(bench.listing("w"), ["mine.txt"]);
    workload(&bench, "--rows 100 --force -q -o w").ends_with(0);
    assert_eq!(bench.listing("w"), ["mine.txt", "robots.parquet", "rows/part-00000.parquet"]);
    assert_eq!(bench.read("w/mine.txt"), b"keep");
    std::fs::create_dir(bench.path("new")).unwrap();
    workload(&bench, "--rows 100 -q -o new").ends_with(0);
}

#[test]
fn what_makes_no_sense_ends_with_2() {
    let bench = Bench::new();
    let wrong = [
        "-o w",
        "--rows 100",
        "--rows many -o w",
        "--rows 0 -o w",
        "--rows 10 --origins 0 -o w",
        "--rows 10 --origins 11 -o w",
        "--rows 10 --files 0 -o w",
        "--rows 10 --row-group-rows 0 -o w",
    ];
    for arguments in wrong {
        let run = workload(&bench, arguments);
        assert_eq!(run.code, 2, "{arguments}: {run:?}");
        assert!(!run.stderr.contains("panicked") && !bench.exists("w"), "{arguments}: {run:?}");
    }
}

#[test]
fn json_tells_what_was_made_and_quiet_tells_nothing() {
    let bench = Bench::new();
    let json = workload(&bench, "--rows 10k --files 2 --json -o w").ends_with(0).json();
    assert_eq!((json["rows"].as_u64(), json["files"].as_u64()), (Some(10_000), Some(2)));
    let robots = bench.table("w/robots.parquet");
    assert_eq!(json["captures"], robots.num_rows());
    // One for 60 rows.
    assert_eq!(json["origins"], 166);
    let run = workload(&bench, "--rows 10k --quiet -o v").ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

#[test]
fn help_shows_an_example() {
    let help = workload(&Bench::new(), "--help").ends_with(0).stdout;
    for word in
        ["--rows", "--origins", "--seed", "--files", "--output", "--json", "--quiet", "Example"]
    {
        assert!(help.contains(word), "{word}");
    }
}

#[test]
fn eval_over_a_workload_adds_up() {
    let bench = Bench::new();
    workload(&bench, "--rows 20k --files 2 -q -o w").ends_with(0);
    let fixed = "--corpus w/robots.parquet --agent GPTBot,CCBot,ClaudeBot w/rows -o out";
    let json = bench.eval(&format!("{fixed} --json")).ends_with(0).json();
    assert_eq!(json["rows"], 20_000);
    let sum = |value: &serde_json::Value| -> u64 {
        ["allowed", "refused", "unknown"].iter().map(|word| value[word].as_u64().unwrap()).sum()
    };
    assert_eq!(sum(&json["verdicts"]), 60_000);
    let agents = json["agents"].as_object().unwrap();
    assert_eq!(agents.values().map(sum).collect::<Vec<_>>(), [20_000; 3]);
    let bases = json["basis"].as_object().unwrap();
    assert_eq!(bases.values().map(sum).sum::<u64>(), 60_000);
    // A crawl shows most of what can happen.
    for basis in
        ["rule", "no_rule", "no_rules", "no_capture", "unavailable", "unreachable", "bad_url"]
    {
        assert!(sum(&bases[basis]) > 0, "{basis}");
    }
    let names = bench.listing("out");
    assert_eq!(names.len(), 2);
    let mut refused = 0;
    for name in names {
        let table = bench.table(&format!("out/{name}"));
        let column = table.bools("robots_allowed_gptbot");
        refused += column.iter().filter(|verdict| **verdict == Some(false)).count();
    }
    assert_eq!(json["agents"]["GPTBot"]["refused"], refused);
}
