//! Outputs that nobody would want: in the place of a device, of a source, or cut off without a word.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]
#![allow(dead_code, reason = "each test uses a part of what they share")]

#[path = "common/cli.rs"]
mod cli;

use std::fs::{self, File};
use std::os::unix::fs::FileTypeExt;
use std::process::{Command, Stdio};

use cli::{Bench, robots};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("robots.txt", RULES);
    bench.robots("robots.parquet", &[robots("https://www.example.com", RULES).hour(480_000)]);
    bench.urls("rows.parquet", &["https://www.example.com/private/1"]);
    bench
}

fn run(bench: &Bench, words: &str) -> cli::Run {
    bench.run(&words.split(' ').collect::<Vec<_>>())
}

#[test]
fn a_pipe_is_not_replaced() {
    let bench = bench();
    run(&bench, "corpus build robots.parquet -o c -q").ends_with(0);
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status();
    if !made.is_ok_and(|status| status.success()) {
        eprintln!("skipped: no mkfifo here");
        return;
    }
    let commands = [
        "lint --corpus robots.parquet -q -o pipe",
        "eval --corpus robots.parquet --agent a rows.parquet -q -o pipe",
        "compare --corpus robots.parquet --agent a --left rfc9309 --right google rows.parquet -q -o pipe",
        "diff robots.parquet c -q -o pipe",
        "corpus rules c -o pipe",
        "corpus captures c -o pipe",
    ];
    for command in commands {
        let run = run(&bench, command);
        assert!(run.code == 2 || run.code == 4, "{command}: {} {}", run.code, run.stderr);
        assert!(run.stderr.contains("pipe"), "{command}: {}", run.stderr);
        let kind = fs::symlink_metadata(bench.path("pipe")).unwrap().file_type();
        assert!(kind.is_fifo(), "{command}");
    }
}

#[test]
fn a_page_replaces_no_source() {
    let bench = bench();
    run(&bench, "corpus build robots.parquet -o c -q").ends_with(0);
    bench.write("folder/www.example.com", RULES);
    let ask = "explain https://www.example.com/ --agent a -q";
    let sources = [
        ("robots.txt --html robots.txt", "robots.txt"),
        ("--robots robots.txt --html ./robots.txt", "robots.txt"),
        ("--corpus folder --html folder/page.html", "folder/www.example.com"),
        ("--corpus c --html c/page.html", "c/manifest.json"),
    ];
    for (words, source) in sources {
        let before = bench.read(source);
        run(&bench, &format!("{ask} {words}")).ends_with(2).says(&["choose another output"]);
        assert_eq!(bench.read(source), before, "{words}");
        assert!(!bench.exists("folder/page.html") && !bench.exists("c/page.html"));
    }
    run(&bench, &format!("{ask} robots.txt --html page.html")).ends_with(0);
    assert!(bench.exists("page.html"));
}

#[test]
fn a_result_that_cannot_be_printed_is_a_failure() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        eprintln!("skipped: no /dev/full here");
        return;
    };
    let bench = bench();
    let ask = "explain https://www.example.com/ --agent a --robots robots.txt";
    for words in ["lint robots.txt", "lint robots.txt --json", ask, "agents list"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_robosift"));
        command.args(words.split(' ')).current_dir(bench.path("."));
        let out = command.stdout(full.try_clone().unwrap()).stderr(Stdio::piped()).output();
        let out = out.unwrap();
        assert_eq!(out.status.code(), Some(4), "{words}");
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert!(said.contains("standard output"), "{words}: {said}");
    }
}

#[test]
fn one_file_that_cannot_be_read_hides_no_other() {
    let bench = bench();
    bench.write("bad.txt", "User-agent: *\nDisallow: drafts/\n");
    let run = run(&bench, "lint missing.txt bad.txt").ends_with(4);
    assert!(run.stdout.contains("RS301") && run.stderr.contains("missing.txt"), "{}", run.stdout);
}

#[test]
fn what_sources_skip_is_said() {
    let bench = bench();
    bench.write("folder/x.example", RULES);
    bench.write("folder/not a host!.txt", RULES);
    run(&bench, "lint --corpus folder -q --fail-on none").ends_with(3).says(&["skipped"]);
    run(&bench, "explain https://x.example/ --agent a --corpus folder").says(&["skipped"]);
}

#[test]
fn the_only_rule_of_a_group_is_not_to_be_taken_out() {
    let bench = bench();
    bench.write("alone.txt", "User-agent: GPTBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n");
    let run = run(&bench, "lint alone.txt --only RS404");
    assert!(
        run.stdout.contains("leave it") && !run.stdout.contains("take it out"),
        "{}",
        run.stdout
    );
}

#[test]
fn not_modified_without_a_body_is_no_capture() {
    let bench = bench();
    bench.write("response", "HTTP/1.1 304 Not Modified\r\n\r\n");
    let ask = "explain https://www.example.com/ --agent a";
    let run_of = |words: &str| run(&bench, &format!("{ask} {words} --json")).ends_with(5);
    assert_eq!(run_of("--response response").json()["agents"][0]["basis"], "no_capture");
    bench.write("t.jsonl", r#"{"origin":"https://www.example.com","status":304,"body":""}"#);
    assert_eq!(run_of("--corpus t.jsonl").json()["agents"][0]["basis"], "no_capture");
}

#[test]
fn too_many_redirects_are_told_as_such() {
    let bench = bench();
    let hop = "HTTP/1.1 301 Moved\r\nLocation: https://www.example.com/robots.txt\r\n\r\n";
    bench.write("response", hop.repeat(7));
    let words = "explain https://www.example.com/ --agent a --response response";
    let run = run(&bench, words).ends_with(0);
    assert!(run.stdout.contains("redirects more than five times"), "{}", run.stdout);
}

#[test]
fn no_file_that_a_command_reads_is_replaced() {
    let bench = bench();
    bench.write("g/a.jsonl", r#"{"origin":"https://www.example.com","body":"","status":200}"#);
    bench.write("g/b.jsonl", r#"{"origin":"https://www.example.com","body":"","status":200}"#);
    bench.write("g/l.paths", "a.jsonl\n");
    bench.write("reg.toml", "");
    bench.write("v.parquet.partial", "precious");
    let both = "--agent a --left rfc9309 --right google";
    let commands = [
        ("diff g/a*.jsonl g/b.jsonl -q -o g/a.jsonl".to_owned(), "g/a.jsonl"),
        ("diff g/l.paths g/b.jsonl -q -o g/a.jsonl".to_owned(), "g/a.jsonl"),
        ("diff g/a.jsonl g/b.jsonl --registry reg.toml -q -o reg.toml".to_owned(), "reg.toml"),
        (
            format!(
                "compare --corpus g/a.jsonl {both} --registry reg.toml rows.parquet -q -o reg.toml"
            ),
            "reg.toml",
        ),
        ("eval --corpus g/*.jsonl --agent a rows.parquet -q -o g/b.jsonl".to_owned(), "g/b.jsonl"),
        ("lint --corpus g/l.paths -q -o g/a.jsonl".to_owned(), "g/a.jsonl"),
    ];
    for (command, source) in commands {
        let before = bench.read(source);
        run(&bench, &command).ends_with(2).says(&["choose another output"]);
        assert_eq!(bench.read(source), before, "{command}");
    }
    run(&bench, "lint --corpus g/a.jsonl -q --fail-on none -o v.parquet").ends_with(0);
    assert_eq!(bench.read("v.parquet.partial"), b"precious");
}
