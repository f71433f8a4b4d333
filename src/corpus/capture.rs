//! One fetch of one robots.txt at one time.

use sha2::{Digest, Sha256};

use super::CorpusError;

/// A capture as a source gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RawCapture {
    /// Whose robots.txt, or which URL was fetched.
    pub place: Place,
    /// The body's octets; `None` where they are not known.
    pub body: Option<Vec<u8>>,
    /// The status as recorded; `None` where none is.
    pub status: Option<Status>,
    /// When it was fetched, in microseconds since 1970 UTC.
    pub time: Option<i64>,
    /// Where a redirect leads, as recorded.
    pub redirect: Option<String>,
    /// The declared media type.
    pub content_type: Option<String>,
    /// What is known beside: only archives tell.
    pub archived: Archived,
}

/// Takes captures, in the order in which they stand in their source.
pub trait CaptureSink {
    /// Takes one.
    ///
    /// # Errors
    /// Those of writing it down.
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError>;

    /// Takes one whose body is lent: of most captures it is known already and need not be copied. [`RawCapture::body`] says nothing.
    ///
    /// # Errors
    /// Those of writing it down.
    fn add_lent(&mut self, capture: RawCapture, body: Option<&[u8]>) -> Result<(), CorpusError> {
        self.add(RawCapture { body: body.map(<[u8]>::to_vec), ..capture })
    }

    /// What comes from now on is of this part of the source: a file of a corpus that was built of several.
    fn is_of(&mut self, _part: u32) {}

    /// Captures taken so far that have no status, and so count as 200 where they have a body.
    fn num_without_status(&self) -> u64;
}

/// What an archive tells of a capture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Archived {
    /// The body is not whole, by the archive or because it was longer than what is kept.
    pub truncated: bool,
    /// Where its record begins in the file, in octets.
    pub offset: Option<u64>,
    /// The digest of its payload; captures with equal ones share their body.
    pub payload_digest: Option<PayloadDigest>,
    /// The record refers to another one for its body.
    pub revisit: Option<Revisit>,
}

/// What an archive writes as the digest of a payload, `sha1:…`, in sixteen octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PayloadDigest(pub(super) [u8; 16]);

impl PayloadDigest {
    /// Of the text in the archive. However it is written, blanks around it and case, it is the same one.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let hash = Sha256::digest(text.trim().to_ascii_lowercase());
        PayloadDigest(hash.first_chunk().copied().unwrap_or_default())
    }
}

/// What an archived revisit refers to: a capture of the same URL, or one with the same payload digest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Revisit {
    /// The time of the capture of this URL that it refers to, in microseconds since 1970 UTC.
    pub time: Option<i64>,
    /// The server said that nothing was modified: it refers to the capture of this URL before, if to nothing else.
    pub unmodified: bool,
}

/// What a capture is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The robots.txt of an origin: `https://www.example.com`.
    Origin(Vec<u8>),
    /// A URL. Only `/robots.txt` gives its origin rules, all others serve as redirect targets.
    Url(Vec<u8>),
    /// A URL, also one of `/robots.txt`, whose captures belong to another shard: here it serves as a redirect target, never as an origin.
    Imported(Vec<u8>),
}

impl Default for Place {
    fn default() -> Self {
        Place::Origin(Vec::new())
    }
}

/// An HTTP status as recorded; what lies outside an `i16` is kept as its nearest value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Status(pub i16);

impl Status {
    /// From a number of any width.
    #[must_use]
    pub fn new(status: i64) -> Self {
        let nearest = if status < 0 { i16::MIN } else { i16::MAX };
        Status(i16::try_from(status).unwrap_or(nearest))
    }

    /// 200 to 299.
    #[must_use]
    pub fn is_successful(self) -> bool {
        (200..300).contains(&self.0)
    }

    /// 2xx and 304: the statuses under which a body is read as rules.
    #[must_use]
    pub fn may_have_rules(self) -> bool {
        self.is_successful() || self.0 == 304
    }

    /// 300 to 399, except 304.
    #[must_use]
    pub fn is_redirect(self) -> bool {
        (300..400).contains(&self.0) && self.0 != 304
    }
}

/// Facts about a capture that its body does not tell, as a bit set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureFlags(u16);

impl CaptureFlags {
    /// The declared type is that of a web page or of something that is no text.
    pub const PAGE_OR_BINARY_TYPE: CaptureFlags = CaptureFlags(1);
    /// The body is not whole.
    pub const TRUNCATED: CaptureFlags = CaptureFlags(1 << 1);
    /// Its body is that of another capture that it refers to.
    pub const REVISIT: CaptureFlags = CaptureFlags(1 << 2);
    /// A revisit because the server said that nothing was modified.
    pub const UNMODIFIED: CaptureFlags = CaptureFlags(1 << 3);
    /// It belongs to another shard and is here as what redirects lead to.
    pub const IMPORTED: CaptureFlags = CaptureFlags(1 << 4);

    /// From the bits that [`CaptureFlags::bits`] gave; unknown ones are kept.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        CaptureFlags(bits)
    }

    /// The flags as a bit set.
    #[must_use]
    pub fn bits(self) -> u16 {
        self.0
    }

    /// Whether all flags of `other` are set.
    #[must_use]
    pub fn contains(self, other: CaptureFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the flags of `other` set too when `condition` holds.
    #[must_use]
    pub fn with(self, other: CaptureFlags, condition: bool) -> CaptureFlags {
        if condition { CaptureFlags(self.0 | other.0) } else { self }
    }
}
