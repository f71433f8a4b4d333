//! A payload as it was sent → as it was meant: chunks joined, content decoded, never past a limit.
//!
//! Archives keep headers that no longer hold: what claims to be coded and is not stays as it is.

use std::io::{ErrorKind, Read};

use flate2::{Decompress, FlushDecompress, Status};

use super::chunked;
use super::gzip::{Header, header_len};

/// Octets by which an output grows at first.
const GROWTH: usize = 16 << 10;

/// Log of the largest window that a zstd payload may ask for: 8 MiB, the most that RFC 9659 allows.
const MAX_ZSTD_WINDOW_LOG: u32 = 23;

/// Octets of a payload that are looked at to tell text from coded content.
const TEXT_PROBE: usize = 512;

/// One way in which a payload may be coded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
    Chunked,
    /// One that is not known here: decoding ends at it.
    Unknown,
}

impl Coding {
    /// From its name; `None` where that says that nothing is coded.
    pub(super) fn of(name: &[u8]) -> Option<Self> {
        match name.to_ascii_lowercase().as_slice() {
            b"" | b"identity" | b"none" => None,
            b"gzip" | b"x-gzip" => Some(Coding::Gzip),
            b"deflate" => Some(Coding::Deflate),
            b"br" => Some(Coding::Brotli),
            b"zstd" => Some(Coding::Zstd),
            b"chunked" => Some(Coding::Chunked),
            _ => Some(Coding::Unknown),
        }
    }
}

/// How decoding one coding ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// All of it was decoded.
    Whole,
    /// What was decoded is whole, and something else follows.
    Leftover,
    /// The input ends too early.
    CutOff,
    /// The input is not what it should be.
    Invalid,
    /// The output reached its limit.
    Full,
}

/// What decoding made of a payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcome {
    /// Whether [`PayloadDecoder::output`] is the payload; otherwise it stays as it was.
    pub(super) is_decoded: bool,
    /// It could not be decoded to its end.
    pub(super) is_truncated: bool,
    /// It is longer than the limit, and was cut there.
    pub(super) is_over_limit: bool,
}

/// Decodes payloads, with buffers that are used again.
pub(super) struct PayloadDecoder {
    limit: usize,
    inflate: Decompress,
    output: Vec<u8>,
    previous: Vec<u8>,
}

impl PayloadDecoder {
    /// For payloads of at most `limit` octets; the memory used is a small multiple of it.
    pub(super) fn new(limit: usize) -> Self {
        let inflate = Decompress::new(false);
        PayloadDecoder { limit, inflate, output: Vec::new(), previous: Vec::new() }
    }

    /// What the last payload was decoded to.
    pub(super) fn output(&self) -> &[u8] {
        &self.output
    }

    /// Undoes `codings`, the last one first.
    pub(super) fn decode(&mut self, payload: &[u8], codings: &[Coding]) -> Outcome {
        let mut outcome = Outcome::default();
        let known = codings.iter().rev().take_while(|coding| **coding != Coding::Unknown);
        for coding in known {
            std::mem::swap(&mut self.output, &mut self.previous);
            let previous = std::mem::take(&mut self.previous);
            let input = if outcome.is_decoded { &previous } else { payload };
            let is_kept = self.undo(input, *coding, &mut outcome);
            self.previous = previous;
            if !is_kept {
                std::mem::swap(&mut self.output, &mut self.previous);
            }
        }
        outcome
    }

    /// Undoes one coding of `input`; returns whether that gave something, or `input` was not coded so.
    fn undo(&mut self, input: &[u8], coding: Coding, outcome: &mut Outcome) -> bool {
        let end = self.decode_one(input, coding);
        let is_text = looks_like_text(input);
        // Chunks of text are text.
        let may_be_plain = is_text && coding != Coding::Chunked;
        let is_kept = match end {
            End::Whole => true,
            End::Full | End::Leftover => !may_be_plain,
            End::CutOff | End::Invalid => !self.output.is_empty() && !may_be_plain,
        };
        let is_broken = matches!(end, End::CutOff | End::Invalid);
        outcome.is_truncated |= is_broken && (is_kept || !is_text);
        outcome.is_over_limit |= is_kept && end == End::Full;
        outcome.is_decoded |= is_kept;
        is_kept
    }

    /// Decodes `input` into `output`, which ends at the limit.
    fn decode_one(&mut self, input: &[u8], coding: Coding) -> End {
        self.output.clear();
        let end = match coding {
            _ if input.is_empty() => End::Whole,
            Coding::Gzip => self.gunzip(input),
            Coding::Deflate => self.inflate_any(input),
            Coding::Brotli => self.unbrotli(input),
            Coding::Zstd => self.unzstd(input),
            Coding::Chunked => chunked::join(input, &mut self.output),
            Coding::Unknown => End::Invalid,
        };
        if self.output.len() > self.limit {
            self.output.truncate(self.limit);
            return End::Full;
        }
        end
    }

    /// Members of gzip; what follows the first and is none is passed over.
    fn gunzip(&mut self, input: &[u8]) -> End {
        let mut rest = input;
        let mut is_first = true;
        loop {
            let len = match header_len(rest) {
                Header::Len(len) => len,
                _ if !is_first => return End::Whole,
                Header::Incomplete => return End::CutOff,
                Header::Invalid => return End::Invalid,
            };
            is_first = false;
            self.inflate.reset(false);
            let body = rest.get(len..).unwrap_or_default();
            let end = self.inflate_all(body);
            if end != End::Whole {
                return end;
            }
            let read = usize::try_from(self.inflate.total_in()).unwrap_or(usize::MAX);
            // Eight octets of checksum and length, which archives cut off now and then.
            rest = body.get(read.saturating_add(8)..).unwrap_or_default();
            if rest.is_empty() {
                return End::Whole;
            }
        }
    }

    /// `deflate` means the zlib format, and is sent without its frame as well.
    fn inflate_any(&mut self, input: &[u8]) -> End {
        let header = input.first_chunk().map_or(0, |octets| u16::from_be_bytes(*octets));
        if header & 0x0F00 == 0x0800 && header % 31 == 0 {
            self.inflate.reset(true);
            let end = self.inflate_all(input);
            if end != End::Invalid || !self.output.is_empty() {
                return end;
            }
        }
        self.inflate.reset(false);
        match self.inflate_all(input) {
            End::Whole if self.inflate.total_in() < input.len() as u64 => End::Leftover,
            end => end,
        }
    }

    fn unbrotli(&mut self, input: &[u8]) -> End {
        let mut rest = input;
        let mut decoder = brotli_decompressor::Decompressor::new(&mut rest, GROWTH);
        let end = self.read_all(&mut decoder);
        // After the end, it complains about what it has read ahead.
        let has_more = end == End::Whole && decoder.read(&mut [0]).is_err();
        drop(decoder);
        if has_more || (end == End::Whole && !rest.is_empty()) { End::Leftover } else { end }
    }

    /// Appends what the inflate state makes of `input`.
    fn inflate_all(&mut self, input: &[u8]) -> End {
        let start = self.inflate.total_in();
        loop {
            if self.output.len() > self.limit {
                return End::Full;
            }
            let growth = self.output.len().max(GROWTH).min(self.limit - self.output.len() + 1);
            self.output.reserve(growth);
            let read = usize::try_from(self.inflate.total_in() - start).unwrap_or(usize::MAX);
            let rest = input.get(read..).unwrap_or_default();
            let before = (self.inflate.total_in(), self.inflate.total_out());
            match self.inflate.decompress_vec(rest, &mut self.output, FlushDecompress::None) {
                Ok(Status::StreamEnd) => return End::Whole,
                Err(_) => return End::Invalid,
                Ok(_) if before == (self.inflate.total_in(), self.inflate.total_out()) => {
                    return End::CutOff;
                }
                Ok(_) => {}
            }
        }
    }

    fn unzstd(&mut self, input: &[u8]) -> End {
        let Ok(mut decoder) = zstd::Decoder::with_buffer(input) else { return End::Invalid };
        if decoder.window_log_max(MAX_ZSTD_WINDOW_LOG).is_err() {
            return End::Invalid;
        }
        self.read_all(decoder)
    }

    fn read_all(&mut self, reader: impl Read) -> End {
        let limit = (self.limit as u64).saturating_add(1);
        match reader.take(limit).read_to_end(&mut self.output) {
            Ok(_) => End::Whole,
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => End::CutOff,
            Err(_) => End::Invalid,
        }
    }
}

/// Whether `octets` begin as text does: without the control characters that coded content is full of.
fn looks_like_text(octets: &[u8]) -> bool {
    let is_text = |octet: &u8| *octet >= b' ' || matches!(octet, b'\t' | b'\n' | b'\x0C' | b'\r');
    octets.iter().take(TEXT_PROBE).all(is_text)
}
