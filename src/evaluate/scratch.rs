//! What one thread keeps from row to row and from batch to batch.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::ahead::Ahead;
use super::counts::Counts;
use super::run::Run;
use super::scattered::{self, Judge};
use super::verdicts::Verdicts;
use super::{RowColumns, Settings, Tally};
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
    /// Verdicts counted and not told yet.
    counts: Counts,
    /// What is known ahead of rows that jump from origin to origin.
    pub(super) ahead: Ahead,
    scattered: scattered::Buffers<'c>,
    /// The first row of the batch that is not counted yet.
    counted: usize,
}

impl<'c> Scratch<'c> {
    /// Begins a batch.
    pub(super) fn start(&mut self, num_agents: usize, num_rows: usize) {
        self.verdicts.resize_with(num_agents, Verdicts::default);
        self.verdicts.iter_mut().for_each(|verdicts| verdicts.start(num_rows));
        self.counts.start(num_agents);
        self.counted = 0;
    }

    /// Counts the rows since the last call: those of the run that ends.
    #[inline]
    pub(super) fn count_run(&mut self) {
        let done = self.verdicts.first().map_or(0, Verdicts::len);
        if done > self.counted {
            let status = self.run.site.and_then(|site| Some(site.status?.0));
            self.counts.add_run(&self.verdicts, self.counted, status);
            self.counted = done;
        }
    }

    /// Judges all rows of a batch of URLs, each of which may have another origin.
    pub(super) fn judge_scattered(&mut self, judge: &Judge<'c, '_>, rows: &RowColumns<'_>) {
        let Scratch { scattered, verdicts, counts, .. } = self;
        judge.judge(rows, scattered, verdicts, counts);
        counts.name_statuses(judge.briefs.statuses());
        self.counted = rows.len();
    }

    /// Adds the agents' counts so far to the tally, under `labels` or the name that rows gave.
    pub(super) fn tell_agents(&mut self, labels: &[String], tally: &mut Tally) {
        match labels {
            [] => {
                let label = self.row_agent.text().unwrap_or_default();
                self.counts.tell_agents(std::iter::once(label), tally);
            }
            labels => self.counts.tell_agents(labels.iter().map(String::as_str), tally),
        }
    }

    /// Ends a batch of `num_rows` rows.
    pub(super) fn finish(&mut self, num_rows: usize, labels: &[String], tally: &mut Tally) {
        self.count_run();
        self.tell_agents(labels, tally);
        self.counts.tell_statuses(tally);
        tally.rows += num_rows as u64;
    }
}

/// The agent that a row names.
#[derive(Debug, Default)]
pub(super) struct RowAgent {
    /// A row came by.
    is_set: bool,
    /// Whether the row names one, and as it stands there.
    is_there: bool,
    text: Vec<u8>,
    /// As read; `None` where it is none.
    pub(super) read: Option<Arc<Agent>>,
    known: HashMap<Box<[u8]>, Option<Arc<Agent>>, RandomState>,
}

impl RowAgent {
    /// Whether `text` is the agent at hand.
    #[inline]
    pub(super) fn is(&self, text: Option<&[u8]>) -> bool {
        self.is_set && self.named() == text
    }

    /// Makes `text` the agent at hand.
    pub(super) fn enter(&mut self, text: Option<&[u8]>, settings: &Settings) {
        self.is_set = true;
        self.is_there = text.is_some();
        self.text.clear();
        self.text.extend_from_slice(text.unwrap_or_default());
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
        std::str::from_utf8(self.named()?).ok()
    }

    fn named(&self) -> Option<&[u8]> {
        self.is_there.then_some(self.text.as_slice())
    }
}
