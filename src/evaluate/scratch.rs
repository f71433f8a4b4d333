//! What one thread keeps from row to row and from batch to batch.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::ArrayRef;
use foldhash::fast::RandomState;

use super::ahead::Ahead;
use super::by_value::ByValue;
use super::counts::Counts;
use super::dictionary::PerValue;
use super::gaps::Gaps;
use super::origins::Origins;
use super::run::Run;
use super::scattered::{self, Judge};
use super::target::Before;
use super::verdicts::Verdicts;
use super::{RowColumns, Settings, Tally};
use crate::agents::Agent;

/// Agents of an agent column that are kept read; when there are more, all are read anew.
const MAX_READ_AGENTS: usize = 16_384;

/// Octets of an agent that is kept read; longer ones are no names that repeat.
const MAX_KEPT_AGENT: usize = 1_024;

/// The run that rows are in, buffers, and what is known of agents and of dictionaries' values. Belongs
/// to one evaluator.
#[derive(Debug, Default)]
pub struct Scratch<'c> {
    pub(super) run: Run<'c>,
    /// How the row before names its origin.
    pub(super) before: Before,
    /// The values of a dictionary of origins.
    pub(super) origins: Origins,
    /// The verdicts on the values of a dictionary of URLs.
    pub(super) by_value: ByValue,
    pub(super) row_agent: RowAgent,
    /// A path with a `/` put before it.
    pub(super) path: Vec<u8>,
    /// A path normalised.
    pub(super) normalised: Vec<u8>,
    /// The verdicts of the batch, agent by agent.
    pub(super) verdicts: Vec<Verdicts>,
    /// Verdicts counted and not told yet.
    pub(super) counts: Counts,
    gaps: Gaps,
    /// Rows whose time decides and cannot be read.
    without_time: u64,
    /// The recorded status of each row, where they are kept.
    statuses: Option<Vec<Option<i16>>>,
    /// What is known ahead of rows that jump from origin to origin.
    pub(super) ahead: Ahead,
    scattered: scattered::Buffers<'c>,
    /// The first row of the batch that is not counted yet.
    counted: usize,
}

impl<'c> Scratch<'c> {
    /// Begins a batch.
    pub(super) fn start(&mut self, num_agents: usize, rows: &RowColumns<'_>) {
        let num_rows = rows.len();
        self.before.forget_value();
        self.origins.start(rows.origin_values(), num_rows);
        self.row_agent.start(rows.agent_values(), num_rows);
        self.verdicts.resize_with(num_agents, Verdicts::default);
        self.verdicts.iter_mut().for_each(|verdicts| verdicts.start(num_rows));
        self.counts.start(num_agents);
        self.counted = 0;
    }

    /// Counts how far the capture that answers is from a row of `time`.
    #[inline]
    pub(super) fn count_gap(&mut self, time: Option<i64>) {
        let captured = self.run.site.and_then(|site| site.time);
        if let Some((time, captured)) = time.zip(captured) {
            self.gaps.add(time.saturating_sub(captured));
        }
    }

    /// Counts a row whose time decides and cannot be read.
    #[inline]
    pub(super) fn count_without_time(&mut self) {
        self.without_time += 1;
    }

    /// Adds the verdicts of a row for which later visits count too; they are counted at once, because each may rest
    /// on another visit.
    pub(super) fn push_with_later(&mut self) {
        self.count_run();
        self.run.push_with_later(&mut self.verdicts, &mut self.counts);
        self.counted = self.verdicts.first().map_or(0, Verdicts::len);
    }

    /// Counts the rows since the last call: those of the run that ends.
    #[inline]
    pub(super) fn count_run(&mut self) {
        let done = self.verdicts.first().map_or(0, Verdicts::len);
        if done > self.counted {
            let status = self.run.site.and_then(|site| Some(site.status?.0));
            self.counts.add_run(&self.verdicts, self.counted, status);
            self.counted = done;
            if let Some(statuses) = &mut self.statuses {
                statuses.resize(done, status);
            }
        }
    }

    /// The statuses of the next batch's rows are to be kept.
    pub(super) fn keep_statuses(&mut self) {
        self.statuses = Some(Vec::new());
    }

    /// Whether statuses are kept row by row.
    pub(super) fn keeps_statuses(&self) -> bool {
        self.statuses.is_some()
    }

    /// The statuses kept; no further ones are.
    pub(super) fn take_statuses(&mut self) -> Vec<Option<i16>> {
        self.statuses.take().unwrap_or_default()
    }

    /// Judges all rows of a batch, each of which may have another origin.
    pub(super) fn judge_scattered(&mut self, judge: &Judge<'c, '_>, rows: &RowColumns<'_>) {
        let Scratch { scattered, origins, verdicts, counts, .. } = self;
        judge.judge(rows, origins, scattered, verdicts, counts);
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
        self.tell(num_rows, labels, tally);
    }

    /// Adds what was counted of a batch of `num_rows` rows to the tally.
    pub(super) fn tell(&mut self, num_rows: usize, labels: &[String], tally: &mut Tally) {
        self.tell_agents(labels, tally);
        self.counts.tell_statuses(tally);
        tally.rows += num_rows as u64;
        tally.gaps += &std::mem::take(&mut self.gaps);
        tally.without_time += std::mem::take(&mut self.without_time);
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
    /// Its place in the batch's dictionary, where it was entered by that.
    value: Option<usize>,
    /// Agents read, by their place in a dictionary and as they stand there.
    values: PerValue<Option<Arc<Agent>>>,
    known: HashMap<Box<[u8]>, Option<Arc<Agent>>, RandomState>,
}

impl RowAgent {
    /// Begins a batch of so many rows whose agents are a dictionary of these `values`, if they are.
    fn start(&mut self, values: Option<&ArrayRef>, num_rows: usize) {
        self.value = None;
        self.values.start(values, num_rows);
    }

    /// Whether the agent of `row` is the one at hand.
    #[inline]
    pub(super) fn is_of(&self, rows: &RowColumns<'_>, row: usize) -> bool {
        match self.value.zip(rows.agent_key(row)) {
            Some((value, key)) => value == key,
            None => self.is_set && self.named() == rows.agent(row),
        }
    }

    /// Makes the agent of `row` the one at hand.
    pub(super) fn enter(&mut self, rows: &RowColumns<'_>, row: usize, settings: &Settings) {
        let text = rows.agent(row);
        self.is_set = true;
        self.is_there = text.is_some();
        self.text.clear();
        self.text.extend_from_slice(text.unwrap_or_default());
        self.value = rows.agent_key(row);
        let known = self.value.and_then(|value| self.values.place(value).cloned().flatten());
        self.read = known.unwrap_or_else(|| text.and_then(|text| self.read(text, settings)));
        if let Some(place) = self.value.and_then(|value| self.values.place(value)) {
            place.get_or_insert_with(|| self.read.clone());
        }
    }

    fn read(&mut self, text: &[u8], settings: &Settings) -> Option<Arc<Agent>> {
        if let Some(known) = self.known.get(text) {
            return known.clone();
        }
        if text.len() > MAX_KEPT_AGENT {
            return settings.read_agent(text).map(Arc::new);
        }
        if self.known.len() >= MAX_READ_AGENTS {
            self.known.clear();
        }
        let read = settings.read_agent(text).map(Arc::new);
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
