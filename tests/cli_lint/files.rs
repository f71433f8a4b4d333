//! Files and standard input: formats, choice of codes, exit codes.

use std::io::Write;
use std::process::{Command, Stdio};

use robosift::lint::Code;
use serde_json::Value;

use crate::cli::{Bench, Run};

const BODY: &str = "User-agent: *\nDisallow: /ä b\nDisallow: x\nDisallow: /é/x*\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("a b.txt", BODY);
    bench.write("clean.txt", "User-agent: *\nDisallow: /x\n");
    bench.write("info.txt", "User-agent: *\nDisallow: /backup/\n");
    bench.write("warning.txt", "User-agent: *\nDisallow: /\n");
    bench
}

fn lint(bench: &Bench, arguments: &str) -> Run {
    let words: Vec<&str> = ["lint"].into_iter().chain(arguments.split_whitespace()).collect();
    bench.run(&words)
}

#[test]
fn exit_codes_follow_the_level_asked_for() {
    let bench = bench();
    let cases = [
        ("clean.txt", 0),
        ("clean.txt --fail-on info", 0),
        ("info.txt", 0),
        ("info.txt --fail-on info", 1),
        ("warning.txt", 1),
        ("warning.txt --fail-on error", 0),
        ("warning.txt --fail-on none", 0),
        ("warning.txt --ignore closed-to-all", 0),
        ("warning.txt --ignore rs205", 0),
        ("warning.txt --only RS301,RS302", 0),
        ("clean.txt warning.txt", 1),
        ("", 2),
        ("warning.txt --only RS000", 2),
        ("warning.txt --corpus c", 2),
        ("warning.txt -o x.parquet", 2),
        ("warning.txt --json --sarif", 2),
        ("warning.txt --only RS205,RS301 --ignore closed-to-all", 2),
        ("warning.txt --only RS301 --ignore closed-to-all", 0),
        ("--list --sarif", 2),
        ("--list --format sarif", 2),
        (".", 2),
        ("absent.txt", 4),
        ("--list", 0),
    ];
    for (arguments, code) in cases {
        let run = lint(&bench, arguments);
        assert_eq!(run.code, code, "{arguments}: {}{}", run.stdout, run.stderr);
    }
    lint(&bench, ".").says(&["is a folder", "--corpus"]);
    lint(&bench, "absent.txt").says(&["absent.txt", "No such file"]);
    lint(&bench, "clean.txt --only RS000").says(&["RS000", "--list"]);
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robosift"))
        .args(["lint", "-", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"User-agent: *\nDisallow: drafts/\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let expected = "error[RS301 unrooted-pattern]: `drafts/` starts with neither `/` nor `*` and matches nothing
 --> <stdin>:2:11
  |
2 | Disallow: drafts/
  |           ^^^^^^^
  |
  = help: write `/drafts/`

";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn colours_are_used_when_asked_for() {
    let bench = bench();
    assert!(lint(&bench, "warning.txt --color always").stdout.contains("\u{1b}["));
    assert!(!lint(&bench, "warning.txt --color never").stdout.contains('\u{1b}'));
    assert!(!lint(&bench, "warning.txt").stdout.contains('\u{1b}'), "no terminal");
}

#[test]
fn json_tells_places_in_octets() {
    let bench = bench();
    let json = bench.run(&["lint", "a b.txt", "clean.txt", "--json"]).ends_with(1).json();
    assert_eq!(json["counts"], serde_json::json!({ "error": 1, "warning": 1, "info": 1 }));
    assert_eq!(
        (&json["schema_version"], &json["tool_version"]),
        (&1.into(), &env!("CARGO_PKG_VERSION").into())
    );
    let files = json["files"].as_array().unwrap();
    assert_eq!(files[1]["findings"], serde_json::json!([]));
    assert_eq!(files[0]["file"], "a b.txt");
    assert_eq!(files[0]["octets"], BODY.len());
    assert_eq!(files[0]["counts"], serde_json::json!({ "RS301": 1, "RS303": 1, "RS305": 1 }));
    let found = files[0]["findings"].as_array().unwrap();
    let place = |found: &Value| {
        let number = |key: &str| found[key].as_u64().unwrap();
        (
            found["code"].as_str().unwrap().to_owned(),
            number("line"),
            number("column"),
            number("end_column"),
        )
    };
    let places: Vec<_> = found.iter().map(place).collect();
    let expected = [("RS303", 2, 11, 16), ("RS301", 3, 11, 12), ("RS305", 4, 16, 17)];
    let expected: Vec<_> = expected.map(|(code, a, b, c)| (code.to_owned(), a, b, c)).to_vec();
    assert_eq!(places, expected);
    assert_eq!(found[1]["severity"], "error");
    assert_eq!(found[1]["remedy"], "write `/x`");
    assert_eq!(found[1]["related"], Value::Null);
}

#[test]
fn a_sarif_log_has_rules_and_results() {
    let bench = bench();
    let log = bench.run(&["lint", "a b.txt", "--sarif"]).ends_with(1).json();
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    assert_eq!(run["tool"]["driver"]["name"], "robosift");
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    assert_eq!(rules.len(), Code::ALL.len());
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), 3);
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let location = &result["locations"][0]["physicalLocation"];
        assert_eq!(location["artifactLocation"]["uri"], "a%20b.txt");
    }
    let region = &results[2]["locations"][0]["physicalLocation"]["region"];
    // In code points: `é` is one.
    assert_eq!(region, &serde_json::json!({ "startLine": 4, "startColumn": 15, "endColumn": 16 }));
    assert_eq!(results[2]["level"], "note");
    bench.write("twice.txt", "User-agent: *\nDisallow: /x\nDisallow: /x\n");
    let log = lint(&bench, "twice.txt --sarif").ends_with(0).json();
    let related = &log["runs"][0]["results"][0]["relatedLocations"][0];
    assert_eq!(related["physicalLocation"]["region"]["startLine"], 2);
}

#[test]
fn the_list_has_every_code() {
    let bench = Bench::new();
    let list = lint(&bench, "--list").ends_with(0).stdout;
    assert_eq!(list.lines().count(), Code::ALL.len());
    assert!(list.lines().zip(Code::ALL).all(|(line, code)| line.starts_with(code.id())));
    let json = lint(&bench, "--list --json").ends_with(0).json();
    assert_eq!(json.as_array().unwrap().len(), Code::ALL.len());
    assert_eq!(json[0]["name"], "not-robots");
}

#[test]
fn a_sarif_log_says_what_it_leaves_out() {
    let bench = Bench::new();
    bench.write("a b.txt", format!("User-agent: *\n{}Disallow: /ok\n", "Disallow: x\n".repeat(5)));
    let log = bench
        .run(&["lint", "a b.txt", "--sarif", "--most", "2", "--only", "RS301"])
        .ends_with(1)
        .json();
    let run = &log["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 2);
    let [told] = &run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap()[..]
    else {
        panic!("{run}")
    };
    assert_eq!(told["message"]["text"], "3 more findings of RS301 left out (--most)");
    assert_eq!(told["associatedRule"]["id"], "RS301");
    assert_eq!(told["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.txt");
    let whole = bench.run(&["lint", "a b.txt", "--sarif", "--only", "RS301"]).ends_with(1).json();
    assert_eq!(whole["runs"][0]["invocations"], Value::Null);
}

#[test]
fn agents_of_ones_own_are_known() {
    let bench = Bench::new();
    bench.write("own.toml", "[[agent]]\ntoken = \"HouseBot\"\naliases = [\"OldHouseBot\"]\n");
    bench.write(
        "r.txt",
        "User-agent: HouseBot\nUser-agent: oldhousebot\nUser-agent: HouseBod\nDisallow: /x\n",
    );
    let found = |more: &str| {
        let json = lint(&bench, &format!("r.txt --json --only RS216,RS217{more}")).json();
        json["files"][0]["counts"].clone()
    };
    assert_eq!(found(""), serde_json::json!({"RS217": 3}));
    assert_eq!(found(" --registry own.toml"), serde_json::json!({"RS216": 1}));
    let known = "User-agent: dotbot\nUser-agent: rogerbot\nUser-agent: AdsBot-Google-Mobile-Apps\nDisallow: /x\n";
    bench.write("r.txt", known);
    assert_eq!(found(""), serde_json::json!({}));
}
