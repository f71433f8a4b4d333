//! One fetch of one robots.txt at one time.

use super::BodyId;

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
}

/// What a capture is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The robots.txt of an origin: `https://www.example.com`.
    Origin(Vec<u8>),
    /// A URL. Only `/robots.txt` gives its origin rules, all others serve as redirect targets.
    Url(Vec<u8>),
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

/// A capture inside a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// When, in microseconds since 1970 UTC; `None` counts as older than any.
    pub time: Option<i64>,
    /// The recorded status.
    pub status: Option<Status>,
    /// The body, where it is known.
    pub body: Option<BodyId>,
    /// Where a redirect leads, made absolute; `None` where that is no http(s) URL.
    pub redirect: Option<Box<str>>,
    /// What else is worth knowing.
    pub flags: CaptureFlags,
}

impl Capture {
    /// Successful: a 2xx or no status at all, with a body.
    #[must_use]
    pub fn is_successful(&self) -> bool {
        self.body.is_some() && self.status.is_none_or(Status::is_successful)
    }
}

/// Facts about a capture that its body does not tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaptureFlags {
    /// Its declared type is that of a web page or of something that is no text.
    pub page_or_binary_type: bool,
}
