//! What is recorded of time: metadata, the command, the summary with its quantiles.

use crate::cli::{Bench, Table, robots, strings};
use crate::{CAPTURED, DAY, captured, micros, on, write_rows};
use serde_json::Value;

const A: &str = "https://a.example/robots.txt";

fn bench() -> Bench {
    let bodies = [
        (CAPTURED[0], "User-agent: *\nDisallow: /x\n"),
        (CAPTURED[1], "User-agent: *\nDisallow: /y\n"),
    ];
    let bench = captured(&bodies.map(|(day, body)| on(robots(A, body), day)));
    let times = [CAPTURED[0] - 1, CAPTURED[0], CAPTURED[1] - 1, CAPTURED[1]].map(|day| day * DAY);
    write_rows(&bench, &["https://a.example/x"; 4], &times);
    bench
}

fn value(table: &Table, key: &str) -> String {
    let found = table.metadata.iter().find(|(known, _)| known == &format!("robosift.{key}"));
    found.unwrap_or_else(|| panic!("{key} among {:?}", table.metadata)).1.clone()
}

/// Arguments, and what is recorded as as_of, capture_window, nearest, stale and scope, and said in the summary.
type Recorded = (&'static str, [&'static str; 5], &'static str);

const CASES: [Recorded; 9] = [
    ("", ["row", "any", "false", "off", "origin"], "as of the time of each row\n"),
    (
        "--as-of latest --policy google",
        ["latest", "any", "false", "2592000 s", "origin"],
        "as of the latest visit of each origin\n",
    ),
    (
        "--as-of ever --scope host",
        ["ever", "any", "false", "off", "host"],
        "as of the time of each row and ever since\n",
    ),
    ("--as-of 2024-03-10", ["2024-03-10", "any", "false", "off", "origin"], "as of 2024-03-10\n"),
    (
        "--as-of 20240309235959",
        ["2024-03-09T23:59:59Z", "any", "false", "off", "origin"],
        "as of 2024-03-09T23:59:59Z\n",
    ),
    (
        "--as-of 2024-03-10T01:00:00.25+01:00",
        ["2024-03-10T00:00:00.250000Z", "any", "false", "off", "origin"],
        "as of 2024-03-10T00:00:00.250000Z\n",
    ),
    (
        "--as-of row --capture-window 24h --nearest",
        ["row", "86400 s", "true", "off", "origin"],
        "as of the time of each row, captures within 1.0 d, later ones too where nearer\n",
    ),
    (
        "--time-column fetch_time --stale 12h",
        ["row", "any", "false", "43200 s", "origin"],
        "as of the time of each row\n",
    ),
    (
        "--as-of 2024-03-09T12:00:00Z --nearest --no-capture allow",
        ["2024-03-09T12:00:00Z", "any", "true", "off", "origin"],
        "as of 2024-03-09T12:00:00Z, later ones too where nearer\n",
    ),
];

#[test]
fn rules_of_time_are_recorded_and_said() {
    let bench = bench();
    for (arguments, [as_of, window, nearest, stale, scope], phrase) in CASES {
        let fixed = format!("--corpus C --agent GPTBot {arguments} rows.parquet");
        let run = bench.eval(&format!("{fixed} -o out.parquet")).ends_with(0);
        assert!(run.stdout.contains(phrase), "{arguments}: {}", run.stdout);
        let table = bench.table("out.parquet");
        let keys = ["as_of", "capture_window", "nearest", "stale", "scope"];
        let recorded = keys.map(|key| value(&table, key));
        assert_eq!(recorded, [as_of, window, nearest, stale, scope], "{arguments}");
        let json = bench.eval(&format!("{fixed} --json -o json.parquet")).ends_with(0).json();
        assert_eq!((&json["as_of"], &json["scope"]), (&Value::from(as_of), &Value::from(scope)));
    }
}

#[test]
fn the_recorded_command_makes_the_same_file_again() {
    let bench = bench();
    for (arguments, ..) in CASES {
        let fixed = format!("--corpus C --agent GPTBot {arguments} rows.parquet");
        bench.eval(&format!("{fixed} -o out.parquet")).ends_with(0);
        let command = value(&bench.table("out.parquet"), "command");
        let again = command.strip_prefix("robosift eval ").unwrap();
        bench.eval(&format!("{again} -o again.parquet")).ends_with(0);
        assert!(bench.read("again.parquet") == bench.read("out.parquet"), "{command}");
    }
}

/// The gap that `share` of all do not exceed.
fn naive_quantile(gaps: &[i64], share: f64) -> i64 {
    let mut sorted = gaps.to_vec();
    sorted.sort_unstable();
    let enough = |at: usize| (at + 1) as f64 >= share * sorted.len() as f64;
    let at = (0..sorted.len()).find(|at| enough(*at)).unwrap();
    sorted[at]
}

#[test]
fn quantiles_of_the_gap_are_those_of_the_column() {
    let bench = bench();
    // Spread over four decades of seconds, some rows before the first capture.
    let spread = |n: i64| (n * n * 37) % 5_000_000 - if n % 9 == 0 { 9_000_000 } else { 0 };
    let times: Vec<i64> = (0..400).map(|n| CAPTURED[0] * DAY + spread(n) * 1_000_000 + n).collect();
    write_rows(&bench, &["https://a.example/x"; 400], &times);
    for more in ["--as-of row --nearest", "--as-of row", "--as-of latest", "--as-of 2024-01-11"] {
        let fixed = "--corpus C --agent GPTBot --columns basis,capture_gap_s rows.parquet --json";
        let run = bench.eval(&format!("{fixed} {more} -o out.parquet")).ends_with(0);
        let json = run.json();
        let gaps: Vec<i64> =
            bench.table("out.parquet").ints("robots_capture_gap_s").into_iter().flatten().collect();
        let later = gaps.iter().filter(|gap| **gap < 0).count();
        assert_eq!(json["gap"]["rows"], gaps.len(), "{more}");
        assert_eq!(json["gap"]["later"], later, "{more}");
        let shares =
            [("p01", 0.01), ("p10", 0.1), ("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p100", 1.0)];
        for (name, share) in shares {
            let told = json["gap"]["seconds"][name].as_i64().unwrap();
            let exact = naive_quantile(&gaps, share);
            assert!((told - exact).abs() <= exact.abs() / 30 + 1, "{more} {name}: {told}, {exact}");
        }
    }
    let run = bench.eval("--corpus C --agent GPTBot rows.parquet -o out.parquet").ends_with(0);
    let line = run.stdout.lines().find(|line| line.starts_with("captures are older")).unwrap();
    for word in ["(median)", "(90%)", "(99%)", "(most)", "0 of 355 are later"] {
        assert!(line.contains(word), "`{word}` is not in {line}");
    }
}

#[test]
fn without_times_there_are_no_gaps() {
    let bench = bench();
    bench.urls("plain.parquet", &["https://a.example/x"]);
    let fixed = "--corpus C --agent GPTBot --columns full plain.parquet";
    let json = bench.eval(&format!("{fixed} --json -o out.parquet")).ends_with(0).json();
    assert_eq!(json["gap"]["rows"], 0);
    assert_eq!(json["gap"]["seconds"]["p50"], Value::Null);
    assert_eq!(bench.table("out.parquet").ints("robots_capture_gap_s"), [None]);
    let text = bench.eval(&format!("{fixed} -o out.parquet")).ends_with(0).stdout;
    assert!(!text.contains("captures are older"), "{text}");
    // Rows of files with times among them: the first file says that times decide.
    let urls = strings(&["https://a.example/x"]);
    bench.parquet("in/a.parquet", vec![("url", urls.clone()), ("date", micros(&[Some(0)]))]);
    bench.parquet("in/b.parquet", vec![("url", urls)]);
    let run = bench.eval("--corpus C --agent GPTBot in -o out").ends_with(4);
    run.says(&["b.parquet", "--time-column", "--as-of latest"]);
    assert!(!bench.exists("out"), "nothing is written");
}
