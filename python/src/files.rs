//! Rows in Parquet files → verdicts in Parquet files, as the command `eval` does it.
//!
//! Enters: paths, a corpus, agents, options. Leaves: the files, and counts. The interpreter is let go but for a look, ten times a second,
//! whether the user has had enough. Must not know: Arrow in Python.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use robosift::evaluate::{Asked, Evaluator, Scratch, Settings, Tally};
use robosift::job::{
    EvalError, EvalJob, FilePlan, Provenance, RowNames, known_time_column, provenance,
};
use robosift::stream::{
    self, Codec, Judge, Keep, OnError, Report, Silent, StreamError, StreamPlan,
};
use robosift::table::{Column, ParquetFile};
use robosift::text::quantity;

use crate::corpus::Corpus;
use crate::error;
use crate::interrupt::interruptible;
use crate::options::{self, Options};

/// Judges the rows of files; gives counts.
#[pyfunction]
#[pyo3(signature = (rows, output, corpus, agents, *, url, agent_column, origin, time, keep, compression, memory, skip_damaged, resume, options))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn eval_files<'py>(
    py: Python<'py>,
    rows: Vec<PathBuf>,
    output: PathBuf,
    corpus: &Corpus,
    agents: Vec<String>,
    url: Option<String>,
    agent_column: Option<String>,
    origin: Option<String>,
    time: Option<String>,
    keep: Option<Bound<'py, PyAny>>,
    compression: &str,
    memory: Option<&str>,
    skip_damaged: bool,
    resume: bool,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = Options::read(options)?;
    let mut plan = StreamPlan::new(&rows, &output).map_err(told)?;
    plan.threads = options.threads;
    plan.codec = codec(compression)?;
    plan.keep = kept(keep)?;
    plan.resume = resume;
    plan.on_error = if skip_damaged { OnError::Skip } else { OnError::Fail };
    if let Some(memory) = memory {
        let memory = quantity::octets(memory);
        plan.memory = memory.map_err(|error| error::argument(format!("memory: {error}")))?;
    }
    let names = RowNames { url, origin, agent: agent_column.clone(), time };
    let have_times = names.time.is_some() || {
        let mut known = plan.inputs.iter().filter_map(|input| known_time_column(&input.path));
        known.next().is_some_and(|column| column.is_some())
    };
    let settings = options.settings(have_times)?;
    let asked = options::asked(&agents, agent_column.is_some(), &settings)?;
    let corpus = corpus.opened(&settings.dialect)?;
    plan.key_values = key_values(&corpus, &settings, &asked, &options, agent_column);
    let Options { columns, layout, suffix, .. } = &options;
    let evaluator = Evaluator::try_new(&corpus, settings, asked, columns, *layout, *suffix);
    let job = EvalJob::new(evaluator.map_err(error::argument)?, names);
    counts(py, &run(py, job, &plan)?)
}

/// Runs the job, and looks for signals meanwhile.
fn run(py: Python<'_>, job: EvalJob<'_>, plan: &StreamPlan) -> PyResult<Report<Tally>> {
    let stop = Arc::new(AtomicBool::new(false));
    let job = Interruptible { job, stop: Arc::clone(&stop) };
    let outcome = interruptible(
        py,
        || stop.store(true, Ordering::Relaxed),
        || stream::run(&job, plan, &Silent),
    )?;
    outcome.map_err(told)
}

/// A job that ends when it is told to.
struct Interruptible<'c> {
    job: EvalJob<'c>,
    stop: Arc<AtomicBool>,
}

/// Why it ended.
#[derive(Debug)]
enum Ended {
    Refused(EvalError),
    Interrupted,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ended::Refused(error) => error.fmt(f),
            Ended::Interrupted => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for Ended {}

impl<'c> Judge for Interruptible<'c> {
    type Tally = Tally;
    type Plan = FilePlan;
    type State = Scratch<'c>;
    type Error = Ended;

    fn schema(&self) -> SchemaRef {
        self.job.schema()
    }

    fn plan(&self, file: &ParquetFile) -> Result<(FilePlan, Vec<Column>), Ended> {
        self.job.plan(file).map_err(Ended::Refused)
    }

    fn state(&self) -> Scratch<'c> {
        self.job.state()
    }

    fn judge(
        &self,
        plan: &FilePlan,
        state: &mut Scratch<'c>,
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Tally,
    ) -> Result<RecordBatch, Ended> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Ended::Interrupted);
        }
        let judged = self.job.judge(plan, state, columns, num_rows, first_row, tally);
        judged.map_err(Ended::Refused)
    }
}

fn told(error: StreamError) -> PyErr {
    if error.is_plan() { error::argument(error) } else { error::files(error) }
}

fn codec(word: &str) -> PyResult<Codec> {
    Ok(match word {
        "zstd" => Codec::Zstd,
        "snappy" => Codec::Snappy,
        "lz4" => Codec::Lz4,
        "none" => Codec::None,
        other => {
            return Err(error::argument(format!(
                "`{other}` is not a compression; there are: zstd, snappy, lz4, none"
            )));
        }
    })
}

fn kept(given: Option<Bound<'_, PyAny>>) -> PyResult<Keep> {
    let names = given.as_ref().filter(|given| !given.is_none()).map(options::one_or_more);
    let Some(names) = names else { return Ok(Keep::None) };
    let names =
        names.ok_or_else(|| error::argument("keep takes \"none\", \"all\" or names of columns"))?;
    Ok(match names.as_slice() {
        [word] if word == "none" => Keep::None,
        [word] if word == "all" => Keep::All,
        _ => Keep::Names(names),
    })
}

fn key_values(
    corpus: &robosift::corpus::Corpus,
    settings: &Settings,
    asked: &Asked,
    options: &Options,
    agent_column: Option<String>,
) -> Vec<(String, String)> {
    let words: Vec<String> =
        options.words.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let run = Provenance {
        command: format!("robosift.eval_files({})", words.join(", ")),
        status_overrides: options.overrides.clone(),
        body_limit: corpus.facts().limit.octets(),
        as_of: settings.moment.as_of.name(),
        agent_column,
    };
    provenance(corpus, settings, asked, &run)
}

fn counts<'py>(py: Python<'py>, report: &Report<Tally>) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("rows", report.rows)?;
    counts.set_item("files", report.files)?;
    counts.set_item("row_groups", report.row_groups)?;
    counts.set_item("octets_read", report.octets_read)?;
    counts.set_item("octets_written", report.octets_written)?;
    counts.set_item("kept_files", report.kept_files)?;
    counts.set_item("kept_rows", report.kept_rows)?;
    let skipped = report.skipped.iter().map(|skipped| {
        (skipped.path.clone(), skipped.row_group, skipped.rows, skipped.reason.clone())
    });
    counts.set_item("skipped", skipped.collect::<Vec<_>>())?;
    Ok(counts)
}
