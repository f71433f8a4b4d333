//! The table layer on files that are cut, overwritten, forged or only odd.
// A test that cannot go on says so by panicking; its numbers are small.
#![allow(clippy::unwrap_used, clippy::expect_used)]
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]

mod forged_files;
mod parquet_files;

use forged_files::*;
use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::{KeyValue, ParquetMetaDataReader, ParquetMetaDataWriter};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet_files::*;
use robosift::table::{BatchLimits, ParquetFile, TableError, guarded};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Once};

const LIMITS: BatchLimits = BatchLimits { rows: 1000, octets: 1 << 20 };

/// Panics seen outside a guarded call.
static LOOSE: AtomicUsize = AtomicUsize::new(0);

/// Silences the panics that are handled, as the program does.
fn quiet() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !guarded() {
                LOOSE.fetch_add(1, Ordering::Relaxed);
                usual(panic);
            }
        }));
    });
}

/// Reads all of the column `url`.
fn read_all(path: &Path) -> Result<Vec<Option<Vec<u8>>>, TableError> {
    quiet();
    let file = ParquetFile::open(path)?;
    let column = file.column("url")?;
    let mut all = Vec::new();
    for g in 0..file.num_row_groups() {
        for arrays in file.read(g, std::slice::from_ref(&column), LIMITS)? {
            all.extend(octets_of(&arrays?[0]));
        }
    }
    Ok(all)
}

fn damaged(path: &Path) -> TableError {
    let error = read_all(path).err().unwrap();
    assert!(error.is_damaged() && !error.is_io(), "{error}");
    assert!(error.to_string().contains(&path.display().to_string()), "{error}");
    assert!(!guarded());
    error
}

#[test]
fn a_file_cut_anywhere_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 300, 100);
    let whole = fs::read(&path).unwrap();
    for len in (0..whole.len()).step_by(7).chain(whole.len() - 20..whole.len()) {
        fs::write(&path, &whole[..len]).unwrap();
        assert!(ParquetFile::open(&path).err().unwrap().is_damaged(), "cut at {len}");
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(read_all(&path).unwrap().len(), 300);
}

#[test]
fn an_overwritten_footer_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 300, 100);
    let whole = fs::read(&path).unwrap();
    let tail: [u8; 4] = whole[whole.len() - 8..whole.len() - 4].try_into().unwrap();
    let start = whole.len() - 8 - u32::from_le_bytes(tail) as usize;
    for fill in [0x00, 0x15, 0x19, 0x7F, 0xFC, 0xFF] {
        let mut octets = whole.clone();
        let end = octets.len() - 8;
        octets[start..end].fill(fill);
        fs::write(&path, octets).unwrap();
        damaged(&path);
    }
    for claimed in [u32::MAX, whole.len() as u32, whole.len() as u32 - 8, 0] {
        let mut octets = whole.clone();
        let at = octets.len() - 8;
        octets[at..at + 4].copy_from_slice(&claimed.to_le_bytes());
        fs::write(&path, octets).unwrap();
        damaged(&path);
    }
}

#[test]
fn single_octets_changed_never_panic_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 60, 20);
    let whole = fs::read(&path).unwrap();
    let mut seed = 0x9E37_79B9_7F4A_7C15_u64;
    let mut refused = 0;
    for _ in 0..600 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut octets = whole.clone();
        let at = (seed >> 33) as usize % octets.len();
        octets[at] ^= ((seed >> 20) as u8).max(1);
        fs::write(&path, octets).unwrap();
        match read_all(&path) {
            Ok(rows) => assert_eq!(rows.len(), 60),
            Err(error) => {
                refused += 1;
                assert!(!error.is_io(), "{error}");
            }
        }
    }
    assert!(refused > 100, "{refused}");
    assert_eq!(LOOSE.load(Ordering::Relaxed), 0, "a panic escaped the guard");
}

#[test]
fn a_dictionary_page_at_the_data_page_offset_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 300, 100);
    let expected = read_all(&path).unwrap();
    let octets = fs::read(&path).unwrap();
    let metadata = ParquetMetaDataReader::new().parse_and_finish(&fs::File::open(&path).unwrap());
    let mut builder = metadata.unwrap().into_builder();
    let mut body_end = 0;
    for group in builder.take_row_groups() {
        let mut group = group.into_builder();
        let chunks = group.take_columns().into_iter().map(|chunk| {
            let (start, len) = chunk.byte_range();
            body_end = body_end.max(start + len);
            assert!(chunk.dictionary_page_offset().is_some());
            let chunk = chunk.into_builder().set_dictionary_page_offset(None);
            chunk.set_data_page_offset(start as i64).build().unwrap()
        });
        let chunks: Vec<_> = chunks.collect();
        builder = builder.add_row_group(group.set_column_metadata(chunks).build().unwrap());
    }
    let mut rewritten = octets[..body_end as usize].to_vec();
    ParquetMetaDataWriter::new(&mut rewritten, &builder.build()).finish().unwrap();
    fs::write(&path, rewritten).unwrap();
    assert_eq!(read_all(&path).unwrap(), expected);
}

#[test]
fn invalid_utf8_in_a_string_column_is_a_value_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let schema = "message m { optional binary url (STRING); }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let mut writer =
        SerializedFileWriter::new(fs::File::create(&path).unwrap(), schema, Arc::default())
            .unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let words = [&b"good"[..], b"\xFF\xFEbad", b"good"].map(|word| ByteArray::from(word.to_vec()));
    column.typed::<ByteArrayType>().write_batch(&words, Some(&[1, 1, 0, 1]), None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
    let good = || Some(b"good".to_vec());
    assert_eq!(read_all(&path).unwrap(), [good(), Some(b"\xFF\xFEbad".to_vec()), None, good()]);
}

#[test]
fn a_broken_arrow_schema_is_never_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    for text in ["ab", "", "!!", "//8="] {
        let pair = KeyValue::new("ARROW:schema".to_owned(), text.to_owned());
        let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![pair]));
        let file = fs::File::create(&path).unwrap();
        let options = parquet::arrow::arrow_writer::ArrowWriterOptions::new()
            .with_properties(properties.build())
            .with_skip_arrow_metadata(true);
        let rows = plain_batch(10);
        let writer =
            parquet::arrow::ArrowWriter::try_new_with_options(file, rows.schema(), options);
        let mut writer = writer.unwrap();
        writer.write(&rows).unwrap();
        writer.close().unwrap();
        assert_eq!(read_all(&path).unwrap().len(), 10);
    }
}

#[test]
fn footers_that_lie_about_lengths_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let values = [&3_u32.to_le_bytes()[..], b"abc"].concat();
    let body = with_levels(1, &values);
    let page = data_page(body.len() as i64, 1, 0, &body);
    let len = page.len() as i64;
    forge(&path, Compression::UNCOMPRESSED, 1, &page);
    assert_eq!(read_all(&path).unwrap(), [Some(b"abc".to_vec())], "the forger forges well");
    for (stored, unpacked) in
        [(i64::MAX, len), (1 << 40, len), (-1, len), (len, -1), (len + 500, len)]
    {
        forge_with(&path, Compression::UNCOMPRESSED, 1, &page, stored, unpacked);
        assert!(damaged(&path).to_string().contains("\"url\""));
    }
    for rows in [2, 1000, 1 << 40, i64::MAX] {
        forge(&path, Compression::UNCOMPRESSED, rows, &page);
        assert!(damaged(&path).row_group().is_some());
    }
    forge(&path, Compression::UNCOMPRESSED, -1, &page);
    damaged(&path);
}

#[test]
fn corrupt_levels_are_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    let values = [&3_u32.to_le_bytes()[..], b"abc"].concat();
    let good = with_levels(1, &values);
    for (at, octet) in [(0, 0xFF), (3, 0x7F), (3, 0xFF), (4, 0xFF), (0, 0), (0, 1), (4, 0)] {
        let mut body = good.clone();
        body[at] = octet;
        forge(&path, Compression::UNCOMPRESSED, 1, &data_page(body.len() as i64, 1, 0, &body));
        if let Ok(rows) = read_all(&path) {
            assert_eq!(rows.len(), 1, "changed {at} to {octet}");
        }
    }
    let short = with_levels(1, &values[..5]);
    forge(&path, Compression::UNCOMPRESSED, 1, &data_page(short.len() as i64, 1, 0, &short));
    assert_eq!(damaged(&path).row_group(), Some(0));
    assert_eq!(LOOSE.load(Ordering::Relaxed), 0);
}

#[test]
fn a_schema_too_deep_to_walk_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    nested_schema(&path, 20);
    assert_eq!(ParquetFile::open(&path).unwrap().column_names()[0].matches('g').count(), 20);
    for depth in [101, 5_000, 200_000] {
        nested_schema(&path, depth);
        assert!(damaged(&path).to_string().contains("nests"), "{depth}");
    }
}

#[test]
fn a_file_that_changed_between_opening_and_reading_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.parquet");
    plain_file(&path, 300, 100);
    let file = ParquetFile::open(&path).unwrap();
    let column = file.column("url").unwrap();
    plain_file(&path, 400, 100);
    let error = file.read(0, &[column], LIMITS).err().unwrap();
    assert!(error.is_damaged() && error.row_group().is_none(), "{error}");
}
