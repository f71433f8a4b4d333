//! The octets of a file as they stand, read on demand and kept back to a pin.

use std::io::{ErrorKind, Read, Result};

/// Octets asked of the source at a time.
const READ: usize = 128 << 10;

/// Octets before the current one that are kept: how far back the search for the next member begins
/// after one that is damaged.
const RETAINED: usize = 256 << 10;

pub(super) struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// What of `buffer` is read and not consumed.
    start: usize,
    end: usize,
    /// Offset in the file of the buffer's first octet.
    base: u64,
    /// Where [`Input::rewind`] goes back to, and the offset in the file that was pinned.
    pin: usize,
    pinned: u64,
}

impl<R: Read> Input<R> {
    pub(super) fn new(source: R) -> Self {
        Input { source, buffer: vec![0; READ], start: 0, end: 0, base: 0, pin: 0, pinned: 0 }
    }

    /// Offset in the file of the next octet.
    pub(super) fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    pub(super) fn unread(&self) -> &[u8] {
        self.buffer.get(self.start..self.end).unwrap_or_default()
    }

    pub(super) fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start.saturating_add(len));
    }

    /// Marks the next octet as one to come back to.
    pub(super) fn pin(&mut self) {
        self.pin = self.start;
        self.pinned = self.position();
    }

    /// Offset in the file of what was pinned last.
    pub(super) fn pinned(&self) -> u64 {
        self.pinned
    }

    /// Back to the pin, or as near as is still kept.
    pub(super) fn rewind(&mut self) {
        self.start = self.pin;
    }

    /// Reads on until `len` octets are unread; returns whether there are that many.
    pub(super) fn holds(&mut self, len: usize) -> Result<bool> {
        while self.end - self.start < len {
            if !self.more()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Reads some further octets; false at the end of the source.
    pub(super) fn more(&mut self) -> Result<bool> {
        self.make_room();
        let room = self.buffer.get_mut(self.end..).unwrap_or_default();
        loop {
            match self.source.read(room) {
                Ok(read) => {
                    self.end += read.min(room.len());
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Drops what lies before the pin, or before the next octet where the pin is too far back.
    fn make_room(&mut self) {
        if self.end < self.buffer.len() {
            return;
        }
        let keep = if self.start - self.pin <= RETAINED { self.pin } else { self.start };
        self.buffer.copy_within(keep..self.end, 0);
        self.base += keep as u64;
        self.pin = self.pin.saturating_sub(keep);
        self.start -= keep;
        self.end -= keep;
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
    }
}
