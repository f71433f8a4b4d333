//! robosift against other matchers on W1: 60 URLs for each of the shared real robots files and three agents.
//!
//! `cargo run --release --manifest-path benches/peers/Cargo.toml -- [--quick] [--runs N] [--python PATH]`
//!
//! Parsing is done once a file where the matcher's interface permits. The matchers run in turn, so that a
//! busy moment of the machine hits all of them. What is right is said by the plain matcher of robosift in
//! its Google dialect; where the bindings of Google's own are installed, every one of its verdicts is
//! asserted to be the same.

mod files;
mod google;
mod measure;
mod ours;
mod peers;
mod table;

#[path = "../../common/matcher.rs"]
#[expect(dead_code, reason = "other benches use the rest")]
mod matcher;
#[path = "../../common/median.rs"]
mod median;
#[path = "../../common/real_files.rs"]
mod real_files;
#[path = "../../common/w1.rs"]
mod w1;

use std::path::PathBuf;
use std::process::ExitCode;

use files::{File, load, reference};
use measure::{Entry, prepare};
use table::{Line, print_lines, print_targets};

const USAGE: &str = "usage: robosift-peers [--quick] [--runs N] [--python PATH]
  --quick        every eighth file, 3 runs
  --runs N       how often each matcher runs; figures are medians (5)
  --python PATH  a Python with the packages of benches/peers/requirements.txt, for Google's matcher";

/// What was typed.
struct Options {
    every: usize,
    runs: usize,
    python: Option<PathBuf>,
}

impl Options {
    fn parse() -> Result<Self, String> {
        let mut options = Options { every: 1, runs: 5, python: None };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--quick" => (options.every, options.runs) = (8, 3),
                "--runs" => options.runs = value()?.parse().map_err(|_| "--runs needs a number")?,
                "--python" => options.python = Some(value()?.into()),
                _ => return Err(format!("unknown argument {word}")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match Options::parse() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let Some(files) = load(options.every) else {
        println!("peers: skipped, the shared test data is absent");
        return ExitCode::SUCCESS;
    };
    let right = reference(&files);
    println!("{} files, {} rows", files.len(), right.len());
    let mut lines = measure(&mut entries(&files), &right, options.runs);
    match &options.python {
        None => println!("bindings of Google's C++: skipped, no --python given"),
        Some(python) => lines.extend(google::measure(python, &files, &right, options.runs)),
    }
    print_lines(&lines);
    print_targets(&lines);
    ExitCode::SUCCESS
}

fn entries(files: &[File]) -> Vec<Entry<'_>> {
    vec![
        prepare::<ours::Rfc9309>(files),
        prepare::<ours::Google>(files),
        prepare::<ours::Paths>(files),
        prepare::<peers::FastRobots>(files),
        prepare::<peers::FastRobotsCompiled>(files),
        prepare::<peers::Robotxt>(files),
        prepare::<peers::TextingRobots>(files),
        prepare::<peers::Robotstxt>(files),
        #[cfg(feature = "spider")]
        prepare::<peers::Spider>(files),
    ]
}

/// # Panics
/// Where robosift's own Google dialect is not exact.
fn measure(entries: &mut [Entry<'_>], right: &[bool], runs: usize) -> Vec<Line> {
    for _ in 0..runs {
        entries.iter_mut().for_each(Entry::run);
    }
    let lines: Vec<Line> = entries.iter().map(|entry| entry.line(right)).collect();
    let is_exact = |line: &Line| line.name != ours::GOOGLE || line.agreement == 1.0;
    assert!(lines.iter().all(is_exact), "robosift is not exact in its Google dialect");
    lines
}
