//! How much is allocated: hostile pages, and a stream of long strings under a small limit.
// A test that cannot go on says so by panicking; its numbers are small.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

#[path = "common/counting.rs"]
mod counting;
mod forged_files;
mod parquet_files;
mod toy_judge;

use arrow::array::{ArrayRef, StringArray};
use counting::{alone, peak};
use flate2::write::GzEncoder;
use forged_files::*;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet_files::*;
use robosift::stream::{Codec, Keep, Silent, StreamPlan, run};
use robosift::table::{BatchLimits, ParquetFile};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

const MIB: usize = 1 << 20;

fn read(path: &Path) -> Result<usize, String> {
    let file = ParquetFile::open(path).map_err(|error| error.to_string())?;
    let column = file.column("url").map_err(|error| error.to_string())?;
    let limits = BatchLimits { rows: 1000, octets: MIB };
    let batches = file.read(0, &[column], limits).map_err(|error| error.to_string())?;
    batches.map(|arrays| arrays.map(|arrays| arrays[0].len()).map_err(|e| e.to_string())).sum()
}

/// Reading must fail, and must not allocate more than 8 MiB on the way.
fn refused(path: &Path, what: &str) {
    let mut outcome = Ok(0);
    let (most, ()) = peak(|| outcome = read(path));
    let error = outcome.expect_err(what);
    assert!(most < 8 * MIB, "{what}: {most} octets allocated");
    assert!(error.contains(&path.display().to_string()), "{what}: {error}");
}

#[test]
fn page_headers_that_claim_gigabytes_allocate_nothing() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let body = with_levels(1, &[3, 0, 0, 0, b'a', b'b', b'c']);
    let claim = i64::from(i32::MAX);
    for codec in [
        Compression::SNAPPY,
        Compression::LZ4_RAW,
        Compression::LZ4,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        forge_with(&path, codec, 1, &data_page(claim, 1, 0, &body), 40, claim);
        refused(&path, &format!("{codec} data page"));
        let pages = data_page(claim, 1, 0, &body);
        forge_with(&path, codec, 1, &pages, pages.len() as i64, claim);
        refused(&path, &format!("{codec} data page"));
        let pages = dictionary_page(claim, 1, &body);
        forge_with(&path, codec, 1, &pages, pages.len() as i64, claim);
        refused(&path, &format!("{codec} dictionary page"));
    }
}

#[test]
fn counts_inside_pages_allocate_nothing() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let plain = Compression::UNCOMPRESSED;
    forge(&path, plain, 1, &dictionary_page(8, i64::from(i32::MAX), &[0; 8]));
    refused(&path, "a dictionary of two milliard values");
    let (delta_length, delta_prefixed) = (6, 7);
    for count in [2, 1 << 31, 1 << 40, 1 << 62] {
        for encoding in [delta_length, delta_prefixed] {
            let body = with_levels(1, &constant_lengths(count, 3, 1));
            forge(&path, plain, 1, &data_page(body.len() as i64, 1, encoding, &body));
            refused(&path, &format!("{count} lengths"));
        }
        let lists = [constant_lengths(1, 0, 1), constant_lengths(count, 3, 1)].concat();
        let body = with_levels(1, &lists);
        forge(&path, plain, 1, &data_page(body.len() as i64, 1, delta_prefixed, &body));
        refused(&path, &format!("{count} suffixes"));
    }
}

#[test]
fn prefixes_and_gzip_cannot_make_much_out_of_little() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let rows = 10_000;
    // Every value claims 100,000 octets of the one before: a gigabyte from one megabyte.
    let prefixes = constant_lengths(rows, 100_000, rows);
    let suffixes = constant_lengths(rows, 100, rows);
    let values = vec![b'x'; 100 * rows as usize];
    let body = with_levels(rows, &[prefixes, suffixes, values].concat());
    let page = data_page(body.len() as i64, rows as i64, 7, &body);
    forge(&path, Compression::UNCOMPRESSED, rows as i64, &page);
    refused(&path, "prefixes");

    let mut packer = GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(&vec![0; 64 * MIB]).unwrap();
    let packed = packer.finish().unwrap();
    let codec = Compression::GZIP(GzipLevel::default());
    let page = data_page(100, 1, 0, &packed);
    forge_with(&path, codec, 1, &page, page.len() as i64, 100);
    refused(&path, "GZIP that unpacks to more than it says");
}

/// 96 MiB of strings of 4 KiB, hard to compress, in four row groups.
fn long_strings(path: &Path) {
    let mut seed = 1_u64;
    let mut text = || -> String {
        let digits = (0..4096).map(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'a' + (seed >> 59) as u8)
        });
        digits.collect()
    };
    let part: ArrayRef = Arc::new((0..1024).map(|_| Some(text())).collect::<StringArray>());
    let rows = batch(vec![("url", part)]);
    let properties = groups_of(6 * 1024).set_compression(Compression::ZSTD(ZstdLevel::default()));
    let file = std::fs::File::create(path).unwrap();
    let properties = Some(properties.set_dictionary_enabled(false).build());
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, rows.schema(), properties).unwrap();
    for _ in 0..24 {
        writer.write(&rows).unwrap();
    }
    writer.close().unwrap();
}

#[test]
fn long_strings_under_a_small_limit() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("in.parquet"), folder.path().join("out.parquet"));
    long_strings(&input);
    let mut plan = StreamPlan::new(&[&input], &output).unwrap();
    plan.threads = 2;
    plan.memory = 16 * MIB;
    let mut rows = 0;
    let (most, ()) = peak(|| rows = run(&toy_judge::ONCE, &plan, &Silent).unwrap().rows);
    assert_eq!(rows, 24 * 1024);
    assert!(most < 24 * MIB, "{most} octets for a limit of 16 MiB");
}

#[test]
fn many_small_row_groups_stay_flat() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let (small, large) = (folder.path().join("small.parquet"), folder.path().join("large.parquet"));
    plain_file(&small, 20_000, 10);
    plain_file(&large, 80_000, 10);
    let measure = |input: &Path| {
        let mut plan = StreamPlan::new(&[input], &folder.path().join("out.parquet")).unwrap();
        plan.threads = 2;
        plan.memory = 4 * MIB;
        plan.codec = Codec::None;
        plan.keep = Keep::All;
        peak(|| drop(run(&toy_judge::ONCE, &plan, &Silent).unwrap())).0
    };
    let (few, many) = (measure(&small), measure(&large));
    // What grows is the two footers: some 650 octets a column chunk, six of them a row group.
    assert!(many < few + 6_000 * 6 * 1024, "{few} octets for 2,000 row groups, {many} for 8,000");
}
