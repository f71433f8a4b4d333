//! Judging a batch.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use super::ahead;
use super::append::{Making, RowKind};
use super::briefs::Briefs;
use super::build::ColumnBuilder;
use super::columns::{self, Slot, TextForm};
use super::scattered::Judge;
use super::target::{Named, Target};
use super::verdicts::{Code, Vocabulary, push_all};
use super::{
    Asked, AskedError, Basis, Layout, RowColumns, Scope, Scratch, Settings, Suffix, Tally,
    VerdictColumn,
};
use crate::corpus::Corpus;
use crate::matching;
use crate::text::origin::UrlParts;

/// Origins that may be resolved beforehand for each scattered row so far: what that costs stays in proportion to the rows.
const ORIGINS_PER_ROW: u64 = 4;

/// Judges batches of rows by a corpus. Shared by all threads; what changes is in a [`Scratch`].
#[derive(Debug)]
pub struct Evaluator<'c> {
    pub(super) corpus: &'c Corpus,
    settings: Settings,
    pub(super) asked: Asked,
    /// The agents asked for, as given.
    pub(super) labels: Vec<String>,
    pub(super) layout: Layout,
    pub(super) slots: Vec<Slot>,
    schema: SchemaRef,
    vocabulary: Vocabulary,
    /// Made when so many rows have come that jump from origin to origin that it pays.
    briefs: OnceLock<Briefs<'c>>,
    num_scattered: AtomicU64,
}

impl<'c> Evaluator<'c> {
    /// For the agents in `asked`, writing `columns`; the long layout adds `robots_row` and
    /// `robots_agent`.
    ///
    /// # Errors
    /// Agents that would share a column name in the wide layout, or that the corpus was not compiled
    /// for.
    pub fn try_new(
        corpus: &'c Corpus,
        settings: Settings,
        asked: Asked,
        columns: &[VerdictColumn],
        layout: Layout,
        suffix: Suffix,
    ) -> Result<Self, AskedError> {
        asked.check_wanted(&corpus.facts().wanted)?;
        let mut columns = columns.to_vec();
        match layout {
            Layout::Wide if columns.is_empty() => {}
            Layout::Wide => asked.check_suffixes()?,
            Layout::Long => columns.extend([VerdictColumn::Row, VerdictColumn::Agent]),
        }
        let (slots, schema) =
            columns::slots(&columns, &asked, layout, suffix, settings.moment.as_of);
        columns::check_names(&schema)?;
        let labels = asked.agents().iter().map(|agent| agent.label().into_owned()).collect();
        let vocabulary = Vocabulary::default();
        let briefs = OnceLock::new();
        let num_scattered = AtomicU64::new(0);
        Ok(Evaluator {
            corpus,
            settings,
            asked,
            labels,
            layout,
            slots,
            schema,
            vocabulary,
            briefs,
            num_scattered,
        })
    }

    /// Gives `robots_basis` and `robots_group`, in the wide layout, as dictionaries: a key of one
    /// octet a row, for who writes them to a file, where they become plain strings again.
    #[must_use]
    pub fn with_dictionaries(mut self) -> Self {
        let form = match self.layout {
            Layout::Wide => TextForm::Dictionary,
            Layout::Long => TextForm::Plain,
        };
        self.schema = columns::with_text_form(&self.schema, &self.slots, form);
        self
    }

    /// The schema of the batches that [`Evaluator::evaluate`] gives.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// How it judges.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The agents asked for.
    #[must_use]
    pub fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Whether verdicts depend on the time of rows.
    #[must_use]
    pub fn needs_times(&self) -> bool {
        self.settings.moment.needs_row_time()
    }

    /// Whether verdicts or columns tell more where rows have times.
    #[must_use]
    pub fn uses_times(&self) -> bool {
        let tells = |slot: &Slot| slot.column == VerdictColumn::CaptureGap;
        self.needs_times() || self.slots.iter().any(tells)
    }

    /// How many rows come out for each that goes in.
    #[must_use]
    pub fn rows_per_row(&self) -> usize {
        match self.layout {
            Layout::Wide => 1,
            Layout::Long => self.num_agents(),
        }
    }

    /// Judges all rows of a batch; `first_row` is the position of its first row in the file. Where the corpus may be
    /// damaged, verdicts are not to be used before [`Corpus::check`] was asked.
    ///
    /// # Errors
    /// A corpus that is damaged where these rows needed it ([`ArrowError::ExternalError`]); columns that Arrow cannot put
    /// together.
    ///
    /// # Complexity
    /// One split of each URL, one lookup of the origin and of each agent's group for each run of
    /// rows with the same origin, one walk of each distinct group for each row; less for the values of
    /// dictionaries, see [`RowColumns`]. Once a quarter as many rows as the corpus has origins have
    /// jumped from origin to origin, what every origin answers is resolved: 24 octets each, and 32 for each body and agent.
    pub fn evaluate(
        &self,
        rows: &RowColumns<'_>,
        first_row: u64,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Result<RecordBatch, ArrowError> {
        let by_value = self.can_follow_values() && !rows.have_times() && !self.needs_times();
        let arrays = match rows.distinct_urls().filter(|_| by_value) {
            Some((distinct, values)) if scratch.by_value.pays(rows, values) => {
                self.follow_values(rows, &distinct, first_row, scratch, tally)?
            }
            _ => self.judge_batch(rows, first_row, scratch, tally)?,
        };
        // What damaged files gave must not leave as verdicts.
        self.corpus.check().map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        let num_rows = rows.len() * self.rows_per_row();
        let options = RecordBatchOptions::new().with_row_count(Some(num_rows));
        RecordBatch::try_new_with_options(self.schema(), arrays, &options)
    }

    /// The columns of a batch, made of its rows.
    pub(super) fn judge_batch(
        &self,
        rows: &RowColumns<'_>,
        first_row: u64,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        let num_rows = rows.len() * self.rows_per_row();
        let mut making: Vec<Making> =
            self.slots.iter().map(|slot| self.making(slot, num_rows)).collect();
        scratch.start(self.num_agents(), rows);
        let row_by_row = making.iter().any(|column| matches!(column, Making::RowByRow(_)));
        let needs_rows = row_by_row || scratch.keeps_statuses();
        // Looking ahead is by origin alone.
        let by_origin =
            !rows.have_times() && !self.needs_times() && self.settings.scope == Scope::Origin;
        let is_scattered = by_origin && ahead::is_scattered(rows);
        match &self.asked {
            Asked::Agents(agents) if is_scattered && !needs_rows && self.briefs_pay(rows.len()) => {
                let briefs = || Briefs::new(self.corpus, agents, &self.settings);
                let briefs = self.briefs.get_or_init(briefs);
                let judge = Judge { corpus: self.corpus, settings: &self.settings, briefs };
                scratch.judge_scattered(&judge, rows);
            }
            _ => self.judge_rows(rows, first_row, is_scattered, scratch, tally, &mut making),
        }
        scratch.finish(rows.len(), &self.labels, tally);
        let arrays = self.slots.iter().zip(making).zip(self.schema.fields());
        let arrays = arrays.map(|((slot, making), field)| match making {
            Making::RowByRow(builder) => Ok(builder.finish()),
            Making::OfVerdicts => {
                let verdicts = &mut scratch.verdicts[slot.agent.unwrap_or(0)];
                verdicts.column(slot.column, field.data_type(), &self.vocabulary)
            }
        });
        arrays.collect()
    }

    /// Whether it is worth while to resolve what every origin answers, now that so many scattered rows have come: a corpus may
    /// be far larger than the rows that it is asked for.
    fn briefs_pay(&self, num_rows: usize) -> bool {
        let before = self.num_scattered.fetch_add(num_rows as u64, Ordering::Relaxed);
        let rows = before.saturating_add(num_rows as u64);
        self.briefs.get().is_some()
            || rows.saturating_mul(ORIGINS_PER_ROW) >= self.corpus.num_origins() as u64
    }

    /// Judges rows one after the other and adds to the columns that are built row by row.
    fn judge_rows(
        &self,
        rows: &RowColumns<'_>,
        first_row: u64,
        is_scattered: bool,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
        making: &mut [Making],
    ) {
        let row_by_row = making.iter().any(|column| matches!(column, Making::RowByRow(_)));
        for row in 0..rows.len() {
            if is_scattered && row % ahead::WINDOW == 0 {
                scratch.ahead.look(self.corpus, rows, &mut scratch.origins, row, &self.settings);
            }
            let kind = self.judge(rows, row, scratch, tally);
            if row_by_row {
                self.append(first_row + row as u64, rows.time(row), kind, scratch, making);
            }
        }
        scratch.ahead.forget();
    }

    fn making(&self, slot: &Slot, num_rows: usize) -> Making {
        match VerdictColumn::STANDARD.contains(&slot.column) && self.layout == Layout::Wide {
            true => Making::OfVerdicts,
            false => Making::RowByRow(ColumnBuilder::new(slot, num_rows)),
        }
    }

    pub(super) fn num_agents(&self) -> usize {
        match &self.asked {
            Asked::Agents(agents) => agents.len(),
            Asked::Column => 1,
        }
    }

    /// Adds the verdicts of one row to those in `scratch`; says what they rest on.
    #[inline]
    fn judge(
        &self,
        rows: &RowColumns<'_>,
        row: usize,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> RowKind {
        if matches!(self.asked, Asked::Column) && !scratch.row_agent.is_of(rows, row) {
            scratch.count_run();
            scratch.tell_agents(&self.labels, tally);
            scratch.row_agent.enter(rows, row, &self.settings);
            scratch.run.forget_answers();
        }
        let target = rows.target(row, &self.settings, &mut scratch.before);
        match target.as_ref().map(|target| target.named) {
            Some(Named::Parts(parts)) if !scratch.run.is_of(&parts) => {
                self.enter(rows, Some(&parts), row, scratch);
            }
            Some(Named::Value(value)) => self.enter_value(rows, value, row, scratch),
            Some(_) if self.needs_times() && !scratch.run.holds_at(rows.time(row)) => {
                scratch.count_run();
                if scratch.run.site.is_some() {
                    scratch.run.ask(self.corpus, &self.settings, rows.time(row));
                }
            }
            _ => {}
        }
        match target {
            Some(target) if scratch.run.site.is_some() => {
                if rows.have_times() {
                    match rows.time(row) {
                        None if self.needs_times() => scratch.count_without_time(),
                        time => scratch.count_gap(time),
                    }
                }
                self.judge_path(&target, scratch)
            }
            _ => {
                push_all(&mut scratch.verdicts, Code::new(None, Basis::BadUrl, None));
                RowKind::BadUrl
            }
        }
    }

    /// Makes the run that of the origin of `row`, which is named by `parts`.
    fn enter(
        &self,
        rows: &RowColumns<'_>,
        parts: Option<&UrlParts<'_>>,
        row: usize,
        scratch: &mut Scratch<'c>,
    ) {
        scratch.count_run();
        match scratch.ahead.of_row(row) {
            Some((name, site)) => scratch.run.enter_known(parts, name, Some(site)),
            None => {
                let time = rows.time(row).filter(|_| self.needs_times());
                scratch.run.enter(self.corpus, parts, &self.settings, time);
            }
        }
    }

    /// As [`Evaluator::enter`], where a value of the batch's dictionary names the origin.
    fn enter_value(
        &self,
        rows: &RowColumns<'_>,
        value: usize,
        row: usize,
        scratch: &mut Scratch<'c>,
    ) {
        let known = match self.needs_times() {
            true => None,
            false => scratch.origins.known(self.corpus, rows, value, &self.settings),
        };
        match known {
            None => self.enter(rows, rows.parts_of_value(value).as_ref(), row, scratch),
            Some(known) => {
                scratch.count_run();
                let Scratch { run, origins, .. } = scratch;
                run.enter_known(None, origins.name(&known), known.site);
            }
        }
    }

    #[inline]
    fn judge_path(&self, target: &Target<'_>, scratch: &mut Scratch<'c>) -> RowKind {
        if scratch.run.needs_answers() {
            self.resolve(scratch);
        }
        let dialect = &self.settings.dialect;
        let Scratch { run, path, normalised, verdicts, .. } = scratch;
        let path = target.path.octets(path);
        if dialect.robots_txt_allowed && path == b"/robots.txt" {
            let has_agent = self.has_agent(scratch);
            let code = match has_agent {
                true => Code::new(Some(true), Basis::RobotsTxt, None),
                false => Code::new(None, Basis::BadAgent, None),
            };
            push_all(&mut scratch.verdicts, code);
            return RowKind::RobotsTxt;
        }
        if !run.is_fixed() {
            run.walk(matching::prepare(path, target.traits, dialect, normalised));
        }
        match run.has_later() {
            true => scratch.push_with_later(),
            false => run.push_verdicts(verdicts),
        }
        RowKind::Judged
    }

    fn resolve(&self, scratch: &mut Scratch<'c>) {
        let Scratch { run, row_agent, .. } = scratch;
        match &self.asked {
            Asked::Agents(agents) => {
                run.resolve(self.corpus, &agents.iter().map(Some), &self.settings);
            }
            Asked::Column => {
                let agent = std::iter::once(row_agent.read.as_deref());
                run.resolve(self.corpus, &agent, &self.settings);
            }
        }
    }

    pub(super) fn has_agent(&self, scratch: &Scratch<'_>) -> bool {
        match self.asked {
            Asked::Agents(_) => true,
            Asked::Column => scratch.row_agent.read.is_some(),
        }
    }
}
