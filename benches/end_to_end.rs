//! The whole job against its floor: CPU time of judging rows of a made-up crawl (corpus ready), and
//! of a program that decodes the same columns with parquet-rs and writes columns of the same types
//! and compression. In turn, in one run, on the same rows; medians and their ratio.
//!
//! `cargo bench --bench end_to_end -- [rows] [origins] [agents] [folder]`
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use arrow::array::RecordBatch;
use arrow::datatypes::{DataType, Field, Schema};
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{SourceOptions, SourceReport, load};
use robosift::corpus::{Corpus, CorpusBuilder};
use robosift::evaluate::{Asked, Evaluator, Layout, Settings, Suffix, Tally, VerdictColumn};
use robosift::job::{EvalJob, RowNames};
use robosift::parse::Dialect;
use robosift::stream::{Report, Silent, StreamPlan, run};
use robosift::workload::Workload;

/// As in the binary; the floor runs on it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const RUNS: usize = 5;
const AGENTS: [&str; 10] = [
    "GPTBot",
    "CCBot",
    "ClaudeBot",
    "Googlebot",
    "bingbot",
    "Bytespider",
    "PerplexityBot",
    "Applebot",
    "Amazonbot",
    "FacebookBot",
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with("--")).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |w| w.parse().unwrap());
    let (rows, origins) = (number(0, 20_000_000), number(1, 300_000));
    let agents = usize::try_from(number(2, 1)).unwrap();
    let folder = words.get(3).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("robosift-bench-{rows}-{origins}"));
    make(&folder, rows, origins);
    let (corpus, seconds) = corpus(&folder);
    println!("{rows} rows, {origins} origins, {agents} agents; corpus ready in {seconds:.2} CPU s");
    let out = folder.join("out");
    let report = eval(&corpus, &folder, &out, agents, 1);
    assert_eq!(report.rows, rows);
    let verdicts = report.tally.all_agents().total().iter().sum::<u64>();
    assert_eq!(verdicts, rows * agents as u64);
    let sample = sample(&out);
    let mut figures = Vec::new();
    for _ in 0..RUNS {
        let floor = cpu_seconds(|| floor(&folder, &out, &sample));
        let whole = cpu_seconds(|| drop(eval(&corpus, &folder, &out, agents, 1)));
        let started = Instant::now();
        drop(eval(&corpus, &folder, &out, agents, 2));
        figures.push((floor, whole, whole / floor, started.elapsed().as_secs_f64()));
    }
    let per_row = 1e9 / rows as f64;
    println!("floor      {:>7.1} ns a row", per_row * median(&figures, |f| f.0));
    println!("eval       {:>7.1} ns a row, 1 thread", per_row * median(&figures, |f| f.1));
    println!("ratio      {:>7.2}", median(&figures, |f| f.2));
    println!("2 threads  {:>7.2} million rows/s", rows as f64 / 1e6 / median(&figures, |f| f.3));
}

fn median<T>(figures: &[T], of: impl Fn(&T) -> f64) -> f64 {
    let mut values: Vec<f64> = figures.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// CPU seconds of all threads of this process while `work` runs.
fn cpu_seconds(work: impl FnOnce()) -> f64 {
    let before = process_cpu();
    work();
    process_cpu() - before
}

/// User and system time so far, in seconds (Linux).
fn process_cpu() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    let ticks: f64 = fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap();
    ticks / 100.0
}

fn make(folder: &Path, rows: u64, origins: u64) {
    if !folder.join("robots.parquet").exists() {
        let workload = Workload::try_new(rows, origins, 1).unwrap();
        workload.write(folder, &mut |_| {}).unwrap();
    }
}

fn corpus(folder: &Path) -> (Corpus, f64) {
    let before = process_cpu();
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    let (options, mut report) = (SourceOptions::default(), SourceReport::default());
    load(&folder.join("robots.parquet"), &options, &mut builder, &mut report).unwrap();
    let corpus = builder.finish();
    (corpus, process_cpu() - before)
}

fn eval(
    corpus: &Corpus,
    folder: &Path,
    out: &Path,
    agents: usize,
    threads: usize,
) -> Report<Tally> {
    let settings = Settings::default();
    let asked = Asked::parse(AGENTS[..agents].iter().copied(), &settings).unwrap();
    let columns = VerdictColumn::STANDARD;
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    let evaluator = Evaluator::try_new(corpus, settings, asked, &columns, layout, suffix).unwrap();
    let plan = StreamPlan::new(&[folder.join("rows")], out).unwrap();
    let plan = StreamPlan { threads, ..plan };
    run(&EvalJob::new(evaluator, RowNames::default()), &plan, &Silent).unwrap()
}

/// Verdict columns as they are, to be written by the floor again and again.
fn sample(out: &Path) -> Vec<RecordBatch> {
    let file = File::open(out.join("part-00000.parquet")).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().with_batch_size(65_536);
    reader.build().unwrap().take(16).map(Result::unwrap).collect()
}

/// Decodes the URL column of all rows and writes as many rows of verdict columns.
fn floor(folder: &Path, out: &Path, sample: &[RecordBatch]) {
    let mut inputs: Vec<PathBuf> =
        fs::read_dir(folder.join("rows")).unwrap().map(|entry| entry.unwrap().path()).collect();
    inputs.sort();
    let schema = sample[0].schema();
    for input in inputs {
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
        let output = File::create(out.join("floor.parquet")).unwrap();
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
