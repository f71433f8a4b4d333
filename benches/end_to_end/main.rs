//! The whole job against its floor: CPU time of judging rows of a made-up crawl (corpus ready), and
//! of a program that decodes the same columns with parquet-rs and writes columns of the same types
//! and compression. In turn, in one run, on the same rows; medians and their ratios.
//!
//! `cargo bench --bench end_to_end -- [rows] [origins] [folder] [mode ...]`; the modes are
//!
//! - `grouped`: one agent, rows in the order of origins, against the floor
//! - `cold`: the same with the raw robots table read and compiled each time
//! - `agents`: ten agents, against a floor that writes the columns of ten
//! - `shuffled`: the same rows in random order, against grouped
//! - `threads`: wall time of one thread against two, of the rows as they are and in one row group
//!
//! and without any, all of them.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench reports on stdout"
)]

mod check;
mod files;
mod floor;
mod measure;

use std::path::{Path, PathBuf};

use robosift::compile::BodyLimit;
use robosift::corpus::sources::{SourceOptions, SourceReport, load};
use robosift::corpus::{Corpus, CorpusBuilder};
use robosift::evaluate::{Asked, Evaluator, Layout, Settings, Suffix, Tally, VerdictColumn};
use robosift::job::{EvalJob, RowNames};
use robosift::parse::Dialect;
use robosift::stream::{Report, Silent, StreamPlan, run};

use measure::{Line, cpu_seconds, wall_seconds};

/// As in the binary; the floor runs on it too.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

const MODES: [&str; 5] = ["grouped", "cold", "agents", "shuffled", "threads"];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|w| !w.starts_with("--")).collect();
    let number = |at: usize, default: u64| words.get(at).map_or(default, |w| w.parse().unwrap());
    let (rows, origins) = (number(0, 20_000_000), number(1, 200_000));
    let folder = words.get(2).map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("robosift-bench-{rows}-{origins}"));
    files::make(&folder, rows, origins);
    let mut ready = None;
    let seconds = cpu_seconds(|| ready = Some(corpus(&folder)));
    let corpus = ready.unwrap();
    println!("{rows} rows, {origins} origins; corpus ready in {seconds:.2} CPU s");
    let asked: Vec<&str> = words.iter().skip(3).map(String::as_str).collect();
    let bench = Bench { corpus, folder, rows };
    for mode in if asked.is_empty() { &MODES } else { asked.as_slice() } {
        match *mode {
            "grouped" => bench.grouped(),
            "cold" => bench.cold(),
            "agents" => bench.agents(),
            "shuffled" => bench.shuffled(),
            "threads" => bench.threads(),
            other => panic!("no mode {other}; there are {}", MODES.join(", ")),
        }
    }
}

struct Bench {
    corpus: Corpus,
    folder: PathBuf,
    rows: u64,
}

impl Bench {
    fn grouped(&self) {
        let rows = self.folder.join("rows");
        let out = self.checked(&rows, 1);
        let sample = floor::sample(&out);
        let mut line = Line::new("grouped", self.rows);
        line.fill(|| {
            let floor = cpu_seconds(|| floor::run(&rows, &out, &sample));
            [floor, cpu_seconds(|| drop(self.eval(&rows, 1, 1)))]
        });
        line.print(["floor", "eval"]);
    }

    fn cold(&self) {
        let rows = self.folder.join("rows");
        let sample = floor::sample(&self.checked(&rows, 1));
        let mut line = Line::new("cold", self.rows);
        line.fill(|| {
            let floor = cpu_seconds(|| floor::run(&rows, &self.out(&rows), &sample));
            let whole = cpu_seconds(|| {
                let corpus = corpus(&self.folder);
                drop(eval(&corpus, &rows, &self.out(&rows), 1, 1));
            });
            [floor, whole]
        });
        line.print(["floor", "load and eval"]);
    }

    fn agents(&self) {
        let rows = self.folder.join("rows");
        let out = self.checked(&rows, AGENTS.len());
        let sample = floor::sample(&out);
        let mut line = Line::new("ten agents", self.rows);
        line.fill(|| {
            let floor = cpu_seconds(|| floor::run(&rows, &out, &sample));
            [floor, cpu_seconds(|| drop(self.eval(&rows, AGENTS.len(), 1)))]
        });
        line.print(["floor", "eval"]);
    }

    fn shuffled(&self) {
        let (rows, shuffled) = (self.folder.join("rows"), self.folder.join("shuffled"));
        files::shuffle(&rows, &shuffled);
        let grouped = self.eval(&rows, 1, 1);
        let scattered = self.eval(&shuffled, 1, 1);
        assert_eq!(grouped.tally, scattered.tally);
        check::verdicts(&self.folder, &shuffled, &self.out(&shuffled), AGENTS[0]);
        let mut line = Line::new("shuffled", self.rows);
        line.fill(|| {
            let grouped = cpu_seconds(|| drop(self.eval(&rows, 1, 1)));
            [grouped, cpu_seconds(|| drop(self.eval(&shuffled, 1, 1)))]
        });
        line.print(["grouped", "shuffled"]);
    }

    fn threads(&self) {
        let (rows, one_group) = (self.folder.join("rows"), self.folder.join("one-group"));
        files::one_group(&rows, &one_group);
        for (name, rows) in [("threads", &rows), ("threads, one row group", &one_group)] {
            assert_eq!(self.eval(rows, 1, 1).tally, self.eval(rows, 1, 2).tally);
            let mut line = Line::new(name, self.rows);
            line.fill(|| {
                let two = wall_seconds(|| drop(self.eval(rows, 1, 2)));
                [two, wall_seconds(|| drop(self.eval(rows, 1, 1)))]
            });
            line.print(["two (wall)", "one (wall)"]);
        }
    }

    /// Judges once and checks the verdicts; says where they are.
    fn checked(&self, rows: &Path, agents: usize) -> PathBuf {
        let report = self.eval(rows, agents, 1);
        assert_eq!(report.rows, self.rows);
        let verdicts = report.tally.all_agents().total().iter().sum::<u64>();
        assert_eq!(verdicts, self.rows * agents as u64);
        if agents == 1 {
            check::verdicts(&self.folder, rows, &self.out(rows), AGENTS[0]);
        }
        self.out(rows)
    }

    fn eval(&self, rows: &Path, agents: usize, threads: usize) -> Report<Tally> {
        eval(&self.corpus, rows, &self.out(rows), agents, threads)
    }

    fn out(&self, rows: &Path) -> PathBuf {
        self.folder.join("out").join(rows.file_name().unwrap())
    }
}

fn corpus(folder: &Path) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    let (options, mut report) = (SourceOptions::default(), SourceReport::default());
    load(&folder.join("robots.parquet"), &options, &mut builder, &mut report).unwrap();
    builder.finish().unwrap()
}

fn eval(corpus: &Corpus, rows: &Path, out: &Path, agents: usize, threads: usize) -> Report<Tally> {
    let settings = Settings::default();
    let asked = Asked::parse(AGENTS[..agents].iter().copied(), &settings).unwrap();
    let columns = VerdictColumn::STANDARD;
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    let evaluator = Evaluator::try_new(corpus, settings, asked, &columns, layout, suffix).unwrap();
    let plan = StreamPlan::new(&[rows], out).unwrap();
    let plan = StreamPlan { threads, ..plan };
    run(&EvalJob::new(evaluator, RowNames::default()), &plan, &Silent).unwrap()
}
