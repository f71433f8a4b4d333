//! What archives told of captures, on its way into a table.
//!
//! Enters: captures in the order of their tables. Leaves: a row for each of which an archive told more; no table where there is
//! none. Memory: one batch. Must not know: what it is kept for.

use std::sync::Arc;

use arrow::array::{ArrayRef, FixedSizeBinaryBuilder, Int64Builder, TimestampMicrosecondBuilder};

use super::filed::Filed;
use super::out::{Out, OutTable};
use super::rows::write;
use crate::corpus::CaptureFlags;
use crate::corpus::files::FilesError;
use crate::corpus::format::{ARCHIVED, ARCHIVED_SCHEMA, ROWS_PER_BATCH};

/// Octets of a payload's digest.
const DIGEST_LEN: i32 = 16;

/// Writes the table.
pub(super) struct ArchivedRows {
    table: Option<OutTable>,
    capture: Int64Builder,
    payload: FixedSizeBinaryBuilder,
    refers_to: TimestampMicrosecondBuilder,
    /// Captures that went by.
    num_captures: i64,
    len: u32,
}

impl ArchivedRows {
    pub(super) fn new() -> Self {
        ArchivedRows {
            table: None,
            capture: Int64Builder::new(),
            payload: FixedSizeBinaryBuilder::new(DIGEST_LEN),
            refers_to: TimestampMicrosecondBuilder::new(),
            num_captures: 0,
            len: 0,
        }
    }

    /// Takes the next capture.
    pub(super) fn push(&mut self, capture: &Filed<'_>, out: &Out) -> Result<(), FilesError> {
        let number = self.num_captures;
        self.num_captures += 1;
        let is_revisit = capture.flags.contains(CaptureFlags::REVISIT);
        // A row says of a revisit that its body is not its own.
        let is_worth_a_row = match is_revisit {
            true => capture.body.is_none(),
            false => capture.payload.is_some(),
        };
        if !is_worth_a_row {
            return Ok(());
        }
        self.capture.append_value(number);
        match capture.payload {
            // Of the right length, so that it is no error.
            Some(payload) => self.payload.append_value(payload).unwrap_or_default(),
            None => self.payload.append_null(),
        }
        self.refers_to.append_option(capture.refers_to);
        self.len += 1;
        if self.len == ROWS_PER_BATCH { self.write(out) } else { Ok(()) }
    }

    /// Writes what is left and closes the table.
    pub(super) fn finish(mut self, out: &mut Out) -> Result<(), FilesError> {
        if self.len > 0 {
            self.write(out)?;
        }
        self.table.map_or(Ok(()), |table| out.close(table))
    }

    fn write(&mut self, out: &Out) -> Result<(), FilesError> {
        self.len = 0;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.capture.finish()),
            Arc::new(self.payload.finish()),
            Arc::new(self.refers_to.finish().with_timezone("UTC")),
        ];
        if self.table.is_none() {
            self.table = Some(out.table(ARCHIVED, &ARCHIVED_SCHEMA, ROWS_PER_BATCH, 0)?);
        }
        self.table.as_mut().map_or(Ok(()), |table| write(table, columns))
    }
}
