//! The head of a WARC record.

use super::fields::{Name, Span, fields, read_fields, text};
use super::members::RECORD_START;
use crate::text::timestamp;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordKind {
    Warcinfo,
    Response,
    Resource,
    Request,
    Metadata,
    Revisit,
    Conversion,
    Continuation,
    Unknown,
}

/// The frequent ones first.
const KINDS: [(&str, RecordKind); 8] = [
    ("response", RecordKind::Response),
    ("request", RecordKind::Request),
    ("revisit", RecordKind::Revisit),
    ("metadata", RecordKind::Metadata),
    ("warcinfo", RecordKind::Warcinfo),
    ("resource", RecordKind::Resource),
    ("conversion", RecordKind::Conversion),
    ("continuation", RecordKind::Continuation),
];

impl RecordKind {
    fn of(name: &[u8]) -> Self {
        let known = KINDS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
        known.map_or(RecordKind::Unknown, |(_, kind)| *kind)
    }
}

/// Octets of the block, or what is wrong with them.
type Length = Result<u64, &'static str>;
const NO_LENGTH: Length = Err("the record has no Content-Length");

/// What a record's head says; spans count from the record's first octet.
#[derive(Clone, Debug)]
pub(super) struct RecordHead {
    pub(super) kind: RecordKind,
    /// Octets of the head, its empty line among them.
    pub(super) len: usize,
    /// Octets of the block that follows.
    pub(super) block_len: u64,
    pub(super) date: Option<Span>,
    pub(super) url: Option<Span>,
    pub(super) content_type: Option<Span>,
    pub(super) payload_digest: Option<Span>,
    pub(super) profile: Option<Span>,
    pub(super) refers_to_url: Option<Span>,
    pub(super) refers_to_date: Option<Span>,
    pub(super) is_truncated: bool,
    pub(super) is_segment: bool,
}

impl RecordHead {
    /// Reads the head that `octets` begin with in one pass; `None` where that cannot be: its lines are folded or its end is
    /// missing.
    pub(super) fn read(octets: &[u8]) -> Option<Result<Self, &'static str>> {
        if !octets.starts_with(RECORD_START) {
            return None;
        }
        let version = memchr::memchr(b'\n', octets)? + 1;
        let (mut head, mut length) = (RecordHead::empty(0), NO_LENGTH);
        head.len = read_fields(octets, version, |name, value| {
            head.take(name, value, octets, &mut length);
        })?;
        Some(head.of_length(length))
    }

    /// Reads a whole head, its lines unfolded.
    ///
    /// # Errors
    /// What is wrong with it, where it is no head or does not tell how long the block is.
    pub(super) fn parse(octets: &[u8]) -> Result<Self, &'static str> {
        if !octets.starts_with(RECORD_START) {
            return Err("no WARC record begins here");
        }
        let (mut head, mut length) = (RecordHead::empty(octets.len()), NO_LENGTH);
        let version = memchr::memchr(b'\n', octets).map_or(octets.len(), |at| at + 1);
        fields(octets, version)
            .for_each(|(name, value)| head.take(&name, value, octets, &mut length));
        head.of_length(length)
    }

    fn of_length(mut self, length: Length) -> Result<Self, &'static str> {
        self.block_len = length?;
        Ok(self)
    }

    fn empty(len: usize) -> Self {
        RecordHead {
            kind: RecordKind::Unknown,
            len,
            block_len: 0,
            date: None,
            url: None,
            content_type: None,
            payload_digest: None,
            profile: None,
            refers_to_url: None,
            refers_to_date: None,
            is_truncated: false,
            is_segment: false,
        }
    }

    fn take(&mut self, name: &Name, value: Span, octets: &[u8], length: &mut Length) {
        let set = |field: &mut Option<Span>| *field = Some(field.take().unwrap_or(value.clone()));
        match name.octets() {
            b"content-length" => {
                *length = octets.get(value).and_then(decimal).ok_or("no number is Content-Length");
            }
            b"warc-type" => {
                self.kind = RecordKind::of(octets.get(value).unwrap_or_default());
            }
            b"warc-date" => set(&mut self.date),
            b"warc-target-uri" => set(&mut self.url),
            b"content-type" => set(&mut self.content_type),
            b"warc-payload-digest" => set(&mut self.payload_digest),
            b"warc-profile" => set(&mut self.profile),
            b"warc-refers-to-target-uri" => set(&mut self.refers_to_url),
            b"warc-refers-to-date" => set(&mut self.refers_to_date),
            b"warc-truncated" => self.is_truncated = !value.is_empty(),
            b"warc-segment-number" => self.is_segment = true,
            _ => {}
        }
    }

    /// Whether the block is an HTTP message; a head that does not say is taken to mean one.
    pub(super) fn is_http(&self, record: &[u8]) -> bool {
        const HTTP: &[u8] = b"application/http";
        let declared = text(record, &self.content_type).filter(|declared| !declared.is_empty());
        declared.is_none_or(|declared| {
            declared.get(..HTTP.len()).is_some_and(|name| name.eq_ignore_ascii_case(HTTP))
        })
    }
}

/// A URL without the angle brackets that some writers put around it.
pub(super) fn bare(url: &[u8]) -> &[u8] {
    url.strip_prefix(b"<").and_then(|url| url.strip_suffix(b">")).unwrap_or(url)
}

/// A decimal number; `None` where it is none or does not fit.
pub(super) fn decimal(digits: &[u8]) -> Option<u64> {
    let is_decimal = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(digits).ok().filter(|_| is_decimal)?.parse().ok()
}

/// `WARC-Date` at any of its precisions, from the year to fractions of a second, in microseconds.
pub(super) fn date(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let day = text.get(..10).unwrap_or(text);
    match (day.len(), text.get(10..)) {
        (4, _) if decimal(day.as_bytes()).is_some() => timestamp::parse(&format!("{text}-01-01")),
        (7, _) => timestamp::parse(&format!("{text}-01")),
        // Hours and minutes alone: `T12:34Z`.
        (10, Some(time)) if time.len() == 7 && time.ends_with(['Z', 'z']) => {
            timestamp::parse(&format!("{day}{}:00Z", time.get(..6)?))
        }
        (10, _) if day.contains('-') || text.len() == 14 => timestamp::parse(text),
        _ => None,
    }
}
