//! The input columns of a batch, and what a row asks about: an origin and a path.

use std::fmt;

use arrow::array::{Array, ArrayRef};

use super::Settings;
use crate::parse::PathStart;
use crate::table::Octets;
use crate::text::origin::{self, Prefix, UrlParts};
use crate::text::path::{PathTraits, RawPath, google_path_after, path_after_authority};

/// The columns that rows are read from. All have the same length.
pub struct RowColumns<'a> {
    url: Octets<'a>,
    agent: Option<Octets<'a>>,
    origin: Option<Octets<'a>>,
}

/// Columns that rows cannot be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsError(String);

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RowsError {}

impl<'a> RowColumns<'a> {
    /// Takes string-like columns of any Arrow type.
    ///
    /// # Errors
    /// A column of another type, or of another length than the first.
    pub fn try_new(
        url: &'a ArrayRef,
        agent: Option<&'a ArrayRef>,
        origin: Option<&'a ArrayRef>,
    ) -> Result<Self, RowsError> {
        let read = |name: &str, array: &'a ArrayRef| {
            if array.len() != url.len() {
                return Err(RowsError(format!(
                    "the {name} column has {} rows, the url column {}",
                    array.len(),
                    url.len()
                )));
            }
            Octets::try_new(array.as_ref()).ok_or_else(|| {
                RowsError(format!("the {name} column is {}, not strings", array.data_type()))
            })
        };
        Ok(RowColumns {
            url: read("url", url)?,
            agent: agent.map(|array| read("agent", array)).transpose()?,
            origin: origin.map(|array| read("origin", array)).transpose()?,
        })
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.url.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.url.is_empty()
    }

    /// The agent that `row` names; `None` also where there is no agent column.
    #[inline]
    pub(super) fn agent(&self, row: usize) -> Option<&'a [u8]> {
        self.agent.as_ref()?.value(row)
    }

    /// Scheme and authority that `row` names, whatever else is wrong with it.
    #[inline]
    pub(super) fn parts(&self, row: usize) -> Option<UrlParts<'a>> {
        let url = self.url.value(row)?;
        match &self.origin {
            Some(origin) if !has_scheme(url) => origin::split(origin.value(row)?),
            _ => origin::split(url),
        }
    }

    /// Whether rows hold whole URLs, never a path beside an origin.
    pub(super) fn are_urls(&self) -> bool {
        self.origin.is_none()
    }

    /// What the URL of `row` asks about, parts and all, and its canonical origin where it stands
    /// there as it is; `None` is a bad URL. Meant for rows that are whole URLs.
    #[inline]
    pub(super) fn url_target(
        &self,
        row: usize,
        settings: &Settings,
    ) -> Option<(Target<'a>, Option<&'a [u8]>)> {
        let url = self.url.value(row)?;
        let canonical = origin::split_canonical(url);
        let parts = match canonical {
            Some((parts, _)) => parts,
            None => origin::split(url)?,
        };
        let target = Target::new(url, parts.rest, settings.dialect.path_start);
        let target = Target { parts: Some(parts), ..target };
        let is_ascii = canonical.is_some() && target.traits.is_ascii();
        (is_ascii || is_text(url)).then_some((target, canonical.map(|(_, origin)| origin)))
    }

    /// What `row` asks about; `None` is a bad URL. `prefix` is that of the row before.
    #[inline]
    pub(super) fn target(
        &self,
        row: usize,
        settings: &Settings,
        prefix: &mut Prefix,
    ) -> Option<Target<'a>> {
        let url = self.url.value(row)?;
        let path_start = settings.dialect.path_start;
        match &self.origin {
            Some(origin) if !has_scheme(url) => {
                Target::of_path(origin.value(row)?, url, path_start, prefix)
            }
            _ => {
                let target = Target::of_url_after(url, path_start, prefix)?;
                let is_known = target.parts.is_none() && target.traits.is_ascii();
                if is_known || is_text(url) {
                    return Some(target);
                }
                // The run of this origin is not entered: the next row has to bring its parts.
                prefix.forget();
                None
            }
        }
    }
}

/// An origin as written and a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target<'u> {
    /// Scheme and authority; `None` where they are those of the row before.
    pub(super) parts: Option<UrlParts<'u>>,
    pub(super) path: RawPath<'u>,
    /// Traits of the path, or of something it is part of.
    pub(super) traits: PathTraits,
}

impl<'u> Target<'u> {
    /// Reads an absolute URL.
    pub(super) fn of_url(url: &'u [u8], path_start: PathStart) -> Option<Self> {
        Target::of_url_after(url, path_start, &mut Prefix::default())
    }

    /// Reads an absolute URL that may begin as the last one did.
    #[inline]
    fn of_url_after(url: &'u [u8], path_start: PathStart, prefix: &mut Prefix) -> Option<Self> {
        let (parts, rest) = match prefix.rest_of(url) {
            Some(rest) => (None, rest),
            None => {
                let parts = origin::split(url)?;
                prefix.set(url, parts.rest);
                (Some(parts), parts.rest)
            }
        };
        Some(Target { parts, ..Target::new(url, rest, path_start) })
    }

    /// Without parts; `rest` follows the authority of `url`.
    #[inline]
    fn new(url: &'u [u8], rest: &'u [u8], path_start: PathStart) -> Self {
        let traits = PathTraits::of(rest);
        let path = match path_start {
            PathStart::AfterAuthority => path_after_authority(rest, traits),
            PathStart::FirstSlashQuestionOrSemicolon => google_path_after(url, rest, traits),
        };
        Target { parts: None, path, traits }
    }

    /// Reads a path that belongs to an origin given apart.
    fn of_path(
        origin: &'u [u8],
        path: &'u [u8],
        path_start: PathStart,
        prefix: &mut Prefix,
    ) -> Option<Self> {
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
        let parts = match prefix.rest_of(origin) {
            Some(_) => None,
            None => {
                let parts = origin::split(origin)?;
                prefix.set(origin, parts.rest);
                Some(parts)
            }
        };
        Some(Target { parts, path: path_after_authority(&path[..end], traits), traits })
    }
}

fn is_text(octets: &[u8]) -> bool {
    octets.is_ascii() || std::str::from_utf8(octets).is_ok()
}

fn has_scheme(url: &[u8]) -> bool {
    let begins = |scheme: &[u8]| {
        url.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    begins(b"http://") || begins(b"https://")
}
