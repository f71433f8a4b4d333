//! The octets of a CSV file, watched: a quoted cell that never ends would be taken in whole, however large.
//!
//! Enters: octets as they are read. Leaves: the same, or an error once a record has more than any may have; and whether all quotes
//! were closed. Must not know: cells.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

/// Octets that a record may have: far more than a body that is kept whole, even with all of its quotes doubled.
const MAX_RECORD: u64 = 256 << 20;

/// What was read so far.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Octets since the last record ended.
    in_record: Cell<u64>,
    quotes: Cell<u64>,
}

impl Watch {
    /// A record has ended.
    pub(super) fn record_ended(&self) {
        self.in_record.set(0);
    }

    /// Whether a cell was left open: then there is an odd number of quotes.
    pub(super) fn is_open(&self) -> bool {
        !self.quotes.get().is_multiple_of(2)
    }
}

/// Octets being watched.
pub(super) struct Guarded<R> {
    pub(super) inner: R,
    pub(super) watch: Rc<Watch>,
}

impl<R: Read> Read for Guarded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let watch = &self.watch;
        if watch.in_record.get() > MAX_RECORD {
            let message = "a record of over 256 MiB: a quote is not closed";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let read = self.inner.read(buffer)?;
        let octets = buffer.get(..read).unwrap_or_default();
        watch.in_record.set(watch.in_record.get() + read as u64);
        watch.quotes.set(watch.quotes.get() + memchr::memchr_iter(b'"', octets).count() as u64);
        Ok(read)
    }
}
