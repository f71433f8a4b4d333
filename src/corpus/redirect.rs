//! Where redirects lead, and how URLs are known as their targets.

use url::{Position, Url};

use crate::text::origin::Origin;

/// The http(s) URL that `target` means when `base` redirects to it, in canonical form and without
/// its fragment; `None` where it is none.
pub(super) fn absolute(base: &str, target: &str) -> Option<Box<str>> {
    canonical(&Url::parse(base).ok()?.join(target.trim()).ok()?)
}

/// The canonical form of a captured URL.
pub(super) fn canonical_url(url: &[u8]) -> Option<Box<str>> {
    canonical(&Url::parse(std::str::from_utf8(url).ok()?).ok()?)
}

/// Our own form of the origin, so that targets meet captures, and path and query as a URL has them.
fn canonical(url: &Url) -> Option<Box<str>> {
    let origin = Origin::parse(url.as_str().as_bytes())?;
    let path = &url[Position::BeforePath..Position::AfterQuery];
    Some([origin.as_str(), path].concat().into())
}
