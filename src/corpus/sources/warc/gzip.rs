//! Gzip members, one after another (RFC 1952).
//!
//! Members are mostly small and there are two for each capture. Such a member is inflated as a whole
//! by libdeflate; one that is large, damaged or cut off goes step by step through zlib-rs.

use std::io::{Read, Result as IoResult};

use flate2::{Crc, Decompress, FlushDecompress, Status};
use libdeflater::Decompressor;
use memchr::memmem;

use super::input::Input;
use super::members::{Fault, Step};

/// The first octets of a member: the magic and the only method there is.
pub(super) const MAGIC: [u8; 3] = [0x1F, 0x8B, 8];

/// Octets that a member inflated as a whole may have.
const MAX_WHOLE: usize = 128 << 10;

/// Octets that a member's header may have: names and the extra field, far more than anyone writes.
const MAX_HEADER: usize = 128 << 10;

/// Octets of checksum and length after a member.
const TRAILER: usize = 8;

/// Octets of a member's start that a trial looks at.
const TRIAL: usize = 4 << 10;

pub(super) struct Gzip {
    whole: Decompressor,
    inflate: Decompress,
    checksum: Crc,
    /// Looks for [`MAGIC`]: made once, not for each member.
    magic: memmem::Finder<'static>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a member's header.
    Between,
    /// After it.
    Begun,
    /// Step by step through the member.
    Inside,
}

/// What one call of inflate did.
struct Inflated {
    read: usize,
    written: usize,
    /// The member's last block has ended.
    is_end: bool,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Gzip {
            whole: Decompressor::new(),
            inflate: Decompress::new(false),
            checksum: Crc::new(),
            magic: memmem::Finder::new(&MAGIC),
            state: State::Between,
        }
    }

    /// Forgets the member at hand.
    pub(super) fn restart(&mut self) {
        self.state = State::Between;
    }

    pub(super) fn step<R: Read>(
        &mut self,
        input: &mut Input<R>,
        output: &mut [u8],
    ) -> Result<Step, Fault> {
        match self.state {
            State::Between => self.begin(input),
            State::Begun => match self.inflate_whole(input, output)? {
                Some(len) => {
                    self.state = State::Between;
                    Ok(Step::Octets(len))
                }
                None => {
                    self.inflate.reset(false);
                    self.checksum.reset();
                    self.state = State::Inside;
                    self.inflate(input, output)
                }
            },
            State::Inside => self.inflate(input, output),
        }
    }

    /// Reads a member's header. Zeros between members are padding.
    fn begin<R: Read>(&mut self, input: &mut Input<R>) -> Result<Step, Fault> {
        loop {
            let zeros = input.unread().iter().take_while(|octet| **octet == 0).count();
            input.consume(zeros);
            if !input.unread().is_empty() {
                break;
            }
            if !input.more()? {
                return Ok(Step::End);
            }
        }
        input.pin();
        let offset = input.position();
        let len = loop {
            match header_len(input.unread()) {
                Header::Len(len) => break len,
                Header::Invalid => return Err(NO_MEMBER),
                Header::Incomplete if input.unread().len() > MAX_HEADER => return Err(NO_MEMBER),
                Header::Incomplete if input.more()? => {}
                Header::Incomplete => return Err(CUT_OFF),
            }
        };
        input.consume(len);
        self.state = State::Begun;
        Ok(Step::Begin(offset))
    }

    /// Inflates all of a member that ends where the next begins or the file ends, and whose length
    /// and checksum say that it does; `None` leaves it as it is.
    fn inflate_whole<R: Read>(
        &mut self,
        input: &mut Input<R>,
        output: &mut [u8],
    ) -> IoResult<Option<usize>> {
        let Some(end) = next_member(input, &self.magic)? else { return Ok(None) };
        let member = input.unread().get(..end).unwrap_or_default();
        let Some((body, trailer)) = member.split_last_chunk::<TRAILER>() else { return Ok(None) };
        let [c0, c1, c2, c3, l0, l1, l2, l3] = *trailer;
        let announced = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok();
        let Some(room) = announced.and_then(|len| output.get_mut(..len)) else { return Ok(None) };
        let is_whole = self.whole.deflate_decompress(body, room) == Ok(room.len())
            && libdeflater::crc32(room) == u32::from_le_bytes([c0, c1, c2, c3]);
        if is_whole {
            input.consume(end);
        }
        Ok(is_whole.then_some(room.len()))
    }

    /// Inflates until `output` is full or the member ends; there its checksum is held against it,
    /// before any octet of this step is used.
    fn inflate<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<Step, Fault> {
        let mut len = 0;
        loop {
            let room = output.get_mut(len..).unwrap_or_default();
            if room.is_empty() {
                return Ok(Step::Octets(len));
            }
            let done = self.inflate_some(input.unread(), room)?;
            input.consume(done.read);
            len += done.written;
            if done.is_end {
                self.check_trailer(input)?;
                self.state = State::Between;
                return Ok(Step::Octets(len));
            }
            if done.written == 0 && !input.more()? {
                return if len > 0 { Ok(Step::Octets(len)) } else { Err(CUT_OFF) };
            }
        }
    }

    /// Inflates what `room` takes of `octets`, and keeps the checksum.
    fn inflate_some(&mut self, octets: &[u8], room: &mut [u8]) -> Result<Inflated, Fault> {
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self
            .inflate
            .decompress(octets, room, FlushDecompress::None)
            .map_err(|_| Fault::Invalid("the gzip member is damaged"))?;
        let done = Inflated {
            read: difference(self.inflate.total_in(), read),
            written: difference(self.inflate.total_out(), written),
            is_end: status == Status::StreamEnd,
        };
        self.checksum.update(room.get(..done.written).unwrap_or_default());
        Ok(done)
    }

    fn check_trailer<R: Read>(&self, input: &mut Input<R>) -> Result<(), Fault> {
        if !input.holds(TRAILER)? {
            return Err(CUT_OFF);
        }
        let (sum, len) = (self.checksum.sum().to_le_bytes(), self.checksum.amount().to_le_bytes());
        if input.unread().get(..TRAILER) != Some([sum, len].concat().as_slice()) {
            return Err(Fault::Invalid("the gzip member's checksum does not fit its octets"));
        }
        input.consume(TRAILER);
        Ok(())
    }
}

/// Octets up to where the next member seems to begin, or to the end of the file.
fn next_member<R: Read>(
    input: &mut Input<R>,
    magic: &memmem::Finder<'_>,
) -> IoResult<Option<usize>> {
    let mut from = TRAILER;
    loop {
        let unread = input.unread();
        if let Some(at) = unread.get(from..).and_then(|rest| magic.find(rest)) {
            return Ok(Some(from + at));
        }
        if unread.len() > MAX_WHOLE {
            return Ok(None);
        }
        from = unread.len().saturating_sub(MAGIC.len() - 1).max(TRAILER);
        if !input.more()? {
            return Ok(Some(input.unread().len()));
        }
    }
}

const NO_MEMBER: Fault = Fault::Invalid("no gzip member begins here");
const CUT_OFF: Fault = Fault::CutOff("the gzip member is cut off");

/// Whether a member that inflates to something with this beginning starts at the next octet.
pub(super) fn begins_with<R: Read>(input: &mut Input<R>, wanted: &[u8]) -> IoResult<bool> {
    input.holds(TRIAL)?;
    let octets = input.unread().get(..TRIAL).unwrap_or(input.unread());
    let Header::Len(len) = header_len(octets) else { return Ok(false) };
    let mut output = vec![0; wanted.len()];
    let body = octets.get(len..).unwrap_or_default();
    let outcome = Decompress::new(false).decompress(body, &mut output, FlushDecompress::None);
    Ok(outcome.is_ok() && output == wanted)
}

fn difference(now: u64, before: u64) -> usize {
    usize::try_from(now - before).unwrap_or(usize::MAX)
}

/// What stands where a member's header should.
pub(super) enum Header {
    /// A header of so many octets.
    Len(usize),
    Incomplete,
    Invalid,
}

/// The length of the header that `octets` begin with.
pub(super) fn header_len(octets: &[u8]) -> Header {
    let known = octets.len().min(MAGIC.len());
    if octets.get(..known) != MAGIC.get(..known) {
        return Header::Invalid;
    }
    let Some(flags) = octets.get(3).copied() else { return Header::Incomplete };
    if flags & 0xE0 != 0 {
        return Header::Invalid;
    }
    optional_fields(octets, flags).map_or(Header::Incomplete, Header::Len)
}

/// Where the optional fields end, or `None` where they are not all there.
fn optional_fields(octets: &[u8], flags: u8) -> Option<usize> {
    const CHECKSUM: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    let mut at = 10;
    if flags & EXTRA != 0 {
        let len = octets.get(at..at + 2)?.first_chunk()?;
        at += 2 + usize::from(u16::from_le_bytes(*len));
    }
    for field in [NAME, COMMENT] {
        if flags & field != 0 {
            at += memchr::memchr(0, octets.get(at..)?)? + 1;
        }
    }
    at += if flags & CHECKSUM != 0 { 2 } else { 0 };
    (octets.len() >= at).then_some(at)
}
