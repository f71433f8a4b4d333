//! All bodies of a corpus, linted: counts of each kind of finding, and a table of them.
//!
//! Enters: a built corpus with its texts, or texts gathered from any other source. Leaves: a [`LintSummary`] and, where it
//! is asked for, a Parquet file, a row for each finding kept. Cost: that of linting each distinct body once, on all
//! cores; memory for the reports of some bodies at a time. What is found is not known here.

mod table;
mod texts;

use std::borrow::Cow;
use std::path::Path;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use sha2::{Digest, Sha256};

use crate::corpus::{BodyId, Corpus, CorpusError};
use crate::lint::{Code, Options, Report, lint};
use table::FindingTable;
pub use texts::Texts;

/// Bodies that are linted between two writes.
const BODIES_AT_ONCE: usize = 512;

/// Where bodies come from.
#[derive(Debug)]
pub enum LintSource {
    /// A built corpus, which must have the texts of its bodies.
    Built(Box<Corpus>),
    /// Texts gathered from other sources.
    Texts(Texts),
}

/// What became of all bodies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LintSummary {
    /// Distinct bodies.
    pub bodies: u64,
    /// Bodies with at least one finding.
    pub bodies_with_findings: u64,
    /// Findings, exact.
    pub findings: u64,
    /// Rows written: findings kept.
    pub rows: u64,
    /// Each code that was found, in the order of codes.
    pub codes: Vec<CodeCount>,
}

/// How often one kind was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeCount {
    /// Which kind.
    pub code: Code,
    /// Findings, exact.
    pub findings: u64,
    /// Distinct bodies that have one.
    pub bodies: u64,
    /// Origins that serve such a body; one that serves several counts for each.
    pub origins: u64,
}

/// One body with what is known of it.
struct Linted {
    /// Its number in a built corpus.
    body: Option<BodyId>,
    digest: [u8; 32],
    num_origins: u64,
    report: Report,
}

impl LintSource {
    fn len(&self) -> usize {
        match self {
            LintSource::Built(corpus) => corpus.num_bodies(),
            LintSource::Texts(texts) => texts.len(),
        }
    }

    fn lint(&self, at: usize, options: &Options) -> Result<Linted, CorpusError> {
        match self {
            LintSource::Built(corpus) => {
                let body = BodyId::new(u32::try_from(at).unwrap_or(u32::MAX));
                let text = Cow::from(corpus.text(body)?);
                let digest = corpus.digest(body).copied().unwrap_or_default();
                let num_origins = corpus.body_facts(body).map_or(0, |(_, origins)| origins);
                Ok(Linted { body: Some(body), digest, num_origins, report: lint(&text, options) })
            }
            LintSource::Texts(texts) => {
                let (text, num_origins) = texts.get(at).unwrap_or_default();
                let digest = Sha256::digest(text).into();
                Ok(Linted { body: None, digest, num_origins, report: lint(text, options) })
            }
        }
    }
}

/// Lints all distinct bodies of `source`, in their order; writes their findings to `output` where one is given. Archives and
/// sources cut long bodies, so that a length is told as the least.
///
/// # Errors
/// A corpus without texts, a damaged one; those of the disk.
pub fn lint_bodies(
    source: &LintSource,
    options: &Options,
    output: Option<&Path>,
) -> Result<LintSummary, CorpusError> {
    let options = &Options { may_be_beginnings: true, ..options.clone() };
    let mut table = output.map(FindingTable::create).transpose()?;
    let mut counts: Vec<CodeCount> = Code::ALL
        .iter()
        .map(|code| CodeCount { code: *code, findings: 0, bodies: 0, origins: 0 })
        .collect();
    let mut summary = LintSummary::default();
    for from in (0..source.len()).step_by(BODIES_AT_ONCE) {
        let to = source.len().min(from + BODIES_AT_ONCE);
        let linted = (from..to).into_par_iter().map(|at| source.lint(at, options));
        let linted: Vec<Linted> = linted.collect::<Result<_, _>>()?;
        for body in &linted {
            summary.add(body, &mut counts);
            if let Some(table) = &mut table {
                table.add(body)?;
            }
        }
    }
    if let LintSource::Built(corpus) = source {
        corpus.check()?;
    }
    summary.rows = table.map_or(Ok(0), FindingTable::finish)?;
    summary.codes = counts.into_iter().filter(|count| count.findings > 0).collect();
    Ok(summary)
}

impl LintSummary {
    fn add(&mut self, body: &Linted, counts: &mut [CodeCount]) {
        self.bodies += 1;
        self.bodies_with_findings += u64::from(body.report.worst().is_some());
        for count in counts {
            let findings = body.report.count(count.code);
            if findings > 0 {
                self.findings += findings;
                count.findings += findings;
                count.bodies += 1;
                count.origins += body.num_origins;
            }
        }
    }
}
