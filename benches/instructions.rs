//! Instructions of the hot paths, counted by callgrind: a slowdown shows without a clock.
//!
//! `cargo bench --bench instructions [-- --update]` counts every part and compares it with
//! `benches/instructions.toml`; a part that takes more than the tolerance above its expected count
//! fails the run. `--update` writes the table anew. Bodies and rows are made up, so that the counts
//! are those of any machine with the same instruction set and compiler. Needs valgrind.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]

mod common;

use std::collections::BTreeMap;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use common::asked::{Asked, CLASSES, ask, assert_verdicts, judge_all_paths, paths, programs};
use common::crawl::{AGENTS, Crawl, evaluate};
use common::matcher::{Scratch, path_of};
use common::w1::RealFile;
use robosift::compile::{BodyLimit, Compiler};
use robosift::parse::{Dialect, parse};
use robosift::workload::Workload;
use serde::{Deserialize, Serialize};

/// Percent above the expected count that a part may take.
const TOLERANCE: f64 = 3.0;

const HEAD: &str = "\
# Instructions that callgrind counts for each part: of a body, a URL or a row, in the optimised build.
# Written by `cargo bench --bench instructions -- --update`; another compiler or another set of vector
# instructions gives other counts.
";

/// The committed table.
#[derive(Default, Deserialize, Serialize)]
struct Table {
    /// Expected count of each part.
    instructions: BTreeMap<String, f64>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().position(|word| word == "--part") {
        Some(at) => run_part(&words[at + 1]),
        None => return compare(words.iter().any(|word| word == "--update")),
    }
    ExitCode::SUCCESS
}

/// The names of all parts.
fn part_names() -> Vec<String> {
    let classes = CLASSES.iter().map(|(class, _)| format!("match {class}"));
    let batches = [1, AGENTS.len()]
        .into_iter()
        .flat_map(|agents| ["grouped", "shuffled"].map(|order| format!("batch {agents} {order}")));
    ["parse", "parse + compile", "path of a URL"]
        .map(str::to_owned)
        .into_iter()
        .chain(classes)
        .chain(batches)
        .collect()
}

fn compare(update: bool) -> ExitCode {
    if Command::new("valgrind").arg("--version").output().is_err() {
        println!("instructions: skipped, valgrind is not installed");
        return ExitCode::SUCCESS;
    }
    let files = files();
    assert_verdicts(&files, &programs(&files));
    crawl().assert_verdicts();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.toml");
    let expected = std::fs::read_to_string(&path).map(|text| toml::from_str::<Table>(&text));
    let expected = expected.map_or_else(|_| Table::default(), Result::unwrap).instructions;
    let mut counted = Table::default();
    let mut too_many = 0;
    for part in part_names() {
        let count = count(&part);
        too_many += usize::from(!report(&part, count, expected.get(&part).copied()));
        counted.instructions.insert(part, (count * 10.0).round() / 10.0);
    }
    if update {
        std::fs::write(&path, format!("{HEAD}\n{}", toml::to_string(&counted).unwrap())).unwrap();
        println!("instructions: wrote {}", path.display());
    } else if too_many > 0 {
        println!("instructions: {too_many} parts take over {TOLERANCE}% more than expected");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Prints one part; false where it takes too many instructions.
fn report(part: &str, count: f64, expected: Option<f64>) -> bool {
    let change = expected.map(|expected| (count / expected - 1.0) * 100.0);
    let word = match change {
        None => "new: run with --update".to_owned(),
        Some(change) if change > TOLERANCE => format!("{change:+.1}% TOO MANY"),
        Some(change) if change < -TOLERANCE => format!("{change:+.1}%, fewer: run with --update"),
        Some(change) => format!("{change:+.1}%"),
    };
    println!("{part:<20} {count:>12.1} instructions  {word}");
    change.is_none_or(|change| change <= TOLERANCE)
}

/// Instructions for each body, URL or row of a part.
fn count(part: &str) -> f64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        // Only what this function does is counted, not the making of what it works on.
        .arg("--toggle-collect=*work_of_the_part*")
        .arg(executable())
        .args(["--part", part])
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let total = told.lines().find_map(|line| line.split_once("Collected :"));
    let total: f64 = total.unwrap().1.trim().parse().unwrap();
    let units: f64 = String::from_utf8_lossy(&output.stdout).trim().parse().unwrap();
    assert!(total > 0.0 && units > 0.0, "{part}: nothing was counted\n{told}");
    total / units
}

fn executable() -> PathBuf {
    std::env::current_exe().unwrap()
}

/// Every body of the pool of a made-up crawl, with questions. Oversized ones would outweigh all others.
fn files() -> Vec<RealFile> {
    let bodies = Workload::try_new(2_400, 2_400, 1).unwrap().bodies();
    let bodies = bodies.filter(|body| body.len() < 100_000).enumerate();
    bodies
        .map(|(seed, body)| RealFile::new(b"https://www.example.com", &body, seed as u64))
        .collect()
}

fn crawl() -> Crawl {
    Crawl::new(16_384, 400)
}

/// Under valgrind: prepares a part, prints how many bodies, URLs or rows it is, and does its work.
fn run_part(part: &str) {
    let words: Vec<&str> = part.split(' ').collect();
    match words.as_slice() {
        ["batch", agents, order] => run_batch(agents.parse().unwrap(), *order == "grouped"),
        ["match", ..] => run_match(part),
        ["path", ..] => run_path(),
        _ => run_body(part == "parse + compile"),
    }
}

fn run_body(compiled: bool) {
    let files = files();
    println!("{}", files.len());
    let parse_all =
        || files.iter().map(|file| parse(&file.body, &Dialect::RFC9309).rules.len()).sum();
    let compile_all = || {
        let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT);
        let programs = files.iter().map(|file| compiler.compile(&file.body));
        programs.map(|program| program.memory_usage()).sum()
    };
    work_of_the_part(if compiled { &compile_all } else { &parse_all });
}

fn run_path() {
    let files = files();
    println!("{}", files.iter().map(|file| file.urls.len()).sum::<usize>());
    work_of_the_part(&|| {
        let mut scratch = Scratch::default();
        let urls = files.iter().flat_map(|file| &file.urls);
        let mut len = |url| path_of(url, &Dialect::RFC9309, &mut scratch).map_or(0, <[u8]>::len);
        urls.map(|url| len(url)).sum()
    });
}

fn run_match(part: &str) {
    let files = files();
    let programs = programs(&files);
    let class = CLASSES.into_iter().find(|(class, _)| part.ends_with(&format!("match {class}")));
    let (_, class) = class.unwrap();
    let paths = paths(&files);
    let asked = ask(&files, &paths, &programs);
    let chosen: Vec<&Asked<'_>> = asked.iter().filter(|a| class.contains(&a.num_rules)).collect();
    println!("{}", chosen.iter().map(|asked| asked.urls.len()).sum::<usize>());
    work_of_the_part(&|| usize::try_from(judge_all_paths(chosen.iter().copied())).unwrap());
}

fn run_batch(agents: usize, grouped: bool) {
    let crawl = crawl();
    println!("{}", crawl.num_rows());
    let evaluator = crawl.evaluator(agents);
    let batches = if grouped { &crawl.grouped } else { &crawl.shuffled };
    work_of_the_part(&|| evaluate(&evaluator, batches).len());
}

/// The function that callgrind counts in, by its name.
#[inline(never)]
fn work_of_the_part(work: &dyn Fn() -> usize) {
    black_box(work());
}
