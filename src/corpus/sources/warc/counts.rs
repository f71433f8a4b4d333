//! How many records a WARC file had, and what became of each.

use super::capture::WarcCapture;
use super::record::RecordKind;
use crate::corpus::Status;

/// Records, each counted once: as a capture or, by its kind, as one that was passed over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WarcCounts {
    /// All records that were read.
    pub records: u64,
    /// Those given out as captures.
    pub captures: u64,
    /// `request` records.
    pub requests: u64,
    /// `metadata` records.
    pub metadata: u64,
    /// `warcinfo` records.
    pub warcinfos: u64,
    /// `conversion` records.
    pub conversions: u64,
    /// `resource` records of something else than a robots.txt.
    pub resources: u64,
    /// `continuation` records, and those of any kind with a `WARC-Segment-Number`.
    pub segments: u64,
    /// Records of a kind not named in the standard, or of none.
    pub unknown: u64,
    /// `response` and `revisit` records of another protocol than HTTP.
    pub not_http: u64,
    /// `response` and `revisit` records without a `WARC-Target-URI`.
    pub without_url: u64,
    /// Among the captures: `revisit` records.
    pub revisits: u64,
    /// Among the captures: responses whose head cannot be read.
    pub unreadable_heads: u64,
    /// Among the captures: bodies whose end is missing in the archive.
    pub truncated: u64,
    /// Among the captures: bodies that were cut at the cap.
    pub over_cap: u64,
    /// Places at which no record could be read; not among the records.
    pub damaged: u64,
}

/// Why a record gives no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Skipped {
    Kind(RecordKind),
    Segment,
    NotHttp,
    WithoutUrl,
}

impl WarcCounts {
    /// Records that gave no capture: `records` is this and `captures`.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        let by_kind = self.requests + self.metadata + self.warcinfos + self.conversions;
        let by_content = self.resources + self.segments + self.unknown;
        by_kind + by_content + self.not_http + self.without_url
    }

    pub(super) fn skip(&mut self, reason: Skipped) {
        self.records += 1;
        let counter = match reason {
            Skipped::Segment | Skipped::Kind(RecordKind::Continuation) => &mut self.segments,
            Skipped::NotHttp => &mut self.not_http,
            Skipped::WithoutUrl => &mut self.without_url,
            Skipped::Kind(RecordKind::Warcinfo) => &mut self.warcinfos,
            Skipped::Kind(RecordKind::Request) => &mut self.requests,
            Skipped::Kind(RecordKind::Metadata) => &mut self.metadata,
            Skipped::Kind(RecordKind::Conversion) => &mut self.conversions,
            Skipped::Kind(RecordKind::Resource) => &mut self.resources,
            Skipped::Kind(_) => &mut self.unknown,
        };
        *counter += 1;
    }
}

impl WarcCounts {
    pub(super) fn count(&mut self, capture: &WarcCapture<'_>) {
        self.records += 1;
        self.captures += 1;
        self.revisits += u64::from(capture.refers.is_some());
        let is_unreadable = capture.status == Some(Status(0)) && capture.body.is_none();
        self.unreadable_heads += u64::from(is_unreadable);
        self.truncated += u64::from(capture.is_truncated);
        self.over_cap += u64::from(capture.is_over_cap);
    }
}
