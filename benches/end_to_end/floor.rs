//! The least that a program has to do that judges rows: decode the URLs, write as many verdicts.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::files::tables;

/// Verdict columns as they are, to be written by the floor again and again; text as dictionaries,
/// which the writer takes with less work than strings.
pub(crate) fn sample(out: &Path) -> Vec<RecordBatch> {
    let file = File::open(&tables(out)[0]).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().with_batch_size(65_536);
    reader.build().unwrap().take(16).map(|batch| with_dictionaries(&batch.unwrap())).collect()
}

fn with_dictionaries(batch: &RecordBatch) -> RecordBatch {
    let dictionary = DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8));
    let columns = batch.columns().iter().map(|column| match column.data_type() {
        DataType::Utf8 => cast(column, &dictionary).unwrap(),
        _ => Arc::clone(column),
    });
    let names = batch.schema();
    let names = names.fields().iter().map(|field| field.name().clone());
    RecordBatch::try_from_iter_with_nullable(names.zip(columns).map(|(n, c)| (n, c, true))).unwrap()
}

/// Decodes the URL column of all rows and writes as many rows of verdict columns.
pub(crate) fn run(rows: &Path, out: &Path, sample: &[RecordBatch]) {
    let schema = sample[0].schema();
    for input in tables(rows) {
        let file = File::open(&input).unwrap();
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).unwrap();
        let views = with_views(reader.schema());
        let file = File::open(&input).unwrap();
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true).with_schema(views);
        let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options).unwrap();
        let url = ProjectionMask::columns(reader.parquet_schema(), ["url"]);
        let reader = reader.with_projection(url).with_batch_size(65_536).build().unwrap();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
            .build();
        let output = File::create(out.join("floor.tmp")).unwrap();
        let mut writer =
            ArrowWriter::try_new(output, Arc::clone(&schema), Some(properties)).unwrap();
        for (at, batch) in reader.enumerate() {
            let rows = batch.unwrap().num_rows();
            let verdicts = &sample[at % sample.len()];
            writer.write(&verdicts.slice(0, rows.min(verdicts.num_rows()))).unwrap();
        }
        writer.close().unwrap();
    }
}

fn with_views(schema: &Schema) -> Arc<Schema> {
    let view = |field: &Arc<Field>| match field.data_type() {
        DataType::Utf8 => Field::new(field.name(), DataType::Utf8View, field.is_nullable()),
        _ => field.as_ref().clone(),
    };
    Arc::new(Schema::new(schema.fields().iter().map(view).collect::<Vec<_>>()))
}
