//! Several workers on one row group.
//!
//! **Purpose.** Let one huge row group use every core: each worker takes whatever can be done next. Batches are read one after the other,
//! judged in any order, and encoded in order column by column, each column by one worker at a time. **Enters**: a unit.
//! **Leaves**: the same octets as one worker alone. **Cost**: two locks for each piece of work; some batches a worker are held.
//! **Must not know**: other units.

use super::encode::FieldWriter;
use super::error::StreamError;
use super::judge::Judge;
use super::unit::{Read, Unit, judge, read_one, write_column};
use crate::table::Batches;
use arrow::array::ArrayRef;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Batches held for each worker: so many that whoever reads, judges or encodes seldom waits, and so few that they stay in the cache.
const BATCHES_PER_WORKER: usize = 4;

/// Batches held at most, together at most half of the memory limit: only one worker reads, and it cannot keep more of them busy.
const MOST_HELD: usize = 32;

/// A row group that several workers share.
pub(super) struct Together<'u, 'a, J: Judge> {
    unit: &'u Unit<'a, J>,
    most_held: usize,
    state: Mutex<State<'u, J>>,
    changed: Condvar,
}

/// The arrays of a batch that are to be encoded.
type Arrays = Arc<Vec<ArrayRef>>;

struct State<'u, J: Judge> {
    /// `None` while a worker reads.
    reader: Option<(&'u mut Batches, &'u mut u64)>,
    /// Batches read so far.
    num_read: usize,
    is_at_end: bool,
    /// Batches that wait to be judged, with their numbers.
    read: VecDeque<(usize, Read)>,
    /// Batches judged, from number `first_held` on, that some column does not have yet.
    judged: BTreeMap<usize, Arrays>,
    first_held: usize,
    columns: Vec<ColumnTurn<'u>>,
    tally: J::Tally,
    /// The error in the earliest batch.
    error: Option<(usize, StreamError)>,
    /// A worker panicked.
    is_dead: bool,
}

/// A column of the output.
struct ColumnTurn<'u> {
    /// `None` while a worker encodes.
    writer: Option<&'u mut FieldWriter>,
    /// The next batch it needs.
    next: usize,
}

/// Something to do.
enum Piece<'u> {
    Read(&'u mut Batches, &'u mut u64),
    Judge(usize, Read),
    /// Batches in order, for one column.
    Encode(usize, &'u mut FieldWriter, Vec<Arrays>),
}

impl<'u, 'a, J: Judge> Together<'u, 'a, J> {
    /// For so many workers.
    pub(super) fn new(
        unit: &'u Unit<'a, J>,
        batches: &'u mut Batches,
        rows: &'u mut u64,
        writers: &'u mut [FieldWriter],
        width: usize,
    ) -> Self {
        let turn = |writer| ColumnTurn { writer: Some(writer), next: 0 };
        let state = State {
            reader: Some((batches, rows)),
            num_read: 0,
            is_at_end: false,
            read: VecDeque::new(),
            judged: BTreeMap::new(),
            first_held: 0,
            columns: writers.iter_mut().map(turn).collect(),
            tally: J::Tally::default(),
            error: None,
            is_dead: false,
        };
        let most_held = width.saturating_mul(BATCHES_PER_WORKER).min(MOST_HELD);
        Together { unit, most_held, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Takes all batches through, on this thread and on those that have nothing else to do.
    pub(super) fn run(self, width: usize, tally: &mut J::Tally) -> Result<(), StreamError> {
        rayon::scope(|scope| {
            for _ in 1..width {
                scope.spawn(|_| self.serve());
            }
            self.serve();
        });
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        *tally += state.tally;
        state.error.map_or(Ok(()), |(_, error)| Err(error))
    }

    fn state(&self) -> MutexGuard<'_, State<'u, J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One worker: does what can be done until nothing is left.
    fn serve(&self) {
        let _alarm = Alarm(self);
        let (mut judging, mut tally) = (None, J::Tally::default());
        while let Some(piece) = self.next() {
            match piece {
                Piece::Read(batches, rows) => self.read(batches, rows),
                Piece::Judge(number, read) => {
                    let judging = judging.get_or_insert_with(|| self.unit.judge.state());
                    self.judge(number, &read, judging, &mut tally);
                }
                Piece::Encode(at, writer, batches) => self.encode(at, writer, &batches),
            }
        }
        self.state().tally += tally;
    }

    /// The next piece of work, once there is one; `None` when all is done.
    fn next(&self) -> Option<Piece<'u>> {
        let mut state = self.state();
        loop {
            if state.is_over() {
                return None;
            }
            if let Some(piece) = state.take(self.most_held) {
                return Some(piece);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn read(&self, batches: &'u mut Batches, rows: &'u mut u64) {
        let read = read_one(batches, self.unit.group, rows);
        let mut state = self.state();
        state.reader = Some((batches, rows));
        let number = state.num_read;
        match read {
            Ok(Some(read)) => {
                state.read.push_back((number, read));
                state.num_read += 1;
            }
            Ok(None) => state.is_at_end = true,
            Err(error) => state.fail(number, error),
        }
        self.changed.notify_all();
    }

    fn judge(&self, number: usize, read: &Read, judging: &mut J::State, tally: &mut J::Tally) {
        let unit = self.unit;
        let answer = judge(unit.judge, unit.prepared, judging, read, tally);
        let arrays = answer.and_then(|answer| unit.arrays(&read.rows, &answer));
        unit.advance(read);
        let mut state = self.state();
        match arrays {
            Ok(arrays) => drop(state.judged.insert(number, Arc::new(arrays))),
            Err(error) => state.fail(number, error),
        }
        self.changed.notify_all();
    }

    fn encode(&self, at: usize, writer: &'u mut FieldWriter, batches: &[Arrays]) {
        let arrays = batches.iter().filter_map(|arrays| arrays.get(at));
        let written = write_column(self.unit.prepared, at, writer, arrays);
        let mut state = self.state();
        if let Some(column) = state.columns.get_mut(at) {
            column.writer = Some(writer);
            column.next += batches.len();
        }
        state.release();
        if let Err(error) = written {
            let number = state.first_held;
            state.fail(number, error);
        }
        self.changed.notify_all();
    }
}

impl<'u, J: Judge> State<'u, J> {
    fn is_over(&self) -> bool {
        let all_encoded = || self.columns.iter().all(|column| column.next == self.num_read);
        self.is_dead || self.error.is_some() || (self.is_at_end && all_encoded())
    }

    /// What can be done now. Encoding comes first, because it frees memory, then reading, because only
    /// one worker can.
    fn take(&mut self, most_held: usize) -> Option<Piece<'u>> {
        if let Some(piece) = self.take_column() {
            return Some(piece);
        }
        let has_room = self.num_read - self.first_held < most_held;
        if has_room
            && !self.is_at_end
            && let Some((batches, rows)) = self.reader.take()
        {
            return Some(Piece::Read(batches, rows));
        }
        self.read.pop_front().map(|(number, read)| Piece::Judge(number, read))
    }

    /// The column that is furthest behind, with the batches that are there for it.
    fn take_column(&mut self) -> Option<Piece<'u>> {
        let judged = &self.judged;
        let free = self.columns.iter_mut().enumerate();
        let free =
            free.filter(|(_, column)| column.writer.is_some() && judged.contains_key(&column.next));
        let (at, column) = free.min_by_key(|(_, column)| column.next)?;
        let batches = (column.next..).map_while(|number| judged.get(&number).cloned()).collect();
        Some(Piece::Encode(at, column.writer.take()?, batches))
    }

    /// Lets go of batches that all columns have.
    fn release(&mut self) {
        let next = self.columns.iter().map(|column| column.next).min();
        self.first_held = next.unwrap_or(self.num_read);
        self.judged = self.judged.split_off(&self.first_held);
    }

    fn fail(&mut self, number: usize, error: StreamError) {
        if self.error.as_ref().is_none_or(|(earliest, _)| number < *earliest) {
            self.error = Some((number, error));
        }
    }
}

/// Ends the work of the others when a worker panics.
struct Alarm<'t, 'u, 'a, J: Judge>(&'t Together<'u, 'a, J>);

impl<J: Judge> Drop for Alarm<'_, '_, '_, J> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.state().is_dead = true;
            self.0.changed.notify_all();
        }
    }
}
