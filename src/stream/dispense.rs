//! Units of work handed out in order, within the memory limit.
//!
//! **Purpose.** Decide which row group is next and when it may start. **Enters**: the cost of each unit, news of finished ones.
//! **Leaves**: tasks. **Cost**: one lock a unit. **Must not know**: what a unit does.
//!
//! Units are handed out strictly in the order of files and row groups, and a unit in flight gives its octets back when it is written.
//! No deadlock: the earliest unit in flight is always with a worker that waits for nothing, and with no unit in flight the next one may
//! start whatever it costs.

use super::error::StreamError;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A unit of work: a row group, or with no group a file that has none and only needs to be finished.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub(crate) file: usize,
    pub(crate) group: Option<usize>,
    /// Octets set aside for it.
    pub(crate) cost: u64,
}

/// Hands out tasks to any number of workers.
pub(crate) struct Dispenser {
    /// For each file, the cost of each of its units.
    costs: Vec<Vec<u64>>,
    memory: u64,
    most_units: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    file: usize,
    group: usize,
    octets: u64,
    units: usize,
    left_out: Vec<bool>,
    stopped: bool,
    error: Option<((usize, usize), StreamError)>,
}

impl Dispenser {
    /// At most `memory` octets and `most_units` units are in flight.
    pub(crate) fn new(costs: Vec<Vec<u64>>, memory: u64, most_units: usize) -> Self {
        let state = State {
            file: 0,
            group: 0,
            octets: 0,
            units: 0,
            left_out: vec![false; costs.len()],
            stopped: false,
            error: None,
        };
        Self { costs, memory, most_units, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next task, once there is room for it; `None` when there is none left or the stream has stopped.
    pub(crate) fn next(&self) -> Option<Task> {
        let mut state = self.state();
        loop {
            let task = state.peek(&self.costs)?;
            let fits = state.octets.saturating_add(task.cost) <= self.memory;
            if state.units == 0 || (fits && state.units < self.most_units) {
                state.take(&task);
                return Some(task);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether a unit is left to hand out: where none is, workers fall idle.
    pub(crate) fn has_more(&self) -> bool {
        self.state().peek(&self.costs).is_some()
    }

    /// A unit is encoded: what it holds from now on.
    pub(crate) fn settle(&self, task: &mut Task, holds: u64) {
        let mut state = self.state();
        state.octets = state.octets.saturating_sub(task.cost).saturating_add(holds);
        task.cost = holds;
        self.changed.notify_all();
    }

    /// A unit is written or dropped.
    pub(crate) fn release(&self, task: &Task) {
        let mut state = self.state();
        state.octets = state.octets.saturating_sub(task.cost);
        state.units = state.units.saturating_sub(1);
        self.changed.notify_all();
    }

    /// No further unit of this file.
    pub(crate) fn leave_out(&self, file: usize) {
        if let Some(out) = self.state().left_out.get_mut(file) {
            *out = true;
        }
        self.changed.notify_all();
    }

    /// No further unit at all; the error of the earliest unit is the one that is reported.
    pub(crate) fn fail(&self, task: &Task, error: StreamError) {
        let at = (task.file, task.group.unwrap_or(0));
        let mut state = self.state();
        state.stopped = true;
        if state.error.as_ref().is_none_or(|(earliest, _)| at < *earliest) {
            state.error = Some((at, error));
        }
        self.changed.notify_all();
    }

    /// A worker panicked: the others must not wait for it.
    pub(crate) fn abort(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// The error that stopped the stream.
    pub(crate) fn into_error(self) -> Option<StreamError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.error.map(|(_, error)| error)
    }
}

impl State {
    fn peek(&mut self, costs: &[Vec<u64>]) -> Option<Task> {
        if self.stopped {
            return None;
        }
        loop {
            let groups = costs.get(self.file)?;
            let left_out = self.left_out.get(self.file).copied().unwrap_or(true);
            let empty_file = groups.is_empty() && self.group == 0;
            if !left_out && (empty_file || self.group < groups.len()) {
                let cost = groups.get(self.group).copied();
                let group = cost.map(|_| self.group);
                return Some(Task { file: self.file, group, cost: cost.unwrap_or(0) });
            }
            self.file += 1;
            self.group = 0;
        }
    }

    fn take(&mut self, task: &Task) {
        self.group += 1;
        self.octets = self.octets.saturating_add(task.cost);
        self.units += 1;
    }
}
