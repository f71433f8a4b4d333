//! Finished row groups appended to their file in order.
//!
//! **Purpose.** Let workers finish in any order and files be written in one. **Enters**: encoded row groups. **Leaves**: a whole file.
//! **Cost**: whoever brings the row group whose turn it is writes it and those that wait behind it; the others leave theirs and go on.
//! **Must not know**: how a row group came about.

use super::dispense::{Dispenser, Task};
use super::encode::Chunk;
use super::error::StreamError;
use super::part::Part;
use super::prepare::Prepared;
use super::unit::Encoded;
use parquet::file::writer::SerializedFileWriter;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What a file came to when it was published.
pub(crate) struct Written<T> {
    pub(crate) tally: T,
    pub(crate) rows: u64,
    pub(crate) row_groups: u64,
    pub(crate) octets_read: u64,
    pub(crate) octets_written: u64,
}

/// The state of one output file.
pub(crate) struct Turn<T>(Mutex<State<T>>);

struct State<T> {
    next: usize,
    waiting: BTreeMap<usize, (Task, Encoded<T>)>,
    writer: Option<SerializedFileWriter<Part>>,
    /// Someone is writing, with the writer in hand.
    busy: bool,
    /// The file is left out: whatever comes is dropped.
    dead: bool,
    sum: Written<T>,
}

impl<T: Default + AddAssign> Turn<T> {
    pub(crate) fn new() -> Self {
        let sum = Written {
            tally: T::default(),
            rows: 0,
            row_groups: 0,
            octets_read: 0,
            octets_written: 0,
        };
        let waiting = BTreeMap::new();
        Self(Mutex::new(State { next: 0, waiting, writer: None, busy: false, dead: false, sum }))
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Brings a row group, or with `None` the news that the file has none. Gives the sums when this completed the file.
    ///
    /// # Errors
    /// The output cannot be written.
    pub(crate) fn deliver<P>(
        &self,
        task: Task,
        encoded: Option<Encoded<T>>,
        prepared: &Prepared<P>,
        dispenser: &Dispenser,
    ) -> Result<Option<Written<T>>, StreamError> {
        let mut state = self.state();
        match (task.group, encoded) {
            (Some(group), Some(encoded)) if !state.dead => {
                state.waiting.insert(group, (task, encoded));
            }
            _ => dispenser.release(&task),
        }
        if state.busy || state.dead {
            return Ok(None);
        }
        state.busy = true;
        let writer = state.writer.take();
        let written = self.write_on(state, writer, prepared, dispenser);
        if written.is_err() {
            self.kill(dispenser);
        }
        written
    }

    /// Writes what is due. The lock is not held while writing.
    fn write_on<'a, P>(
        &'a self,
        mut state: MutexGuard<'a, State<T>>,
        writer: Option<SerializedFileWriter<Part>>,
        prepared: &Prepared<P>,
        dispenser: &Dispenser,
    ) -> Result<Option<Written<T>>, StreamError> {
        let output = &prepared.input.output;
        let mut writer = writer;
        loop {
            let due = state.next;
            let unit = state.waiting.remove(&due);
            let last = due == prepared.groups.len();
            if state.dead || (unit.is_none() && !last) {
                state.busy = false;
                state.writer = writer.filter(|_| !state.dead);
                return Ok(None);
            }
            drop(state);
            let mut open = match writer.take() {
                Some(open) => open,
                None => start(prepared)?,
            };
            let Some((task, encoded)) = unit else {
                let part = open.into_inner().map_err(|error| StreamError::output(output, error))?;
                let len =
                    part.publish(output).map_err(|error| StreamError::output(output, error))?;
                return Ok(Some(self.finish(len)));
            };
            let counts = (encoded.tally, encoded.rows, encoded.stored);
            append(&mut open, encoded.chunks)
                .map_err(|error| StreamError::output(output, error))?;
            dispenser.release(&task);
            writer = Some(open);
            state = self.state();
            state.next += 1;
            state.sum.tally += counts.0;
            state.sum.rows += counts.1;
            state.sum.octets_read += counts.2;
            state.sum.row_groups += 1;
        }
    }

    fn finish(&self, octets_written: u64) -> Written<T> {
        let mut state = self.state();
        state.dead = true;
        state.sum.octets_written = octets_written;
        let tally = std::mem::take(&mut state.sum.tally);
        Written { tally, ..state.sum }
    }

    /// Leaves the file out: drops what waits, removes what was written. Does nothing to a published file.
    pub(crate) fn kill(&self, dispenser: &Dispenser) {
        let mut state = self.state();
        state.dead = true;
        state.writer = None;
        for (task, _) in std::mem::take(&mut state.waiting).into_values() {
            dispenser.release(&task);
        }
    }
}

fn start<P>(prepared: &Prepared<P>) -> Result<SerializedFileWriter<Part>, StreamError> {
    let output = &prepared.input.output;
    let part = Part::create(output).map_err(|error| StreamError::output(output, error))?;
    let (root, properties) = (&prepared.layout.root, &prepared.layout.properties);
    SerializedFileWriter::new(part, Arc::clone(root), Arc::clone(properties))
        .map_err(|error| StreamError::output(output, error))
}

fn append(
    writer: &mut SerializedFileWriter<Part>,
    chunks: Vec<Chunk>,
) -> parquet::errors::Result<()> {
    let mut row_group = writer.next_row_group()?;
    for chunk in chunks {
        chunk.append(&mut row_group)?;
    }
    row_group.close()?;
    Ok(())
}
