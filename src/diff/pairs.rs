//! What changed between two answers of sites for all agents, kept for the next origins that answer so.
//!
//! Enters: what an origin said in both corpora. Leaves: what became of it for each agent, and what shows it. Cost: agents are
//! looked up in both bodies once for each pair of answers, and a comparison is made for each pair of groups; all of them within
//! one budget; of pairs that were met so many are kept as fit. Must not know: origins.

use std::collections::HashMap;
use std::rc::Rc;

use super::answers::{AgentAnswer, Key, answers};
use super::budget::Budget;
use super::compare::{Change, Comparison, Detail, Extent, compare_within, extent_within};
use super::counts::SiteChange;
use crate::agents::Agent;
use crate::corpus::{Access, CaptureFlags, Corpus, Outcome, Site};
use crate::evaluate::{Settings, judge_by_site};

/// Pairs of answers that are kept; then all are dropped, and those that are common are soon met again.
const MOST_PAIRS: usize = 1 << 16;

/// What matters of what a site said.
type SiteKey = (u8, u32, bool);

/// What became of a site, and what shows it.
type Became = (SiteChange, Option<Rc<Shown>>);

/// What became of a site for one agent.
#[derive(Clone, Debug)]
pub(super) struct AgentChange {
    /// Its place among the agents.
    pub(super) agent: usize,
    pub(super) change: SiteChange,
    pub(super) shown: Option<Rc<Shown>>,
}

/// What shows that something changed.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) closed: Option<Change>,
    pub(super) opened: Option<Change>,
    pub(super) old_allows: Extent,
    pub(super) new_allows: Extent,
}

/// Compares pairs of sites and remembers.
pub(super) struct Pairs<'c> {
    old: &'c Corpus,
    new: &'c Corpus,
    agents: &'c [Agent],
    /// Agents that are answered as the first one, `*`, are left out.
    only_named: bool,
    settings: &'c Settings,
    known: HashMap<(SiteKey, SiteKey), Rc<[AgentChange]>>,
    /// Pairs of answers that were compared.
    pub(super) num_compared: u64,
}

impl<'c> Pairs<'c> {
    pub(super) fn new(
        (old, new): (&'c Corpus, &'c Corpus),
        agents: &'c [Agent],
        only_named: bool,
        settings: &'c Settings,
    ) -> Self {
        Pairs { old, new, agents, only_named, settings, known: HashMap::new(), num_compared: 0 }
    }

    /// What became of an origin that said `old` and now says `new`.
    pub(super) fn changes(&mut self, old: &Site, new: &Site) -> Rc<[AgentChange]> {
        let key = (site_key(old), site_key(new));
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let changes: Rc<[AgentChange]> = self.compare(old, new).into();
        self.num_compared += 1;
        if self.known.len() >= MOST_PAIRS {
            self.known.clear();
        }
        self.known.insert(key, Rc::clone(&changes));
        changes
    }

    fn compare(&self, old: &Site, new: &Site) -> Vec<AgentChange> {
        let is_same_body = self.is_same_body(old, new);
        let (old, new) = (self.answers(self.old, old), self.answers(self.new, new));
        let mut known: HashMap<(Key, Key), Became> = HashMap::new();
        let mut changes = Vec::new();
        let mut budget = Budget::default();
        let wildcard = old.first().zip(new.first()).map(|(old, new)| (old.key, new.key));
        for (agent, (old, new)) in old.iter().zip(&new).enumerate() {
            let key = (old.key, new.key);
            if self.only_named && agent > 0 && Some(key) == wildcard {
                continue;
            }
            let same = is_same_body && old.key == new.key;
            let found = known.entry(key);
            let found = found.or_insert_with(|| self.compare_answers(old, new, same, &mut budget));
            let (change, shown) = found.clone();
            changes.push(AgentChange { agent, change, shown });
        }
        changes
    }

    /// Programs of one body are the same, and so are their numbers of groups.
    fn is_same_body(&self, old: &Site, new: &Site) -> bool {
        match (old.access, new.access) {
            (Access::Rules(one), Access::Rules(other)) => {
                self.old.digest(one).is_some_and(|digest| self.new.digest(other) == Some(digest))
                    && self.old.facts().limit == self.new.facts().limit
            }
            _ => false,
        }
    }

    fn answers(&self, corpus: &'c Corpus, site: &Site) -> Vec<AgentAnswer<'c>> {
        answers(self.agents, self.settings, |agent, url| {
            judge_by_site(corpus, site, Some(agent), url, self.settings)
        })
    }

    fn compare_answers(
        &self,
        old: &AgentAnswer<'_>,
        new: &AgentAnswer<'_>,
        same: bool,
        budget: &mut Budget,
    ) -> Became {
        let dialect = &self.settings.dialect;
        if old.side.is_unknown() || new.side.is_unknown() {
            return (SiteChange::Unknown, None);
        }
        if same {
            return (SiteChange::Unchanged, None);
        }
        let comparison = compare_within(&old.side, &new.side, dialect, Detail::OneEachWay, budget);
        if comparison.is_empty() && !comparison.cut_off {
            return (SiteChange::Unchanged, None);
        }
        let [old_allows, new_allows] =
            [old, new].map(|answer| extent_within(&answer.side, dialect, budget));
        let change = change(&comparison, old_allows, new_allows);
        if !change.is_change() {
            return (change, None);
        }
        let Comparison { closed, opened, .. } = comparison;
        let (closed, opened) = (closed.into_iter().next(), opened.into_iter().next());
        (change, Some(Rc::new(Shown { closed, opened, old_allows, new_allows })))
    }
}

fn change(comparison: &Comparison, old_allows: Extent, new_allows: Extent) -> SiteChange {
    match (comparison.closed.is_empty(), comparison.opened.is_empty()) {
        (false, true) if new_allows == Extent::Nothing => SiteChange::ClosedWholly,
        (true, false) if old_allows == Extent::Nothing => SiteChange::OpenedWholly,
        // What opened says nothing of what may have closed.
        (true, _) if comparison.cut_off => SiteChange::Undecided,
        (false, false) => SiteChange::ClosedAndOpened,
        (false, true) => SiteChange::PartlyClosed,
        (true, false) => SiteChange::PartlyOpened,
        (true, true) => SiteChange::Unchanged,
    }
}

fn site_key(site: &Site) -> SiteKey {
    let is_page = site.flags.contains(CaptureFlags::PAGE_OR_BINARY_TYPE);
    match site.access {
        Access::Rules(body) => (0, body.number(), is_page),
        Access::RedirectUnresolved => (1, 0, false),
        Access::Closed(Outcome::NoCapture) => (2, 0, false),
        Access::Closed(Outcome::Unknown) => (3, 0, false),
        Access::Closed(Outcome::Unavailable) => (4, 0, false),
        Access::Closed(Outcome::Unreachable) => (5, 0, false),
        Access::Closed(Outcome::Forbidden) => (6, 0, false),
    }
}
