//! Match only, programs ready: nanoseconds a URL over W1 by size of the applied group, grouped by
//! file and shuffled; and parse + compile by file. Every verdict is asserted against the naive
//! matcher before anything is timed.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "figures are rounded")]

mod common;

use std::hint::black_box;
use std::time::Instant;

use common::real_files::load;
use common::w1::{AGENTS, Random, RealFile};
use robosift::compile::{BodyLimit, GroupProgram, NameKind, Program, compile};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::matching::{best_of, prepare};
use robosift::parse::Dialect;
use robosift::text::origin::{Prefix, split};
use robosift::text::path::{PathTraits, path_after_authority};

const RUNS: usize = 9;

/// A file and an agent: its group and the size of it.
struct Asked<'p> {
    group: Option<GroupProgram<'p>>,
    num_rules: usize,
    urls: &'p [Vec<u8>],
}

fn main() {
    let Some(files) = load() else {
        println!("skipped: the shared test data is absent");
        return;
    };
    let programs: Vec<Program> =
        files.iter().map(|f| compile(&f.body, &Dialect::RFC9309, BodyLimit::NONE)).collect();
    assert_verdicts(&files, &programs);
    let asked = ask(&files, &programs);
    let num_urls: usize = asked.iter().map(|asked| asked.urls.len()).sum();
    let octets: usize = files.iter().flat_map(|file| &file.urls).map(Vec::len).sum();
    println!(
        "W1: {} files, {num_urls} questions, mean URL {} octets",
        files.len(),
        octets * 3 / num_urls
    );
    let classes: [(&str, std::ops::Range<usize>); 6] = [
        ("no rule", 0..1),
        ("1-8", 1..9),
        ("9-64", 9..65),
        ("65-512", 65..513),
        ("over 512", 513..usize::MAX),
        ("all", 0..usize::MAX),
    ];
    for (name, class) in classes {
        let chosen: Vec<&Asked<'_>> =
            asked.iter().filter(|a| class.contains(&a.num_rules)).collect();
        let urls: usize = chosen.iter().map(|asked| asked.urls.len()).sum();
        println!("match {name:<10} {:>8} questions  {:>7.1} ns a URL", urls, grouped(&chosen));
    }
    println!("match shuffled   {:>8} questions  {:>7.1} ns a URL", num_urls, shuffled(&asked));
    println!("parse + compile  {:>8.2} µs a file", build(&files));
}

fn ask<'p>(files: &'p [RealFile], programs: &'p [Program]) -> Vec<Asked<'p>> {
    let pairs = files.iter().zip(programs).flat_map(|pair| AGENTS.map(|agent| (pair, agent)));
    let asked = pairs.map(|((file, program), agent)| {
        let group = program
            .find(NameKind::Token, agent.as_bytes())
            .or_else(|| program.wildcard())
            .map(|group| program.group(group));
        let num_rules = group.map_or(0, |group| group.num_rules());
        Asked { group, num_rules, urls: &file.urls }
    });
    asked.collect()
}

/// What stays between questions: the origin of the last one, and buffers.
#[derive(Default)]
struct Scratch {
    prefix: Prefix,
    path: Vec<u8>,
    normalised: Vec<u8>,
}

/// The line of the deciding rule, 0 for none.
#[inline]
fn judge(group: Option<&GroupProgram<'_>>, url: &[u8], scratch: &mut Scratch) -> u32 {
    let rest = match scratch.prefix.rest_of(url) {
        Some(rest) => rest,
        None => {
            let Some(parts) = split(url) else { return 0 };
            scratch.prefix.set(url, parts.rest);
            parts.rest
        }
    };
    let traits = PathTraits::of(rest);
    let path = path_after_authority(rest, traits).octets(&mut scratch.path);
    let path = prepare(path, traits, &Dialect::RFC9309, &mut scratch.normalised);
    group.and_then(|group| best_of(group, path, &mut ())).map_or(0, |rule| rule.line)
}

fn assert_verdicts(files: &[RealFile], programs: &[Program]) {
    let mut scratch = Scratch::default();
    for (file, asked) in files.iter().zip(ask(files, programs).chunks(AGENTS.len())) {
        let naive = NaiveRobots::parse(&file.body, NaiveDialect::Rfc9309);
        for (agent, asked) in AGENTS.iter().zip(asked) {
            for url in &file.urls {
                let answer = naive.judge(agent.as_bytes(), url);
                if answer.basis == "robots_txt" {
                    continue;
                }
                let line = judge(asked.group.as_ref(), url, &mut scratch);
                assert_eq!(line, answer.rule_line, "{agent} {}", String::from_utf8_lossy(url));
            }
        }
    }
}

fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

fn time(questions: usize, mut work: impl FnMut() -> u64) -> f64 {
    black_box(work());
    let runs = (0..RUNS).map(|_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed().as_nanos() as f64 / questions.max(1) as f64
    });
    median(runs.collect())
}

fn grouped(asked: &[&Asked<'_>]) -> f64 {
    let mut scratch = Scratch::default();
    time(asked.iter().map(|asked| asked.urls.len()).sum(), || {
        let mut sum = 0;
        for asked in asked {
            for url in asked.urls {
                sum += u64::from(judge(asked.group.as_ref(), url, &mut scratch));
            }
        }
        sum
    })
}

fn shuffled(asked: &[Asked<'_>]) -> f64 {
    let mut questions: Vec<(&Asked<'_>, &[u8])> = asked
        .iter()
        .flat_map(|asked| asked.urls.iter().map(move |url| (asked, url.as_slice())))
        .collect();
    let mut random = Random(7);
    for at in (1..questions.len()).rev() {
        questions.swap(at, random.below(at + 1));
    }
    let mut scratch = Scratch::default();
    time(questions.len(), || {
        let lines =
            questions.iter().map(|(asked, url)| judge(asked.group.as_ref(), url, &mut scratch));
        lines.map(u64::from).sum()
    })
}

/// Microseconds a file.
fn build(files: &[RealFile]) -> f64 {
    let work = || {
        let programs =
            files.iter().map(|f| compile(&f.body, &Dialect::RFC9309, BodyLimit::DEFAULT));
        programs.map(|program| program.memory_usage() as u64).sum()
    };
    time(files.len(), work) / 1000.0
}
