//! A capture as a WARC record holds it.

use crate::corpus::{Archived, PayloadDigest, Place, RawCapture, Revisit, Status};

/// One fetch, borrowed from the reader until the next is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarcCapture<'r> {
    /// `WARC-Target-URI`.
    pub url: &'r [u8],
    /// `WARC-Date`, in microseconds since 1970 UTC.
    pub time: Option<i64>,
    /// The status; 0 where the head of the response cannot be read, `None` for a `resource` record
    /// and for a `revisit` record without a head.
    pub status: Option<Status>,
    /// `Location`, as recorded.
    pub redirect: Option<&'r [u8]>,
    /// `Content-Type` of the response.
    pub content_type: Option<&'r [u8]>,
    /// The payload, decoded. `None` where it is not in this record: of a revisit, of an answer 304
    /// without one, and of a response whose head cannot be read.
    pub body: Option<&'r [u8]>,
    /// Whether the end of the body is missing: `WARC-Truncated` says so, the body is shorter than
    /// announced, or cannot be decoded to its end.
    pub is_truncated: bool,
    /// Whether the body was cut at [`BodyCap`](super::BodyCap).
    pub is_over_cap: bool,
    /// `WARC-Payload-Digest`, such as `sha1:…`.
    pub payload_digest: Option<&'r [u8]>,
    /// Octets of the file before the record, or before the gzip member or zstd frame in which it
    /// begins: Common Crawl's `warc_record_offset`.
    pub offset: u64,
    /// For a `revisit` record, the record that holds its body.
    pub refers: Option<Refers<'r>>,
}

/// What a `revisit` record says about the one it refers to; its payload digest is the capture's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refers<'r> {
    /// Why the body is not repeated.
    pub profile: RevisitProfile,
    /// `WARC-Refers-To-Target-URI`.
    pub url: Option<&'r [u8]>,
    /// `WARC-Refers-To-Date`, in microseconds since 1970 UTC.
    pub time: Option<i64>,
}

/// Why a revisit does not repeat the body, by `WARC-Profile`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RevisitProfile {
    /// The payload was the same, by its digest.
    IdenticalPayload,
    /// The server said that nothing was modified.
    NotModified,
    /// Something else, or nothing said.
    Other,
}

impl RevisitProfile {
    pub(super) fn of(profile: &[u8]) -> Self {
        let ends_with = |ending: &str| profile.ends_with(ending.as_bytes());
        if ends_with("/identical-payload-digest") {
            RevisitProfile::IdenticalPayload
        } else if ends_with("/server-not-modified") {
            RevisitProfile::NotModified
        } else {
            RevisitProfile::Other
        }
    }
}

impl WarcCapture<'_> {
    /// What a revisit refers to, as corpora find it: a time of the same URL; else the payload's digest tells.
    fn revisit(&self, refers: &Refers<'_>) -> Revisit {
        let is_same_url = refers.url.is_none_or(|url| url == self.url);
        let unmodified = refers.profile == RevisitProfile::NotModified;
        Revisit { time: refers.time.filter(|_| is_same_url), unmodified }
    }

    /// A capture as corpora take them. A revisit gets its body when the corpus is built.
    #[must_use]
    pub fn to_raw(&self) -> RawCapture {
        RawCapture { body: self.body.map(<[u8]>::to_vec), ..self.without_body() }
    }

    /// As [`WarcCapture::to_raw`], its body left where it is.
    pub(super) fn without_body(&self) -> RawCapture {
        let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
        let digest = |octets: &[u8]| PayloadDigest::of(&String::from_utf8_lossy(octets));
        let profile = self.refers.as_ref().map(|refers| refers.profile);
        let is_unmodified = profile == Some(RevisitProfile::NotModified);
        RawCapture {
            place: Place::Url(self.url.to_vec()),
            body: None,
            status: self.status,
            time: self.time,
            redirect: self.redirect.map(text),
            content_type: self.content_type.map(text),
            archived: Archived {
                truncated: self.is_truncated || self.is_over_cap,
                offset: Some(self.offset),
                // Of an answer that says "not modified" it is that of no octets.
                payload_digest: self.payload_digest.filter(|_| !is_unmodified).map(digest),
                revisit: self.refers.as_ref().map(|refers| self.revisit(refers)),
            },
        }
    }
}
