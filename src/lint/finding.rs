//! Findings, and the list that takes them: a cap for each kind, exact counts.
//!
//! Enters: what the checks find. Leaves: a [`Report`]. Words are made only for findings that are kept, so that a
//! body made of nothing but mistakes costs no more than its kept ones and a count of the rest.

use std::borrow::Cow;
use std::ops::Range;

use super::code::{Code, CodeSet, Severity};

/// Something the owner of a robots.txt may not have meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind it is.
    pub code: Code,
    /// Its line, from 1; 0 where it is about the file as a whole.
    pub line: u32,
    /// The octets of the line that it is about; empty where it is about all of it.
    pub span: Range<usize>,
    /// What is so.
    pub message: String,
    /// What can be done.
    pub remedy: Cow<'static, str>,
    /// Another line that has to do with it.
    pub related: Option<Related>,
}

/// Another line that a finding speaks of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Its number, from 1.
    pub line: u32,
    /// What it does there.
    pub label: &'static str,
}

/// What a finding says.
pub(super) struct Words {
    pub(super) message: String,
    pub(super) remedy: Cow<'static, str>,
}

/// Words with a fixed remedy.
pub(super) fn words(message: impl Into<String>, remedy: &'static str) -> Words {
    Words { message: message.into(), remedy: Cow::Borrowed(remedy) }
}

/// Words with a remedy made for the case.
pub(super) fn made_words(message: impl Into<String>, remedy: String) -> Words {
    Words { message: message.into(), remedy: Cow::Owned(remedy) }
}

/// What was found in one body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// By line, then by code; of each kind the first ones, up to the cap.
    pub findings: Vec<Finding>,
    counts: Vec<u64>,
}

impl Report {
    /// How often `code` was found: exact, whatever the cap.
    #[must_use]
    pub fn count(&self, code: Code) -> u64 {
        self.counts.get(code.index()).copied().unwrap_or(0)
    }

    /// How many findings of `code` there are besides those in the list.
    #[must_use]
    pub fn hidden(&self, code: Code) -> u64 {
        let kept = self.findings.iter().filter(|finding| finding.code == code).count();
        self.count(code).saturating_sub(u64::try_from(kept).unwrap_or(u64::MAX))
    }

    /// How many findings have this severity.
    #[must_use]
    pub fn num_of(&self, severity: Severity) -> u64 {
        let of_it = Code::ALL.iter().filter(|code| code.severity() == severity);
        of_it.map(|code| self.count(*code)).sum()
    }

    /// The highest severity found.
    #[must_use]
    pub fn worst(&self) -> Option<Severity> {
        let found = Code::ALL.iter().filter(|code| self.count(**code) > 0);
        found.map(|code| code.severity()).max()
    }
}

/// Takes findings.
#[derive(Debug)]
pub(super) struct Findings {
    kept: Vec<Finding>,
    counts: Vec<u64>,
    most_per_code: u64,
    wanted: CodeSet,
}

/// Where a finding is.
#[derive(Clone, Debug, Default)]
pub(super) struct At {
    pub(super) line: u32,
    pub(super) span: Range<usize>,
    pub(super) related: Option<Related>,
}

impl At {
    /// The whole of a line; 0 for the file.
    pub(super) fn line(line: u32) -> At {
        At { line, ..At::default() }
    }

    /// With another line that has to do with it.
    pub(super) fn with(self, line: u32, label: &'static str) -> At {
        At { related: Some(Related { line, label }), ..self }
    }
}

impl Findings {
    pub(super) fn new(most_per_code: usize, wanted: CodeSet) -> Self {
        let most_per_code = u64::try_from(most_per_code).unwrap_or(u64::MAX);
        Findings { kept: Vec::new(), counts: vec![0; Code::ALL.len()], most_per_code, wanted }
    }

    /// Whether anybody wants to know of findings of `code`.
    pub(super) fn wants(&self, code: Code) -> bool {
        self.wanted.has(code)
    }

    /// Counts a finding, and keeps it while there are few of its kind.
    pub(super) fn add(&mut self, code: Code, at: At, words: impl FnOnce() -> Words) {
        if !self.wants(code) {
            return;
        }
        let Some(count) = self.counts.get_mut(code.index()) else { return };
        *count += 1;
        if *count <= self.most_per_code {
            let At { line, span, related } = at;
            let Words { message, remedy } = words();
            self.kept.push(Finding { code, line, span, message, remedy, related });
        }
    }

    pub(super) fn finish(mut self) -> Report {
        self.kept.sort_by_key(|finding| (finding.line, finding.code));
        Report { findings: self.kept, counts: self.counts }
    }
}
