//! What the other dialect says, and which clauses make the difference.
//!
//! Enters: a question and what the origin said. Leaves: an [`OtherDialect`]. Cost: the question is put once in the other dialect
//! and, where that one answers otherwise, up to some twenty times more; the body is compiled once for each set of flags on which
//! programs depend, whoever asks. Must not know: captures.

use super::clause::{CLAUSES, Clause, decisive, fewest};
use super::read_body::ReadBody;
use super::story::OtherDialect;
use super::ways::compile_flags;
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
    /// The body where its text is known.
    pub(super) body: Option<&'q ReadBody<'q>>,
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
        let turns = allowed != own.0;
        // What turns the verdict is of interest, not what moves the line besides.
        let same = |answer: &Answer| match turns {
            true => answer.0 == allowed,
            false => *answer == (allowed, basis, line),
        };
        let clauses = match differs {
            true => self.clauses(&dialect, same),
            false => Some(Vec::new()),
        };
        let (needs_text, clauses) = (clauses.is_none(), clauses.unwrap_or_default());
        Some(OtherDialect { dialect, allowed, basis, line, differs, clauses, needs_text })
    }

    /// The clauses that make the answer that of `dialect`; `None` where that cannot be told without the body's text.
    fn clauses(
        &self,
        dialect: &Dialect,
        same: impl Fn(&Answer) -> bool,
    ) -> Option<Vec<&'static Clause>> {
        let own = &self.settings.dialect;
        let makes_it = |mixed: &Dialect| self.ask(mixed).is_some_and(|answer| same(&answer));
        if self.body.is_some() || !matches!(self.site.access, Access::Rules(_)) {
            return Some(decisive(own, dialect, makes_it));
        }
        // Programs are there for each dialect as a whole: what they depend on cannot be mixed.
        let taken = |clauses: &[&'static Clause]| {
            let mut mixed = *own;
            clauses.iter().for_each(|clause| clause.take(&mut mixed, dialect));
            mixed
        };
        let is_free =
            |clause: &&'static Clause| compile_flags(&taken(&[*clause])) == compile_flags(own);
        let free: Vec<&'static Clause> = CLAUSES.iter().filter(is_free).collect();
        let found = fewest(free, |clauses| makes_it(&taken(clauses)));
        (!found.is_empty()).then_some(found)
    }

    fn ask(&self, dialect: &Dialect) -> Option<Answer> {
        let settings = Settings { dialect: *dialect, ..self.settings.clone() };
        let agent = settings.read_agent(self.agent.as_bytes());
        let Some(url) = AskedUrl::read(self.url.as_bytes(), &settings) else {
            return Some((None, Basis::BadUrl, None));
        };
        let by_site =
            |corpus| answer(&judge_by_site(corpus, self.site, agent.as_ref(), &url, &settings));
        match (self.site.access, self.body) {
            (Access::Rules(_), Some(body)) => Some(body.with_program(dialect, |program| {
                answer(&judge_by_program(program, self.site, agent.as_ref(), &url, &settings))
            })),
            (Access::Rules(_), None) => self.compiled_for(dialect).map(by_site),
            _ => Some(by_site(self.corpus)),
        }
    }

    /// The corpus whose programs are those of `dialect`.
    fn compiled_for(&self, dialect: &Dialect) -> Option<&Corpus> {
        let flags = compile_flags(dialect);
        match () {
            () if flags == compile_flags(&self.settings.dialect) => Some(self.corpus),
            () if flags == compile_flags(&other(&self.settings.dialect)) => self.twin,
            () => None,
        }
    }
}

fn answer(judged: &Judged<'_>) -> Answer {
    (judged.allowed, judged.basis, judged.rule.map(|rule| rule.line))
}
