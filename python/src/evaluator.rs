//! What is asked of a corpus, once; then streams of rows → streams of verdicts.
//!
//! Enters: a corpus, agents, names of columns, options. Leaves: a [`VerdictStream`] for each stream. What was found out about
//! origins serves all streams alike. Must not know: which library the rows are of.

use std::sync::{Arc, Mutex, PoisonError};

use std::time::Instant;

use arrow::array::RecordBatch;
use arrow::datatypes::{Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::record_batch::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use robosift::compile::BodyLimit;
use robosift::corpus::CorpusBuilder;
use robosift::evaluate::{Asked, Settings};
use robosift::job::{Provenance, provenance};
use robosift::parse::Dialect;

use crate::capsule;
use crate::corpus::Corpus;
use crate::error;
use crate::judge::Judge;
use crate::options::{self, Options};
use crate::pool::LOOK_EVERY;
use crate::rows::{RowNames, there_are};
use crate::verdicts::{Plan, VerdictStream, schema_of};

/// Which columns of rows are carried over.
#[derive(Clone, Debug)]
enum Keep {
    None,
    All,
    Names(Vec<String>),
}

/// Judges streams of rows.
#[pyclass(frozen, module = "robosift._robosift")]
pub(crate) struct Evaluator {
    corpus: Arc<robosift::corpus::Corpus>,
    options: Options,
    agents: Vec<String>,
    names: RowNames,
    keep: Keep,
    /// For rows without times, and for rows that have some.
    judges: Mutex<[Option<Arc<Judge>>; 2]>,
}

#[pymethods]
impl Evaluator {
    #[new]
    #[pyo3(signature = (corpus, agents, *, url=None, agent_column=None, origin=None, time=None, keep=None, options=None))]
    #[expect(clippy::too_many_arguments, reason = "they are given by name")]
    fn new(
        corpus: Option<&Corpus>,
        agents: Vec<String>,
        url: Option<String>,
        agent_column: Option<String>,
        origin: Option<String>,
        time: Option<String>,
        keep: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let options = Options::read(options)?;
        let evaluator = Evaluator {
            corpus: match corpus {
                Some(corpus) => corpus.opened(&options.settings.dialect)?,
                None => Arc::new(empty(&options.settings.dialect)?),
            },
            agents,
            names: RowNames { url, agent: agent_column, origin, time },
            keep: read_keep(keep)?,
            judges: Mutex::default(),
            options,
        };
        // What is wrong with the agents is told before a row is read.
        evaluator.asked(&evaluator.options.settings)?;
        Ok(evaluator)
    }

    /// The verdicts on the rows of an object with `__arrow_c_stream__`, judged as they are read.
    fn stream(&self, rows: &Bound<'_, PyAny>) -> PyResult<VerdictStream> {
        let rows = capsule::import(rows)?;
        let plan = self.plan(&rows.schema())?;
        Ok(VerdictStream::new(plan, rows))
    }

    /// The same, judged now, with the interpreter let go.
    fn evaluate(&self, py: Python<'_>, rows: &Bound<'_, PyAny>) -> PyResult<VerdictStream> {
        let rows = capsule::import(rows)?;
        let plan = self.plan(&rows.schema())?;
        let schema = SchemaRef::clone(&plan.schema);
        let batches = py.detach(|| read_all(plan.read(rows)))?;
        Ok(VerdictStream::of_batches(schema, batches))
    }

    /// The schema of the verdicts on rows of this schema (an object with `__arrow_c_schema__`), as a stream without a batch.
    fn empty(&self, rows: &Bound<'_, PyAny>) -> PyResult<VerdictStream> {
        let rows = capsule::import(rows)?;
        let plan = self.plan(&rows.schema())?;
        Ok(VerdictStream::of_batches(plan.schema, Vec::new()))
    }
}

impl Evaluator {
    fn asked(&self, settings: &Settings) -> PyResult<Asked> {
        options::asked(&self.agents, self.names.agent.is_some(), settings)
    }

    fn plan(&self, schema: &Schema) -> PyResult<Plan> {
        let places = self.names.find(schema)?;
        let judge = self.judge(places.have_times())?;
        if judge.tell(|evaluator| evaluator.needs_times()) && !places.have_times() {
            return Err(error::rows(
                "as_of=\"row\" and \"ever\" need the time of each row: name its column with time=",
            ));
        }
        let kept = self.kept(schema)?;
        let schema = schema_of(schema, &kept, &judge, self.metadata(&judge));
        let schema = schema.map_err(|error| error::arrow(&error))?;
        Ok(Plan { judge, places, kept, schema, threads: self.options.threads })
    }

    /// The judge for rows with or without times, made when it is first asked for.
    fn judge(&self, have_times: bool) -> PyResult<Arc<Judge>> {
        let mut judges = self.judges.lock().unwrap_or_else(PoisonError::into_inner);
        let [without, with] = &mut *judges;
        let known = if have_times { with } else { without };
        if let Some(judge) = known {
            return Ok(Arc::clone(judge));
        }
        let settings = self.options.settings(have_times)?;
        let asked = self.asked(&settings)?;
        let judge = Judge::with_options(Arc::clone(&self.corpus), settings, asked, &self.options);
        let judge = Arc::new(judge.map_err(error::argument)?);
        *known = Some(Arc::clone(&judge));
        Ok(judge)
    }

    fn kept(&self, schema: &Schema) -> PyResult<Vec<usize>> {
        match &self.keep {
            Keep::None => Ok(Vec::new()),
            Keep::All => Ok((0..schema.fields().len()).collect()),
            Keep::Names(names) => {
                let place = |name: &String| {
                    let place = schema.index_of(name);
                    place.map_err(|_| {
                        error::rows(format!(
                            "keep: there is no column `{name}`; {}",
                            there_are(schema)
                        ))
                    })
                };
                let kept: Vec<usize> = names.iter().map(place).collect::<PyResult<_>>()?;
                let twice = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name));
                match twice {
                    None => Ok(kept),
                    Some((_, name)) => Err(error::argument(format!("keep names `{name}` twice"))),
                }
            }
        }
    }

    /// How the verdicts came about, as files have it.
    fn metadata(&self, judge: &Judge) -> Vec<(String, String)> {
        let words = self.options.words.iter().map(|(name, value)| format!("{name}={value}"));
        let words: Vec<String> = words.collect();
        let run = |settings: &Settings| Provenance {
            command: format!("robosift.evaluate({})", words.join(", ")),
            status_overrides: self.options.overrides.clone(),
            body_limit: self.corpus.facts().limit.octets(),
            as_of: settings.moment.as_of.name(),
            agent_column: self.names.agent.clone(),
        };
        judge.tell(|evaluator| {
            let settings = evaluator.settings();
            provenance(&self.corpus, settings, evaluator.asked(), &run(settings))
        })
    }
}

/// All verdicts, unless the user has had enough meanwhile.
fn read_all(
    verdicts: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> PyResult<Vec<RecordBatch>> {
    let (mut batches, mut looked) = (Vec::new(), Instant::now());
    for batch in verdicts {
        batches.push(batch.map_err(|error| error::arrow(&error))?);
        if looked.elapsed() >= LOOK_EVERY {
            Python::attach(|py| py.check_signals())?;
            looked = Instant::now();
        }
    }
    Ok(batches)
}

/// A corpus without captures: for who wants the schema alone.
fn empty(dialect: &Dialect) -> PyResult<robosift::corpus::Corpus> {
    let builder = CorpusBuilder::new(*dialect, BodyLimit::DEFAULT);
    builder.finish().map_err(error::corpus)
}

fn read_keep(given: Option<Bound<'_, PyAny>>) -> PyResult<Keep> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(Keep::None) };
    let names = options::one_or_more(&given);
    let names =
        names.ok_or_else(|| error::argument("keep takes \"none\", \"all\" or names of columns"))?;
    Ok(match names.as_slice() {
        [word] if word == "none" => Keep::None,
        [word] if word == "all" => Keep::All,
        _ => Keep::Names(names),
    })
}
