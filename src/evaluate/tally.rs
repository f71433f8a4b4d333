//! Counts of verdicts, one tally per unit of work, added up.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::Basis;
use super::gaps::Gaps;
use super::verdicts::Code;

/// Agents of an agent column that are counted one by one; all further ones together.
const MAX_AGENTS: usize = 10_000;

/// Octets of an agent by which it is counted.
const MAX_LABEL: usize = 256;

/// The name under which further agents are counted.
const OTHER_AGENTS: &str = "(other agents)";

/// Verdicts counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rows judged.
    pub rows: u64,
    /// By agent.
    pub agents: BTreeMap<String, AgentTally>,
    /// How far captures were from the rows they answer for, where rows have times.
    pub gaps: Gaps,
    /// Rows whose time is null or cannot be read, where a column of times decides: no capture is in question for them.
    pub without_time: u64,
    /// By basis and recorded status, for verdicts that rest on a capture or the lack of one.
    pub statuses: BTreeMap<(Basis, Option<i16>), u64>,
}

/// Verdicts of one agent by basis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AgentTally {
    /// By basis: unknown, refused, allowed.
    counts: [[u64; 3]; Basis::COUNT],
}

impl AgentTally {
    /// Counts `times` verdicts.
    #[inline]
    pub(super) fn add(&mut self, code: Code, times: u64) {
        let [basis, verdict] = [code.basis(), code.verdict()].map(usize::from);
        if let Some(count) = self.counts.get_mut(basis).and_then(|counts| counts.get_mut(verdict)) {
            *count += times;
        }
    }

    /// Verdicts with `basis`: allowed, refused, unknown.
    #[must_use]
    pub fn of(&self, basis: Basis) -> [u64; 3] {
        told(self.counts[basis.index()])
    }

    /// All verdicts: allowed, refused, unknown.
    #[must_use]
    pub fn total(&self) -> [u64; 3] {
        told(self.counts.iter().fold([0; 3], add))
    }
}

/// What is kept for `agent`, or for all further agents when there are too many.
pub(crate) fn of_agent<'m, T: Default>(
    agents: &'m mut BTreeMap<String, T>,
    agent: &str,
) -> &'m mut T {
    let agent = cut(agent);
    let known = agents.contains_key(agent) || agents.len() < MAX_AGENTS;
    agents.entry(if known { agent } else { OTHER_AGENTS }.to_owned()).or_default()
}

/// The beginning of an agent, in whole characters.
fn cut(agent: &str) -> &str {
    &agent[..agent.floor_char_boundary(MAX_LABEL)]
}

/// Allowed, refused, unknown.
fn told([unknown, refused, allowed]: [u64; 3]) -> [u64; 3] {
    [allowed, refused, unknown]
}

fn add(sum: [u64; 3], more: &[u64; 3]) -> [u64; 3] {
    [sum[0] + more[0], sum[1] + more[1], sum[2] + more[2]]
}

impl AddAssign for AgentTally {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.counts.iter_mut().zip(&other.counts) {
            *sum = add(*sum, more);
        }
    }
}

impl Tally {
    /// The counts of `agent`, or those of all further agents when there are too many.
    pub fn agent(&mut self, agent: &str) -> &mut AgentTally {
        of_agent(&mut self.agents, agent)
    }

    /// Adds to the counts of `agent`; allocates nothing where it was counted before.
    pub(super) fn add_to_agent(&mut self, agent: &str, counts: AgentTally) {
        match self.agents.get_mut(cut(agent)) {
            Some(known) => *known += counts,
            None => *self.agent(agent) += counts,
        }
    }

    /// All agents together.
    #[must_use]
    pub fn all_agents(&self) -> AgentTally {
        let mut all = AgentTally::default();
        self.agents.values().for_each(|agent| all += *agent);
        all
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.gaps += &other.gaps;
        self.without_time += other.without_time;
        for (agent, counts) in other.agents {
            *self.agent(&agent) += counts;
        }
        for (key, count) in other.statuses {
            *self.statuses.entry(key).or_default() += count;
        }
    }
}
