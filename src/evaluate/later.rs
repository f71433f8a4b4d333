//! What an origin said after the time of a row, where what was refused later is refused too.
//!
//! Enters: an origin, times of rows. Leaves: for a time and a path, agent by agent, the first later visit that refuses. What was said
//! more than once is asked once: the visits of an origin are found and what they say is resolved once, whatever the times of
//! rows. Cost: for another time a search for each thing that was said; for a path a walk of each. Must not know: columns.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::Settings;
use super::resolved::Resolved;
use super::verdicts::Code;
use crate::agents::Agent;
use crate::corpus::{Access, Corpus, OriginId, Policy, Site, Visits};

/// What the origin of a run said later.
#[derive(Debug, Default)]
pub(super) struct Later<'c> {
    visits: Option<(OriginId, Visits<'c>)>,
    /// Visits, from the newest one back, that are among those of `said`.
    num_known: usize,
    said: Vec<Said<'c>>,
    /// Where an access stands in `said`.
    places: HashMap<Access, usize, RandomState>,
    /// What counts for the time at hand, oldest first: the visit that said it first, and where it stands in `said`. A visit that
    /// says again what was said can refuse nothing that is not refused.
    in_question: Vec<(Site, usize)>,
}

/// One thing that was said, on one visit or several.
#[derive(Debug, Default)]
struct Said<'c> {
    /// The visits that said it as a whole, numbered from the newest back.
    visits: Vec<usize>,
    answers: Resolved<'c>,
}

impl<'c> Later<'c> {
    /// Nothing was said later.
    pub(super) fn clear(&mut self) {
        self.in_question.clear();
    }

    /// Whether nothing was.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.in_question.is_empty()
    }

    /// Puts in question what `origin` said after `time`. The policy is the same from call to call.
    pub(super) fn ask(&mut self, corpus: &'c Corpus, origin: OriginId, policy: &Policy, time: i64) {
        if self.visits.as_ref().is_none_or(|(known, _)| *known != origin) {
            let visits = Some((origin, corpus.visits(origin, policy)));
            *self = Later { visits, ..Later::default() };
        }
        let Some((_, visits)) = &mut self.visits else { return };
        let later = visits.later_than(time);
        for number in self.num_known..later.num_whole {
            let Some(site) = visits.site(number) else { continue };
            let place = place(&mut self.places, &mut self.said, site.access);
            self.said.get_mut(place).into_iter().for_each(|said| said.visits.push(number));
        }
        self.num_known = self.num_known.max(later.num_whole);
        let cut =
            later.cut.map(|site| (site, place(&mut self.places, &mut self.said, site.access)));
        let is_cut = |place| cut.is_some_and(|(_, known)| known == place);
        let mut first = first_of_each(&self.said, later.num_whole);
        first.retain(|(_, place)| !is_cut(*place));
        let whole = first.into_iter();
        let whole = whole.filter_map(|(number, place)| Some((visits.site(number)?, place)));
        self.in_question.clear();
        self.in_question.extend(cut.into_iter().chain(whole));
    }

    /// The agents are others.
    pub(super) fn forget_answers(&mut self) {
        self.said.iter_mut().for_each(|said| said.answers.forget());
    }

    /// Resolves what is in question for `agents` and is not resolved yet.
    pub(super) fn resolve<'a>(
        &mut self,
        corpus: &'c Corpus,
        agents: &(impl Iterator<Item = Option<&'a Agent>> + Clone),
        settings: &Settings,
    ) {
        for (site, place) in &self.in_question {
            let Some(said) = self.said.get_mut(*place) else { continue };
            if said.answers.is_empty() {
                said.answers.resolve(corpus, site, agents.clone(), settings);
            }
        }
    }

    /// Whether no answer in question depends on the path.
    #[inline]
    pub(super) fn is_fixed(&self) -> bool {
        self.answers().all(|(_, answers)| answers.is_fixed())
    }

    /// Walks each distinct group in question for `path`.
    pub(super) fn walk(&mut self, path: &[u8]) {
        for (_, place) in &self.in_question {
            self.said.get_mut(*place).into_iter().for_each(|said| said.answers.walk(path));
        }
    }

    /// The first visit that refuses the path walked last to the agent at `agent`: its place among those in question, what it
    /// says, and the verdict.
    pub(super) fn refusing(&self, agent: usize) -> Option<(usize, Site, (Code, i64))> {
        self.answers().enumerate().find_map(|(at, (site, answers))| {
            let verdict = answers.verdict(agent).filter(|(code, _)| code.is_refused())?;
            Some((at, *site, verdict))
        })
    }

    /// What stands at a place that [`Later::refusing`] gave.
    pub(super) fn at(&self, at: usize) -> Option<(&Site, &Resolved<'c>)> {
        let (site, place) = self.in_question.get(at)?;
        Some((site, &self.said.get(*place)?.answers))
    }

    fn answers(&self) -> impl Iterator<Item = (&Site, &Resolved<'c>)> {
        let said = |place: usize| self.said.get(place).map(|said| &said.answers);
        self.in_question.iter().filter_map(move |(site, place)| Some((site, said(*place)?)))
    }
}

/// Where what was said stands, made room for if it was not said before.
fn place(
    places: &mut HashMap<Access, usize, RandomState>,
    said: &mut Vec<Said<'_>>,
    access: Access,
) -> usize {
    *places.entry(access).or_insert_with(|| {
        said.push(Said::default());
        said.len() - 1
    })
}

/// The first of the `num_whole` newest visits to say each thing that they said, oldest first, and where that stands.
fn first_of_each(said: &[Said<'_>], num_whole: usize) -> Vec<(usize, usize)> {
    let first = |said: &Said<'_>| {
        let num_later = said.visits.partition_point(|number| *number < num_whole);
        num_later.checked_sub(1).and_then(|at| said.visits.get(at)).copied()
    };
    let firsts = said.iter().enumerate();
    let firsts = firsts.filter_map(|(place, said)| Some((first(said)?, place)));
    let mut firsts: Vec<(usize, usize)> = firsts.collect();
    // The older a visit, the greater its number.
    firsts.sort_unstable_by(|one, other| other.cmp(one));
    firsts
}
