//! What one thread keeps from row to row and from batch to batch.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::run::Run;
use super::verdicts::Verdicts;
use super::{Basis, Settings, Tally};
use crate::agents::Agent;
use crate::text::origin::Prefix;

/// Agents of an agent column that are kept read; when there are more, all are read anew.
const MAX_READ_AGENTS: usize = 16_384;

/// Octets of an agent that is kept read; longer ones are no names that repeat.
const MAX_KEPT_AGENT: usize = 1_024;

/// The run that rows are in, buffers, and agents read from an agent column.
#[derive(Debug, Default)]
pub struct Scratch<'c> {
    pub(super) run: Run<'c>,
    /// How the URL of the row before spells its origin.
    pub(super) prefix: Prefix,
    pub(super) row_agent: RowAgent,
    /// A path with a `/` put before it.
    pub(super) path: Vec<u8>,
    /// A path normalised.
    pub(super) normalised: Vec<u8>,
    /// The verdicts of the batch, agent by agent.
    pub(super) verdicts: Vec<Verdicts>,
    /// The first row of the batch that is not counted yet.
    counted: usize,
}

impl Scratch<'_> {
    /// Begins a batch.
    pub(super) fn start(&mut self, num_agents: usize, num_rows: usize) {
        self.verdicts.resize_with(num_agents, Verdicts::default);
        self.verdicts.iter_mut().for_each(|verdicts| verdicts.start(num_rows));
        self.counted = 0;
    }

    /// Counts the rows since the last call: those of the run that ends.
    pub(super) fn count_run(&mut self, labels: &[String], tally: &mut Tally) {
        let status = self.run.site.and_then(|site| Some(site.status?.0));
        let mut by_basis = [0_u64; Basis::COUNT];
        let mut num_rows = 0;
        for (agent, verdicts) in self.verdicts.iter().enumerate() {
            let codes = verdicts.codes.get(self.counted..).unwrap_or_default();
            if codes.is_empty() {
                return;
            }
            num_rows = codes.len();
            let label = labels.get(agent).map(String::as_str);
            let counts = tally.agent(label.or(self.row_agent.text()).unwrap_or_default());
            for code in codes {
                counts.add(*code);
                if let Some(count) = by_basis.get_mut(usize::from(code.basis())) {
                    *count += 1;
                }
            }
        }
        self.counted += num_rows;
        for (basis, count) in Basis::ALL.into_iter().zip(by_basis) {
            if count > 0 && basis.rests_on_capture() {
                *tally.statuses.entry((basis, status)).or_default() += count;
            }
        }
    }
}

/// The agent that a row names.
#[derive(Debug, Default)]
pub(super) struct RowAgent {
    /// A row came by.
    is_set: bool,
    /// As it stands in the row.
    text: Option<Box<[u8]>>,
    /// As read; `None` where it is none.
    pub(super) read: Option<Arc<Agent>>,
    known: HashMap<Box<[u8]>, Option<Arc<Agent>>, RandomState>,
}

impl RowAgent {
    /// Whether `text` is the agent at hand.
    #[inline]
    pub(super) fn is(&self, text: Option<&[u8]>) -> bool {
        self.is_set && self.text.as_deref() == text
    }

    /// Makes `text` the agent at hand.
    pub(super) fn enter(&mut self, text: Option<&[u8]>, settings: &Settings) {
        self.is_set = true;
        self.text = text.map(Box::from);
        self.read = text.and_then(|text| self.read(text, settings));
    }

    fn read(&mut self, text: &[u8], settings: &Settings) -> Option<Arc<Agent>> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        if text.len() > MAX_KEPT_AGENT {
            return Agent::parse(text, settings.agent_kind, settings.name_rules()).map(Arc::new);
        }
        if self.known.len() >= MAX_READ_AGENTS {
            self.known.clear();
        }
        let read = Agent::parse(text, settings.agent_kind, settings.name_rules()).map(Arc::new);
        self.known.insert(text.into(), read.clone());
        read
    }

    /// The agent as it stands in the row, where it is text.
    pub(super) fn text(&self) -> Option<&str> {
        std::str::from_utf8(self.text.as_deref()?).ok()
    }
}
