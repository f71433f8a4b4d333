//! Memory in flight is bounded, whatever the size of a row group; equal bodies are held once.

use crate::cli::{Bench, strings};
use crate::{FIXED, bench};
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs the binary and returns the most memory it held, in KiB, as the kernel counts.
fn peak_kib(folder: &std::path::Path, arguments: &str) -> u64 {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robosift"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        peak = peak.max(kib.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    peak
}

#[test]
fn br160_br161_a_row_group_larger_than_the_bound() {
    let bench = bench();
    let rows = 100_000;
    let tail = "z".repeat(2_000);
    let urls: Vec<String> = (0..rows).map(|n| format!("https://a.example/{n}/{tail}")).collect();
    let column = strings(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_compression(Compression::ZSTD(Default::default()));
    bench.parquet_with("rows.parquet", vec![("url", column)], properties);
    assert_eq!(bench.table("rows.parquet").row_groups, [rows]);
    let arguments = format!("eval {FIXED} --memory 32MiB --threads 2 rows.parquet -o out.parquet");
    let peak = peak_kib(&bench.path(""), &arguments);
    assert_eq!(bench.table("out.parquet").num_rows(), rows);
    println!("peak {peak} KiB for 200 MB of URLs in one row group");
    assert!(peak > 0 && peak < 150 * 1024, "{peak} KiB");
}

#[test]
fn br215_a_body_repeated_in_thousands_of_captures_is_held_once() {
    let bench = Bench::new();
    let body = format!("User-agent: *\nDisallow: /x\n#{}\n", "z".repeat(100_000));
    let origins: Vec<String> = (0..2_000).map(|n| format!("https://h{n}.example")).collect();
    let urls: Vec<String> = origins.iter().map(|origin| format!("{origin}/x")).collect();
    let bodies = strings(&vec![body.as_str(); origins.len()]);
    let texts = |all: &[String]| strings(&all.iter().map(String::as_str).collect::<Vec<_>>());
    bench.parquet("robots.parquet", vec![("origin", texts(&origins)), ("body", bodies)]);
    bench.parquet("rows.parquet", vec![("url", texts(&urls))]);
    let arguments = format!("eval {FIXED} --threads 2 rows.parquet -o out.parquet");
    let peak = peak_kib(&bench.path(""), &arguments);
    assert_eq!(bench.table("out.parquet").allowed(), vec![Some(false); origins.len()]);
    println!("peak {peak} KiB for 200 MB of equal bodies");
    assert!(peak > 0 && peak < 150 * 1024, "{peak} KiB");
}
