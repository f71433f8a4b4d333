//! Verdicts counted run by run, to be added to a tally when a batch ends.
//!
//! Enters: the codes of a run's rows. Leaves: a [`Tally`]. Cost: a pass over a run's codes for each
//! distinct one among them, which are few; nothing is allocated for statuses that came before.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::tally::AgentTally;
use super::verdicts::{Code, Verdicts};
use super::{Basis, Tally};

/// Counts that are not in the tally yet.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Agent by agent.
    agents: Vec<AgentTally>,
    /// By recorded status and basis.
    statuses: HashMap<Option<i16>, [u64; Basis::COUNT], RandomState>,
    /// By number of a status and basis.
    numbered: Vec<[u64; Basis::COUNT]>,
}

impl Counts {
    /// Begins a batch.
    pub(super) fn start(&mut self, num_agents: usize) {
        self.agents.resize_with(num_agents, AgentTally::default);
    }

    /// Counts the rows from `from` on, which are those of one site.
    pub(super) fn add_run(&mut self, verdicts: &[Verdicts], from: usize, status: Option<i16>) {
        let of_status = self.statuses.entry(status).or_insert([0; Basis::COUNT]);
        for (verdicts, agent) in verdicts.iter().zip(&mut self.agents) {
            for_each_code(verdicts.codes_from(from), |code, times| {
                agent.add(code, times);
                if let Some(count) = of_status.get_mut(usize::from(code.basis())) {
                    *count += times;
                }
            });
        }
    }

    /// Counts `times` verdicts on an agent's rows, all with one recorded status.
    pub(super) fn add(&mut self, agent: usize, code: Code, status: Option<i16>, times: u64) {
        if let Some(agent) = self.agents.get_mut(agent) {
            agent.add(code, times);
        }
        let of_status = self.statuses.entry(status).or_insert([0; Basis::COUNT]);
        if let Some(count) = of_status.get_mut(usize::from(code.basis())) {
            *count += times;
        }
    }

    /// Begins a batch whose rows are counted one by one, by the numbers of so many statuses.
    pub(super) fn start_statuses(&mut self, num_statuses: usize) {
        self.numbered.resize(num_statuses, [0; Basis::COUNT]);
    }

    /// Counts verdicts of a row for the status with this number.
    #[inline]
    pub(super) fn add_status(&mut self, status: u32, code: Code, times: u64) {
        let counts = usize::try_from(status).ok().and_then(|at| self.numbered.get_mut(at));
        if let Some(count) = counts.and_then(|c| c.get_mut(usize::from(code.basis()))) {
            *count += times;
        }
    }

    /// Makes counts by number counts of `statuses`.
    pub(super) fn name_statuses(&mut self, statuses: &[Option<i16>]) {
        for (status, counts) in statuses.iter().zip(&mut self.numbered) {
            let counts = std::mem::take(counts);
            if counts != [0; Basis::COUNT] {
                let sums = self.statuses.entry(*status).or_default();
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
            }
        }
    }

    /// Counts all rows of a batch for the agents, in one pass over each one's codes.
    pub(super) fn add_codes(&mut self, verdicts: &[Verdicts]) {
        for (verdicts, agent) in verdicts.iter().zip(&mut self.agents) {
            let mut times = [0_u64; 256];
            for code in verdicts.codes() {
                times[usize::from(code.index())] += 1;
            }
            for (index, times) in (0..=u8::MAX).zip(times).filter(|(_, times)| *times > 0) {
                agent.add(Code::of_index(index), times);
            }
        }
    }

    /// Adds what was counted for agents, named one by one, to the tally.
    pub(super) fn tell_agents<'l>(
        &mut self,
        labels: impl Iterator<Item = &'l str>,
        tally: &mut Tally,
    ) {
        for (agent, label) in self.agents.iter_mut().zip(labels) {
            if agent.total() != [0; 3] {
                tally.add_to_agent(label, std::mem::take(agent));
            }
        }
    }

    /// Adds what was counted for statuses to the tally.
    pub(super) fn tell_statuses(&mut self, tally: &mut Tally) {
        for (status, counts) in &mut self.statuses {
            for (basis, count) in Basis::ALL.into_iter().zip(counts) {
                if *count > 0 && basis.rests_on_capture() {
                    *tally.statuses.entry((basis, *status)).or_default() += *count;
                }
                *count = 0;
            }
        }
    }
}

/// Calls `add` with each distinct code and how often it occurs.
#[inline]
fn for_each_code(codes: &[Code], mut add: impl FnMut(Code, u64)) {
    let mut left = codes.len();
    let mut seen = [0_u64; 4];
    for (at, code) in codes.iter().enumerate() {
        let (word, bit) = (usize::from(code.index() / 64), 1 << (code.index() % 64));
        let Some(word) = seen.get_mut(word).filter(|word| **word & bit == 0) else { continue };
        *word |= bit;
        let same = codes.iter().skip(at).filter(|other| *other == code).count();
        add(*code, same as u64);
        left -= same;
        if left == 0 {
            return;
        }
    }
}
