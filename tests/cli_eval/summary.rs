//! What the command says: summaries that add up, quietness, dry runs, exit codes, help.

use crate::cli::{Bench, capture, robots};
use serde_json::Value;

const FIXED: &str = "--corpus robots.parquet rows.parquet --agent GPTBot,CCBot";

fn small() -> Bench {
    let bench = Bench::new();
    let captures = [
        robots("https://a.example", "User-agent: GPTBot\nDisallow: /x\n"),
        capture("https://down.example").status(503),
        capture("https://gone.example").status(404),
    ];
    bench.robots("robots.parquet", &captures);
    let urls = [
        "https://a.example/x",
        "https://a.example/y",
        "https://down.example/",
        "https://gone.example/",
        "https://never.example/",
        "nonsense",
        "https://a.example/robots.txt",
    ];
    bench.urls("rows.parquet", &urls);
    bench
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn verdicts(value: &Value) -> [u64; 3] {
    ["allowed", "refused", "unknown"].map(|word| number(&value[word]))
}

fn sum<'v>(values: impl Iterator<Item = &'v Value>) -> [u64; 3] {
    values.map(verdicts).fold([0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]])
}

#[test]
fn json_adds_up_to_the_rows() {
    let bench = small();
    let run = bench.eval(&format!("{FIXED} --json -o out.parquet")).ends_with(0);
    let json = run.json();
    assert_eq!(number(&json["rows"]), 7);
    assert_eq!(number(&json["files"]), 1);
    let all = verdicts(&json["verdicts"]);
    // Allowed: y and gone for both, x for CCBot, /robots.txt for both.
    assert_eq!(all, [7, 3, 4]);
    assert_eq!(all.iter().sum::<u64>(), 2 * 7);
    assert_eq!(sum(json["agents"].as_object().unwrap().values()), all);
    assert_eq!(verdicts(&json["agents"]["GPTBot"]), [3, 2, 2]);
    let bases = json["basis"].as_object().unwrap();
    assert_eq!(sum(bases.values()), all);
    let expected = [
        ("bad_url", 2),
        ("robots_txt", 2),
        ("no_capture", 2),
        ("unreachable", 2),
        ("unavailable", 2),
        ("no_group", 2),
        ("no_rule", 1),
        ("rule", 1),
    ];
    assert_eq!(bases.len(), expected.len(), "{bases:?}");
    for (basis, count) in expected {
        assert_eq!(verdicts(&bases[basis]).iter().sum::<u64>(), count, "{basis}");
    }
    assert_eq!(number(&bases["unreachable"]["statuses"]["503"]), 2);
    assert_eq!(number(&bases["unavailable"]["statuses"]["404"]), 2);
    assert_eq!(json["skipped"], Value::Array(vec![]));
}

#[test]
fn text_adds_up_to_the_rows() {
    let bench = small();
    let run = bench.eval(&format!("{FIXED} -o out.parquet")).ends_with(0);
    let lines: Vec<Vec<&str>> =
        run.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let first = |word: &str| {
        let found = lines.iter().filter(|line| line.first() == Some(&word));
        found.map(|line| line[1].parse::<u64>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(first("all"), [14, 14]);
    assert_eq!(first("GPTBot").iter().chain(&first("CCBot")).sum::<u64>(), 14);
    let bases = [
        "bad_url",
        "robots_txt",
        "no_capture",
        "unreachable",
        "unavailable",
        "no_group",
        "no_rule",
        "rule",
    ];
    assert_eq!(bases.iter().flat_map(|basis| first(basis)).sum::<u64>(), 14);
    assert!(run.stdout.contains("404: 2") && run.stdout.contains("503: 2"), "{}", run.stdout);
    assert!(run.stdout.starts_with("7 rows"), "{}", run.stdout);
}

#[test]
fn quiet_prints_nothing() {
    let bench = small();
    let run = bench.eval(&format!("{FIXED} --quiet -o out.parquet")).ends_with(0);
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    assert_eq!(bench.table("out.parquet").num_rows(), 7);
    let run = bench.eval(&format!("{FIXED} --quiet --json -o out.parquet")).ends_with(0);
    assert_eq!(number(&run.json()["rows"]), 7);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_dry_run_writes_nothing_and_tells_the_plan() {
    let bench = small();
    let before = bench.listing("");
    let run = bench.eval(&format!("{FIXED} --dry-run -o deep/out.parquet")).ends_with(0);
    assert_eq!(bench.listing(""), before);
    assert!(!bench.exists("deep"));
    for word in
        ["robots.parquet", "rows.parquet", "deep/out.parquet", "robots_allowed_gptbot", "url", "7"]
    {
        assert!(run.stdout.contains(word), "`{word}` is not in {}", run.stdout);
    }
    let json =
        bench.eval(&format!("{FIXED} --dry-run --json -o deep/out.parquet")).ends_with(0).json();
    assert_eq!(number(&json["rows"]), 7);
    assert_eq!(bench.listing(""), before);
}

#[test]
fn a_command_line_that_makes_no_sense_ends_with_2() {
    let bench = small();
    let wrong = [
        "--corpus robots.parquet rows.parquet -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot",
        "rows.parquet --agent GPTBot -o out.parquet",
        "--corpus robots.parquet --agent GPTBot -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --dialect nonsense -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --policy nonsense -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --agent-column a -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --body-limit x -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --stale soon -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --nonsense -o out.parquet",
        "--corpus robots.parquet rows.parquet --agent GPTBot --robots-columns nonsense -o out.parquet",
    ];
    for arguments in wrong {
        let run = bench.eval(arguments);
        assert_eq!(run.code, 2, "{arguments}: {run:?}");
        assert!(!run.stderr.is_empty());
        assert!(!bench.exists("out.parquet"), "{arguments}");
    }
    assert_eq!(bench.run(&[]).code, 2);
    assert_eq!(bench.run(&["nonsense"]).code, 2);
}

#[test]
fn what_is_not_there_ends_with_4_and_is_named() {
    let bench = small();
    let lost = [
        ("--corpus lost.parquet rows.parquet", "lost.parquet"),
        ("--corpus robots.parquet lost-rows.parquet", "lost-rows.parquet"),
    ];
    for (arguments, name) in lost {
        let run = bench.eval(&format!("{arguments} --agent GPTBot -o out.parquet"));
        assert!(run.code == 4 || run.code == 2, "{run:?}");
        run.says(&[name]);
        assert!(!bench.exists("out.parquet"));
    }
}

#[test]
fn help_mentions_every_flag_and_an_example() {
    let bench = Bench::new();
    let help = bench.run(&["eval", "--help"]).ends_with(0).stdout;
    let flags = "--corpus --origin --robots-columns --agent --agents --agent-column --agent-kind --url-column \
                 --origin-column --dialect --policy --status --no-capture --stale --as-of --capture-window \
                 --nearest --scope --time-column --resume --body-limit --output --keep \
                 --columns --layout --suffix --compression --threads --memory --on-error --quiet --verbose --dry-run \
                 --json";
    for flag in flags.split_whitespace() {
        assert!(help.contains(flag), "{flag} is not in the help");
    }
    assert!(help.contains("Example"), "{help}");
    let all = bench.run(&["--help"]).ends_with(0).stdout;
    assert!(all.contains("eval") && all.contains("workload"), "{all}");
    let version = bench.run(&["--version"]).ends_with(0).stdout;
    assert_eq!(version.trim(), format!("robosift {}", env!("CARGO_PKG_VERSION")));
}
