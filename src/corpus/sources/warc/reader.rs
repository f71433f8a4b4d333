//! Records one after another → captures.

use std::io::{self, Read};

use super::capture::WarcCapture;
use super::counts::{Skipped, WarcCounts};
use super::error::WarcError;
use super::fields::{head_end, text, unfold};
use super::members::{Members, RECORD_START, Reach};
use super::record::{RecordHead, RecordKind, bare};
use super::response::{Era, Responses};

/// Octets of a record's head.
const MAX_HEAD: usize = 1 << 20;

/// Octets of an HTTP head that are kept besides a body at its cap.
const HTTP_HEAD_ROOM: usize = 64 << 10;

/// Octets after a block that show whether its length is right: line ends and the next record's start.
const LOOK_BEHIND: usize = 4;

/// Octets that a body may have, decoded; what is longer is cut there and flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyCap(pub usize);

impl BodyCap {
    /// 8 MiB: sixteen times what is read of a robots.txt, and more than Common Crawl keeps of any.
    pub const DEFAULT: BodyCap = BodyCap(8 << 20);
}

impl Default for BodyCap {
    fn default() -> Self {
        BodyCap::DEFAULT
    }
}

/// Reads the captures of a WARC file, plain or in gzip members or zstd frames, from front to back.
///
/// Memory is bounded by a small multiple of the cap, whatever the file says about itself, and by the
/// window that a zstd frame asks for, at most 128 MiB.
///
/// # Examples
/// ```
/// use robosift::corpus::sources::warc::WarcReader;
/// let head = "WARC/1.1\r\nWARC-Type: response\r\nContent-Type: application/http\r\n\
///     WARC-Target-URI: https://example.com/robots.txt\r\nContent-Length: 33\r\n\r\n";
/// let file = format!("{head}HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n\r\n\r\n");
/// let mut reader = WarcReader::new(file.as_bytes())?;
/// let capture = reader.next_capture().ok_or("none")??;
/// assert_eq!(capture.body, Some(&b"User-agent: *\n"[..]));
/// assert!(reader.next_capture().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct WarcReader<R> {
    members: Members<R>,
    responses: Responses,
    counts: WarcCounts,
    cap: usize,
    /// Octets of the record that was given out last.
    given: u64,
    stopped: Option<Stopped>,
}

/// Why no record is read for now.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stopped {
    /// The member cannot be decoded.
    Member,
    /// The record cannot be read.
    Record,
    /// Nothing follows, or it is not to be had.
    Ended,
}

/// A record that gives a capture, at the front of the octets at hand.
struct Found {
    head: RecordHead,
    offset: u64,
    /// Octets of the record at hand.
    kept: usize,
}

impl<R: Read> WarcReader<R> {
    /// Looks at the first octets of `source` to tell how it is compressed; bodies are capped at
    /// [`BodyCap::DEFAULT`].
    ///
    /// # Errors
    /// What reading `source` gives.
    pub fn new(source: R) -> io::Result<Self> {
        Ok(WarcReader {
            members: Members::new(source)?,
            responses: Responses::new(BodyCap::DEFAULT.0),
            counts: WarcCounts::default(),
            cap: BodyCap::DEFAULT.0,
            given: 0,
            stopped: None,
        })
    }

    /// Cuts bodies elsewhere.
    #[must_use]
    pub fn with_cap(mut self, cap: BodyCap) -> Self {
        self.cap = cap.0;
        self.responses = Responses::new(cap.0);
        self
    }

    /// Whether the file begins with a WARC record, once decompressed.
    pub fn is_warc(&mut self) -> bool {
        self.members.reach(RECORD_START.len()) == Reach::All
            && self.members.octets().starts_with(RECORD_START)
    }

    /// Records so far.
    #[must_use]
    pub fn counts(&self) -> &WarcCounts {
        &self.counts
    }

    /// The next capture, `None` at the end. After an error nothing follows until
    /// [`skip_damage`](Self::skip_damage).
    ///
    /// # Errors
    /// A place where the file is damaged or cannot be read.
    pub fn next_capture(&mut self) -> Option<Result<WarcCapture<'_>, WarcError>> {
        if self.stopped.is_some() {
            return None;
        }
        let found = match self.find() {
            Ok(Some(found)) => found,
            Ok(None) => {
                self.stopped = Some(Stopped::Ended);
                return None;
            }
            Err(error) => return Some(Err(error)),
        };
        let record = self.members.octets_mut().get_mut(..found.kept).unwrap_or_default();
        let capture = self.responses.capture(&found.head, record, found.offset);
        self.counts.count(&capture);
        Some(Ok(capture))
    }

    /// Goes on after an error: at the next gzip member or zstd frame that begins with a record, or,
    /// where only a record is damaged and members hold many, at the next record that begins a line.
    /// Nothing follows if there is none. What a damaged body holds may be taken for a record: a whole
    /// record in lines, or a gzip member of one.
    ///
    /// # Errors
    /// What reading the source gives.
    pub fn skip_damage(&mut self) -> io::Result<()> {
        match self.stopped {
            Some(Stopped::Record) => self.members.find_record(),
            Some(Stopped::Member) => self.members.resume()?,
            Some(Stopped::Ended) | None => return Ok(()),
        }
        self.stopped = None;
        Ok(())
    }

    /// Passes over records up to one that gives a capture.
    fn find(&mut self) -> Result<Option<Found>, WarcError> {
        let given = std::mem::take(&mut self.given);
        self.skip(given)?;
        loop {
            if !self.members.skip_blank() {
                return self.end();
            }
            self.members.begin_record();
            let head = self.read_head()?;
            match self.skipped(&head) {
                None => return self.keep(head).map(Some),
                Some(reason) => {
                    if head.kind == RecordKind::Warcinfo {
                        self.note_writer(&head)?;
                    }
                    self.skip((head.len as u64).saturating_add(head.block_len))?;
                    self.counts.skip(reason);
                }
            }
        }
    }

    /// The end of the file, or of what can be decoded of it.
    fn end(&mut self) -> Result<Option<Found>, WarcError> {
        match self.members.take_fault() {
            None => Ok(None),
            Some(fault) => Err(self.stop(WarcError::fault(fault), Stopped::Member)),
        }
    }

    fn read_head(&mut self) -> Result<RecordHead, WarcError> {
        match RecordHead::read(self.members.octets()) {
            Some(head) => head.map_err(|what| self.damaged(what)),
            None => self.read_other_head(),
        }
    }

    /// Reads a head that is not all at hand, or whose lines are folded.
    fn read_other_head(&mut self) -> Result<RecordHead, WarcError> {
        let mut reach = Reach::All;
        let end = loop {
            if let Some(end) = head_end(self.members.octets()) {
                break end;
            }
            let known = self.members.octets().len();
            let is_record = self.members.octets().starts_with(RECORD_START);
            if known >= MAX_HEAD || (known >= RECORD_START.len() && !is_record) {
                return Err(self.damaged("no WARC record begins here"));
            }
            match reach {
                Reach::All => {}
                Reach::Short => return Err(self.cut_off()),
                Reach::NextRecord => return Err(self.damaged("the record's head has no end")),
            }
            // By more than an octet, so that a head in very many members is not searched for each.
            reach = self.members.reach(known + known / 4 + 1);
        };
        let head = self.members.octets_mut().get_mut(..end.len).unwrap_or_default();
        if end.is_folded {
            unfold(head);
        }
        RecordHead::parse(head).map_err(|what| self.damaged(what))
    }

    /// Why a record gives no capture, if it does not.
    fn skipped(&self, head: &RecordHead) -> Option<Skipped> {
        let octets = self.members.octets();
        let url = text(octets, &head.url).map(bare).filter(|url| !url.is_empty());
        match head.kind {
            _ if head.is_segment => Some(Skipped::Segment),
            RecordKind::Response | RecordKind::Revisit => match url {
                None => Some(Skipped::WithoutUrl),
                Some(_) => (!head.is_http(octets)).then_some(Skipped::NotHttp),
            },
            RecordKind::Resource if url.is_some_and(is_robots_txt) => None,
            kind => Some(Skipped::Kind(kind)),
        }
    }

    /// Decodes a record that gives a capture as far as its body may reach.
    fn keep(&mut self, head: RecordHead) -> Result<Found, WarcError> {
        let limit = self.cap.saturating_add(HTTP_HEAD_ROOM);
        let block = usize::try_from(head.block_len).unwrap_or(usize::MAX).min(limit);
        let kept = head.len + block;
        self.reach(kept)?;
        if block as u64 == head.block_len {
            self.check_end(kept)?;
        }
        self.given = (head.len as u64).saturating_add(head.block_len);
        Ok(Found { head, offset: self.members.record_offset(), kept })
    }

    /// Holds the length of a record against what follows it: line ends, the next record, or nothing.
    fn check_end(&mut self, len: usize) -> Result<(), WarcError> {
        // Whatever is wrong further on is the next record's.
        let _ = self.members.reach(len + LOOK_BEHIND);
        let octets = self.members.octets();
        let behind = octets.get(len..octets.len().min(len + 4 * LOOK_BEHIND)).unwrap_or_default();
        let blank = behind.iter().take_while(|octet| matches!(octet, b'\r' | b'\n')).count();
        let next = behind.get(blank..).unwrap_or_default();
        let known = next.len().min(RECORD_START.len());
        if next.get(..known) == RECORD_START.get(..known) {
            return Ok(());
        }
        Err(self.damaged(WRONG_LENGTH))
    }

    fn reach(&mut self, len: usize) -> Result<(), WarcError> {
        match self.members.reach(len) {
            Reach::All => Ok(()),
            Reach::Short => Err(self.cut_off()),
            Reach::NextRecord => Err(self.damaged(WRONG_LENGTH)),
        }
    }

    fn skip(&mut self, len: u64) -> Result<(), WarcError> {
        match self.members.skip(len) {
            Reach::All => Ok(()),
            Reach::Short => Err(self.cut_off()),
            Reach::NextRecord => Err(self.damaged(WRONG_LENGTH)),
        }
    }

    /// Remembers whether the file is one of those with a line end too many before payloads.
    fn note_writer(&mut self, head: &RecordHead) -> Result<(), WarcError> {
        let block = usize::try_from(head.block_len).unwrap_or(usize::MAX).min(HTTP_HEAD_ROOM);
        self.reach(head.len + block)?;
        let block = self.members.octets().get(head.len..head.len + block).unwrap_or_default();
        self.responses.set_era(Era::of_warcinfo(block));
        Ok(())
    }

    fn cut_off(&mut self) -> WarcError {
        match self.members.take_fault() {
            Some(fault) => self.stop(WarcError::fault(fault), Stopped::Member),
            None => self.damaged("the file ends inside of a record"),
        }
    }

    fn damaged(&mut self, what: &'static str) -> WarcError {
        let error = WarcError::damaged(self.members.record_offset(), what);
        self.stop(error, Stopped::Record)
    }

    fn stop(&mut self, error: WarcError, stopped: Stopped) -> WarcError {
        self.counts.damaged += 1;
        self.stopped = Some(if error.is_damage() { stopped } else { Stopped::Ended });
        error
    }
}

const WRONG_LENGTH: &str = "the record is not as long as its Content-Length says";

/// Whether a URL is that of a robots.txt.
fn is_robots_txt(url: &[u8]) -> bool {
    crate::text::origin::split(url).is_some_and(|parts| parts.rest == b"/robots.txt")
}
