//! Judging by a corpus far larger than the processor's caches, against one that fits them: sorted rows, then shuffled ones.
//!
//! `cargo bench --bench corpus_judged -- ROWS ORIGINS FOLDER`. Both corpora are built of four crawls; both are asked the same
//! number of rows, made by the same rules, some sixty an origin: the large one about all its origins, the small one about
//! its [`FEW`] again and again. Files of rows are of one size and layout. Corpora and rows stay in FOLDER and are used again.
#![allow(
    missing_docs,
    dead_code,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]

mod common;
#[path = "end_to_end/files.rs"]
mod files;
#[path = "end_to_end/measure.rs"]
mod measure;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use arrow::array::{Array, ArrayRef, AsArray};
use common::scale;
use measure::{Line, cpu_seconds};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::corpus::{Access, Corpus, Policy};
use robosift::evaluate::{Asked, Evaluator, Layout, Settings, Suffix, Tally, VerdictColumn};
use robosift::job::{EvalJob, RowNames};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;
use robosift::stream::{Report, Silent, StreamPlan, run};
use robosift::text::origin::Origin;
use robosift::workload::Workload;

/// As in the binary.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const AGENT: &str = "GPTBot";
/// Origins of the small corpus: with their programs some megabytes.
const FEW: u64 = 4_096;
/// Crawls that a corpus is built of.
const CRAWLS: u32 = 4;
const MEMORY: usize = 2 << 30;
/// Rows of a file and of its row group.
const FILE_ROWS: u64 = 1_000_000;
const ROWS_PER_ORIGIN: u64 = 60;
/// Shuffled rows: all of them are in memory while they are written.
const MOST_SHUFFLED: u64 = 20_000_000;
/// One row in so many is compared with the plain matcher.
const STEP: usize = 9_973;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with("--")).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |w| w.parse().unwrap());
    let (rows, origins) = (number(0, 2_000_000), number(1, 30_000));
    let folder = words.get(2).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("robosift-judged-{rows}-{origins}"));
    let large = Side::new(&folder.join("large"), rows, origins);
    let small = Side::new(&folder.join("small"), rows, FEW);
    for side in [&large, &small] {
        side.check(&side.rows);
    }
    let mut line = Line::new("sorted", rows);
    line.fill(|| {
        let small = cpu_seconds(|| drop(small.eval(&small.rows)));
        [small, cpu_seconds(|| drop(large.eval(&large.rows)))]
    });
    line.print(["fits the cache", "large"]);
    large.shuffled(rows.min(MOST_SHUFFLED), origins);
}

/// A corpus and rows about it.
struct Side {
    corpus: PathBuf,
    rows: PathBuf,
    num_rows: u64,
}

impl Side {
    fn new(folder: &Path, num_rows: u64, origins: u64) -> Self {
        let (corpus, rows) = (folder.join("built.corpus"), folder.join("rows"));
        fs::create_dir_all(folder).unwrap();
        if !corpus.exists() {
            let workload = Workload::try_new(origins, origins, 1).unwrap();
            scale::build(&workload, CRAWLS, MEMORY, &corpus);
        }
        if !rows.exists() {
            write_rows(&rows, num_rows, origins);
        }
        Side { corpus, rows, num_rows }
    }

    /// Opens the corpus and judges, on one thread.
    fn eval(&self, rows: &Path) -> Report<Tally> {
        let corpus = Corpus::open(&self.corpus, &Dialect::RFC9309).unwrap();
        let settings = Settings::default();
        let asked = Asked::parse([AGENT], &settings).unwrap();
        let columns = VerdictColumn::STANDARD;
        let (layout, suffix) = (Layout::Wide, Suffix::Auto);
        let evaluator =
            Evaluator::try_new(&corpus, settings, asked, &columns, layout, suffix).unwrap();
        let plan = StreamPlan::new(&[rows], &self.out(rows)).unwrap();
        let plan = StreamPlan { threads: 1, ..plan };
        run(&EvalJob::new(evaluator, RowNames::default()), &plan, &Silent).unwrap()
    }

    fn out(&self, rows: &Path) -> PathBuf {
        rows.with_file_name(format!("out-{}", rows.file_name().unwrap().display()))
    }

    /// Judges once and compares a sample of the verdicts with the plain matcher's on the bodies' texts.
    fn check(&self, rows: &Path) {
        let report = self.eval(rows);
        assert_eq!(report.rows, self.num_rows);
        assert_eq!(report.tally.all_agents().total().iter().sum::<u64>(), self.num_rows);
        let corpus = Corpus::open(&self.corpus, &Dialect::RFC9309).unwrap();
        let (mut row, mut checked) = (0, 0);
        let (first, judged) = (&files::tables(rows)[0], &files::tables(&self.out(rows))[0]);
        for (urls, allowed) in column(first, "url").zip(column(judged, "robots_allowed")) {
            let (urls, allowed) = (urls.as_string::<i32>(), allowed.as_boolean());
            for at in 0..urls.len() {
                row += 1;
                let url = urls.value(at).as_bytes();
                let text = (row % STEP == 0).then(|| text(&corpus, url)).flatten();
                if let Some(text) = text {
                    let naive = NaiveRobots::parse(&text, NaiveDialect::Rfc9309);
                    let right = naive.judge(AGENT.as_bytes(), url).allowed;
                    assert_eq!(allowed.is_valid(at).then(|| allowed.value(at)), right, "row {row}");
                    checked += 1;
                }
            }
        }
        assert!(checked > 10, "only {checked} rows could be checked");
    }

    /// So many rows in the order of origins against the same rows in any order.
    fn shuffled(&self, num_rows: u64, origins: u64) {
        let rows = self.rows.with_file_name("fewer-rows");
        let shuffled = self.rows.with_file_name("shuffled");
        if !rows.exists() {
            write_rows(&rows, num_rows.max(origins), origins);
        }
        files::shuffle(&rows, &shuffled);
        let sorted = self.eval(&rows);
        assert_eq!(sorted.tally, self.eval(&shuffled).tally);
        let mut line = Line::new("shuffled", sorted.rows);
        line.fill(|| {
            let sorted = cpu_seconds(|| drop(self.eval(&rows)));
            [sorted, cpu_seconds(|| drop(self.eval(&shuffled)))]
        });
        line.print(["sorted", "shuffled"]);
    }
}

/// Files of rows about so many origins: as many origins as there are rows for, then all of them again.
fn write_rows(folder: &Path, num_rows: u64, origins: u64) {
    let pass = (origins * ROWS_PER_ORIGIN).min(num_rows);
    let batches = (0..num_rows.div_ceil(pass)).flat_map(|_| {
        let workload = Workload::try_new(pass, origins, 1).unwrap();
        workload.row_batches().map(|batch| batch.column_by_name("url").unwrap().clone())
    });
    files::write_files(folder, batches, num_rows, FILE_ROWS);
}

/// A column, batch by batch.
fn column(table: &Path, name: &'static str) -> impl Iterator<Item = ArrayRef> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(table).unwrap()).unwrap();
    let reader = reader.build().unwrap();
    reader.map(move |batch| batch.unwrap().column_by_name(name).unwrap().clone())
}

/// The rules' text for a URL where its origin answers with some.
fn text(corpus: &Corpus, url: &[u8]) -> Option<Vec<u8>> {
    let origin = corpus.find(Origin::parse(url)?.as_str().as_bytes())?;
    let path = url.iter().enumerate().filter(|(_, octet)| **octet == b'/').nth(2)?.0;
    let is_robots = url.get(path..) == Some(b"/robots.txt");
    match corpus.latest(origin, &Policy::RFC9309).access {
        Access::Rules(body) if !is_robots => Some(corpus.text(body).unwrap()),
        _ => None,
    }
}
