//! Rows of one origin in a row: resolved once, whatever their number.

use super::outcome::{Answer, Applied, Outcome, answer};
use super::verdicts::{Code, GroupCodes, Verdicts};
use super::{Basis, Settings};
use crate::agents::Agent;
use crate::compile::{GroupId, GroupProgram};
use crate::corpus::{BodyId, Corpus, OriginId, Site};
use crate::matching::{self, Match};
use crate::text::origin::{UrlParts, write_origin};

/// The origin that the last row had, and what it answers the agents in question.
#[derive(Debug, Default)]
pub(super) struct Run<'c> {
    /// The authority as written where the run began, its scheme in front; empty where it was not.
    key: Vec<u8>,
    /// Its canonical origin; empty where it has none.
    pub(super) origin: Vec<u8>,
    pub(super) site: Option<Site>,
    /// The last origin that was looked for and that the corpus knew.
    last: Option<OriginId>,
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

impl<'c> Run<'c> {
    /// Whether the run is that of the origin in `parts`.
    #[inline]
    pub(super) fn is_of(&self, parts: &UrlParts<'_>) -> bool {
        self.key.split_first().is_some_and(|(https, host_port)| {
            *https == u8::from(parts.https) && host_port == parts.host_port
        })
    }

    /// Makes the run that of the origin in `parts`; without parts, that of rows without an origin.
    pub(super) fn enter(
        &mut self,
        corpus: &'c Corpus,
        parts: Option<&UrlParts<'_>>,
        settings: &Settings,
    ) {
        self.set_key(parts);
        let is_origin = parts.is_some_and(|parts| write_origin(parts, &mut self.origin));
        self.site = is_origin.then(|| {
            let found = corpus.find_after(self.last, &self.origin);
            self.last = found.or(self.last);
            found.map_or(Site::UNKNOWN, |origin| corpus.latest(origin, &settings.policy))
        });
        self.forget_answers();
    }

    /// As [`Run::enter`], where the canonical `origin` and what it said are known already. Without
    /// `parts` its spelling is not; without a site it is no origin.
    pub(super) fn enter_known(
        &mut self,
        parts: Option<&UrlParts<'_>>,
        origin: &[u8],
        site: Option<Site>,
    ) {
        self.set_key(parts);
        self.origin.clear();
        self.origin.extend_from_slice(origin);
        self.site = site;
        self.forget_answers();
    }

    fn set_key(&mut self, parts: Option<&UrlParts<'_>>) {
        self.key.clear();
        if let Some(parts) = parts {
            self.key.push(u8::from(parts.https));
            self.key.extend_from_slice(parts.host_port);
        }
    }

    /// The agents are others, or the site is.
    pub(super) fn forget_answers(&mut self) {
        self.answers.clear();
    }

    /// Whether [`Run::resolve`] has to come before the next path.
    #[inline]
    pub(super) fn needs_answers(&self) -> bool {
        self.answers.is_empty()
    }

    /// Resolves the answers to `agents` anew. Meaningful only where the run has a site.
    pub(super) fn resolve<'a>(
        &mut self,
        corpus: &'c Corpus,
        agents: impl Iterator<Item = Option<&'a Agent>>,
        settings: &Settings,
    ) {
        let site = self.site.unwrap_or(Site::UNKNOWN);
        self.answers.clear();
        self.settled.clear();
        self.groups.clear();
        for agent in agents {
            let answer = answer(corpus, &site, agent, settings);
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
            let best = self.groups.get(settled.group).and_then(|group| group.best.as_ref());
            let (code, rule_id) = settled.codes.verdict(settled.body, best);
            verdicts.push(code, rule_id);
        }
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
