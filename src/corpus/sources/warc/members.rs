//! The decoded octets of a file, in a window that slides, and where its members begin.
//!
//! A *member* is what can be decoded by itself: a gzip member or a zstd frame; a plain file is one.

use std::io::{Error, Read, Result as IoResult};

use memchr::memmem;

use super::gzip::{self, Gzip};
use super::input::Input;
use super::marks::Marks;
use super::zst::{self, Zst};

/// Room that a step of decoding has at least: most members are decoded in one.
const STEP: usize = 64 << 10;

/// How every record begins.
pub(super) const RECORD_START: &[u8] = b"WARC/";

/// One step of decoding.
pub(super) enum Step {
    /// A member begins at this offset in the file.
    Begin(u64),
    /// So many octets were decoded, possibly none.
    Octets(usize),
    /// The file has ended between members.
    End,
}

/// Why decoding does not go on.
pub(super) enum Fault {
    Io(Error),
    /// The member's octets are not what they should be: none of them can be relied on.
    Invalid(&'static str),
    /// The file ends inside of the member.
    CutOff(&'static str),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Fault::Io(error)
    }
}

/// How a run over decoded octets ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// All the octets asked for are there.
    All,
    /// The octets end before.
    Short,
    /// A member that starts with a record of its own begins before.
    NextRecord,
}

enum Codec {
    Plain,
    Gzip(Box<Gzip>),
    Zst(Zst),
}

pub(super) struct Members<R> {
    input: Input<R>,
    codec: Codec,
    window: Vec<u8>,
    /// What of `window` is decoded and not consumed.
    start: usize,
    end: usize,
    /// Decoded octets before the window.
    base: u64,
    marks: Marks,
    fault: Option<Fault>,
    is_ended: bool,
}

impl<R: Read> Members<R> {
    /// Decides by the first octets how the file is compressed.
    pub(super) fn new(source: R) -> IoResult<Self> {
        let mut input = Input::new(source);
        input.holds(4)?;
        let codec = match input.unread() {
            octets if octets.starts_with(&gzip::MAGIC[..2]) => Codec::Gzip(Box::new(Gzip::new())),
            octets if zst::is_frame(octets) => Codec::Zst(Zst::new()?),
            _ => Codec::Plain,
        };
        Ok(Members {
            input,
            codec,
            window: vec![0; 4 * STEP],
            start: 0,
            end: 0,
            base: 0,
            marks: Marks::default(),
            fault: None,
            is_ended: false,
        })
    }

    /// The decoded octets at hand.
    pub(super) fn octets(&self) -> &[u8] {
        self.window.get(self.start..self.end).unwrap_or_default()
    }

    pub(super) fn octets_mut(&mut self) -> &mut [u8] {
        self.window.get_mut(self.start..self.end).unwrap_or_default()
    }

    fn position(&self) -> u64 {
        self.base + self.start as u64
    }

    fn consume(&mut self, len: usize) {
        self.start = self.end.min(self.start.saturating_add(len));
    }

    /// Says that a record begins at the next octet.
    pub(super) fn begin_record(&mut self) {
        self.marks.begin_record(self.position());
    }

    /// Where the record at hand is: the offset of its member, or its own in a plain file.
    pub(super) fn record_offset(&self) -> u64 {
        self.marks.record().offset
    }

    /// Where the damage is that keeps decoding from going on, and what it is.
    pub(super) fn take_fault(&mut self) -> Option<(u64, Fault)> {
        let offset = match &self.codec {
            Codec::Plain => self.input.position(),
            _ => self.input.pinned(),
        };
        self.fault.take().map(|fault| (offset, fault))
    }

    /// Decodes on until `len` octets of the record at hand are there.
    pub(super) fn reach(&mut self, len: usize) -> Reach {
        self.reserve(len);
        loop {
            if self.has_record_within(len as u64) {
                return Reach::NextRecord;
            }
            if self.octets().len() >= len {
                return Reach::All;
            }
            self.marks.forget_inside(self.position().saturating_add(len as u64));
            if !self.step() {
                return Reach::Short;
            }
        }
    }

    /// Consumes `len` octets, decoding as it goes.
    pub(super) fn skip(&mut self, len: u64) -> Reach {
        let end = self.position().saturating_add(len);
        loop {
            let left = end - self.position();
            if self.has_record_within(left) {
                return Reach::NextRecord;
            }
            self.consume(usize::try_from(left).unwrap_or(usize::MAX));
            if self.position() == end {
                return Reach::All;
            }
            self.marks.forget_passed(self.position());
            self.reserve(1);
            if !self.step() {
                return Reach::Short;
            }
        }
    }

    /// Consumes blank lines; returns whether an octet follows.
    pub(super) fn skip_blank(&mut self) -> bool {
        loop {
            let is_blank = |octet: &&u8| matches!(octet, b'\r' | b'\n');
            let blank = self.octets().iter().take_while(is_blank).count();
            self.consume(blank);
            if !self.octets().is_empty() {
                return true;
            }
            self.marks.forget_passed(self.position());
            self.reserve(1);
            if !self.step() {
                return false;
            }
        }
    }

    /// Whether a member with a record of its own begins after the record's start and before the next
    /// `len` octets are over.
    fn has_record_within(&mut self, len: u64) -> bool {
        let end = self.position().saturating_add(len);
        let is_record = |at: u64| {
            let at = usize::try_from(at.saturating_sub(self.base)).unwrap_or(usize::MAX);
            self.window.get(at..self.end).is_some_and(|octets| octets.starts_with(RECORD_START))
        };
        let found = self.marks.unchecked(end).any(is_record);
        self.marks.set_checked(self.base + self.end as u64);
        found
    }

    /// Makes room for `len` octets at hand and a step of decoding.
    fn reserve(&mut self, len: usize) {
        let wanted = len.max(self.end - self.start).saturating_add(STEP);
        if wanted <= self.window.len() - self.start {
            return;
        }
        self.window.copy_within(self.start..self.end, 0);
        self.base += self.start as u64;
        self.end -= self.start;
        self.start = 0;
        if wanted > self.window.len() {
            self.window.resize(wanted, 0);
        }
    }

    /// One step of decoding; false where nothing follows.
    fn step(&mut self) -> bool {
        if self.fault.is_some() || self.is_ended {
            return false;
        }
        let room = self.window.get_mut(self.end..).unwrap_or_default();
        let step = match &mut self.codec {
            Codec::Plain => copy(&mut self.input, room),
            Codec::Gzip(gzip) => gzip.step(&mut self.input, room),
            Codec::Zst(zst) => zst.step(&mut self.input, room),
        };
        match step {
            Ok(Step::Begin(offset)) => self.marks.push(self.base + self.end as u64, offset),
            Ok(Step::Octets(len)) => self.end += len,
            Ok(Step::End) => self.is_ended = true,
            Err(fault) => self.stop(fault),
        }
        self.fault.is_none() && !self.is_ended
    }

    /// Keeps the fault and drops what it makes unreliable.
    fn stop(&mut self, fault: Fault) {
        let start = self.marks.start_of(self.input.pinned());
        if let (Fault::Invalid(_), Some(start)) = (&fault, start) {
            let at = usize::try_from(start.saturating_sub(self.base)).unwrap_or(usize::MAX);
            self.end = at.clamp(self.start, self.end);
        }
        self.fault = Some(fault);
    }

    /// Goes on after a damaged member: at the next one that begins with a record, or at the end.
    pub(super) fn resume(&mut self) -> IoResult<()> {
        self.fault = None;
        (self.base, self.start, self.end) = (self.base + self.end as u64, 0, 0);
        self.marks.clear();
        self.input.rewind();
        self.input.consume(1);
        self.is_ended = !self.find_member()?;
        Ok(())
    }

    fn find_member(&mut self) -> IoResult<bool> {
        let magic: &[u8] = match &mut self.codec {
            Codec::Plain => return Ok(false),
            Codec::Gzip(gzip) => {
                gzip.restart();
                &gzip::MAGIC
            }
            Codec::Zst(zst) => {
                zst.restart();
                &zst::MAGIC
            }
        };
        loop {
            if let Some(at) = memmem::find(self.input.unread(), magic) {
                self.input.consume(at);
                if begins_with_record(&mut self.input, &self.codec)? {
                    return Ok(true);
                }
                self.input.consume(1);
            } else {
                let kept = self.input.unread().len().min(magic.len() - 1);
                self.input.consume(self.input.unread().len() - kept);
                if !self.input.more()? {
                    return Ok(false);
                }
            }
        }
    }

    /// Goes on after a record that cannot be read: at the next member that begins with a record, or,
    /// where members hold many, at the next record that begins a line. Lines alone are not enough
    /// where each record has its member: a body may hold lines that look like a record.
    pub(super) fn find_record(&mut self) {
        // What was skipped of the record may have ended where the next begins.
        if self.position() == self.marks.record().at {
            self.consume(1);
        }
        loop {
            let found = memmem::find_iter(self.octets(), RECORD_START);
            if let Some(at) = found.into_iter().find(|at| self.may_begin_at(*at)) {
                self.consume(at);
                return;
            }
            // The octet before a record is looked at too.
            let kept = self.octets().len().min(RECORD_START.len());
            self.consume(self.octets().len() - kept);
            self.marks.forget_passed(self.position());
            self.reserve(kept + 1);
            if !self.step() {
                self.consume(kept);
                return;
            }
        }
    }

    fn may_begin_at(&self, at: usize) -> bool {
        let before = (self.start + at).checked_sub(1).and_then(|at| self.window.get(at));
        let position = self.position() + at as u64;
        (!self.marks.record().begins_member && before == Some(&b'\n'))
            || self.marks.has_start(position)
    }
}

fn begins_with_record<R: Read>(input: &mut Input<R>, codec: &Codec) -> IoResult<bool> {
    match codec {
        Codec::Plain => Ok(false),
        Codec::Gzip(_) => gzip::begins_with(input, RECORD_START),
        Codec::Zst(zst) => zst.begins_with(input, RECORD_START),
    }
}

/// A step of a file that is not compressed.
fn copy<R: Read>(input: &mut Input<R>, output: &mut [u8]) -> Result<Step, Fault> {
    if !input.holds(1)? {
        return Ok(Step::End);
    }
    let len = output.len().min(input.unread().len());
    if let (Some(to), Some(from)) = (output.get_mut(..len), input.unread().get(..len)) {
        to.copy_from_slice(from);
    }
    input.consume(len);
    Ok(Step::Octets(len))
}
