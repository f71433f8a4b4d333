//! What one site answers the agents in question, and the verdicts on a path.

use super::outcome::{Answer, Applied, Outcome, answer};
use super::verdicts::{Code, GroupCodes, Verdicts};
use super::{Basis, Settings};
use crate::agents::Agent;
use crate::compile::{GroupId, GroupProgram};
use crate::corpus::{BodyId, Corpus, Site};
use crate::matching::{self, Match};

/// The answers of a site.
#[derive(Debug, Default)]
pub(super) struct Resolved<'c> {
    answers: Vec<Answer<'c>>,
    /// The distinct groups among the answers, with the best rule for the path at hand.
    groups: Vec<WalkedGroup<'c>>,
    /// The answers in short, for the standard columns.
    settled: Vec<Settled>,
}

/// An answer, boiled down to what a row adds to the standard columns.
#[derive(Clone, Copy, Debug)]
struct Settled {
    codes: GroupCodes,
    body: BodyId,
    /// Which of the run's groups is walked; past the end for none.
    group: usize,
}

impl Settled {
    fn new(answer: &Answer<'_>, group: usize) -> Self {
        match answer {
            Answer::Fixed(allowed, basis) => {
                let codes = GroupCodes::fixed(Code::new(*allowed, *basis, None));
                Settled { codes, body: BodyId::new(0), group }
            }
            Answer::Group(applied) => {
                Settled { codes: GroupCodes::of_group(applied.kind), body: applied.body, group }
            }
        }
    }
}

/// A group and the best rule for the path walked last.
#[derive(Debug)]
struct WalkedGroup<'c> {
    id: GroupId,
    program: GroupProgram<'c>,
    best: Option<Match<'c>>,
}

impl<'c> Resolved<'c> {
    /// Nothing is answered.
    pub(super) fn forget(&mut self) {
        self.answers.clear();
    }

    /// Whether nothing is answered.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Resolves what `site` answers `agents`.
    pub(super) fn resolve<'a>(
        &mut self,
        corpus: &'c Corpus,
        site: &Site,
        agents: impl Iterator<Item = Option<&'a Agent>>,
        settings: &Settings,
    ) {
        self.answers.clear();
        self.settled.clear();
        self.groups.clear();
        for agent in agents {
            let answer = answer(corpus, site, agent, settings);
            let group = match answer {
                Answer::Fixed(..) => usize::MAX,
                Answer::Group(applied) => self.place_of(&applied),
            };
            self.settled.push(Settled::new(&answer, group));
            self.answers.push(answer);
        }
    }

    /// Where the group stands among the distinct ones.
    fn place_of(&mut self, applied: &Applied<'c>) -> usize {
        if let Some(known) = self.groups.iter().position(|walked| walked.id == applied.group) {
            return known;
        }
        let program = applied.program.group(applied.group);
        self.groups.push(WalkedGroup { id: applied.group, program, best: None });
        self.groups.len() - 1
    }

    /// Whether no answer depends on the path.
    #[inline]
    pub(super) fn is_fixed(&self) -> bool {
        self.groups.is_empty()
    }

    /// Adds the verdicts for the path walked last, agent by agent.
    #[inline]
    pub(super) fn push_verdicts(&self, verdicts: &mut [Verdicts]) {
        for (settled, verdicts) in self.settled.iter().zip(verdicts) {
            let (code, rule_id) = self.verdict_of(settled);
            verdicts.push(code, rule_id);
        }
    }

    /// The verdict for the agent at `agent`, in short.
    pub(super) fn verdict(&self, agent: usize) -> Option<(Code, i64)> {
        self.settled.get(agent).map(|settled| self.verdict_of(settled))
    }

    #[inline]
    fn verdict_of(&self, settled: &Settled) -> (Code, i64) {
        let best = self.groups.get(settled.group).and_then(|group| group.best.as_ref());
        settled.codes.verdict(settled.body, best)
    }

    /// Walks each distinct group once for `path`.
    #[inline]
    pub(super) fn walk(&mut self, path: &[u8]) {
        for group in &mut self.groups {
            group.best = matching::best_of(&group.program, path, &mut ());
        }
    }

    /// The verdict for the agent at `agent`, of the path walked last.
    #[inline]
    pub(super) fn outcome(&self, agent: usize) -> Outcome<'c> {
        match self.answers.get(agent) {
            Some(Answer::Fixed(allowed, basis)) => Outcome::fixed(*allowed, *basis),
            Some(Answer::Group(applied)) => {
                let place = self.settled.get(agent).map(|settled| settled.group);
                let walked = place.and_then(|place| self.groups.get(place));
                Outcome::of_group(*applied, walked.and_then(|group| group.best))
            }
            None => Outcome::fixed(None, Basis::BadAgent),
        }
    }
}
