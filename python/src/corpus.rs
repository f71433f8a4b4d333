//! Built corpora: opened, built, asked about one URL.
//!
//! Enters: paths. Leaves: a [`Corpus`], opened in either dialect when it is first asked in it. Must not know: rows.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, ColumnNames, SourceFile, SourceOptions};
use robosift::corpus::{Corpus as Opened, FolderBuild, FolderPlan, hex};
use robosift::explain::{Explainer, KnownTexts};
use robosift::parse::Dialect;
use robosift::text::quantity;

use crate::error;
use crate::interrupt::interruptible;
use crate::options::{self, Options};
use crate::pool::check_threads;

/// A built corpus.
#[pyclass(frozen, module = "robosift._robosift")]
pub(crate) struct Corpus {
    path: PathBuf,
    /// By place in [`Dialect::ALL`].
    opened: Mutex<Vec<Option<Arc<Opened>>>>,
}

#[pymethods]
impl Corpus {
    /// Opens the corpus in a folder.
    #[new]
    fn open(path: PathBuf) -> PyResult<Self> {
        let path = std::path::absolute(&path).unwrap_or(path);
        let corpus = Corpus { path, opened: Mutex::new(vec![None; Dialect::ALL.len()]) };
        corpus.opened(&Dialect::RFC9309)?;
        Ok(corpus)
    }

    /// The folder, absolute.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// What it says of itself.
    #[getter]
    fn info<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let corpus = self.opened(&Dialect::RFC9309)?;
        let facts = corpus.facts();
        let info = PyDict::new(py);
        info.set_item("origins", corpus.num_origins())?;
        info.set_item("bodies", corpus.num_bodies())?;
        info.set_item("captures", facts.counts.captures)?;
        info.set_item("captures_without_place", facts.counts.without_place)?;
        info.set_item("captures_without_status", facts.counts.without_status)?;
        info.set_item("revisits", facts.counts.revisits)?;
        info.set_item("revisits_unresolved", facts.counts.revisits_unresolved)?;
        let dialects: Vec<&str> = facts.dialects.iter().map(|dialect| dialect.name).collect();
        info.set_item("dialects", dialects)?;
        info.set_item("body_limit", facts.limit.octets())?;
        info.set_item("texts", facts.has_texts)?;
        info.set_item("fingerprint", hex(&facts.fingerprint))?;
        Ok(info)
    }

    /// An explanation as the JSON that `robosift explain --json` prints.
    #[pyo3(signature = (url, agents, *, at=None, options=None))]
    fn explain(
        &self,
        py: Python<'_>,
        url: &str,
        agents: Vec<String>,
        at: Option<&str>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let options = Options::read(options)?;
        let at = at.map(quantity::moment).transpose().map_err(error::argument)?;
        let settings = options.settings(at.is_some())?;
        if settings.moment.needs_row_time() && at.is_none() {
            return Err(error::argument(
                "as_of=\"row\" and \"ever\" need the time of the question: at=",
            ));
        }
        let corpus = self.opened(&settings.dialect)?;
        let twin = self.other(&settings.dialect)?;
        let asked = options::agents(&agents, &settings.registry)?;
        let asked: Option<Vec<_>> =
            asked.iter().map(|agent| settings.read_agent(agent.as_bytes())).collect();
        let asked = asked.filter(|asked| !asked.is_empty());
        let asked = asked.ok_or_else(|| {
            error::argument(
                "an agent is a product token such as GPTBot, an identification string, or *",
            )
        })?;
        let explanation = py.detach(|| {
            let texts = KnownTexts::default();
            let explainer = Explainer::new(&corpus, &texts, &settings);
            explainer.with_twin(twin.as_deref()).explain(url, &asked, at)
        });
        Ok(explanation.map_err(error::corpus)?.to_json().to_string())
    }
}

impl Corpus {
    /// Opened to be asked in `dialect`.
    pub(crate) fn opened(&self, dialect: &Dialect) -> PyResult<Arc<Opened>> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let at = Dialect::ALL.iter().position(|known| known.name == dialect.name);
        if let Some(Some(corpus)) = at.and_then(|at| opened.get(at)) {
            return Ok(Arc::clone(corpus));
        }
        let corpus = Arc::new(Opened::open(&self.path, dialect).map_err(error::corpus)?);
        let mut known = opened.iter().flatten();
        if known.any(|known| known.facts().fingerprint != corpus.facts().fingerprint) {
            let path = self.path.display();
            return Err(error::corpus(format!(
                "{path} was replaced since it was opened; open it anew"
            )));
        }
        if let Some(place) = at.and_then(|at| opened.get_mut(at)) {
            *place = Some(Arc::clone(&corpus));
        }
        Ok(corpus)
    }

    /// Opened in the other dialect, if it was compiled for that.
    fn other(&self, dialect: &Dialect) -> PyResult<Option<Arc<Opened>>> {
        let other = Dialect::ALL.into_iter().find(|other| other.name != dialect.name);
        let corpus = self.opened(dialect)?;
        let known = corpus.facts().dialects.iter();
        let other = other.filter(|other| known.clone().any(|known| known.name == other.name));
        other.map(|other| self.opened(&other)).transpose()
    }
}

/// Memory that a build stays within where none is given.
const DEFAULT_MEMORY: usize = 2 << 30;

/// Builds a corpus; gives what was passed over.
#[pyfunction]
#[pyo3(signature = (sources, output, *, origin, columns, body_limit, texts, memory, threads, skip_damaged, resume))]
#[expect(clippy::too_many_arguments, reason = "they are given by name")]
pub(crate) fn build_corpus(
    py: Python<'_>,
    sources: Vec<PathBuf>,
    output: PathBuf,
    origin: Option<String>,
    columns: Option<String>,
    body_limit: usize,
    texts: bool,
    memory: Option<String>,
    threads: usize,
    skip_damaged: bool,
    resume: bool,
) -> PyResult<Vec<String>> {
    let memory = memory.as_deref().map(quantity::octets).transpose();
    let memory = memory.map_err(|error| error::argument(format!("memory: {error}")))?;
    let columns =
        columns.as_deref().map(ColumnNames::parse).transpose().map_err(error::argument)?;
    let request = Request {
        sources,
        output,
        options: SourceOptions {
            columns: columns.unwrap_or_default(),
            origin,
            skip_damaged,
            batch_octets: None,
        },
        limit: BodyLimit::new(body_limit),
        texts,
        memory: memory.unwrap_or(DEFAULT_MEMORY),
        threads,
        resume,
    };
    request.build(py)
}

/// What is to be built.
struct Request {
    sources: Vec<PathBuf>,
    output: PathBuf,
    options: SourceOptions,
    limit: BodyLimit,
    texts: bool,
    memory: usize,
    threads: usize,
    resume: bool,
}

impl Request {
    fn build(self, py: Python<'_>) -> PyResult<Vec<String>> {
        if self.sources.is_empty() {
            return Err(error::argument("sources: none are given"));
        }
        check_threads(self.threads)?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(error::argument)?;
        let threads = pool.current_num_threads();
        let files = self.sources.iter().map(|path| sources::list(path).map_err(error::corpus));
        let files: Vec<SourceFile> = files.collect::<PyResult<Vec<_>>>()?.concat();
        let batch_octets = Some(self.memory / 16 / threads);
        let options = SourceOptions { batch_octets, ..self.options };
        let plan = FolderPlan {
            output: self.output,
            sources: sources::number(&files).1,
            limit: self.limit,
            texts: self.texts,
            memory: self.memory,
            threads,
            origin_of_captures: sources::state(&files, &options).map_err(error::corpus)?,
        };
        let build = py.detach(|| FolderBuild::begin(plan, self.resume)).map_err(error::corpus)?;
        let stop = build.stop();
        let report = interruptible(
            py,
            || stop.stop(),
            || {
                pool.install(|| {
                    sources::feed(&build, &files, &options, &())?;
                    build.finish()
                })
            },
        )?;
        Ok(report.map_err(error::corpus)?.skipped.kept().to_vec())
    }
}
