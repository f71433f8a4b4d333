//! Two corpora, origin by origin.
//!
//! Enters: two corpora asked in one dialect, agents, settings that say as of when. Leaves: counts for each agent and, where one is wanted,
//! a table of what changed. Both are walked once in SURT order, side by side; memory does not grow with them. Must
//! not know: where they came from.

use std::cmp::Ordering;

use super::counts::AgentCounts;
use super::pairs::Pairs;
use super::table::{ChangeTable, Row};
use crate::agents::Agent;
use crate::corpus::{Corpus, CorpusError, OriginId, Site};
use crate::evaluate::Settings;
use crate::text::origin::Origin;

/// Which agents are counted.
#[derive(Clone, Copy, Debug)]
pub enum AgentsAsked<'a> {
    /// These, for every origin.
    Each(&'a [Agent]),
    /// The first, `*`, for every origin; the others where an origin does not answer them as it answers `*`.
    WhereNamed(&'a [Agent]),
}

impl<'a> AgentsAsked<'a> {
    fn agents(self) -> &'a [Agent] {
        match self {
            AgentsAsked::Each(agents) | AgentsAsked::WhereNamed(agents) => agents,
        }
    }
}

/// What changed between two corpora.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CorporaDiff {
    /// Origins that both corpora have.
    pub in_both: u64,
    /// Origins of the old corpus alone.
    pub only_old: u64,
    /// Origins of the new corpus alone.
    pub only_new: u64,
    /// What became of the origins in both, agent by agent.
    pub agents: Vec<AgentCounts>,
    /// Pairs of different answers that were compared: of bodies, for the most part.
    pub num_compared: u64,
}

impl CorporaDiff {
    /// Whether a path closed on some origin for some agent.
    #[must_use]
    pub fn has_closed(&self) -> bool {
        use super::SiteChange;
        let closing = SiteChange::ALL.into_iter().filter(|change| change.closes());
        closing.into_iter().any(|change| self.agents.iter().any(|agent| agent.count(change) > 0))
    }
}

/// Compares what origins say in `old` and in `new`, as of the moment that `settings` name. Origins in one corpus alone are counted and
/// not called closed or opened. Each row of `table` is one origin that changed for one agent.
///
/// # Errors
/// A damaged corpus; a table that cannot be written.
///
/// # Complexity
/// One pass over both corpora; a comparison for each pair of bodies that one origin served.
pub fn diff_corpora(
    old: &Corpus,
    new: &Corpus,
    asked: AgentsAsked<'_>,
    settings: &Settings,
    table: Option<&mut ChangeTable<'_>>,
) -> Result<CorporaDiff, CorpusError> {
    let agents = asked.agents();
    let labels: Vec<String> = agents.iter().map(|agent| agent.label().into_owned()).collect();
    let only_named = matches!(asked, AgentsAsked::WhereNamed(_));
    let mut walk = Walk {
        old,
        new,
        settings,
        pairs: Pairs::new((old, new), agents, only_named, settings),
        diff: CorporaDiff {
            agents: labels.into_iter().map(AgentCounts::new).collect(),
            ..CorporaDiff::default()
        },
        table,
    };
    walk.all()?;
    let mut diff = walk.diff;
    diff.num_compared = walk.pairs.num_compared;
    for counts in &mut diff.agents {
        counts.as_wildcard = diff.in_both - counts.num_origins();
    }
    old.check()?;
    new.check()?;
    Ok(diff)
}

/// Both corpora, being walked.
struct Walk<'c, 't, 'p> {
    old: &'c Corpus,
    new: &'c Corpus,
    settings: &'c Settings,
    pairs: Pairs<'c>,
    diff: CorporaDiff,
    table: Option<&'t mut ChangeTable<'p>>,
}

impl Walk<'_, '_, '_> {
    fn all(&mut self) -> Result<(), CorpusError> {
        let (old, new) = (self.old, self.new);
        let mut olds = old.origins().map(|origin| (surt(old, origin), origin)).peekable();
        let mut news = new.origins().map(|origin| (surt(new, origin), origin)).peekable();
        loop {
            let order = match (olds.peek(), news.peek()) {
                (None, None) => return Ok(()),
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((old, _)), Some((new, _))) => old.cmp(new),
            };
            let of_old = if order.is_le() { olds.next() } else { None };
            let of_new = if order.is_ge() { news.next() } else { None };
            match (of_old, of_new) {
                (Some((_, old)), Some((_, new))) => self.both(old, new)?,
                (Some(_), None) => self.diff.only_old += 1,
                _ => self.diff.only_new += 1,
            }
        }
    }

    fn both(&mut self, old: OriginId, new: OriginId) -> Result<(), CorpusError> {
        self.diff.in_both += 1;
        let (old_site, new_site) = (self.site(self.old, old), self.site(self.new, new));
        let changes = self.pairs.changes(&old_site, &new_site);
        for change in changes.iter() {
            let Some(counts) = self.diff.agents.get_mut(change.agent) else { continue };
            counts.add(change.change);
            let (Some(table), Some(shown)) = (&mut self.table, &change.shown) else { continue };
            table.add(&Row {
                origin: self.old.origin_name(old),
                agent: &counts.agent,
                change: change.change,
                shown,
                old: (self.old, &old_site),
                new: (self.new, &new_site),
            })?;
        }
        Ok(())
    }

    fn site(&self, corpus: &Corpus, origin: OriginId) -> Site {
        let Settings { policy, moment, .. } = self.settings;
        corpus.answer(origin, policy, moment, None).site.unwrap_or(Site::UNKNOWN)
    }
}

/// What origins of a corpus are sorted by.
fn surt(corpus: &Corpus, origin: OriginId) -> String {
    let name = corpus.origin_name(origin);
    Origin::parse(name.as_bytes()).map_or_else(|| name.to_owned(), |origin| origin.surt())
}
