//! Where the path of a URL starts and ends: by RFC 3986, and as Google's matcher finds it.
//!
//! Enters: a URL, or what follows its authority. Leaves: path and query as octets, without the
//! fragment, beginning with `/`. Borrowed, except where a `/` has to be put before a query.

use memchr::{memchr, memmem};

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
#[must_use]
#[inline]
pub fn path_after_authority(rest: &[u8]) -> RawPath<'_> {
    let path = match memchr(b'#', rest) {
        Some(fragment) => &rest[..fragment],
        None => rest,
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
    let path = &path[..memchr(0, path).unwrap_or(path.len())];
    if path.first() == Some(&b'/') { RawPath::Whole(path) } else { RawPath::Headless(path) }
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
