//! The batch call: columns in memory → verdict columns in memory, on one thread, as bindings of other languages call it.
//!
//! `cargo bench --bench batch -- ROWS.parquet CORPUS AGENT`: nanoseconds of CPU time a row, the least of five runs. What the wheel takes for
//! the same rows is told by `python/benches/evaluate.py`, which runs this in turn with itself.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench reports on stdout"
)]

use std::fs::File;
use std::hint::black_box;
use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::corpus::Corpus;
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};

/// The binary's.
#[cfg(feature = "cli")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS: usize = 5;
const BATCH_ROWS: usize = 1 << 16;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [rows, corpus, agent] = words.as_slice() else {
        println!("give ROWS.parquet CORPUS AGENT");
        return;
    };
    let settings = Settings::default();
    let corpus = Corpus::open(Path::new(corpus), &settings.dialect).unwrap();
    let batches = read(Path::new(rows));
    let num_rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
    let mut least = f64::INFINITY;
    let mut allowed = 0;
    for _ in 0..RUNS {
        let asked = Asked::parse([agent.as_str()], &settings).unwrap();
        let columns = &VerdictColumn::STANDARD;
        let evaluator = Evaluator::try_new(
            &corpus,
            settings.clone(),
            asked,
            columns,
            Layout::Wide,
            Suffix::Auto,
        );
        let evaluator = evaluator.unwrap();
        let start = cpu_seconds();
        let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
        let mut first_row = 0;
        let verdicts: Vec<RecordBatch> = batches
            .iter()
            .map(|batch| {
                let rows = RowColumns::try_new(batch.column(0), None, None).unwrap();
                let verdicts =
                    evaluator.evaluate(&rows, first_row, &mut scratch, &mut tally).unwrap();
                first_row += batch.num_rows() as u64;
                verdicts
            })
            .collect();
        least = least.min(cpu_seconds() - start);
        let batches = black_box(&verdicts).iter();
        allowed = batches.map(|batch| batch.column(0).as_boolean().true_count()).sum();
    }
    println!("{num_rows} rows, {allowed} allowed, {:.2} ns a row", least * 1e9 / num_rows as f64);
}

fn read(path: &Path) -> Vec<RecordBatch> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let url = ProjectionMask::columns(reader.parquet_schema(), ["url"]);
    let reader = reader.with_projection(url).with_batch_size(BATCH_ROWS).build().unwrap();
    reader.collect::<Result<_, _>>().unwrap()
}

/// Of this thread, from `/proc`.
fn cpu_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
