//! Damaged rows: nothing under a final name unless it is whole, old results intact, skipped files counted.

use crate::cli::{Bench, strings};
use crate::forged_files::{data_page, forge, with_levels};
use crate::{FIXED, bench};
use arrow::array::ArrayRef;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::process::Command;
use std::time::{Duration, Instant};

/// Ten row groups of a hundred rows, compressed so that a changed octet shows.
fn ten_groups(bench: &Bench, name: &str) -> Vec<u8> {
    let urls: Vec<String> = (0..1_000).map(|n| format!("https://a.example/{}", n * 7919)).collect();
    let column = strings(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(100))
        .set_compression(Compression::ZSTD(Default::default()));
    bench.parquet_with(name, vec![("url", column)], properties);
    bench.read(name)
}

/// Overwrites where the page of the eighth row group begins.
fn damage_eighth(octets: &mut [u8]) {
    let file = bytes::Bytes::copy_from_slice(octets);
    let reader = SerializedFileReader::new(file).unwrap();
    let (start, _) = reader.metadata().row_group(7).column(0).byte_range();
    let start = usize::try_from(start).unwrap();
    octets[start..start + 24].fill(0xA5);
}

/// Fails without a trace of an output, keeps one that is there, and is passed over when asked.
#[track_caller]
fn check(bench: &Bench, rows: &str) {
    bench.urls("good.parquet", &["https://a.example/x"]);
    let before = bench.listing("");
    let run = bench.eval(&format!("{FIXED} {rows} -o out.parquet")).ends_with(4);
    run.says(&[rows]);
    assert_eq!(bench.listing(""), before, "something is left");
    bench.eval(&format!("{FIXED} good.parquet -o out.parquet")).ends_with(0);
    let good = bench.read("out.parquet");
    bench.eval(&format!("{FIXED} {rows} -o out.parquet")).ends_with(4);
    assert_eq!(bench.read("out.parquet"), good, "the old result is lost");
    let both = format!("{FIXED} --on-error skip {rows} good.parquet -o out");
    let json = bench.eval(&format!("{both} --json")).ends_with(3).says(&[rows]).json();
    assert_eq!(bench.listing("out"), ["good.parquet"]);
    assert_eq!(bench.table("out/good.parquet").bases(), ["rule"]);
    assert_eq!(json["rows"], 1, "{json}");
    let skipped = json["skipped"].as_array().unwrap();
    assert_eq!(skipped.len(), 1, "{json}");
    assert!(skipped[0]["path"].as_str().unwrap().contains(rows), "{json}");
    bench.eval(&both).ends_with(3).says(&["skipped", rows]);
    std::fs::remove_dir_all(bench.path("out")).unwrap();
    std::fs::remove_file(bench.path("out.parquet")).unwrap();
}

#[test]
fn br165_files_cut_short() {
    let bench = bench();
    let whole = ten_groups(&bench, "rows.parquet");
    for len in [0, 3, 4, 11, whole.len() / 2, whole.len() - 1] {
        bench.write("rows.parquet", &whole[..len]);
        check(&bench, "rows.parquet");
    }
}

#[test]
fn br165_footers_that_lie() {
    let bench = bench();
    let whole = ten_groups(&bench, "rows.parquet");
    let at = whole.len() - 8;
    let footer_len = u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
    for lie in [0, 1, footer_len - 1, footer_len + 1, u32::MAX, i32::MAX as u32] {
        let mut octets = whole.clone();
        octets[at..at + 4].copy_from_slice(&lie.to_le_bytes());
        bench.write("rows.parquet", octets);
        check(&bench, "rows.parquet");
    }
    let mut octets = whole.clone();
    let begin = at - footer_len as usize;
    octets[begin..begin + 40].fill(0xFF);
    bench.write("rows.parquet", octets);
    check(&bench, "rows.parquet");
}

#[test]
fn a_damaged_page_in_a_late_row_group() {
    let bench = bench();
    let mut octets = ten_groups(&bench, "rows.parquet");
    damage_eighth(&mut octets);
    bench.write("rows.parquet", octets);
    check(&bench, "rows.parquet");
}

#[test]
fn the_rows_of_a_skipped_file_are_counted() {
    let bench = bench();
    let mut octets = ten_groups(&bench, "rows.parquet");
    damage_eighth(&mut octets);
    bench.write("rows.parquet", octets);
    let run = bench.eval(&format!("{FIXED} --on-error skip rows.parquet --json -o out.parquet"));
    let json = run.ends_with(3).json();
    assert_eq!(json["skipped"][0]["rows"], 1_000, "{json}");
    assert_eq!(json["rows"], 0, "rows of a file that is left out are not verdicts: {json}");
    assert_eq!(json["verdicts"]["allowed"], 0, "{json}");
    assert_eq!(json["skipped"][0]["row_group"], 7, "{json}");
    assert!(!bench.exists("out.parquet"));
}

#[test]
fn br167_a_page_header_that_claims_two_gibibytes() {
    let bench = bench();
    let page = with_levels(3, &[4, 0, 0, 0, b'a', b'b', b'c', b'd']);
    let pages = data_page(i64::from(i32::MAX), 3, 0, &page);
    for codec in
        [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())]
    {
        forge(&bench.path("rows.parquet"), codec, 3, &pages);
        let started = Instant::now();
        check(&bench, "rows.parquet");
        assert!(started.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn br168_definition_levels_that_pad_more_rows_than_there_are() {
    let bench = bench();
    let page = with_levels(1_000_000, &[4, 0, 0, 0, b'a', b'b', b'c', b'd']);
    forge(
        &bench.path("rows.parquet"),
        Compression::UNCOMPRESSED,
        3,
        &data_page(page.len() as i64, 3, 0, &page),
    );
    check(&bench, "rows.parquet");
}

#[test]
fn a_damaged_file_is_found_whatever_the_threads() {
    let bench = bench();
    let mut octets = ten_groups(&bench, "rows.parquet");
    damage_eighth(&mut octets);
    bench.write("rows.parquet", octets);
    let before = bench.listing("");
    let told: Vec<String> = [1, 2, 7]
        .iter()
        .map(|threads| {
            let fixed = format!("{FIXED} --threads {threads} --quiet");
            bench.eval(&format!("{fixed} rows.parquet -o out.parquet")).ends_with(4).stderr
        })
        .collect();
    assert_eq!(bench.listing(""), before);
    assert!(told.iter().all(|message| *message == told[0]), "{told:?}");
    assert!(told[0].contains("row group"), "{}", told[0]);
}

#[test]
fn br184_a_full_disk_leaves_the_old_result_intact() {
    let bench = bench();
    bench.urls("good.parquet", &["https://a.example/x"]);
    bench.eval(&format!("{FIXED} good.parquet -o out.parquet")).ends_with(0);
    let good = bench.read("out.parquet");
    let urls: Vec<String> = (0..50_000_u64)
        .map(|n| format!("https://a.example/{:x}", n.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
        .collect();
    let column: ArrayRef = strings(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    bench.parquet("rows.parquet", vec![("url", column)]);
    let before = bench.listing("");
    // A file may grow to 64 or 128 KiB, as the shell counts; then writing fails as on a full disk.
    let script = "ulimit -f 128; trap '' XFSZ; exec \"$0\" \"$@\"";
    let done = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_robosift"), "eval"])
        .args(FIXED.split(' '))
        .args(["--keep", "all", "rows.parquet", "-o", "out.parquet"])
        .current_dir(bench.path(""))
        .output()
        .unwrap();
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(4), "{said}");
    assert!(said.contains("out.parquet") && said.contains("arge"), "{said}");
    assert_eq!(bench.read("out.parquet"), good);
    assert_eq!(bench.listing(""), before);
}
