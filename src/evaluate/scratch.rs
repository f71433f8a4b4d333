//! What one thread keeps from row to row and from batch to batch.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::outcome::Outcome;
use super::run::Run;
use super::{Basis, Settings, Tally};
use crate::agents::Agent;
use crate::text::origin::Prefix;

/// Agents of an agent column that are kept read; when there are more, all are read anew.
const MAX_READ_AGENTS: usize = 65_536;

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
    /// The verdicts of the row at hand, agent by agent.
    pub(super) outcomes: Vec<Outcome<'c>>,
    /// Verdicts of the run that rest on its capture, by basis.
    pub(super) run_counts: [u64; Basis::COUNT],
}

impl Scratch<'_> {
    /// Moves the counts of the run that ends into `tally`.
    pub(super) fn flush_run(&mut self, tally: &mut Tally) {
        let status = self.run.site.and_then(|site| Some(site.status?.0));
        for (basis, count) in Basis::ALL.into_iter().zip(&mut self.run_counts) {
            if *count > 0 {
                *tally.statuses.entry((basis, status)).or_default() += std::mem::take(count);
            }
        }
    }
}

/// The agent that a row names.
#[derive(Debug, Default)]
pub(super) struct RowAgent {
    /// As it stands in the row.
    text: Option<Box<[u8]>>,
    /// As read; `None` where it is none.
    pub(super) read: Option<Arc<Agent>>,
    known: HashMap<Box<[u8]>, Option<Arc<Agent>>, RandomState>,
}

impl RowAgent {
    /// Makes `text` the agent at hand; returns whether it is another than before.
    pub(super) fn enter(&mut self, text: Option<&[u8]>, settings: &Settings) -> bool {
        if self.text.as_deref() == text {
            return false;
        }
        self.text = text.map(Box::from);
        self.read = text.and_then(|text| self.read(text, settings));
        true
    }

    fn read(&mut self, text: &[u8], settings: &Settings) -> Option<Arc<Agent>> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
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
