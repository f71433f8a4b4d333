//! What the other dialect says, and which clauses make the difference.
//!
//! Enters: a question and what the origin said. Leaves: an [`OtherDialect`]. Cost: the body is compiled once for the other dialect
//! and, where that one answers otherwise, up to some twenty times more. Must not know: captures.

use super::clause::decisive;
use super::story::OtherDialect;
use crate::compile::{BodyLimit, compile};
use crate::corpus::{Access, Corpus, Site};
use crate::evaluate::{AskedUrl, Basis, Judged, Settings, judge_by_program, judge_by_site};
use crate::parse::Dialect;

/// What a dialect answers: verdict, basis, line.
type Answer = (Option<bool>, Basis, Option<u32>);

/// One question, to be put in any dialect.
pub(super) struct Question<'q> {
    pub(super) url: &'q str,
    pub(super) agent: &'q str,
    pub(super) site: &'q Site,
    /// The body's octets where they are known.
    pub(super) text: Option<&'q [u8]>,
    pub(super) limit: BodyLimit,
    pub(super) settings: &'q Settings,
    pub(super) corpus: &'q Corpus,
    /// The same corpus, opened in the other dialect.
    pub(super) twin: Option<&'q Corpus>,
}

/// The dialect that is not `dialect`.
pub(super) fn other(dialect: &Dialect) -> Dialect {
    if dialect.name == Dialect::GOOGLE.name { Dialect::RFC9309 } else { Dialect::GOOGLE }
}

impl Question<'_> {
    /// What the other dialect says; `None` where neither text nor programs tell.
    pub(super) fn ask_other(&self, own: &Judged<'_>) -> Option<OtherDialect> {
        let dialect = other(&self.settings.dialect);
        let own = answer(own);
        let (allowed, basis, line) = self.ask(&dialect)?;
        let differs = (allowed, basis, line) != own;
        let clauses = match differs && self.can_mix() {
            // What turns the verdict is of interest, not what moves the line besides.
            true if allowed != own.0 => decisive(&self.settings.dialect, &dialect, |mixed| {
                self.ask(mixed).map(|answer| answer.0)
            }),
            true => decisive(&self.settings.dialect, &dialect, |mixed| self.ask(mixed)),
            false => Vec::new(),
        };
        Some(OtherDialect { dialect, allowed, basis, line, differs, clauses })
    }

    /// Whether it can be put in mixtures of both dialects.
    fn can_mix(&self) -> bool {
        self.text.is_some() || !matches!(self.site.access, Access::Rules(_))
    }

    fn ask(&self, dialect: &Dialect) -> Option<Answer> {
        let settings = Settings { dialect: *dialect, ..self.settings.clone() };
        let agent = settings.read_agent(self.agent.as_bytes());
        let Some(url) = AskedUrl::read(self.url.as_bytes(), &settings) else {
            return Some((None, Basis::BadUrl, None));
        };
        let by_site =
            |corpus| answer(&judge_by_site(corpus, self.site, agent.as_ref(), &url, &settings));
        match (self.site.access, self.text) {
            (Access::Rules(_), Some(text)) => {
                let program = compile(text, dialect, self.limit);
                let view = program.view();
                Some(answer(&judge_by_program(view, self.site, agent.as_ref(), &url, &settings)))
            }
            (Access::Rules(_), None) => self.twin.map(by_site),
            _ => Some(by_site(self.corpus)),
        }
    }
}

fn answer(judged: &Judged<'_>) -> Answer {
    (judged.allowed, judged.basis, judged.rule.map(|rule| rule.line))
}
