//! Rows of one origin in a row: resolved once, whatever their number.

use super::outcome::{Answer, Outcome, answer};
use super::{Basis, Settings};
use crate::agents::Agent;
use crate::compile::{GroupId, GroupProgram};
use crate::corpus::{Corpus, Site};
use crate::matching::{self, Match};
use crate::text::origin::{UrlParts, write_origin};

/// The origin that the last row had, and what it answers the agents in question.
#[derive(Debug, Default)]
pub(super) struct Run<'c> {
    /// The authority as written in the last row, its scheme in front.
    key: Vec<u8>,
    /// Its canonical origin; empty where it has none.
    pub(super) origin: Vec<u8>,
    pub(super) site: Option<Site>,
    answers: Vec<Answer<'c>>,
    /// The distinct groups among the answers, with the best rule for the path at hand.
    groups: Vec<WalkedGroup<'c>>,
    /// Which of the groups each answer uses.
    group_of: Vec<usize>,
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

    /// Makes the run that of the origin in `parts`.
    pub(super) fn enter(&mut self, corpus: &'c Corpus, parts: &UrlParts<'_>, settings: &Settings) {
        self.key.clear();
        self.key.push(u8::from(parts.https));
        self.key.extend_from_slice(parts.host_port);
        self.site = write_origin(parts, &mut self.origin).then(|| {
            let origin = corpus.find(&self.origin);
            origin.map_or(Site::UNKNOWN, |origin| corpus.latest(origin, &settings.policy))
        });
        self.forget_answers();
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
        self.answers.extend(agents.map(|agent| answer(corpus, &site, agent, settings)));
        self.groups.clear();
        self.group_of.clear();
        for answer in &self.answers {
            let Answer::Group(applied) = answer else {
                self.group_of.push(usize::MAX);
                continue;
            };
            let known = self.groups.iter().position(|walked| walked.id == applied.group);
            self.group_of.push(known.unwrap_or(self.groups.len()));
            if known.is_none() {
                let program = applied.program.group(applied.group);
                self.groups.push(WalkedGroup { id: applied.group, program, best: None });
            }
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
                let at = self.group_of.get(agent).and_then(|group| self.groups.get(*group));
                Outcome::of_group(*applied, at.and_then(|group| group.best))
            }
            None => Outcome::fixed(None, Basis::BadAgent),
        }
    }
}
