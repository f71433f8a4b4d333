//! Judging a batch.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use super::build::{ColumnBuilder, RowFacts};
use super::columns::{self, Slot};
use super::outcome::Outcome;
use super::rows::Target;
use super::{
    AgentTally, Asked, AskedError, Basis, Layout, RowColumns, Scratch, Settings, Suffix, Tally,
    VerdictColumn,
};
use crate::corpus::Corpus;
use crate::matching;

/// Judges batches of rows by a corpus. Shared by all threads; what changes is in a [`Scratch`].
#[derive(Debug)]
pub struct Evaluator<'c> {
    corpus: &'c Corpus,
    settings: Settings,
    asked: Asked,
    /// The agents asked for, as given.
    labels: Vec<String>,
    layout: Layout,
    slots: Vec<Slot>,
    schema: SchemaRef,
}

impl<'c> Evaluator<'c> {
    /// For the agents in `asked`, writing `columns`; the long layout adds `robots_row` and
    /// `robots_agent`.
    ///
    /// # Errors
    /// Agents that would share column names in the wide layout.
    pub fn try_new(
        corpus: &'c Corpus,
        settings: Settings,
        asked: Asked,
        columns: &[VerdictColumn],
        layout: Layout,
        suffix: Suffix,
    ) -> Result<Self, AskedError> {
        let mut columns = columns.to_vec();
        match layout {
            Layout::Wide => asked.check_suffixes()?,
            Layout::Long => columns.extend([VerdictColumn::Row, VerdictColumn::Agent]),
        }
        let (slots, schema) = columns::slots(&columns, &asked, layout, suffix);
        let labels = asked.agents().iter().map(|agent| agent.label().into_owned()).collect();
        Ok(Evaluator { corpus, settings, asked, labels, layout, slots, schema })
    }

    /// The schema of the batches that [`Evaluator::evaluate`] gives.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// The agents asked for.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// How many rows come out for each that goes in.
    #[must_use]
    pub fn rows_per_row(&self) -> usize {
        match self.layout {
            Layout::Wide => 1,
            Layout::Long => self.num_agents(),
        }
    }

    /// Judges all rows of a batch; `first_row` is the position of its first row in the file.
    ///
    /// # Errors
    /// Only where Arrow cannot put the columns together.
    ///
    /// # Complexity
    /// One split of each URL, one lookup of the origin and of each agent's group for each run of
    /// rows with the same origin, one walk of each distinct group for each row.
    pub fn evaluate(
        &self,
        rows: &RowColumns<'_>,
        first_row: u64,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Result<RecordBatch, ArrowError> {
        let num_rows = rows.len() * self.rows_per_row();
        let mut builders: Vec<ColumnBuilder> =
            self.slots.iter().map(|slot| ColumnBuilder::new(slot, num_rows)).collect();
        let mut counts = vec![AgentTally::default(); self.labels.len()];
        for row in 0..rows.len() {
            let target = self.judge(rows, row, scratch, tally);
            self.count(scratch, &mut counts, tally);
            self.append(first_row + row as u64, target.is_some(), scratch, &mut builders);
        }
        scratch.flush_run(tally);
        tally.rows += rows.len() as u64;
        for (label, counts) in self.labels.iter().zip(counts) {
            *tally.agent(label) += counts;
        }
        let arrays: Vec<ArrayRef> = builders.into_iter().map(ColumnBuilder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(num_rows));
        RecordBatch::try_new_with_options(self.schema(), arrays, &options)
    }

    fn num_agents(&self) -> usize {
        match &self.asked {
            Asked::Agents(agents) => agents.len(),
            Asked::Column => 1,
        }
    }

    /// Leaves the outcomes of one row, agent by agent, in `scratch`; `None` for a bad URL.
    fn judge<'r>(
        &self,
        rows: &RowColumns<'r>,
        row: usize,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Option<Target<'r>> {
        scratch.outcomes.clear();
        if matches!(self.asked, Asked::Column)
            && scratch.row_agent.enter(rows.agent(row), &self.settings)
        {
            scratch.run.forget_answers();
        }
        let target = rows.target(row, &self.settings, &mut scratch.prefix);
        if let Some(parts) = target.as_ref().and_then(|target| target.parts)
            && !scratch.run.is_of(&parts)
        {
            scratch.flush_run(tally);
            scratch.run.enter(self.corpus, &parts, &self.settings);
        }
        let target = target.filter(|_| scratch.run.site.is_some());
        match &target {
            None => self.fill(scratch, |_| Outcome::fixed(None, Basis::BadUrl)),
            Some(target) => self.judge_path(target, scratch),
        }
        target
    }

    /// The same outcome for all agents, or one that depends only on there being an agent.
    fn fill(&self, scratch: &mut Scratch<'c>, outcome: impl Fn(bool) -> Outcome<'c>) {
        let has_agent = match self.asked {
            Asked::Agents(_) => true,
            Asked::Column => scratch.row_agent.read.is_some(),
        };
        scratch.outcomes.resize(self.num_agents(), outcome(has_agent));
    }

    fn judge_path(&self, target: &Target<'_>, scratch: &mut Scratch<'c>) {
        let mut buffer = std::mem::take(&mut scratch.path);
        let path = target.path.octets(&mut buffer);
        if self.settings.dialect.robots_txt_allowed && path == b"/robots.txt" {
            self.fill(scratch, |has_agent| match has_agent {
                true => Outcome::fixed(Some(true), Basis::RobotsTxt),
                false => Outcome::fixed(None, Basis::BadAgent),
            });
        } else {
            let Scratch { run, row_agent, normalised, outcomes, .. } = scratch;
            if run.needs_answers() {
                match &self.asked {
                    Asked::Agents(agents) => {
                        run.resolve(self.corpus, agents.iter().map(Some), &self.settings);
                    }
                    Asked::Column => {
                        let agent = std::iter::once(row_agent.read.as_deref());
                        run.resolve(self.corpus, agent, &self.settings);
                    }
                }
            }
            let dialect = &self.settings.dialect;
            run.walk(matching::prepare(path, target.traits, dialect, normalised));
            outcomes.extend((0..self.num_agents()).map(|agent| run.outcome(agent)));
        }
        scratch.path = buffer;
    }

    fn count(&self, scratch: &mut Scratch<'c>, counts: &mut [AgentTally], tally: &mut Tally) {
        for (agent, outcome) in scratch.outcomes.iter().enumerate() {
            match counts.get_mut(agent) {
                Some(counts) => counts.add(outcome.allowed, outcome.basis),
                None => {
                    let text = scratch.row_agent.text().unwrap_or_default();
                    tally.agent(text).add(outcome.allowed, outcome.basis);
                }
            }
            if !matches!(outcome.basis, Basis::BadUrl | Basis::BadAgent | Basis::RobotsTxt) {
                scratch.run_counts[outcome.basis.index()] += 1;
            }
        }
    }

    fn append(
        &self,
        row: u64,
        has_origin: bool,
        scratch: &Scratch<'c>,
        builders: &mut [ColumnBuilder],
    ) {
        let site = scratch.run.site.as_ref().filter(|_| has_origin);
        let origin = has_origin.then_some(scratch.run.origin.as_slice());
        let facts = |agent: usize| match &self.asked {
            Asked::Agents(agents) => RowFacts {
                row,
                origin,
                site,
                agent: agents.get(agent),
                agent_text: self.labels.get(agent).map(String::as_str),
            },
            Asked::Column => RowFacts {
                row,
                origin,
                site,
                agent: scratch.row_agent.read.as_deref(),
                agent_text: scratch.row_agent.text(),
            },
        };
        if self.layout == Layout::Long {
            for (agent, outcome) in scratch.outcomes.iter().enumerate() {
                builders.iter_mut().for_each(|b| b.append(self.corpus, outcome, &facts(agent)));
            }
            return;
        }
        for (slot, builder) in self.slots.iter().zip(builders) {
            let agent = slot.agent.unwrap_or(0);
            if let Some(outcome) = scratch.outcomes.get(agent) {
                builder.append(self.corpus, outcome, &facts(agent));
            }
        }
    }
}
