//! Damaged sources of captures: named with their place, fatal by default, counted when they are to be skipped.

use crate::cli::{Bench, Run, robots};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

const GOOD: &str =
    "{\"origin\":\"https://a.example\",\"body\":\"User-agent: *\\nDisallow: /x\",\"status\":200}\n";
const ROWS: &str = "--agent GPTBot rows.parquet -o out.parquet";

fn bench() -> Bench {
    let bench = Bench::new();
    bench.urls("rows.parquet", &["https://a.example/x", "https://b.example/x"]);
    bench.robots("good.parquet", &[robots("https://b.example", "User-agent: *\nDisallow: /x")]);
    bench
}

/// Fails with 4 and leaves nothing; with `--on-error skip` ends with 3, tells what was skipped, and
/// answers from what remains. Returns the run that failed.
#[track_caller]
fn check(bench: &Bench, corpus: &str, words: &[&str]) -> Run {
    let failed = bench
        .eval(&format!("--corpus {corpus} --corpus good.parquet {ROWS}"))
        .ends_with(4)
        .says(words);
    assert!(!bench.exists("out.parquet"));
    let fixed = format!("--corpus {corpus} --corpus good.parquet --on-error skip {ROWS}");
    let skipped = bench.eval(&format!("{fixed} --json")).ends_with(3).says(words);
    let json = skipped.json();
    assert_eq!(json["corpus"]["skipped"].as_array().unwrap().len(), 1, "{json}");
    assert_eq!(bench.table("out.parquet").bases()[1], "rule");
    bench.eval(&fixed).ends_with(3).says(&["skipped"]);
    failed
}

#[test]
fn a_line_that_is_no_json_names_file_and_line() {
    let bench = bench();
    bench.write("bad.jsonl", format!("{GOOD}{{\"origin\": \"https://c.exa\n{GOOD}"));
    check(&bench, "bad.jsonl", &["bad.jsonl", "line 2"]);
    assert_eq!(bench.table("out.parquet").bases()[0], "rule", "the lines around it count");
}

#[test]
fn lines_of_wrong_types_name_file_and_line() {
    let wrong = [
        "[1,2]",
        "17",
        "{\"origin\":5,\"body\":\"\"}",
        "{\"origin\":\"https://c.example\",\"body\":[]}",
        "{\"origin\":\"https://c.example\",\"body\":\"\",\"status\":\"ok\"}",
        "{\"body\":\"\"}",
    ];
    for line in wrong {
        let bench = bench();
        bench.write("bad.jsonl", format!("{GOOD}\n{line}\n{GOOD}"));
        check(&bench, "bad.jsonl", &["bad.jsonl", "line 3"]);
    }
}

#[test]
fn a_line_that_is_no_utf8_names_file_and_line() {
    let bench = bench();
    bench.write(
        "bad.jsonl",
        [GOOD.as_bytes(), b"{\"origin\":\"https://c.example\",\"body\":\"\xE9\"}\n"].concat(),
    );
    check(&bench, "bad.jsonl", &["bad.jsonl", "line 2"]);
}

#[test]
fn a_gzip_cut_short_or_corrupt_is_named() {
    let bench = bench();
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    (0..2_000).for_each(|_| encoder.write_all(GOOD.as_bytes()).unwrap());
    let whole = encoder.finish().unwrap();
    bench.write("cut.jsonl.gz", &whole[..whole.len() / 2]);
    check(&bench, "cut.jsonl.gz", &["cut.jsonl.gz"]);
    let bench = self::bench();
    let mut wrong_sum = whole.clone();
    let at = wrong_sum.len() - 8;
    wrong_sum[at] ^= 1;
    bench.write("sum.jsonl.gz", &wrong_sum);
    check(&bench, "sum.jsonl.gz", &["sum.jsonl.gz"]);
    let bench = self::bench();
    bench.write("text.jsonl.gz", GOOD);
    check(&bench, "text.jsonl.gz", &["text.jsonl.gz"]);
}

#[test]
fn a_zstd_cut_short_or_corrupt_is_named() {
    let bench = bench();
    let text: String = (0..5_000).map(|n| GOOD.replace("/x", &format!("/{}", n * 7919))).collect();
    let whole = zstd::encode_all(text.as_bytes(), 1).unwrap();
    bench.write("cut.jsonl.zst", &whole[..whole.len() / 2]);
    check(&bench, "cut.jsonl.zst", &["cut.jsonl.zst"]);
    let bench = self::bench();
    bench.write("text.jsonl.zst", GOOD);
    check(&bench, "text.jsonl.zst", &["text.jsonl.zst"]);
}

#[test]
fn br165_a_damaged_table_is_named() {
    let bench = bench();
    let whole = bench.read("good.parquet");
    bench.write("cut.parquet", &whole[..whole.len() / 2]);
    check(&bench, "cut.parquet", &["cut.parquet"]);
    let bench = self::bench();
    bench.write("empty.parquet", "");
    check(&bench, "empty.parquet", &["empty.parquet"]);
    let bench = self::bench();
    let mut lies = whole.clone();
    let at = lies.len() - 8;
    lies[at..at + 4].copy_from_slice(&0x7FFF_FFFF_u32.to_le_bytes());
    bench.write("lies.parquet", &lies);
    check(&bench, "lies.parquet", &["lies.parquet"]);
    let bench = self::bench();
    let mut pages = whole.clone();
    pages[4..40].fill(0xA5);
    bench.write("pages.parquet", &pages);
    check(&bench, "pages.parquet", &["pages.parquet"]);
}

#[test]
fn a_table_without_its_columns_is_no_damage_and_never_skipped() {
    let bench = bench();
    bench.urls("lost.parquet", &["https://a.example/robots.txt"]);
    for more in ["", "--on-error skip"] {
        let run = bench.eval(&format!("--corpus lost.parquet {more} {ROWS}")).ends_with(4);
        run.says(&["lost.parquet", "body", "url"]);
        assert!(!bench.exists("out.parquet"));
    }
}

#[test]
fn captures_without_a_place_are_left_out_and_counted() {
    let bench = bench();
    let body = "User-agent: *\nDisallow: /x";
    let captures = [
        robots("nonsense", body),
        robots("ftp://a.example", body),
        robots("https://b.example", body),
    ];
    bench.robots("odd.parquet", &captures);
    let run = bench.eval(&format!("--corpus odd.parquet --json {ROWS}")).ends_with(0);
    assert_eq!(run.json()["corpus"]["captures_without_place"], 2);
    let run = run.says(&["2 captures"]);
    assert_eq!(run.json()["corpus"]["origins"], 1);
    assert_eq!(bench.table("out.parquet").bases(), ["no_capture", "rule"]);
}
