//! Captures out of a made-up `.warc.gz`, and a corpus built of it, against inflating the same octets and no more.
//!
//! Every record has its gzip member, a request before each response; bodies have 300 octets to 10 KB, and one in seven
//! was not seen before. Inflating is done by flate2 (zlib-rs), which finds the members' ends, and by libdeflate, which is told them.
//! All is timed in turn on one thread, and the minima of the runs compared. `cargo bench --bench warc`
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench reports on stdout"
)]

use std::hint::black_box;
use std::io::{Read, Write};
use std::path::Path;
use std::time::Instant;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::warc::WarcReader;
use robosift::corpus::sources::{self, SourceOptions};
use robosift::corpus::{BuildReport, FolderBuild, FolderPlan};

const RUNS: usize = 5;
const SITES: usize = 100_000;

fn main() {
    let Made { file, members, num_octets, num_bodies } = made_file();
    let folder = std::env::temp_dir().join(format!("robosift-warc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("made.warc.gz");
    std::fs::write(&path, &file).unwrap();
    assert_eq!(inflate(&file), num_octets);
    assert_eq!(inflate_members(&file, &members), num_octets);
    assert_eq!(read(&file), (2 * SITES as u64, SITES as u64));
    let report = build(&path, &folder);
    assert_eq!((report.counts.captures, report.bodies), (SITES as u64, num_bodies));
    let [mut alone, mut fastest, mut whole, mut built] = [f64::INFINITY; 4];
    for _ in 0..RUNS {
        alone = alone.min(seconds(|| inflate(&file)));
        fastest = fastest.min(seconds(|| inflate_members(&file, &members)));
        whole = whole.min(seconds(|| read(&file)));
        built = built.min(seconds(|| build(&path, &folder)));
    }
    std::fs::remove_dir_all(&folder).unwrap();
    let rate = |seconds: f64| file.len() as f64 / seconds / 1e6;
    let size = file.len() as f64 / 1e6;
    println!("{} records, {size:.1} MB, {:.1} MB inflated", 2 * SITES, num_octets as f64 / 1e6);
    println!("warc, inflated by flate2 alone  {:.0} MB/s of compressed octets", rate(alone));
    println!("warc, all captures  {:.0} MB/s of compressed octets", rate(whole));
    println!("warc, inflated by libdeflate alone  {:.0} MB/s of compressed octets", rate(fastest));
    println!("warc, corpus built  {:.0} MB/s of compressed octets", rate(built));
    println!("warc, captures against libdeflate alone  {:.2} times as fast", fastest / whole);
    println!("warc, corpus against flate2 alone  {:.2} times as fast", alone / built);
    println!("warc, corpus against libdeflate alone  {:.2} times as fast", fastest / built);
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

/// A made-up file.
struct Made {
    file: Vec<u8>,
    /// Start, end and octets of each member.
    members: Vec<(usize, usize, usize)>,
    /// Its octets without compression.
    num_octets: usize,
    num_bodies: u64,
}

fn made_file() -> Made {
    let mut state = 7_u64;
    let mut random = move |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 16).unwrap() % limit
    };
    let (mut file, mut members, mut num_octets) = (Vec::new(), Vec::new(), 0);
    let mut bodies: Vec<String> = Vec::new();
    for site in 0..SITES {
        let host = format!("www.site{:06}.example", random(1_000_000));
        let request =
            format!("GET /robots.txt HTTP/1.1\r\nUser-Agent: made-up\r\nHost: {host}\r\n\r\n");
        let is_new = bodies.is_empty() || random(7) == 0;
        if is_new {
            bodies.push(body(&mut random));
        }
        // Some bodies are far more frequent than others.
        let newest = bodies.len() - 1;
        let below = random(newest + 1) + 1;
        let at = if is_new { newest } else { random(below) };
        let body = &bodies[at];
        let response = format!(
            "HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/plain; charset=utf-8\r\n\
             X-Crawl-Content-Encoding: gzip\r\nETag: \"{site:x}\"\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        for (kind, block) in [("request", request), ("response", response)] {
            let record = format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-11-30T12:{:02}:{:02}Z\r\n\
                 WARC-Record-ID: <urn:uuid:{:032x}>\r\nContent-Length: {}\r\n\
                 Content-Type: application/http; msgtype={kind}\r\nWARC-IP-Address: 192.0.2.{}\r\n\
                 WARC-Target-URI: https://{host}/robots.txt\r\n\
                 WARC-Payload-Digest: sha1:{:032X}\r\n\r\n{block}\r\n\r\n",
                random(60),
                random(60),
                random(usize::MAX),
                block.len(),
                random(256),
                random(usize::MAX)
            );
            num_octets += record.len();
            let start = file.len();
            let mut encoder = GzEncoder::new(&mut file, Compression::new(6));
            encoder.write_all(record.as_bytes()).unwrap();
            encoder.finish().unwrap();
            members.push((start, file.len(), record.len()));
        }
    }
    let num_bodies = bodies.iter().collect::<std::collections::HashSet<_>>().len() as u64;
    Made { file, members, num_octets, num_bodies }
}

/// Rules of made-up paths; small bodies are the most frequent.
fn body(random: &mut impl FnMut(usize) -> usize) -> String {
    const WORDS: [&str; 16] = [
        "wp-admin", "search", "cart", "checkout", "login", "account", "tag", "page", "feed", "api",
        "private", "tmp", "cgi-bin", "includes", "modules", "scripts",
    ];
    let len = 300 << random(6);
    let mut body = String::from("User-agent: *\n");
    while body.len() < len {
        let (one, other, number) = (WORDS[random(16)], WORDS[random(16)], random(10_000));
        match random(12) {
            0 => body.push_str(&format!("\nUser-agent: {one}bot\n")),
            1 => body.push_str(&format!("Allow: /{one}/{other}.php\n")),
            _ => body.push_str(&format!("Disallow: /{one}/{other}/{number}*\n")),
        }
    }
    body
}
