//! `robosift eval --resume`, the real binary: killed at random points, it leaves nothing that is not whole, and goes on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "common/random.rs"]
mod random;

use cli::{Bench, Run, robots};
use random::Random;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Input files of a workload, and the rows of all of them.
const FILES: usize = 6;
const ROWS: u64 = 120_000;

const FIXED: &str = "--corpus w/robots.parquet --agent GPTBot,CCBot --columns full --threads 2";

fn workload() -> Bench {
    let bench = Bench::new();
    let rows = format!("workload --rows {ROWS} --files {FILES} --row-group-rows 5k --quiet -o w");
    bench.run(&rows.split(' ').collect::<Vec<_>>()).ends_with(0);
    bench
}

fn eval(bench: &Bench, more: &str) -> Run {
    bench.eval(&format!("{FIXED} {more} w/rows"))
}

/// All files below a folder, hidden ones too.
fn files(bench: &Bench, folder: &str) -> BTreeMap<String, Vec<u8>> {
    if !bench.exists(folder) {
        return BTreeMap::new();
    }
    let names = bench.listing(folder).into_iter();
    names.map(|name| (name.clone(), bench.read(&format!("{folder}/{name}")))).collect()
}

/// Outputs under their final names.
fn num_done(bench: &Bench) -> usize {
    let entries = fs::read_dir(bench.path("out")).into_iter().flatten().flatten();
    entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.')).count()
}

fn start(bench: &Bench, more: &str) -> Child {
    let words = format!("eval {FIXED} {more} --quiet w/rows -o out");
    let mut command = Command::new(env!("CARGO_BIN_EXE_robosift"));
    command.args(words.split_whitespace()).current_dir(bench.path(""));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills a run (as `kill -9` does) some moments after so many outputs are there.
fn kill_after(bench: &Bench, mut child: Child, outputs: usize, more: Duration) {
    let started = Instant::now();
    while num_done(bench) < outputs
        && child.try_wait().unwrap().is_none()
        && started.elapsed() < Duration::from_secs(120)
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(more);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_run_leaves_only_whole_outputs_and_goes_on_to_the_same_octets() {
    let bench = workload();
    eval(&bench, "--quiet -o whole").ends_with(0);
    let whole = files(&bench, "whole");
    assert_eq!(whole.len(), FILES);
    let random = &mut Random::new(20);
    let (mut cut_off, mut kept_some) = (0, 0);
    for trial in 0..20 {
        // Every third trial is cut off several times.
        for kill in 0..if trial % 3 == 0 { 3 } else { 1 } {
            let more = if kill == 0 && trial % 2 == 0 { "" } else { "--resume" };
            let least = num_done(&bench);
            let outputs = if more.is_empty() { 0 } else { least } + random.below(FILES - least + 1);
            let most = random.pick(&[1_000, 40_000]);
            let moments = Duration::from_micros(u64::try_from(random.below(most)).unwrap());
            kill_after(&bench, start(&bench, more), outputs, moments);
            for (name, octets) in files(&bench, "out") {
                let is_whole = whole.get(&name) == Some(&octets);
                assert!(is_whole || name.starts_with('.'), "trial {trial}: {name} is not whole");
            }
            if num_done(&bench) == FILES {
                break;
            }
        }
        let done = num_done(&bench);
        let json = eval(&bench, "--resume --json -o out").ends_with(0).json();
        assert!(files(&bench, "out") == whole, "trial {trial}: other octets, or leftovers");
        let number = |value: &serde_json::Value| value.as_u64().unwrap();
        assert_eq!(number(&json["kept"]["files"]), done as u64, "trial {trial}");
        assert_eq!(number(&json["files"]), (FILES - done) as u64, "trial {trial}");
        assert_eq!(number(&json["rows"]) + number(&json["kept"]["rows"]), ROWS, "trial {trial}");
        cut_off += usize::from(done < FILES);
        kept_some += usize::from((1..FILES).contains(&done));
        fs::remove_dir_all(bench.path("out")).unwrap();
    }
    assert!(cut_off >= 5 && kept_some >= 2, "{cut_off} cut off, {kept_some} of them in the middle");
}

#[test]
fn the_summary_says_what_was_kept_and_counts_the_rest() {
    let bench = workload();
    eval(&bench, "--quiet -o out").ends_with(0);
    fs::remove_file(bench.path("out/part-00002.parquet")).unwrap();
    let run = eval(&bench, "--resume -o out").ends_with(0);
    let kept = "100,000 rows in 5 files had been judged by an earlier run and were kept";
    assert!(run.stdout.contains(kept), "{}", run.stdout);
    assert!(run.stdout.starts_with("20,000 rows judged"), "{}", run.stdout);
    let json = eval(&bench, "--resume --json -o out").ends_with(0).json();
    assert_eq!((&json["rows"], &json["kept"]["rows"]), (&0.into(), &ROWS.into()));
    let verdicts = &json["verdicts"];
    assert_eq!([&verdicts["allowed"], &verdicts["refused"], &verdicts["unknown"]], [0, 0, 0]);
    let run = eval(&bench, "-o out").ends_with(0);
    assert!(!run.stdout.contains("earlier run"), "without --resume all is judged: {}", run.stdout);
    assert!(run.stdout.starts_with("120,000 rows judged"), "{}", run.stdout);
    let json = eval(&bench, "--json -o out").ends_with(0).json();
    assert_eq!((&json["rows"], &json["kept"]["files"]), (&ROWS.into(), &0.into()));
    let dry = eval(&bench, "--resume --dry-run -o out").ends_with(0);
    assert!(dry.stdout.contains("resume"), "{}", dry.stdout);
}

fn small() -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[robots("https://a.example", "User-agent: *\nDisallow: /x\n")]);
    bench.robots("other.parquet", &[robots("https://a.example", "User-agent: *\nDisallow: /y\n")]);
    bench.urls("rows/a.parquet", &["https://a.example/x"]);
    bench.urls("rows/b.parquet", &["https://a.example/y"]);
    bench
}

#[test]
fn the_recorded_command_does_not_tell_that_it_was_resumed() {
    let bench = small();
    let fixed = "--corpus robots.parquet --agent GPTBot rows";
    bench.eval(&format!("{fixed} --resume -o resumed")).ends_with(0);
    bench.eval(&format!("{fixed} -o whole")).ends_with(0);
    assert_eq!(bench.read("resumed/a.parquet"), bench.read("whole/a.parquet"));
    let metadata = bench.table("resumed/a.parquet").metadata;
    assert!(metadata.iter().all(|(_, value)| !value.contains("resume")), "{metadata:?}");
}

#[test]
fn what_does_not_decide_the_output_may_be_other() {
    let bench = small();
    let fixed = "--corpus robots.parquet --agent GPTBot rows -o out --resume --json";
    bench.eval(fixed).ends_with(0);
    for more in ["--threads 1", "--memory 64MiB", "--verbose", "--quiet", "--on-error skip"] {
        let json = bench.eval(&format!("{fixed} {more}")).ends_with(0).json();
        assert_eq!(json["kept"]["files"], 2, "{more}");
    }
}

#[test]
fn outputs_of_another_command_or_corpus_are_an_error_and_stay() {
    let bench = small();
    let of = |corpus: &str, more: &str| {
        bench.eval(&format!("--corpus {corpus} --agent GPTBot rows -o out {more}"))
    };
    of("robots.parquet", "").ends_with(0);
    let before = files(&bench, "out");
    fs::remove_file(bench.path("out/a.parquet")).unwrap();
    let others = [
        ("--policy closed", "robosift.policy"),
        ("--as-of 2024-01-01", "robosift.as_of"),
        ("--columns full", "robosift.command"),
        ("--agent CCBot", "robosift.agents"),
    ];
    for (more, key) in others {
        let run = of("robots.parquet", &format!("--resume {more}")).ends_with(2);
        run.says(&["out/b.parquet", key, "--resume"]);
    }
    fs::rename(bench.path("other.parquet"), bench.path("robots.parquet")).unwrap();
    let run = of("robots.parquet", "--resume").ends_with(2);
    run.says(&["out/b.parquet", "robosift.corpus", "choose another output"]);
    let after = files(&bench, "out");
    assert_eq!(after.len(), 1, "nothing is written");
    assert_eq!(after["b.parquet"], before["b.parquet"]);
    // Anew it may be.
    of("robots.parquet", "").ends_with(0);
    assert_ne!(files(&bench, "out")["b.parquet"], before["b.parquet"]);
}

#[test]
fn damaged_inputs_that_were_skipped_are_tried_again() {
    let bench = small();
    let damaged = bench.read("rows/b.parquet");
    bench.write("rows/b.parquet", b"PAR1");
    let fixed = "--corpus robots.parquet --agent GPTBot rows -o out --on-error skip --json";
    bench.eval(fixed).ends_with(3);
    let json = bench.eval(&format!("{fixed} --resume")).ends_with(3).json();
    assert_eq!((&json["kept"]["files"], &json["files"]), (&1.into(), &0.into()));
    bench.write("rows/b.parquet", damaged);
    let json = bench.eval(&format!("{fixed} --resume")).ends_with(0).json();
    assert_eq!((&json["kept"]["files"], &json["files"]), (&1.into(), &1.into()));
    assert_eq!(bench.listing("out"), ["a.parquet", "b.parquet"]);
}

#[test]
fn sources_left_out_of_the_corpus_are_recorded() {
    let bench = small();
    bench.write("damaged.parquet", b"PAR1");
    let fixed = "--corpus robots.parquet --agent GPTBot rows -o out --on-error skip";
    let command = || {
        let metadata = bench.table("out/a.parquet").metadata;
        metadata.into_iter().find(|(key, _)| key == "robosift.command").unwrap().1
    };
    bench.eval(fixed).ends_with(0);
    assert!(!command().contains("--on-error"), "{}", command());
    bench.eval(&format!("{fixed} --corpus damaged.parquet")).ends_with(3);
    assert!(command().ends_with("--on-error skip"), "{}", command());
}
