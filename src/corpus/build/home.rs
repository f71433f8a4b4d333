//! Which place a capture is of, and where it redirects to, in canonical form.
//!
//! Enters: a capture as its source gives it. Leaves: its [`Home`]; for who distributes captures among shards, [`Located`]. Must not know:
//! how captures are kept.

use super::filed::FiledPlace;
use crate::corpus::{Place, RawCapture, redirect};
use crate::text::origin::{self, Origin};

/// Octets of a redirect's target that are kept: no server means longer ones.
const MOST_REDIRECT: usize = 4 << 10;

/// Which place a capture is of, in canonical form.
pub(super) enum Home {
    Origin { surt: String, origin: Origin },
    Target(Box<str>),
}

/// Where a capture belongs in a corpus of shards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The URL that was fetched, canonical.
    pub url: String,
    /// The sort key of its origin: shards are ranges of these.
    pub key: String,
    /// Where it redirects to.
    pub redirect: Option<Target>,
}

/// A URL that a redirect leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The URL, canonical: equal to [`Located::url`] of its captures.
    pub url: String,
    /// The sort key of its origin.
    pub key: String,
}

/// Where `raw` belongs; `None` where its place is not an absolute http(s) origin or URL.
///
/// # Complexity
/// Linear in its URLs.
///
/// # Examples
/// ```
/// use robosift::corpus::{Place, RawCapture, Status, locate};
/// let capture = RawCapture {
///     place: Place::Url(b"https://example.com/robots.txt".to_vec()),
///     status: Some(Status(301)),
///     redirect: Some("https://www.example.com/robots.txt".to_owned()),
///     ..RawCapture::default()
/// };
/// let located = locate(&capture).unwrap();
/// let to = located.redirect.unwrap();
/// assert_eq!(to.url, "https://www.example.com/robots.txt");
/// assert!(located.key < to.key);
/// ```
#[must_use]
pub fn locate(raw: &RawCapture) -> Option<Located> {
    let home = home(&raw.place)?;
    let key = |url: &str| Some(Origin::parse(url.as_bytes())?.surt());
    let url = home.base();
    let is_redirect = raw.status.is_some_and(crate::corpus::Status::is_redirect);
    let redirect = redirect_of(raw, &home).filter(|_| is_redirect);
    let redirect = redirect.and_then(|to| Some(Target { key: key(&to)?, url: to.into() }));
    Some(Located { key: key(&url)?, url, redirect })
}

/// Where a capture redirects to, absolute.
pub(super) fn redirect_of(raw: &RawCapture, home: &Home) -> Option<Box<str>> {
    let redirect = raw.redirect.as_deref().filter(|target| target.len() <= MOST_REDIRECT);
    redirect.and_then(|target| redirect::absolute(&home.base(), target))
}

impl Home {
    pub(super) fn place(&self) -> FiledPlace<'_> {
        match self {
            Home::Origin { surt, origin } => FiledPlace::Origin { surt, name: origin.as_str() },
            Home::Target(url) => FiledPlace::Target { url },
        }
    }

    /// The URL that was fetched.
    fn base(&self) -> String {
        match self {
            Home::Origin { origin, .. } => format!("{}/robots.txt", origin.as_str()),
            Home::Target(url) => url.to_string(),
        }
    }
}

pub(super) fn home(place: &Place) -> Option<Home> {
    let of_origin = |text: &[u8]| {
        let origin = Origin::parse(text)?;
        Some(Home::Origin { surt: origin.surt(), origin })
    };
    match place {
        Place::Origin(text) => of_origin(text),
        Place::Url(url) => match origin::split(url)?.rest {
            b"/robots.txt" => of_origin(url),
            // Dot segments and fragments are not asked for: they may hide a plain `/robots.txt`.
            _ => match redirect::canonical_url(url)? {
                url if is_robots_txt(&url) => of_origin(url.as_bytes()),
                url => Some(Home::Target(url)),
            },
        },
        Place::Imported(url) => redirect::canonical_url(url).map(Home::Target),
    }
}

/// Whether a canonical URL is an origin's robots.txt.
fn is_robots_txt(url: &str) -> bool {
    origin::split(url.as_bytes()).is_some_and(|parts| parts.rest == b"/robots.txt")
}
