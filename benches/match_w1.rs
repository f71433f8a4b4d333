//! Match only, programs ready: nanoseconds a URL over W1 by size of the applied group, grouped by
//! file and shuffled; parse + compile by file; and many wildcard rules against a long path. Every
//! verdict is asserted against the naive matcher before anything is timed.
//!
//! `match` is the step from a path to the deciding rule; `whole URL` finds and normalises the path
//! first.
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

use common::asked::{
    Asked, CLASSES, ask, assert_verdicts, judge, judge_all, judge_all_paths, paths, programs,
};
use common::matcher::Scratch;
use common::median::median;
use common::real_files::load;
use common::w1::{AGENTS, Random, RealFile};
use robosift::compile::{BodyLimit, Compiler, NameKind, Wanted, compile};
use robosift::matching::best_of;
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::{Dialect, parse_groups};

const RUNS: usize = 9;

fn main() {
    let Some(files) = load() else {
        println!("skipped: the shared test data is absent");
        return;
    };
    let programs = programs(&files);
    assert_verdicts(&files, &programs);
    let paths = paths(&files);
    let asked = ask(&files, &paths, &programs);
    let num_urls: usize = asked.iter().map(|asked| asked.urls.len()).sum();
    let octets: usize = files.iter().flat_map(|file| &file.urls).map(Vec::len).sum();
    println!(
        "W1: {} files, {num_urls} questions, mean URL {} octets",
        files.len(),
        octets * 3 / num_urls
    );
    for (name, class) in CLASSES.into_iter().chain([("all", 0..usize::MAX)]) {
        let chosen: Vec<&Asked<'_>> =
            asked.iter().filter(|a| class.contains(&a.num_rules)).collect();
        let urls: usize = chosen.iter().map(|asked| asked.urls.len()).sum();
        let of_paths = time(urls, || judge_all_paths(chosen.iter().copied()));
        let of_urls = time(urls, || judge_all(chosen.iter().copied()));
        println!("match {name}, {urls} questions  {of_paths:.1} ns, whole URL {of_urls:.1} ns");
    }
    println!("match all, shuffled, whole URL  {:.1} ns", shuffled(&asked));
    println!("parse  {:.2} µs a file", parse_all(&files));
    println!("parse + compile  {:.2} µs a file", build(&files, Wanted::All));
    let wanted = Wanted::only(AGENTS.map(|agent| (NameKind::Token, agent)));
    println!("parse + compile, three agents wanted  {:.2} µs a file", build(&files, wanted));
    println!("500 wildcard rules, a path of 8 KiB  {:.2} ns an octet", many_wildcards());
}

/// Nanoseconds a question.
fn time(questions: usize, mut work: impl FnMut() -> u64) -> f64 {
    black_box(work());
    let runs = (0..RUNS).map(|_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed().as_nanos() as f64 / questions.max(1) as f64
    });
    median(runs.collect())
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
fn parse_all(files: &[RealFile]) -> f64 {
    let work = || {
        let bodies = files.iter().map(|file| parse_groups(&file.body, &Dialect::RFC9309));
        bodies.map(|robots| robots.rules.len() as u64).sum()
    };
    time(files.len(), work) / 1000.0
}

/// Microseconds a file.
fn build(files: &[RealFile], wanted: Wanted) -> f64 {
    let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT).with_wanted(wanted);
    let work = || {
        let programs = files.iter().map(|file| compiler.compile(&file.body));
        programs.map(|program| program.memory_usage() as u64).sum()
    };
    time(files.len(), work) / 1000.0
}

/// Nanoseconds an octet of a path of 8 KiB that half of 500 wildcard rules nearly match.
fn many_wildcards() -> f64 {
    const OCTETS: usize = 8 << 10;
    let rule = |at: usize| match at % 2 {
        0 => format!("Disallow: /*/part{at}*.html$\n"),
        _ => format!("Disallow: /*section-{at}/*?id=\n"),
    };
    let body: String = (0..500).map(rule).collect();
    let body = format!("User-agent: *\n{body}").into_bytes();
    let program = compile(&body, &Dialect::RFC9309, BodyLimit::NONE);
    let mut random = Random(3);
    let mut path = Vec::new();
    while path.len() < OCTETS {
        path.extend(format!("/part{}/section{}", random.below(1_000), random.below(500)).bytes());
    }
    path.truncate(OCTETS);
    let naive = NaiveRobots::parse(&body, NaiveDialect::Rfc9309);
    let group = program.group(program.wildcard().unwrap());
    let line = |path| best_of(&group, path, &mut ()).map_or(0, |rule| rule.line);
    assert_eq!(line(&path), naive.judge_path(b"CCBot", &path).rule_line);
    time(OCTETS, || u64::from(line(&path)))
}
