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

use common::real_files::load;
use common::w1::{AGENTS, Random, RealFile};
use robosift::compile::{BodyLimit, Compiler, GroupProgram, NameKind, Program, compile};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::matching::{best_of, prepare};
use robosift::parse::Dialect;
use robosift::text::origin::{Prefix, split};
use robosift::text::path::{PathTraits, RawPath, path_after_authority};

const RUNS: usize = 9;

/// A file and an agent: its group and the size of it.
struct Asked<'p> {
    group: Option<GroupProgram<'p>>,
    num_rules: usize,
    urls: &'p [Vec<u8>],
    /// The paths of the URLs, prepared.
    paths: &'p [Vec<u8>],
}

fn main() {
    let Some(files) = load() else {
        println!("skipped: the shared test data is absent");
        return;
    };
    let programs: Vec<Program> =
        files.iter().map(|f| compile(&f.body, &Dialect::RFC9309, BodyLimit::NONE)).collect();
    assert_verdicts(&files, &programs);
    let paths: Vec<Vec<Vec<u8>>> = files.iter().map(prepared_paths).collect();
    let asked = ask(&files, &paths, &programs);
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
        println!(
            "{name:<10} {urls:>8} questions  match {:>7.1} ns  whole URL {:>7.1} ns",
            paths_grouped(&chosen),
            urls_grouped(&chosen)
        );
    }
    let shuffled = shuffled(&asked);
    println!("shuffled   {num_urls:>8} questions  {shuffled:>32.1} ns");
    println!("parse + compile  {:>8.2} µs a file", build(&files));
    println!("500 wildcard rules, a path of 8 KiB: {:.2} ns an octet", many_wildcards());
}

fn ask<'p>(
    files: &'p [RealFile],
    paths: &'p [Vec<Vec<u8>>],
    programs: &'p [Program],
) -> Vec<Asked<'p>> {
    let files = files.iter().zip(paths).zip(programs);
    let pairs = files.flat_map(|file| AGENTS.map(|agent| (file, agent)));
    let asked = pairs.map(|(((file, paths), program), agent)| {
        let group = program
            .find(NameKind::Token, agent.as_bytes())
            .or_else(|| program.wildcard())
            .map(|group| program.group(group));
        let num_rules = group.map_or(0, |group| group.num_rules());
        Asked { group, num_rules, urls: &file.urls, paths }
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
    let Some((path, traits)) = path_of(url, &mut scratch.prefix) else { return 0 };
    let path = path.octets(&mut scratch.path);
    judge_path(group, prepare(path, traits, &Dialect::RFC9309, &mut scratch.normalised))
}

#[inline]
fn path_of<'u>(url: &'u [u8], prefix: &mut Prefix) -> Option<(RawPath<'u>, PathTraits)> {
    let rest = match prefix.rest_of(url) {
        Some(rest) => rest,
        None => {
            let parts = split(url)?;
            prefix.set(url, parts.rest);
            parts.rest
        }
    };
    let traits = PathTraits::of(rest);
    Some((path_after_authority(rest, traits), traits))
}

#[inline]
fn judge_path(group: Option<&GroupProgram<'_>>, path: &[u8]) -> u32 {
    group.and_then(|group| best_of(group, path, &mut ())).map_or(0, |rule| rule.line)
}

fn prepared_paths(file: &RealFile) -> Vec<Vec<u8>> {
    let paths = file.urls.iter().map(|url| {
        let (path, traits) = path_of(url, &mut Prefix::default()).unwrap();
        let mut normalised = Vec::new();
        prepare(path.octets(&mut Vec::new()), traits, &Dialect::RFC9309, &mut normalised).to_vec()
    });
    paths.collect()
}

fn assert_verdicts(files: &[RealFile], programs: &[Program]) {
    let mut scratch = Scratch::default();
    let paths: Vec<Vec<Vec<u8>>> = files.iter().map(prepared_paths).collect();
    for (file, asked) in files.iter().zip(ask(files, &paths, programs).chunks(AGENTS.len())) {
        let naive = NaiveRobots::parse(&file.body, NaiveDialect::Rfc9309);
        for (agent, asked) in AGENTS.iter().zip(asked) {
            for (url, path) in file.urls.iter().zip(asked.paths) {
                let answer = naive.judge(agent.as_bytes(), url);
                if answer.basis == "robots_txt" {
                    continue;
                }
                let line = judge(asked.group.as_ref(), url, &mut scratch);
                assert_eq!(line, answer.rule_line, "{agent} {}", String::from_utf8_lossy(url));
                assert_eq!(judge_path(asked.group.as_ref(), path), line);
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

fn paths_grouped(asked: &[&Asked<'_>]) -> f64 {
    time(asked.iter().map(|asked| asked.paths.len()).sum(), || {
        let mut sum = 0;
        for asked in asked {
            for path in asked.paths {
                sum += u64::from(judge_path(asked.group.as_ref(), path));
            }
        }
        sum
    })
}

fn urls_grouped(asked: &[&Asked<'_>]) -> f64 {
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
    let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT);
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
    assert_eq!(judge_path(Some(&group), &path), naive.judge_path(b"CCBot", &path).rule_line);
    time(OCTETS, || u64::from(judge_path(Some(&group), &path)))
}
