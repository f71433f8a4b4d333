//! One robots.txt, for single questions.
//!
//! Enters: a body. Leaves: verdicts, crawl delays, sitemaps. Must not know: captures, rows.

use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};
use robosift::agents::Agent;
use robosift::compile::{BodyLimit, Program, compile};
use robosift::evaluate::{Settings, judge_compiled};
use robosift::explain::{RecordKind, records_of};
use robosift::parse::Dialect;

use crate::error;
use crate::options;

/// A compiled robots.txt.
#[pyclass(frozen, module = "robosift._robosift")]
pub(crate) struct RobotsTxt {
    body: Vec<u8>,
    program: Program,
    settings: Settings,
}

#[pymethods]
impl RobotsTxt {
    #[new]
    #[pyo3(signature = (body, *, dialect=None, body_limit=512_000))]
    fn new(body: &Bound<'_, PyAny>, dialect: Option<&str>, body_limit: usize) -> PyResult<Self> {
        let settings = Settings { dialect: options::dialect(dialect)?, ..Settings::default() };
        let limit = BodyLimit::new(body_limit);
        let body = limit.cut(&octets(body)?).to_vec();
        let program = compile(&body, &settings.dialect, BodyLimit::NONE);
        Ok(RobotsTxt { body, program, settings })
    }

    /// Verdict, basis and line of the deciding rule, if one decided.
    #[pyo3(signature = (*, url, agent))]
    fn verdict(
        &self,
        url: &str,
        agent: &str,
    ) -> PyResult<(Option<bool>, &'static str, Option<u32>)> {
        one_agent(agent)?;
        let verdict =
            judge_compiled(&self.program, agent.as_bytes(), url.as_bytes(), &self.settings);
        let line = Some(verdict.rule_line).filter(|line| *line != 0);
        Ok((verdict.allowed, verdict.basis.name(), line))
    }

    /// Seconds, of the first such line with a number that applies to the agent.
    #[pyo3(signature = (*, agent))]
    fn crawl_delay(&self, agent: &str) -> PyResult<Option<f64>> {
        let records = records_of(&self.body, &self.agent(agent)?, &self.settings.dialect);
        let delays =
            records.iter().filter(|record| record.applies && record.kind == RecordKind::CrawlDelay);
        let mut seconds = delays.filter_map(|record| record.value.trim().parse::<f64>().ok());
        Ok(seconds.find(|seconds| seconds.is_finite() && *seconds >= 0.0))
    }

    /// The values of all Sitemap lines, in order.
    #[getter]
    fn sitemaps(&self) -> PyResult<Vec<String>> {
        let records = records_of(&self.body, &self.agent("*")?, &self.settings.dialect);
        let sitemaps = records.into_iter().filter(|record| record.kind == RecordKind::Sitemap);
        Ok(sitemaps.map(|record| record.value).collect())
    }

    /// The dialect it was read in.
    #[getter]
    fn dialect(&self) -> &'static str {
        let dialect: &Dialect = &self.settings.dialect;
        dialect.name
    }

    /// The octets that were read.
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }
}

impl RobotsTxt {
    fn agent(&self, agent: &str) -> PyResult<Agent> {
        one_agent(agent)?;
        let read = self.settings.read_agent(agent.as_bytes());
        read.ok_or_else(|| {
            error::argument(format!(
                "`{agent}` is not an agent: give a product token such as GPTBot, or *"
            ))
        })
    }
}

/// Refuses what is a set or a list of agents elsewhere.
fn one_agent(agent: &str) -> PyResult<()> {
    let is_list = agent.contains(',') && !agent.contains('(');
    if agent.starts_with('@') || is_list {
        return Err(error::argument(format!("`{agent}` is not one agent; ask for each by itself")));
    }
    Ok(())
}

/// The octets of a body given as bytes or as text.
pub(crate) fn octets(body: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = body.cast::<PyString>() {
        return Ok(text.to_str()?.as_bytes().to_vec());
    }
    let octets = body.cast::<PyBytes>().map(|octets| octets.as_bytes().to_vec());
    let octets = octets.or_else(|_| body.cast::<PyByteArray>().map(|octets| octets.to_vec()));
    octets.map_err(|_| error::argument("a body is bytes, or text, which is taken as UTF-8"))
}
