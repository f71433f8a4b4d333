//! A record's block → a capture: HTTP head, payload, and what archives have done to both.

use memchr::memmem;

use super::capture::{Refers, RevisitProfile, WarcCapture};
use super::fields::text;
use super::http::HttpHead;
use super::payload::{Outcome, PayloadDecoder};
use super::record::{RecordHead, RecordKind, bare, date};
use crate::corpus::Status;

/// 2018-09-15, between the last crawl of Common Crawl with a line end too many before payloads
/// (2018-34) and the first without (2018-39).
const EXTRA_LINE_END_UNTIL: i64 = 1_536_969_600_000_000;

/// Who wrote the file, as far as it matters to what a payload is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Era {
    CommonCrawl,
    #[default]
    Other,
}

impl Era {
    /// By what a `warcinfo` record says.
    pub(super) fn of_warcinfo(block: &[u8]) -> Self {
        let names = ["CC-MAIN-", "Common Crawl", "CommonCrawl"];
        let is_named = |name: &&str| memmem::find(block, name.as_bytes()).is_some();
        if names.iter().any(is_named) { Era::CommonCrawl } else { Era::Other }
    }
}

/// Makes captures of blocks, with buffers that are used again.
pub(super) struct Responses {
    cap: usize,
    decoder: PayloadDecoder,
    era: Era,
}

impl Responses {
    pub(super) fn new(cap: usize) -> Self {
        Responses { cap, decoder: PayloadDecoder::new(cap), era: Era::default() }
    }

    pub(super) fn set_era(&mut self, era: Era) {
        self.era = era;
    }

    /// The capture of a `record` with `head`, of which the end of the block may be missing.
    pub(super) fn capture<'r>(
        &'r mut self,
        head: &RecordHead,
        record: &'r mut [u8],
        offset: u64,
    ) -> WarcCapture<'r> {
        let http = match head.kind {
            RecordKind::Resource => None,
            _ => record.get_mut(head.len..).and_then(HttpHead::parse),
        };
        let record: &'r [u8] = record;
        let block = record.get(head.len..).unwrap_or_default();
        let mut capture = of_head(head, record, offset);
        match (head.kind, &http) {
            (RecordKind::Resource, _) => {
                capture.content_type = text(record, &head.content_type);
                capture.is_over_cap = head.block_len > self.cap as u64;
                capture.body = block.get(..self.cap).or(Some(block));
            }
            (_, Some(http)) => {
                capture.status = Some(http.status);
                capture.redirect = text(block, &http.location);
                capture.content_type = text(block, &http.content_type);
                if head.kind == RecordKind::Response {
                    self.add_body(&mut capture, http, block, head.block_len);
                }
            }
            (RecordKind::Response, None) => capture.status = Some(Status(0)),
            (_, None) => {}
        }
        capture
    }

    /// Decodes the payload of a response whose block has `block_len` octets in the file.
    fn add_body<'r>(
        &'r mut self,
        capture: &mut WarcCapture<'r>,
        http: &HttpHead,
        block: &'r [u8],
        block_len: u64,
    ) {
        let mut payload = block.get(http.len..).unwrap_or_default();
        let mut payload_len = block_len.saturating_sub(http.len as u64);
        if self.has_extra_line_end(capture.time, http, payload, payload_len) {
            payload = payload.get(2..).unwrap_or_default();
            payload_len -= 2;
        }
        if payload_len == 0 && capture.status == Some(Status(304)) {
            return;
        }
        let is_whole = payload.len() as u64 == payload_len;
        let outcome = match http.codings.as_slice() {
            [] => Outcome::default(),
            codings => self.decoder.decode(payload, codings),
        };
        let is_short = http.content_length.is_some_and(|announced| announced > payload_len);
        capture.is_truncated |= (outcome.is_truncated && is_whole) || is_short;
        let body = if outcome.is_decoded { self.decoder.output() } else { payload };
        capture.is_over_cap = outcome.is_over_limit || !is_whole || body.len() > self.cap;
        capture.body = body.get(..self.cap).or(Some(body));
    }

    /// Whether the payload has a line end before it that is not its own: where the head's
    /// `Content-Length` is just that much less, and in Common Crawl's files from before it was mended.
    fn has_extra_line_end(
        &self,
        time: Option<i64>,
        http: &HttpHead,
        payload: &[u8],
        payload_len: u64,
    ) -> bool {
        let announced = http.content_length;
        let is_old = self.era == Era::CommonCrawl
            && time.is_some_and(|time| time < EXTRA_LINE_END_UNTIL)
            && announced != Some(payload_len);
        payload.starts_with(b"\r\n")
            && (is_old || announced.and_then(|len| len.checked_add(2)) == Some(payload_len))
    }
}

/// What the record's own head says.
fn of_head<'r>(head: &RecordHead, record: &'r [u8], offset: u64) -> WarcCapture<'r> {
    WarcCapture {
        url: text(record, &head.url).map_or(b"", bare),
        time: text(record, &head.date).and_then(date),
        status: None,
        redirect: None,
        content_type: None,
        body: None,
        is_truncated: head.is_truncated,
        is_over_cap: false,
        payload_digest: text(record, &head.payload_digest),
        offset,
        refers: refers(head, record),
    }
}

fn refers<'r>(head: &RecordHead, record: &'r [u8]) -> Option<Refers<'r>> {
    let profile = text(record, &head.profile).unwrap_or_default();
    (head.kind == RecordKind::Revisit).then(|| Refers {
        profile: RevisitProfile::of(bare(profile)),
        url: text(record, &head.refers_to_url).map(bare),
        time: text(record, &head.refers_to_date).and_then(date),
    })
}
