//! A corpus of made-up captures streamed into a build, nothing of them kept: time, memory, size on disk, time to open.
//!
//! `cargo bench --bench corpus_scale -- ORIGINS CAPTURES_EACH MEMORY_MIB FOLDER`. Each source is one crawl of the same origins,
//! a month after the one before, on a thread of its own; nearly all of its bodies were seen before. Making up the captures is timed
//! by itself, so that it can be told from building. The corpus stays in FOLDER.
#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench reports on stdout"
)]

mod common;

use std::path::{Path, PathBuf};
use std::time::Instant;

use common::{crawl, scale};
use robosift::corpus::{Corpus, Policy};
use robosift::parse::Dialect;
use robosift::workload::Workload;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [origins, each, memory, folder] = arguments.as_slice() else {
        // Without arguments a size that shows that it works.
        let folder = std::env::temp_dir().join("robosift-corpus-scale");
        std::fs::create_dir_all(&folder).unwrap();
        return run(20_000, 4, 64 << 20, &folder);
    };
    let number = |text: &String| text.parse::<u64>().unwrap();
    let memory = usize::try_from(number(memory)).unwrap() << 20;
    run(number(origins), u32::try_from(number(each)).unwrap(), memory, Path::new(folder));
}

fn run(origins: u64, each: u32, memory: usize, folder: &Path) {
    let output = folder.join("scale.corpus");
    let _ = std::fs::remove_dir_all(&output);
    let workload = Workload::try_new(origins, origins, 1).unwrap();
    let started = Instant::now();
    let made: u64 =
        workload.robots_batches().map(|batch| crawl::captures(&batch).len() as u64).sum();
    let seconds_to_make = started.elapsed().as_secs_f64() * f64::from(each);
    let started = Instant::now();
    let (report, read) = scale::build(&workload, each, memory, &output);
    let built = started.elapsed().as_secs_f64();
    assert_eq!(report.counts.captures, made * u64::from(each));
    let on_disk = size(&output);
    println!(
        "scale, captures  {} of {} origins, {} distinct bodies ({:.1}% seen before)",
        report.counts.captures,
        report.origins,
        report.bodies,
        100.0 - 100.0 * report.bodies as f64 / report.counts.captures as f64
    );
    println!("scale, making up captures alone  {seconds_to_make:.1} s of one core");
    println!("scale, build  {built:.1} s ({read:.1} s of it reading and sorting, with making up)");
    println!("scale, peak memory  {} MiB of {} allowed", peak_mib(), memory >> 20);
    println!(
        "scale, size  {on_disk} octets, {:.0} an origin",
        on_disk as f64 / report.origins as f64
    );
    open(&output);
}

/// Opens the corpus and asks it once.
fn open(path: &Path) {
    let mut seconds = Vec::new();
    for _ in 0..9 {
        let started = Instant::now();
        let corpus = Corpus::open(path, &Dialect::RFC9309).unwrap();
        seconds.push(started.elapsed().as_secs_f64());
        let last = corpus.origins().last().unwrap();
        let found = corpus.find(corpus.origin_octets(last));
        assert_eq!(found, Some(last));
        let _ = corpus.latest(last, &Policy::RFC9309);
        corpus.check().unwrap();
    }
    println!("scale, open  {:.2} ms at first, then", seconds[0] * 1e3);
    seconds.sort_by(f64::total_cmp);
    println!("scale, open  {:.2} ms (median of 9)", seconds[4] * 1e3);
}

fn size(folder: &Path) -> u64 {
    let files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.iter().map(|file| file.metadata().unwrap().len()).sum()
}

/// The most memory that the process had, where the system tells.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) / 1024
}
