//! Captures out of made-up `.warc.gz` files, and corpora built of them, against inflating the same octets and no more.
//!
//! Inflating is done by flate2 (zlib-rs), which finds the members' ends, and by libdeflate, which is told them. All is timed in
//! turn on one thread, in CPU time, and the minima of the runs compared.
//!
//! `cargo bench --bench warc -- [repeated | crawl] [build]`: one kind of file, or both; `build` leaves the rest out.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a bench reports on stdout"
)]

mod made;

use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use flate2::bufread::MultiGzDecoder;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::warc::WarcReader;
use robosift::corpus::sources::{self, SourceOptions};
use robosift::corpus::{BuildReport, FolderBuild, FolderPlan};

use made::{Made, SITES, Shape};

/// The binary's.
#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS: usize = 5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let shapes = [("repeated", Shape::Repeated), ("crawl", Shape::Crawl)];
    let is_any = shapes.iter().any(|(name, _)| has(name));
    for (name, shape) in shapes.into_iter().filter(|(name, _)| !is_any || has(name)) {
        run(name, &Made::new(shape), has("build"));
    }
}

fn run(name: &str, made: &Made, only_build: bool) {
    let Made { file, members, num_octets, num_bodies } = made;
    let folder = std::env::temp_dir().join(format!("robosift-warc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("made.warc.gz");
    std::fs::write(&path, file).unwrap();
    assert_eq!(inflate(file), *num_octets);
    assert_eq!(inflate_members(file, members), *num_octets);
    assert_eq!(read(file), (2 * SITES as u64, SITES as u64));
    let report = build(&path, &folder);
    assert_eq!((report.counts.captures, report.bodies), (SITES as u64, *num_bodies));
    let [mut alone, mut fastest, mut whole, mut built] = [f64::INFINITY; 4];
    for _ in 0..RUNS {
        if !only_build {
            alone = alone.min(seconds(|| inflate(file)));
            fastest = fastest.min(seconds(|| inflate_members(file, members)));
            whole = whole.min(seconds(|| read(file)));
        }
        built = built.min(seconds(|| build(&path, &folder)));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let rate = |seconds: f64| file.len() as f64 / seconds / 1e6;
    println!(
        "{name}: {} records, {:.1} MB, {:.1} MB inflated; {num_bodies} distinct bodies; a corpus of {:.1} MB",
        2 * SITES,
        file.len() as f64 / 1e6,
        *num_octets as f64 / 1e6,
        report.octets as f64 / 1e6
    );
    println!("{name}, corpus built  {:.1} MB/s of compressed octets", rate(built));
    if only_build {
        return;
    }
    println!("{name}, inflated by flate2 alone  {:.0} MB/s of compressed octets", rate(alone));
    println!(
        "{name}, inflated by libdeflate alone  {:.0} MB/s of compressed octets",
        rate(fastest)
    );
    println!("{name}, all captures  {:.0} MB/s of compressed octets", rate(whole));
    println!("{name}, captures against libdeflate alone  {:.2} times as fast", fastest / whole);
    println!("{name}, corpus against flate2 alone  {:.2} times as fast", alone / built);
    println!("{name}, corpus against libdeflate alone  {:.2} times as fast", fastest / built);
}

/// CPU seconds of this process, all threads; wall time where the system does not tell.
fn seconds<T>(work: impl FnOnce() -> T) -> f64 {
    let (start, cpu) = (Instant::now(), cpu_seconds());
    black_box(work());
    match cpu.zip(cpu_seconds()) {
        Some((before, after)) if after > before => after - before,
        _ => start.elapsed().as_secs_f64(),
    }
}

/// From `/proc/self/stat`, in hundredths of a second.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: u64 = fields.get(11..13)?.iter().filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Some(ticks as f64 / 100.0)
}

fn inflate(file: &[u8]) -> usize {
    let mut decoder = MultiGzDecoder::new(file);
    let mut buffer = vec![0; 256 << 10];
    let mut num_octets = 0;
    loop {
        match decoder.read(&mut buffer).unwrap() {
            0 => return num_octets,
            read => num_octets += read,
        }
    }
}

/// Each member by itself, by the fastest inflate there is, which is told where it ends.
fn inflate_members(file: &[u8], members: &[(usize, usize, usize)]) -> usize {
    let mut decompressor = libdeflater::Decompressor::new();
    let mut buffer = Vec::new();
    let sizes = members.iter().map(|&(start, end, len)| {
        buffer.resize(len, 0);
        decompressor.gzip_decompress(&file[start..end], &mut buffer).unwrap()
    });
    sizes.sum()
}

/// A corpus of the file, on one thread.
fn build(path: &Path, folder: &Path) -> BuildReport {
    let output = folder.join("made.corpus");
    let _ = std::fs::remove_dir_all(&output);
    let files = sources::list(path).unwrap();
    let plan = FolderPlan {
        output,
        sources: sources::number(&files).1,
        limit: BodyLimit::DEFAULT,
        texts: true,
        memory: 2 << 30,
        threads: 1,
        origin_of_captures: String::new(),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let build = FolderBuild::begin(plan, false).unwrap();
        sources::feed(&build, &files, &SourceOptions::default(), &()).unwrap();
        build.finish().unwrap()
    })
}

/// Records and captures.
fn read(file: &[u8]) -> (u64, u64) {
    let mut reader = WarcReader::new(file).unwrap();
    while let Some(capture) = reader.next_capture() {
        assert!(black_box(capture.unwrap()).body.is_some());
    }
    (reader.counts().records, reader.counts().captures)
}
