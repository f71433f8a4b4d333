//! WARC files given to the binary as `--corpus`.

use robosift::corpus::sources::{self, SourceOptions, SourceReport};
use robosift::corpus::{CaptureSink, CorpusError, RawCapture};

use crate::cli::Bench;
use crate::made::{about, gzip, members, ok, record, response};

const ROWS: &str = "--agent GPTBot rows.parquet";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.urls(
        "rows.parquet",
        &["https://a.example/x", "https://b.example/x", "https://c.example/x"],
    );
    bench
}

/// One site refuses, one has no robots.txt, one refers to another site's.
fn records() -> Vec<Vec<u8>> {
    let url = |host: &str| format!("https://{host}.example/robots.txt");
    let moved = format!("HTTP/1.1 301 Moved\r\nLocation: {}\r\n\r\n", url("a"));
    vec![
        record("warcinfo", &[], "software: x"),
        record("request", &about(&url("a")), "GET /robots.txt HTTP/1.1\r\n\r\n"),
        response(&url("a"), ok("", "User-agent: *\nDisallow: /x\n")),
        response(&url("b"), "HTTP/1.1 404 Not Found\r\n\r\nUser-agent: *\nDisallow: /\n"),
        response(&url("c"), moved),
    ]
}

#[test]
fn a_warc_of_any_name_and_compression_is_a_corpus() {
    let bench = bench();
    let records = records();
    bench.write("r.warc", records.concat());
    bench.write("r.warc.gz", members(&records));
    bench.write("all.warc.gz", gzip(records.concat()));
    bench.write("r.warc.zst", zstd::encode_all(records.concat().as_slice(), 1).unwrap());
    bench.write("wrongly-named.warc", members(&records));
    bench.write("dump", records.concat());
    bench.write("dump.gz", members(&records));
    bench.write("folder/one.warc.gz", members(&records));
    for name in [
        "r.warc",
        "r.warc.gz",
        "all.warc.gz",
        "r.warc.zst",
        "wrongly-named.warc",
        "dump",
        "dump.gz",
        "folder",
    ] {
        let table = bench.verdicts(&format!("--corpus {name} {ROWS}"));
        assert_eq!(table.allowed(), [Some(false), Some(true), Some(false)], "{name}");
        assert_eq!(table.bases(), ["rule", "unavailable", "rule"], "{name}");
    }
}

#[test]
fn a_damaged_warc_stops_or_is_skipped() {
    let bench = bench();
    let parts: Vec<_> = records().iter().map(gzip).collect();
    let mut spoilt = parts.clone();
    let middle = spoilt[2].len() / 2;
    spoilt[2][middle] ^= 0xFF;
    bench.write("r.warc.gz", spoilt.concat());
    let offset = format!("offset {}", parts[0].len() + parts[1].len());
    let stopped = bench.eval(&format!("--corpus r.warc.gz {ROWS} -o out.parquet")).ends_with(4);
    stopped.says(&["r.warc.gz", &offset]);
    assert!(!bench.exists("out.parquet"));
    let skipped = bench.eval(&format!("--corpus r.warc.gz --on-error skip {ROWS} -o out.parquet"));
    skipped.ends_with(3).says(&[&offset]);
    let bases = bench.table("out.parquet").bases();
    assert_eq!(bases, ["no_capture", "unavailable", "redirect_unresolved"]);
}

#[test]
fn what_a_user_should_know_is_said() {
    let bench = bench();
    let mut records = records();
    let truncated =
        [&about("https://d.example/robots.txt")[..], &[("WARC-Truncated", "length")]].concat();
    records.push(record("response", &truncated, ok("", "User-agent: *\n")));
    records.push(record("revisit", &about("https://e.example/robots.txt"), ""));
    records.push(response("https://f.example/robots.txt", "nonsense"));
    bench.write("r.warc.gz", members(&records));
    let run = bench.eval(&format!("--corpus r.warc.gz {ROWS} -o out.parquet")).ends_with(0);
    run.says(&[
        "1 revisit of a body",
        "1 bodies are truncated",
        "1 responses with an unreadable head",
    ]);
}

/// Takes captures with bodies of their own, as sinks outside of the library do.
#[derive(Default)]
struct Owned(Vec<RawCapture>);

impl CaptureSink for Owned {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        self.0.push(capture);
        Ok(())
    }

    fn num_without_status(&self) -> u64 {
        0
    }
}

#[test]
fn a_body_that_is_lent_comes_as_its_own_where_a_sink_takes_no_other() {
    let bench = bench();
    bench.write("r.warc.gz", members(&records()));
    let (mut owned, mut report) = (Owned::default(), SourceReport::default());
    let options = SourceOptions::default();
    sources::load(&bench.path("r.warc.gz"), &options, &mut owned, &mut report).unwrap();
    let bodies = owned.0.iter().map(|capture| capture.body.as_deref().unwrap());
    let expected = ["User-agent: *\nDisallow: /x\n", "User-agent: *\nDisallow: /\n", ""];
    assert_eq!(bodies.collect::<Vec<_>>(), expected.map(str::as_bytes));
}
