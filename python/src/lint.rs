//! What the owner of a robots.txt may not have meant.

use pyo3::prelude::*;
use robosift::compile::BodyLimit;
use robosift::lint::{Options, lint as lint_body};

use crate::options;
use crate::robots::octets;

/// Code, name, severity, line, message, remedy.
type Told = (&'static str, &'static str, &'static str, Option<u32>, String, String);

/// The findings in a body, in the order of their lines.
#[pyfunction]
#[pyo3(signature = (body, *, dialect=None, body_limit=512_000))]
pub(crate) fn lint(
    py: Python<'_>,
    body: &Bound<'_, PyAny>,
    dialect: Option<&str>,
    body_limit: usize,
) -> PyResult<Vec<Told>> {
    let body = octets(body)?;
    let options = Options {
        dialect: options::dialect(dialect)?,
        limit: BodyLimit::new(body_limit),
        ..Options::default()
    };
    let report = py.detach(|| lint_body(&body, &options));
    let told = |finding: robosift::lint::Finding| {
        let code = finding.code;
        let line = Some(finding.line).filter(|line| *line != 0);
        (
            code.id(),
            code.name(),
            code.severity().name(),
            line,
            finding.message,
            finding.remedy.into_owned(),
        )
    };
    Ok(report.findings.into_iter().map(told).collect())
}
