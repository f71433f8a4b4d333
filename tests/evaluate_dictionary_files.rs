//! Origin and agent columns that a file stores as dictionaries have the verdicts of plain ones.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{Asked, Evaluator, Layout, Settings, Suffix, Tally, VerdictColumn};
use robosift::job::{EvalJob, RowNames};
use robosift::parse::Dialect;
use robosift::stream::{Keep, Silent, StreamPlan, run};
use robosift::table::ParquetFile;

const NUM_ROWS: usize = 30_000;

fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    for origin in 0..40 {
        let body = format!("User-agent: bot{}\nDisallow: /{}\n", origin % 3, origin % 7);
        builder
            .add(RawCapture {
                place: Place::Origin(format!("https://o{origin}.example").into_bytes()),
                body: Some(body.into_bytes()),
                ..RawCapture::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

/// Paths with an origin and an agent each; some of both are null.
fn rows(all_null: bool) -> RecordBatch {
    let text = |of: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
        Arc::new((0..NUM_ROWS).map(of).collect::<StringArray>())
    };
    let there = |row: usize| !all_null && !row.is_multiple_of(11);
    let columns = [
        ("url", text(&|row| Some(format!("/{}", row % 9)))),
        ("origin", text(&|row| there(row).then(|| format!("https://o{}.example", row * 7 % 50)))),
        ("agent", text(&|row| there(row).then(|| format!("bot{}", row * 5 % 4)))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.map(|(name, array)| (name, array, true)))
        .unwrap()
}

/// Writes rows; their dictionaries have at most so many octets, beyond which pages are plain.
fn write(path: &Path, rows: &RecordBatch, dictionary_octets: Option<usize>) {
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(dictionary_octets.is_some())
        .set_dictionary_page_size_limit(dictionary_octets.unwrap_or(1))
        .set_data_page_row_count_limit(1_000)
        .set_write_batch_size(500)
        .set_max_row_group_row_count(Some(20_000))
        .build();
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, rows.schema(), Some(properties)).unwrap();
    writer.write(rows).unwrap();
    writer.close().unwrap();
}

/// The columns that are written of a file's rows, and the counts.
fn verdicts(corpus: &Corpus, rows: &Path, keep: Keep) -> (Vec<RecordBatch>, Tally) {
    let settings = Settings::default();
    let (columns, layout) = (VerdictColumn::ALL, Layout::Wide);
    let evaluator =
        Evaluator::try_new(corpus, settings, Asked::Column, &columns, layout, Suffix::Auto)
            .unwrap();
    let out = rows.with_extension("out");
    let plan = StreamPlan { keep, threads: 2, ..StreamPlan::new(&[rows], &out).unwrap() };
    let names = RowNames { origin: Some("origin".to_owned()), ..RowNames::default() };
    let report = run(&EvalJob::new(evaluator, names), &plan, &Silent).unwrap();
    let written = File::open(&plan.inputs[0].output).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(written).unwrap().build().unwrap();
    (reader.map(Result::unwrap).collect(), report.tally)
}

#[test]
fn stored_dictionaries_have_the_verdicts_of_plain_columns() {
    let corpus = corpus();
    let folder = tempfile::tempdir().unwrap();
    for all_null in [false, true] {
        let rows = rows(all_null);
        let plain = folder.path().join("plain.parquet");
        write(&plain, &rows, None);
        // The whole column as a dictionary; one that is given up part of the way.
        for (octets, is_dictionary) in [(1 << 20, true), (200, false)] {
            let stored = folder.path().join("stored.parquet");
            write(&stored, &rows, Some(octets));
            let file = ParquetFile::open(&stored).unwrap();
            let origin = file.as_stored(file.column("origin").unwrap());
            let found = format!("{}", origin.data_type()).starts_with("Dictionary");
            assert!(found == is_dictionary || all_null, "{}", origin.data_type());
            for keep in [Keep::None, Keep::All] {
                let of_plain = verdicts(&corpus, &plain, keep.clone());
                assert_eq!(verdicts(&corpus, &stored, keep), of_plain);
            }
        }
    }
}
