//! One robots body → what its owner may not have meant.
//!
//! ```text
//! body ─octets─▶ is it text? ─lines─▶ keys, agents, patterns, records ─conflicts─▶ rules that never decide ─▶ Report
//! ```
//!
//! Enters: the octets of a body and [`Options`]. Leaves: a [`Report`] of [`Finding`]s, each with a stable [`Code`],
//! a line and a remedy. The cost is a few passes over the body and its groups, and for rules compared with each
//! other near-linear in their number, within a budget (`conflicts`). Batches, files and outputs are not known here.

mod agents;
mod code;
mod conflicts;
mod finding;
mod keys;
mod known;
mod lines;
mod octets;
mod patterns;
mod records;
mod signals;
mod words;

pub use code::{Code, CodeSet, Severity};
pub use conflicts::includes;
pub use finding::{Finding, Related, Report};
pub use known::KnownAgents;

use crate::compile::BodyLimit;
use crate::parse::{Dialect, parse};
use finding::Findings;

/// What is looked for, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// The dialect in which rules are compared.
    pub dialect: Dialect,
    /// How much of a body crawlers read.
    pub limit: BodyLimit,
    /// Findings of one code that are kept for a body; the others are counted.
    pub most_per_code: usize,
    /// The codes that are looked for.
    pub codes: CodeSet,
    /// Crawlers that are known by name.
    pub agents: KnownAgents,
    /// A body may be the beginning of a longer one: archives and sources cut long ones.
    pub may_be_beginnings: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            dialect: Dialect::RFC9309,
            limit: BodyLimit::DEFAULT,
            most_per_code: 100,
            codes: CodeSet::all(),
            agents: KnownAgents::default(),
            may_be_beginnings: false,
        }
    }
}

/// Reads a body and tells what its owner may not have meant. Total: no body is an error.
///
/// # Complexity
/// Linear in the body, but for comparing rules with each other, which is near-linear in real files and stops, with
/// a finding that says so, after a fixed number of steps in made-up ones.
///
/// # Examples
/// ```
/// use robosift::lint::{Code, Options, lint};
/// let report = lint(b"User-agent: *\nDisalow: /private\nAlow: /private/open\n", &Options::default());
/// let found: Vec<(u32, Code)> = report.findings.iter().map(|f| (f.line, f.code)).collect();
/// assert_eq!(found, [(2, Code::AcceptedTypo), (2, Code::SensitivePath), (3, Code::MisspeltKey)]);
/// ```
#[must_use]
pub fn lint(body: &[u8], options: &Options) -> Report {
    let mut findings = Findings::new(options.most_per_code, options.codes.clone());
    let text = options.limit.cut(body);
    let robots = parse(text, &options.dialect);
    if octets::check(body, text, &robots, options, &mut findings) {
        lines::check(text, &robots, options, &mut findings);
        conflicts::check(text, &robots, options, &mut findings);
    }
    findings.finish()
}
