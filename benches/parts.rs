//! Each part by itself, with Criterion's statistics: parse, compile, match by size of the group, and
//! batches through the evaluator. Verdicts are asserted before anything is timed.
//!
//! `cargo bench --bench parts -- [FILTER]`; the real files are shared test data, batches are of a
//! made-up crawl.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]

mod common;

use std::hint::black_box;

use arrow::array::ArrayRef;
use common::asked::{Asked, CLASSES, ask, assert_verdicts, judge_all_paths, paths, programs};
use common::crawl::{AGENTS, Crawl, evaluate};
use common::real_files::load;
use common::w1::RealFile;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use robosift::compile::{BodyLimit, Compiler};
use robosift::parse::{Dialect, parse};

criterion_group!(parts, real_files, batches);
criterion_main!(parts);

fn real_files(criterion: &mut Criterion) {
    let Some(files) = load() else {
        println!("parse, compile, match: skipped, the shared test data is absent");
        return;
    };
    build(criterion, &files);
    match_groups(criterion, &files);
}

/// Octets of robots text a second.
fn build(criterion: &mut Criterion, files: &[RealFile]) {
    let octets: usize = files.iter().map(|file| file.body.len()).sum();
    let mut group = criterion.benchmark_group("body");
    group.sample_size(20).throughput(Throughput::Bytes(octets as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            files.iter().map(|file| parse(&file.body, &Dialect::RFC9309).rules.len()).sum::<usize>()
        });
    });
    group.bench_function("parse and compile", |bencher| {
        let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT);
        bencher.iter(|| {
            let programs = files.iter().map(|file| compiler.compile(&file.body));
            programs.map(|program| program.memory_usage()).sum::<usize>()
        });
    });
}

/// Paths a second, by the number of rules that apply.
fn match_groups(criterion: &mut Criterion, files: &[RealFile]) {
    let programs = programs(files);
    assert_verdicts(files, &programs);
    let paths = paths(files);
    let asked = ask(files, &paths, &programs);
    let mut group = criterion.benchmark_group("match");
    group.sample_size(20);
    for (name, class) in CLASSES {
        let chosen: Vec<&Asked<'_>> =
            asked.iter().filter(|a| class.contains(&a.num_rules)).collect();
        let urls: usize = chosen.iter().map(|asked| asked.urls.len()).sum();
        group.throughput(Throughput::Elements(urls as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| judge_all_paths(black_box(&chosen).iter().copied()));
        });
    }
}

/// Rows a second, in batches of 8,192.
fn batches(criterion: &mut Criterion) {
    let crawl = Crawl::new(131_072, 2_000);
    crawl.assert_verdicts();
    let mut group = criterion.benchmark_group("batch");
    group.sample_size(20).throughput(Throughput::Elements(crawl.num_rows()));
    let orders: [(&str, &[ArrayRef]); 2] =
        [("grouped", &crawl.grouped), ("shuffled", &crawl.shuffled)];
    for agents in [1, AGENTS.len()] {
        let evaluator = crawl.evaluator(agents);
        for (order, batches) in orders {
            group.bench_function(format!("agents {agents}, {order}"), |bencher| {
                bencher.iter(|| evaluate(&evaluator, batches));
            });
        }
    }
}
