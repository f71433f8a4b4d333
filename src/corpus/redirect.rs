//! Where redirects lead, and how URLs are known as their targets.

use url::Url;

/// The http(s) URL that `target` means when `base` redirects to it, in canonical form and without
/// its fragment; `None` where it is none.
pub(super) fn absolute(base: &str, target: &str) -> Option<Box<str>> {
    canonical(Url::parse(base).ok()?.join(target.trim()).ok()?)
}

/// The canonical form of a captured URL.
pub(super) fn canonical_url(url: &[u8]) -> Option<Box<str>> {
    canonical(Url::parse(std::str::from_utf8(url).ok()?).ok()?)
}

fn canonical(mut url: Url) -> Option<Box<str>> {
    if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
        return None;
    }
    url.set_fragment(None);
    Some(url.as_str().into())
}
