//! The tables of the bench, made once and used again.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::compute::interleave;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use robosift::workload::Workload;

const BATCH_ROWS: usize = 65_536;

/// The crawl: `robots.parquet` and `rows`.
pub(crate) fn make(folder: &Path, rows: u64, origins: u64) {
    if !folder.join("robots.parquet").exists() {
        let workload = Workload::try_new(rows, origins, 1).unwrap();
        workload.write(folder, &mut |_| {}).unwrap();
    }
}

/// The Parquet files of a folder, in order.
pub(crate) fn tables(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut tables: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "parquet")).collect();
    tables.sort();
    tables
}

/// The same URLs in random order over the whole crawl; the order is always the same.
pub(crate) fn shuffle(rows: &Path, shuffled: &Path) {
    if shuffled.exists() {
        return;
    }
    let batches: Vec<ArrayRef> = tables(rows).iter().flat_map(|table| urls(table)).collect();
    let mut order: Vec<(usize, usize)> = Vec::new();
    for (at, batch) in batches.iter().enumerate() {
        order.extend((0..batch.len()).map(|row| (at, row)));
    }
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    for last in (1..order.len()).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(last, usize::try_from(state % (last as u64 + 1)).unwrap());
    }
    let arrays: Vec<&dyn Array> = batches.iter().map(AsRef::as_ref).collect();
    let picks = order.chunks(BATCH_ROWS).map(|picks| interleave(&arrays, picks).unwrap());
    write(shuffled, picks, 1 << 20);
}

/// The same URLs in one row group.
pub(crate) fn one_group(rows: &Path, one: &Path) {
    if !one.exists() {
        let urls = tables(rows).into_iter().flat_map(|table| urls(&table));
        write(one, urls, usize::MAX);
    }
}

fn urls(table: &Path) -> impl Iterator<Item = ArrayRef> + use<> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(table).unwrap()).unwrap();
    let url = ProjectionMask::columns(reader.parquet_schema(), ["url"]);
    let reader = reader.with_projection(url).with_batch_size(BATCH_ROWS).build().unwrap();
    reader.map(|batch| batch.unwrap().column(0).clone())
}

fn write(folder: &Path, urls: impl Iterator<Item = ArrayRef>, row_group_rows: usize) {
    let partial = folder.with_extension("partial");
    fs::create_dir_all(&partial).unwrap();
    let schema = Arc::new(Schema::new(vec![Field::new("url", DataType::Utf8, false)]));
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_dictionary_enabled(false)
        .set_max_row_group_row_count(Some(row_group_rows))
        .build();
    let file = File::create(partial.join("part-00000.parquet")).unwrap();
    let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).unwrap();
    for urls in urls {
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), vec![urls]).unwrap()).unwrap();
    }
    writer.close().unwrap();
    fs::rename(&partial, folder).unwrap();
}
