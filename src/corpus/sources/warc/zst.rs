//! Zstandard frames, one after another, with the dictionary that a leading skippable frame may hold.
//!
//! The WARC-zst convention puts a dictionary for all frames into a first frame of its own kind, as it
//! is or compressed. Other skippable frames are passed over.

use std::io::{Read, Result as IoResult};

use zstd::stream::raw::{Decoder, Operation};

use super::input::Input;
use super::members::{Fault, Step};

/// The first octets of a frame.
pub(super) const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The kind of skippable frame that holds a dictionary.
const DICTIONARY_MAGIC: u32 = 0x184D_2A5D;

/// Octets that a dictionary may have, compressed or not.
const MAX_DICTIONARY: usize = 16 << 20;

/// Octets of a frame's start that a trial looks at: a block of 128 KiB may have to be whole.
const TRIAL: usize = 136 << 10;

/// Whether a file with these first octets is a chain of frames.
pub(super) fn is_frame(octets: &[u8]) -> bool {
    octets.starts_with(&MAGIC) || skippable(octets).is_some()
}

pub(super) struct Zst {
    decoder: Decoder<'static>,
    dictionary: Vec<u8>,
    is_inside: bool,
    is_first: bool,
}

impl Zst {
    pub(super) fn new() -> IoResult<Self> {
        let decoder = Decoder::new()?;
        Ok(Zst { decoder, dictionary: Vec::new(), is_inside: false, is_first: true })
    }

    /// Forgets the frame at hand.
    pub(super) fn restart(&mut self) {
        self.is_inside = false;
    }

    pub(super) fn step<R: Read>(
        &mut self,
        input: &mut Input<R>,
        output: &mut [u8],
    ) -> Result<Step, Fault> {
        if self.is_inside { self.decode(input, output) } else { self.begin(input) }
    }

    fn begin<R: Read>(&mut self, input: &mut Input<R>) -> Result<Step, Fault> {
        loop {
            input.pin();
            let is_first = std::mem::replace(&mut self.is_first, false);
            if !input.holds(4)? {
                return if input.unread().is_empty() { Ok(Step::End) } else { Err(CUT_OFF) };
            }
            if input.unread().starts_with(&MAGIC) {
                break;
            }
            let kind =
                skippable(input.unread()).ok_or(Fault::Invalid("no zstd frame begins here"))?;
            if is_first && kind == DICTIONARY_MAGIC {
                self.read_dictionary(input)?;
            } else {
                pass_over(input)?;
            }
        }
        self.decoder.reinit()?;
        self.is_inside = true;
        Ok(Step::Begin(input.position()))
    }

    /// Takes the dictionary out of the frame that begins here.
    fn read_dictionary<R: Read>(&mut self, input: &mut Input<R>) -> Result<(), Fault> {
        const TOO_LARGE: Fault = Fault::Invalid("the zstd dictionary is larger than 16 MiB");
        let len = content_len(input)?;
        if len > MAX_DICTIONARY {
            return Err(TOO_LARGE);
        }
        if !input.holds(8 + len)? {
            return Err(CUT_OFF);
        }
        let content = input.unread().get(8..8 + len).unwrap_or_default();
        self.dictionary = content.to_vec();
        if content.starts_with(&MAGIC) {
            self.dictionary.clear();
            let limit = MAX_DICTIONARY as u64 + 1;
            zstd::Decoder::with_buffer(content)?
                .take(limit)
                .read_to_end(&mut self.dictionary)
                .map_err(|_| Fault::Invalid("the zstd dictionary is damaged"))?;
        }
        if self.dictionary.len() > MAX_DICTIONARY {
            return Err(TOO_LARGE);
        }
        input.consume(8 + len);
        self.decoder = self.new_decoder()?;
        Ok(())
    }

    fn new_decoder(&self) -> IoResult<Decoder<'static>> {
        Decoder::with_dictionary(&self.dictionary)
    }

    /// Decodes until `output` is full or the frame ends, where its checksum is held against it.
    fn decode<R: Read>(&mut self, input: &mut Input<R>, output: &mut [u8]) -> Result<Step, Fault> {
        let mut len = 0;
        loop {
            let room = output.get_mut(len..).unwrap_or_default();
            if room.is_empty() {
                return Ok(Step::Octets(len));
            }
            let done = self
                .decoder
                .run_on_buffers(input.unread(), room)
                .map_err(|_| Fault::Invalid("the zstd frame is damaged"))?;
            input.consume(done.bytes_read);
            len += done.bytes_written;
            if done.remaining == 0 {
                self.is_inside = false;
                return Ok(Step::Octets(len));
            }
            if done.bytes_read == 0 && done.bytes_written == 0 && !input.more()? {
                return if len > 0 { Ok(Step::Octets(len)) } else { Err(CUT_OFF) };
            }
        }
    }

    /// Whether a frame whose content has this beginning starts at the next octet.
    pub(super) fn begins_with<R: Read>(
        &self,
        input: &mut Input<R>,
        wanted: &[u8],
    ) -> IoResult<bool> {
        input.holds(TRIAL)?;
        let octets = input.unread().get(..TRIAL).unwrap_or(input.unread());
        let mut output = vec![0; wanted.len()];
        let outcome = self.new_decoder()?.run_on_buffers(octets, &mut output);
        Ok(outcome.is_ok() && output == wanted)
    }
}

const CUT_OFF: Fault = Fault::CutOff("the zstd frame is cut off");

/// The magic of the skippable frame that `octets` begin with.
fn skippable(octets: &[u8]) -> Option<u32> {
    let magic = u32::from_le_bytes(*octets.first_chunk()?);
    (magic & 0xFFFF_FFF0 == 0x184D_2A50).then_some(magic)
}

/// Octets that a skippable frame holds.
fn content_len<R: Read>(input: &mut Input<R>) -> Result<usize, Fault> {
    input.holds(8)?;
    let field = input.unread().get(4..).and_then(<[u8]>::first_chunk).ok_or(CUT_OFF)?;
    Ok(usize::try_from(u32::from_le_bytes(*field)).unwrap_or(usize::MAX))
}

fn pass_over<R: Read>(input: &mut Input<R>) -> Result<(), Fault> {
    let mut left = content_len(input)?.saturating_add(8);
    while left > 0 {
        if !input.holds(1)? {
            return Err(CUT_OFF);
        }
        let len = left.min(input.unread().len());
        input.consume(len);
        left -= len;
    }
    Ok(())
}
