//! What a row asks about: an origin, named in one of three ways, and a path.
//!
//! Enters: a URL, or a path whose origin stands elsewhere. Leaves: both, borrowed, nothing normalised.
//! Cost: one pass over the URL. Must not know: columns, corpora.

use crate::parse::PathStart;
use crate::text::origin::{self, Prefix, UrlParts};
use crate::text::path::{PathTraits, RawPath, google_path_after, path_after_authority};

/// How a row names its origin.
#[derive(Clone, Copy, Debug)]
pub(super) enum Named<'u> {
    /// As the row before does.
    AsBefore,
    /// Scheme and authority as they stand there.
    Parts(UrlParts<'u>),
    /// A value of the batch's dictionary of origins.
    Value(usize),
}

/// How the row before names its origin.
#[derive(Debug, Default)]
pub(super) struct Before {
    prefix: Prefix,
    value: Option<usize>,
}

impl Before {
    /// No row names its origin as the one before does.
    pub(super) fn forget(&mut self) {
        self.prefix.forget();
        self.value = None;
    }

    /// Another batch begins: its dictionary may be another.
    pub(super) fn forget_value(&mut self) {
        self.value = None;
    }

    /// The next row names a value of a dictionary.
    #[inline]
    pub(super) fn or_value(&mut self, key: usize) -> Named<'static> {
        if self.value == Some(key) {
            return Named::AsBefore;
        }
        self.forget();
        self.value = Some(key);
        Named::Value(key)
    }

    /// The next row names the origin that `url` is or begins with.
    #[inline]
    pub(super) fn or_parts<'u>(&mut self, url: &'u [u8]) -> Option<Named<'u>> {
        if self.prefix.rest_of(url).is_some() {
            return Some(Named::AsBefore);
        }
        let parts = origin::split(url)?;
        self.set(url, &parts);
        Some(Named::Parts(parts))
    }

    #[inline]
    fn set(&mut self, url: &[u8], parts: &UrlParts<'_>) {
        self.prefix.set(url, parts.rest);
        self.value = None;
    }
}

/// An origin as written and a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'u> {
    pub(super) named: Named<'u>,
    pub(super) path: RawPath<'u>,
    /// Traits of the path, or of something it is part of.
    pub(super) traits: PathTraits,
}

impl<'u> Target<'u> {
    /// Reads an absolute URL.
    pub(super) fn of_url(url: &'u [u8], path_start: PathStart) -> Option<(Self, UrlParts<'u>)> {
        let parts = origin::split(url)?;
        Some((Target::new(url, parts.rest, path_start, Named::Parts(parts)), parts))
    }

    /// Reads an absolute URL that may begin as the last one did.
    #[inline]
    pub(super) fn of_url_after(
        url: &'u [u8],
        path_start: PathStart,
        before: &mut Before,
    ) -> Option<Self> {
        let (named, rest) = match before.prefix.rest_of(url) {
            Some(rest) => (Named::AsBefore, rest),
            None => {
                let parts = origin::split(url)?;
                before.set(url, &parts);
                (Named::Parts(parts), parts.rest)
            }
        };
        Some(Target::new(url, rest, path_start, named))
    }

    /// `rest` follows the authority of `url`.
    #[inline]
    pub(super) fn new(
        url: &'u [u8],
        rest: &'u [u8],
        path_start: PathStart,
        named: Named<'u>,
    ) -> Self {
        let traits = PathTraits::of(rest);
        let path = match path_start {
            PathStart::AfterAuthority => path_after_authority(rest, traits),
            PathStart::FirstSlashQuestionOrSemicolon => google_path_after(url, rest, traits),
        };
        Target { named, path, traits }
    }

    /// Reads a path that belongs to an origin given apart.
    pub(super) fn of_path(path: &'u [u8], path_start: PathStart, named: Named<'u>) -> Option<Self> {
        if !matches!(path.first(), None | Some(b'/' | b'?' | b'#')) || !is_text(path) {
            return None;
        }
        let end = match path_start {
            PathStart::AfterAuthority => path.len(),
            PathStart::FirstSlashQuestionOrSemicolon => {
                memchr::memchr(0, path).unwrap_or(path.len())
            }
        };
        let traits = PathTraits::of(path);
        Some(Target { named, path: path_after_authority(&path[..end], traits), traits })
    }
}

/// Whether a URL is UTF-8, as it has to be.
pub(super) fn is_text(octets: &[u8]) -> bool {
    octets.is_ascii() || std::str::from_utf8(octets).is_ok()
}
