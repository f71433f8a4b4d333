//! The stream itself.
//!
//! **Purpose.** Put the parts together: prepare, dispense, work, append, report. **Enters**: judge, plan, watcher. **Leaves**: a report.
//! **Cost**: see the folder's head. **Must not know**: what the judge judges.

use super::dispense::{Dispenser, Task};
use super::error::StreamError;
use super::judge::{Judge, Progress};
use super::leftovers;
use super::plan::{OnError, StreamPlan};
use super::prepare::{Group, Outcome, Prepared, prepare};
use super::report::{Report, Skipped, Survey};
use super::turn::{Turn, Written};
use super::unit::work;
use crate::table::BatchLimits;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Most rows of a batch: what is decoded is still in the cache when it is judged and encoded.
const BATCH_ROWS: usize = 8 << 10;

/// A batch of columns takes this part of the memory limit, so that some tens of workers have room.
const BATCHES_IN_MEMORY: usize = 64;

/// Bounds of a batch in octets, whatever the limit.
const SMALLEST_BATCH: usize = 64 << 10;
const LARGEST_BATCH: usize = 16 << 20;

/// What a unit costs beside its octets: caches, writers, page headers.
const UNIT_OVERHEAD: u64 = 64 << 10;

/// Units in flight for each thread at most, at work or waiting for their turn.
const UNITS_PER_THREAD: usize = 16;

/// Judges every row of every input and writes the outputs.
///
/// # Errors
/// See [`StreamError`]; [`StreamError::is_plan`] also where the plan resumes a run and an output is another one's. Outputs
/// that were whole before the error stay; nothing else is left behind.
pub fn run<J: Judge>(
    judge: &J,
    plan: &StreamPlan,
    progress: &dyn Progress<J::Tally>,
) -> Result<Report<J::Tally>, StreamError> {
    let pool = pool(plan)?;
    let threads = pool.current_num_threads();
    let outcomes = pool.install(|| prepare(judge, plan))?;
    leftovers::sweep(&plan.inputs);
    let stream = Stream::new(judge, plan, progress, outcomes, threads);
    pool.broadcast(|_| stream.serve());
    stream.into_report()
}

/// What [`run`] would do: opens and plans every input, reads no row, writes nothing.
///
/// # Errors
/// As [`run`] before its first row.
pub fn survey<J: Judge>(judge: &J, plan: &StreamPlan) -> Result<Vec<Survey>, StreamError> {
    let outcomes = pool(plan)?.install(|| prepare(judge, plan))?;
    let pairs = outcomes.into_iter().zip(&plan.inputs);
    let surveys = pairs.map(|(outcome, input)| {
        let mut survey = Survey {
            path: input.path.clone(),
            output: input.output.clone(),
            rows: 0,
            row_groups: 0,
            columns: Vec::new(),
            kept: false,
            skipped: None,
        };
        match outcome {
            Outcome::Read(prepared) => {
                survey.rows = prepared.rows;
                survey.row_groups = prepared.groups.len();
                survey.columns =
                    prepared.columns.iter().map(|column| column.name().to_owned()).collect();
            }
            Outcome::Kept { rows } => (survey.rows, survey.kept) = (rows, true),
            Outcome::LeftOut(skipped) => survey.skipped = Some(skipped.reason),
        }
        survey
    });
    Ok(surveys.collect())
}

fn pool(plan: &StreamPlan) -> Result<rayon::ThreadPool, StreamError> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(plan.threads)
        .thread_name(|number| format!("stream-{number}"))
        .build()
        .map_err(|error| StreamError::plan(format!("no worker threads: {error}; ask for fewer")))
}

/// Depends on the memory limit and never on the threads, because batches decide where pages end.
fn limits(plan: &StreamPlan) -> BatchLimits {
    let octets = (plan.memory / BATCHES_IN_MEMORY).clamp(SMALLEST_BATCH, LARGEST_BATCH);
    BatchLimits { rows: BATCH_ROWS, octets }
}

struct Stream<'a, J: Judge> {
    judge: &'a J,
    on_error: OnError,
    threads: usize,
    limits: BatchLimits,
    progress: &'a dyn Progress<J::Tally>,
    files: Vec<Prepared<J::Plan>>,
    turns: Vec<Turn<J::Tally>>,
    dispenser: Dispenser,
    report: Mutex<Report<J::Tally>>,
    /// Left out while running, by file; the earliest damaged row group of each.
    left_out: Mutex<BTreeMap<usize, Skipped>>,
    order: Vec<usize>,
}

impl<'a, J: Judge> Stream<'a, J> {
    fn new(
        judge: &'a J,
        plan: &StreamPlan,
        progress: &'a dyn Progress<J::Tally>,
        outcomes: Vec<Outcome<J::Plan>>,
        threads: usize,
    ) -> Self {
        let limits = limits(plan);
        let (mut files, mut order, mut left_out) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut report = Report::default();
        for (at, outcome) in outcomes.into_iter().enumerate() {
            match outcome {
                Outcome::Read(prepared) => {
                    files.push(prepared);
                    order.push(at);
                }
                Outcome::Kept { rows } => {
                    report.kept_files += 1;
                    report.kept_rows += rows;
                }
                Outcome::LeftOut(skipped) => drop(left_out.insert(at, skipped)),
            }
        }
        announce(&files, progress);
        let costs = files.iter().map(|file| file.groups.iter().map(|g| cost(g, limits)).collect());
        let dispenser =
            Dispenser::new(costs.collect(), plan.memory as u64, threads * UNITS_PER_THREAD);
        Self {
            judge,
            on_error: plan.on_error,
            threads,
            limits,
            progress,
            turns: files.iter().map(|_| Turn::new()).collect(),
            files,
            dispenser,
            report: Mutex::new(report),
            left_out: Mutex::new(left_out),
            order,
        }
    }

    /// One worker: takes tasks until there are none.
    fn serve(&self) {
        let _alarm = Alarm(&self.dispenser);
        while let Some(task) = self.dispenser.next() {
            let (Some(file), Some(turn)) = (self.files.get(task.file), self.turns.get(task.file))
            else {
                return;
            };
            self.carry_out(task, file, turn);
        }
    }

    fn carry_out(&self, mut task: Task, file: &Prepared<J::Plan>, turn: &Turn<J::Tally>) {
        let encoded = match task.group {
            None => Ok(None),
            Some(g) => {
                let width = if self.dispenser.has_more() { 1 } else { self.threads };
                work(self.judge, file, g, self.limits, self.progress, width).map(Some)
            }
        };
        let delivered = match encoded {
            Ok(encoded) => {
                self.dispenser.settle(&mut task, encoded.as_ref().map_or(0, |unit| unit.len()));
                turn.deliver(task, encoded, file, &self.dispenser)
            }
            Err(error) => {
                self.dispenser.release(&task);
                Err(error)
            }
        };
        match delivered {
            Ok(None) => {}
            Ok(Some(written)) => {
                file.forget();
                self.add(written);
                self.progress.file_done();
            }
            Err(error) if self.on_error == OnError::Skip && error.is_skippable() => {
                self.leave_out(task, file, turn, &error);
            }
            Err(error) => self.dispenser.fail(&task, error),
        }
    }

    fn report(&self) -> MutexGuard<'_, Report<J::Tally>> {
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, written: Written<J::Tally>) {
        let mut report = self.report();
        report.tally += written.tally;
        report.rows += written.rows;
        report.row_groups += written.row_groups;
        report.files += 1;
        report.octets_read += written.octets_read;
        report.octets_written += written.octets_written;
    }

    fn leave_out(
        &self,
        task: Task,
        file: &Prepared<J::Plan>,
        turn: &Turn<J::Tally>,
        error: &StreamError,
    ) {
        self.dispenser.leave_out(task.file);
        turn.kill(&self.dispenser);
        file.forget();
        let Some(at) = self.order.get(task.file) else { return };
        let (path, reason) = (file.input.path.clone(), error.to_string());
        let skipped = Skipped { path, row_group: task.group, rows: file.rows, reason };
        let mut left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        let known = left_out.get(at).is_some_and(|known| known.row_group <= task.group);
        if !known && left_out.insert(*at, skipped).is_none() {
            self.progress.file_done();
        }
    }

    fn into_report(self) -> Result<Report<J::Tally>, StreamError> {
        if let Some(error) = self.dispenser.into_error() {
            return Err(error);
        }
        let mut report = self.report.into_inner().unwrap_or_else(PoisonError::into_inner);
        let left_out = self.left_out.into_inner().unwrap_or_else(PoisonError::into_inner);
        report.skipped = left_out.into_values().collect();
        Ok(report)
    }
}

/// A unit holds its batch as read, as judged and as being encoded.
fn cost(group: &Group, limits: BatchLimits) -> u64 {
    let batch = group.unpacked.min(limits.octets as u64);
    batch.saturating_mul(3).saturating_add(UNIT_OVERHEAD)
}

fn announce<P, T>(files: &[Prepared<P>], progress: &dyn Progress<T>) {
    let groups = || files.iter().flat_map(|file| &file.groups);
    let rows = files.iter().map(|file| file.rows).sum();
    progress.planned(files.len() as u64, rows, groups().map(|group| group.stored).sum());
}

/// Wakes the other workers when this one panics.
struct Alarm<'a>(&'a Dispenser);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abort();
        }
    }
}
