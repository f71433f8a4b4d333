//! The head of an HTTP response as archives keep it, read as leniently as browsers do.

use super::fields::{Name, Span, fields, head_end, read_fields, unfold};
use super::payload::Coding;
use super::record::decimal;
use crate::corpus::Status;

/// Octets of junk that may stand before `HTTP/`, as in browsers.
const MAX_JUNK: usize = 4;

/// Codings of each sort that are heeded; a payload with more of them stays coded.
const MAX_CODINGS: usize = 4;

/// What a response's head says; spans count from the block's first octet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HttpHead {
    /// Octets up to the payload.
    pub(super) len: usize,
    pub(super) status: Status,
    pub(super) location: Option<Span>,
    pub(super) content_type: Option<Span>,
    /// Octets that the payload should have.
    pub(super) content_length: Option<u64>,
    /// How the payload is coded, in the order in which that was done.
    pub(super) codings: Vec<Coding>,
}

impl HttpHead {
    /// Reads the head that `block` begins with, and unfolds its lines; `None` where that is not one.
    /// Without an empty line all of the block is head.
    pub(super) fn parse(block: &mut [u8]) -> Option<Self> {
        let blank = block.iter().take_while(|octet| octet.is_ascii_whitespace()).count();
        if let Some(read) = HttpHead::read(block, blank) {
            return Some(read);
        }
        let end = head_end(block.get(blank..)?);
        let len = end.map_or(block.len(), |end| blank + end.len);
        let head = block.get_mut(..len)?;
        if end.is_none_or(|end| end.is_folded) {
            unfold(head.get_mut(blank..)?);
        }
        HttpHead::of_lines(head, blank)
    }

    /// Reads in one pass a head that begins at `start`, has an end and no folded lines.
    fn read(block: &[u8], start: usize) -> Option<Self> {
        if !is_http(block, start) {
            return None;
        }
        let fields = start + memchr::memchr(b'\n', block.get(start..)?)? + 1;
        let mut read = HttpHead::empty(status(block.get(start..fields)?)?);
        let mut transfer = Vec::new();
        read.len = read_fields(block, fields, |name, value| {
            read.take(name, value, block, &mut transfer);
        })?;
        read.codings.append(&mut transfer);
        Some(read)
    }

    fn of_lines(head: &[u8], blank: usize) -> Option<Self> {
        let start = (blank..=blank + MAX_JUNK).find(|start| is_http(head, *start))?;
        let line = head.get(start..)?;
        let line_len = memchr::memchr(b'\n', line).map_or(line.len(), |at| at + 1);
        let mut read = HttpHead::empty(status(line.get(..line_len)?)?);
        read.len = head.len();
        let mut transfer = Vec::new();
        for (name, value) in fields(head, start + line_len) {
            read.take(&name, value, head, &mut transfer);
        }
        read.codings.append(&mut transfer);
        Some(read)
    }

    fn empty(status: Status) -> Self {
        HttpHead {
            len: 0,
            status,
            location: None,
            content_type: None,
            content_length: None,
            codings: Vec::new(),
        }
    }

    fn take(&mut self, name: &Name, value: Span, head: &[u8], transfer: &mut Vec<Coding>) {
        let text = head.get(value.clone()).unwrap_or_default();
        match name.octets() {
            b"location" => self.location = self.location.take().or(Some(value)),
            b"content-type" => self.content_type = self.content_type.take().or(Some(value)),
            b"content-length" => self.content_length = self.content_length.or(decimal(text)),
            b"content-encoding" => add_codings(&mut self.codings, text),
            b"transfer-encoding" => add_codings(transfer, text),
            _ => {}
        }
    }
}

/// Whether the name of the protocol stands at `start`.
fn is_http(head: &[u8], start: usize) -> bool {
    head.get(start..start + 5).is_some_and(|name| name.eq_ignore_ascii_case(b"HTTP/"))
}

fn add_codings(codings: &mut Vec<Coding>, list: &[u8]) {
    let names = list.split(|octet| *octet == b',').map(<[u8]>::trim_ascii);
    let given = names.filter_map(Coding::of);
    codings.extend(given.take(MAX_CODINGS.saturating_sub(codings.len())));
}

/// The status of `HTTP/1.1 200 OK`, `HTTP/2 200` and the like.
fn status(line: &[u8]) -> Option<Status> {
    let version = line.iter().take_while(|octet| !octet.is_ascii_whitespace()).count();
    let rest = line.get(version..)?.trim_ascii_start();
    let digits = rest.iter().take_while(|octet| octet.is_ascii_digit()).count();
    let digits = rest.get(..digits).filter(|digits| !digits.is_empty())?;
    let number = decimal(digits).and_then(|number| i64::try_from(number).ok());
    Some(Status::new(number.unwrap_or(i64::MAX)))
}
