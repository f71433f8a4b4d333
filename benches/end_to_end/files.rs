//! The tables of the benches, made once and used again.
#![allow(dead_code, reason = "each bench uses a part of it")]

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
    let mut table = Table::create(&partial, 0, row_group_rows);
    urls.for_each(|urls| table.write(urls));
    table.close();
    fs::rename(&partial, folder).unwrap();
}

/// The first `num_rows` URLs in files of `file_rows`, each one row group.
pub(crate) fn write_files(
    folder: &Path,
    urls: impl Iterator<Item = ArrayRef>,
    num_rows: u64,
    file_rows: u64,
) {
    let partial = folder.with_extension("partial");
    fs::create_dir_all(&partial).unwrap();
    let (mut urls, mut rest): (_, Option<ArrayRef>) = (urls, None);
    let file_rows = usize::try_from(file_rows).unwrap();
    let mut left = usize::try_from(num_rows).unwrap();
    for number in 0.. {
        let mut room = file_rows.min(left);
        if room == 0 {
            break;
        }
        left -= room;
        let mut table = Table::create(&partial, number, file_rows);
        while room > 0 {
            let batch = rest.take().unwrap_or_else(|| urls.next().unwrap());
            let taken = room.min(batch.len());
            table.write(batch.slice(0, taken));
            rest = (taken < batch.len()).then(|| batch.slice(taken, batch.len() - taken));
            room -= taken;
        }
        table.close();
    }
    fs::rename(&partial, folder).unwrap();
}

/// A table of URLs that is being written.
struct Table {
    schema: Arc<Schema>,
    writer: ArrowWriter<File>,
}

impl Table {
    fn create(folder: &Path, number: usize, row_group_rows: usize) -> Self {
        let schema = Arc::new(Schema::new(vec![Field::new("url", DataType::Utf8, false)]));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_dictionary_enabled(false)
            .set_max_row_group_row_count(Some(row_group_rows))
            .build();
        let file = File::create(folder.join(format!("part-{number:05}.parquet"))).unwrap();
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties)).unwrap();
        Table { schema, writer }
    }

    fn write(&mut self, urls: ArrayRef) {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), vec![urls]).unwrap();
        self.writer.write(&batch).unwrap();
    }

    fn close(self) {
        self.writer.close().unwrap();
    }
}
