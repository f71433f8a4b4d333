//! Counts of pairs of verdicts.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::evaluate::{Basis, Code, Tally, of_agent};
use crate::explain::Differing;

/// All rows counted: the pairs of each agent add up to its rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompareTally {
    /// Rows judged.
    pub rows: u64,
    /// What the left way says of all rows.
    pub left: Tally,
    /// What the right way says of all rows.
    pub right: Tally,
    /// By agent.
    pub agents: BTreeMap<String, Pairs>,
    /// Differing rows by the settings that make them so, as in column `robots_clause`; empty where that is not known.
    pub clauses: BTreeMap<(String, Differing), u64>,
    /// How often a body was compiled anew to find these.
    pub num_compiled: u64,
}

/// Pairs of verdicts of one agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// By what the left and the right way say.
    counts: BTreeMap<(Code, Code), u64>,
    /// Those that differ, in the order of [`Differing::ALL`].
    differing: [u64; 4],
}

impl Pairs {
    /// Counts `times` pairs, of which it is said elsewhere whether they differ.
    pub(super) fn add(&mut self, left: Code, right: Code, times: u64) {
        if times > 0 {
            *self.counts.entry((left, right)).or_default() += times;
        }
    }

    /// Counts a pair that differs.
    pub(super) fn add_differing(&mut self, differing: Differing) {
        let place = Differing::ALL.iter().position(|known| *known == differing);
        if let Some(count) = place.and_then(|place| self.differing.get_mut(place)) {
            *count += 1;
        }
    }

    /// All pairs.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Pairs that differ so.
    #[must_use]
    pub fn differing(&self, differing: Differing) -> u64 {
        let kinds = Differing::ALL.iter().zip(self.differing);
        kinds.filter(|(known, _)| **known == differing).map(|(_, count)| count).sum()
    }

    /// Pairs in which nothing differs.
    #[must_use]
    pub fn same(&self) -> u64 {
        self.total() - self.differing.iter().sum::<u64>()
    }

    /// By verdict: left × right, each allowed, refused, unknown.
    #[must_use]
    pub fn verdicts(&self) -> [[u64; 3]; 3] {
        let mut verdicts = [[0; 3]; 3];
        for ((left, right), count) in &self.counts {
            verdicts[place(left.allowed())][place(right.allowed())] += count;
        }
        verdicts
    }

    /// By basis: left, right, and for these the pairs by verdict as in [`Pairs::verdicts`].
    #[must_use]
    pub fn bases(&self) -> BTreeMap<(Basis, Basis), [[u64; 3]; 3]> {
        let mut bases: BTreeMap<_, [[u64; 3]; 3]> = BTreeMap::new();
        for ((left, right), count) in &self.counts {
            let verdicts = bases.entry((left.decided_by(), right.decided_by())).or_default();
            verdicts[place(left.allowed())][place(right.allowed())] += count;
        }
        bases
    }
}

/// Allowed, refused, unknown.
fn place(allowed: Option<bool>) -> usize {
    match allowed {
        Some(true) => 0,
        Some(false) => 1,
        None => 2,
    }
}

impl AddAssign<&Pairs> for Pairs {
    fn add_assign(&mut self, other: &Pairs) {
        for ((left, right), count) in &other.counts {
            self.add(*left, *right, *count);
        }
        for (sum, more) in self.differing.iter_mut().zip(other.differing) {
            *sum += more;
        }
    }
}

impl CompareTally {
    /// All agents together.
    #[must_use]
    pub fn all_agents(&self) -> Pairs {
        let mut all = Pairs::default();
        self.agents.values().for_each(|pairs| all += pairs);
        all
    }

    /// The pairs of `agent`, or those of all further agents when there are too many.
    pub(super) fn agent(&mut self, agent: &str) -> &mut Pairs {
        of_agent(&mut self.agents, agent)
    }
}

impl AddAssign for CompareTally {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.left += other.left;
        self.right += other.right;
        self.num_compiled += other.num_compiled;
        for (agent, pairs) in &other.agents {
            *self.agent(agent) += pairs;
        }
        for (clause, count) in other.clauses {
            *self.clauses.entry(clause).or_default() += count;
        }
    }
}
