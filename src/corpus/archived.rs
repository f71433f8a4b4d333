//! What archives told of captures that judging does not need: which payload a capture had, what a revisit refers to. Kept
//! so that revisits find their bodies where corpora are merged.
//!
//! Enters: the table. Leaves: what it holds on each capture, asked for in order. Cost: a read or two for a capture. Must not know: what becomes of it.

use super::PayloadDigest;
use super::files::{FilesError, Fixed, Numbers, Table};
use super::format::archived;

/// The table of what archives told.
#[derive(Debug)]
pub(super) struct ArchivedTable {
    table: Table,
    capture: Numbers<i64>,
    payload: Fixed<16>,
    refers_to: Numbers<i64>,
}

/// What an archive told of one capture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) payload: Option<PayloadDigest>,
    pub(super) refers_to: Option<i64>,
}

/// Goes through a corpus' captures in the order of its tables.
#[derive(Debug)]
pub(super) struct ToldInOrder<'c> {
    table: &'c ArchivedTable,
    row: u64,
    capture: i64,
}

impl ArchivedTable {
    pub(super) fn new(table: Table) -> Result<Self, FilesError> {
        Ok(ArchivedTable {
            capture: table.numbers(archived::CAPTURE)?,
            payload: table.fixed(archived::PAYLOAD)?,
            refers_to: table.numbers(archived::REFERS_TO)?,
            table,
        })
    }

    fn capture(&self, row: u64) -> Option<i64> {
        (row < self.table.num_rows()).then(|| self.table.number(self.capture, row))?
    }
}

impl<'c> ToldInOrder<'c> {
    pub(super) fn new(table: &'c ArchivedTable) -> Self {
        ToldInOrder { table, row: 0, capture: 0 }
    }

    /// What was told of the next capture; `None` where that is nothing.
    pub(super) fn next(&mut self) -> Option<Told> {
        let capture = self.capture;
        self.capture = capture.saturating_add(1);
        let table = self.table;
        while table.capture(self.row).is_some_and(|other| other < capture) {
            self.row += 1;
        }
        if table.capture(self.row) != Some(capture) {
            return None;
        }
        let payload = table.table.fixed_octets(table.payload, self.row).copied();
        let refers_to = table.table.number(table.refers_to, self.row);
        Some(Told { payload: payload.map(PayloadDigest), refers_to })
    }
}
