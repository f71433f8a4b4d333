//! Parquet files no writer would make, page by page.
#![allow(dead_code)]

use parquet::basic::Compression;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::SchemaDescriptor;
use std::path::Path;
use std::sync::Arc;

/// An unsigned LEB128 number.
pub(crate) fn varint(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value >= 0x80 {
        out.push((value & 0x7F) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A signed number in zigzag form.
pub(crate) fn zigzag(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)) as u64)
}

fn field(step: u8, kind: u8, value: &[u8]) -> Vec<u8> {
    let mut out = vec![step << 4 | kind];
    out.extend_from_slice(value);
    out
}

/// A V1 data page; `claimed` is the unpacked length its header gives.
pub(crate) fn data_page(claimed: i64, num_values: i64, encoding: i64, body: &[u8]) -> Vec<u8> {
    let mut page = sizes(0, claimed, body.len());
    page.push(2 << 4 | 12); // field 5: data page header
    page.extend(field(1, 5, &zigzag(num_values)));
    page.extend(field(1, 5, &zigzag(encoding)));
    page.extend(field(1, 5, &zigzag(3)));
    page.extend(field(1, 5, &zigzag(3)));
    page.extend([0, 0]);
    page.extend_from_slice(body);
    page
}

/// A dictionary page.
pub(crate) fn dictionary_page(claimed: i64, num_values: i64, body: &[u8]) -> Vec<u8> {
    let mut page = sizes(2, claimed, body.len());
    page.push(4 << 4 | 12); // field 7: dictionary page header
    page.extend(field(1, 5, &zigzag(num_values)));
    page.extend(field(1, 5, &zigzag(0)));
    page.extend([0, 0]);
    page.extend_from_slice(body);
    page
}

fn sizes(kind: i64, claimed: i64, stored: usize) -> Vec<u8> {
    let mut out = field(1, 5, &zigzag(kind));
    out.extend(field(1, 5, &zigzag(claimed)));
    out.extend(field(1, 5, &zigzag(stored as i64)));
    out
}

/// Definition levels of `present` rows that are all there, then the values.
pub(crate) fn with_levels(present: u64, values: &[u8]) -> Vec<u8> {
    let mut run = varint(present << 1);
    run.push(1);
    let mut body = (run.len() as u32).to_le_bytes().to_vec();
    body.extend(run);
    body.extend_from_slice(values);
    body
}

/// A list of lengths in DELTA_BINARY_PACKED: `first`, then `count - 1` times the same.
pub(crate) fn constant_lengths(count: u64, first: i64, written: u64) -> Vec<u8> {
    let mut out = [varint(128), varint(4), varint(count), zigzag(first)].concat();
    let blocks = written.saturating_sub(1).div_ceil(128);
    for _ in 0..blocks {
        out.extend([0, 0, 0, 0, 0]);
    }
    out
}

/// Writes a file with one column `url` (optional string) of one chunk made of `pages`.
pub(crate) fn forge(path: &Path, codec: Compression, rows: i64, pages: &[u8]) {
    forge_with(path, codec, rows, pages, pages.len() as i64, pages.len() as i64);
}

/// As [`forge`], with the lengths that the footer claims.
pub(crate) fn forge_with(
    path: &Path,
    codec: Compression,
    rows: i64,
    pages: &[u8],
    stored: i64,
    unpacked: i64,
) {
    let schema = parse_message_type("message m { optional binary url (STRING); }").unwrap();
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(schema)));
    let chunk = ColumnChunkMetaData::builder(schema.column(0))
        .set_compression(codec)
        .set_num_values(rows)
        .set_total_compressed_size(stored)
        .set_total_uncompressed_size(unpacked)
        .set_data_page_offset(4)
        .build()
        .unwrap();
    let group = RowGroupMetaData::builder(Arc::clone(&schema))
        .set_num_rows(rows)
        .set_total_byte_size(unpacked)
        .set_column_metadata(vec![chunk])
        .build()
        .unwrap();
    let file = FileMetaData::new(2, rows, None, None, schema, None);
    let mut octets = b"PAR1".to_vec();
    octets.extend_from_slice(pages);
    let metadata = ParquetMetaData::new(file, vec![group]);
    ParquetMetaDataWriter::new(&mut octets, &metadata).finish().unwrap();
    std::fs::write(path, octets).unwrap();
}

/// A file whose schema nests `depth` groups.
pub(crate) fn nested_schema(path: &Path, depth: usize) {
    let mut footer = field(1, 5, &zigzag(2));
    footer.push(1 << 4 | 9);
    footer.push(0xFC);
    footer.extend(varint(depth as u64 + 2));
    footer.extend([0x48, 1, b'm', 0x15, 2, 0]);
    for _ in 0..depth {
        footer.extend([0x35, 2, 0x18, 1, b'g', 0x15, 2, 0]);
    }
    footer.extend([0x15, 2, 0x25, 2, 0x18, 1, b'x', 0]);
    footer.extend([0x16, 0, 0x19, 0x0C, 0]);
    let mut octets = b"PAR1".to_vec();
    octets.extend_from_slice(&footer);
    octets.extend((footer.len() as u32).to_le_bytes());
    octets.extend(b"PAR1");
    std::fs::write(path, octets).unwrap();
}
