//! Where the path of a URL starts and ends: by RFC 3986, and as Google's matcher finds it.
//!
//! Enters: a URL, or what follows its authority. Leaves: path and query as octets, without the
//! fragment, beginning with `/`. Borrowed, except where a `/` has to be put before a query.

use memchr::{memchr, memmem};

use super::lanes::{Lanes, for_covering_chunks};

/// What one pass over the octets of a path tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathTraits(u8);

impl PathTraits {
    const FRAGMENT: u8 = 1;
    const WRITTEN_OTHERWISE: u8 = 2;
    /// The high bit, which the octets themselves have.
    const NON_ASCII: u8 = 0x80;

    /// Looks at all octets.
    ///
    /// # Complexity
    /// One pass, sixteen octets at a time.
    #[must_use]
    #[inline]
    pub fn of(text: &[u8]) -> Self {
        let none = Lanes::all(0);
        let (mut fragment, mut otherwise, mut all) = (none, none, none);
        for_covering_chunks(text, b'/', |octets| {
            fragment = fragment.or(octets.is(b'#'));
            // `$` and `%` differ in the lowest bit alone.
            let dollar_or_percent = octets.and(Lanes::all(!1)).is(b'$');
            otherwise = otherwise.or(dollar_or_percent).or(octets.is(b'*'));
            all = all.or(octets);
        });
        let found = fragment
            .and(Lanes::all(Self::FRAGMENT))
            .or(otherwise.and(Lanes::all(Self::WRITTEN_OTHERWISE)))
            .or(all.and(Lanes::all(Self::NON_ASCII)));
        PathTraits(found.united())
    }

    /// A `#` is in it.
    #[must_use]
    #[inline]
    pub fn has_fragment(self) -> bool {
        self.0 & Self::FRAGMENT != 0
    }

    /// An octet is in it that has another form, or is it: `%`, `*`, `$` or one outside ASCII.
    #[must_use]
    #[inline]
    pub fn may_need_normalising(self) -> bool {
        self.0 & (Self::WRITTEN_OTHERWISE | Self::NON_ASCII) != 0
    }

    /// All octets are ASCII.
    #[must_use]
    #[inline]
    pub fn is_ascii(self) -> bool {
        self.0 & Self::NON_ASCII == 0
    }
}

/// A path as it stands in a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawPath<'u> {
    /// Begins with `/`.
    Whole(&'u [u8]),
    /// A `/` belongs before these octets, which begin with `?` or `;`.
    Headless(&'u [u8]),
}

impl<'u> RawPath<'u> {
    /// The path as one slice; `buffer` is used when a `/` has to be put before it.
    #[inline]
    pub fn octets<'s>(self, buffer: &'s mut Vec<u8>) -> &'s [u8]
    where
        'u: 's,
    {
        match self {
            RawPath::Whole(path) => path,
            RawPath::Headless(tail) => {
                buffer.clear();
                buffer.push(b'/');
                buffer.extend_from_slice(tail);
                buffer
            }
        }
    }
}

/// The path after an authority (RFC 3986 section 3.3): `rest` begins at the first `/`, `?` or `#`,
/// or is empty.
///
/// `traits` are those of `rest`.
#[must_use]
#[inline]
pub fn path_after_authority(rest: &[u8], traits: PathTraits) -> RawPath<'_> {
    let path = match traits.has_fragment() {
        true => &rest[..memchr(b'#', rest).unwrap_or(rest.len())],
        false => rest,
    };
    match path.first() {
        None => RawPath::Whole(b"/"),
        Some(b'/') => RawPath::Whole(path),
        Some(_) => RawPath::Headless(path),
    }
}

/// The path as google/robotstxt finds it in any string at all: it starts at the first of `/ ? ;`
/// after `://`, or after leading slashes, and a NUL ends the URL's path. Never empty.
#[must_use]
pub fn google_path(url: &[u8]) -> RawPath<'_> {
    let start = if url.starts_with(b"//") { 2 } else { 0 };
    let after_scheme = scheme_end(url, start);
    let Some(path_start) = find_path_start(url, after_scheme) else { return RawPath::Whole(b"/") };
    let fragment = memchr(b'#', &url[start..]).map_or(url.len(), |at| at + start);
    if fragment < path_start {
        return RawPath::Whole(b"/");
    }
    let path = &url[path_start..fragment];
    let path = up_to_nul(path);
    if path.first() == Some(&b'/') { RawPath::Whole(path) } else { RawPath::Headless(path) }
}

/// As [`google_path`], of an http or https URL whose authority `rest` follows; `traits` are those of
/// `rest`. Where the authority holds no `;` and a path or a query follows it, both begin there.
#[must_use]
#[inline]
pub fn google_path_after<'u>(url: &'u [u8], rest: &'u [u8], traits: PathTraits) -> RawPath<'u> {
    let authority = url.get(..url.len().saturating_sub(rest.len())).unwrap_or_default();
    if !matches!(rest.first(), Some(b'/' | b'?')) || memchr(b';', authority).is_some() {
        return google_path(url);
    }
    match path_after_authority(rest, traits) {
        RawPath::Whole(path) => RawPath::Whole(up_to_nul(path)),
        RawPath::Headless(path) => RawPath::Headless(up_to_nul(path)),
    }
}

#[inline]
fn up_to_nul(path: &[u8]) -> &[u8] {
    &path[..memchr(0, path).unwrap_or(path.len())]
}

/// Where the search for the path begins: after `://` unless a path, parameters or a query come first.
fn scheme_end(url: &[u8], start: usize) -> usize {
    let separator = memmem::find(&url[start..], b"://").map(|at| at + start);
    match (separator, find_path_start(url, start)) {
        (Some(separator), Some(early)) if early < separator => start,
        (Some(separator), _) => separator + 3,
        (None, _) => start,
    }
}

fn find_path_start(url: &[u8], from: usize) -> Option<usize> {
    memchr::memchr3(b'/', b'?', b';', &url[from..]).map(|at| at + from)
}
