//! What archives told of captures that judging does not need: which payload a capture had, what a revisit refers to. Kept
//! so that revisits find their bodies where corpora are merged.
//!
//! Enters: the table. Leaves: what it holds on each capture, asked for in order. Cost: a read or two for a capture. Must not know: what becomes of it.

use super::files::{FilesError, Fixed, Numbers, Table};
use super::format::archived;
use super::{Capture, Corpus, PayloadDigest};

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

/// Goes through the captures of a corpus, those of each shard in the order of its tables.
#[derive(Debug)]
pub(super) struct ToldInOrder<'c> {
    parts: Vec<Option<(&'c ArchivedTable, u64)>>,
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
    pub(super) fn new(corpus: &'c Corpus) -> Self {
        let tables = corpus.parts().map(|part| part.archived.as_ref());
        ToldInOrder { parts: tables.map(|table| table.map(|table| (table, 0))).collect() }
    }

    /// What was told of `capture`, which stands after all that were asked about before; `None` where that is nothing.
    pub(super) fn of(&mut self, capture: &Capture<'_>) -> Option<Told> {
        let number = capture.number();
        let part = usize::try_from(capture.part()).ok()?;
        let (table, row) = self.parts.get_mut(part)?.as_mut()?;
        while table.capture(*row).is_some_and(|other| other < number) {
            *row += 1;
        }
        if table.capture(*row) != Some(number) {
            return None;
        }
        let payload = table.table.fixed_octets(table.payload, *row).copied();
        let refers_to = table.table.number(table.refers_to, *row);
        Some(Told { payload: payload.map(PayloadDigest), refers_to })
    }
}
