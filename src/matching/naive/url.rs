//! From a URL to the path that rules are compared with.
//!
//! Enters: a URL of any octets. Leaves: path and query, with a `/` in front and no fragment.
//! Cost: one pass. It must not know: robots bodies, agents.

use super::octets::{decode, position_of_any, up_to};

/// Path and query of a URL as Google's matcher finds them, for any octets.
pub(super) fn google_path(url: &[u8]) -> Vec<u8> {
    let rest = url.strip_prefix(b"//").unwrap_or(url);
    let scheme = rest.windows(3).position(|octets| octets == b"://");
    // An earlier `/`, `?` or `;` makes `://` a part of the path.
    let early = position_of_any(rest, b"/?;");
    let authority = match scheme {
        Some(at) if early.is_none_or(|path| path >= at) => at + 3,
        _ => 0,
    };
    let before_fragment = up_to(rest, b"#");
    let tail = before_fragment.get(authority..).unwrap_or_default();
    let path = position_of_any(tail, b"/?;").and_then(|start| tail.get(start..));
    with_slash(path.unwrap_or_default())
}

/// Path and query of an absolute http or https URL with a host.
pub(super) fn rfc_path(url: &[u8]) -> Option<Vec<u8>> {
    let colon = position_of_any(url, b":")?;
    let (scheme, after) = url.split_at(colon);
    if !scheme.eq_ignore_ascii_case(b"http") && !scheme.eq_ignore_ascii_case(b"https") {
        return None;
    }
    let rest = after.strip_prefix(b"://")?;
    let authority = up_to(rest, b"/?#");
    let tail = rest.get(authority.len()..)?;
    has_host(authority).then(|| with_slash(up_to(tail, b"#")))
}

/// Whether an authority names a host that a request could go to.
fn has_host(authority: &[u8]) -> bool {
    let server = authority.rsplit(|octet| *octet == b'@').next().unwrap_or_default();
    let server = up_to(server, b";");
    let (host, port, colons_allowed) = match server.strip_prefix(b"[") {
        Some(inside) => {
            let host = up_to(inside, b"]");
            let Some(after) = inside.get(host.len() + 1..) else { return false };
            (host, after, true)
        }
        None => {
            let host = up_to(server, b":");
            (host, server.get(host.len()..).unwrap_or_default(), false)
        }
    };
    let decoded = decode(host);
    let is_host_octet = |octet: &u8| match octet {
        b':' => colons_allowed,
        0..=0x20 | 0x7F => false,
        _ => !b"<>\"\\^`{|}#%/?@[]".contains(octet),
    };
    decoded.iter().all(is_host_octet) && decoded.iter().any(|octet| *octet != b'.') && is_port(port)
}

/// Nothing, or a colon and a number up to 65535, or a colon alone.
fn is_port(text: &[u8]) -> bool {
    let Some((colon, digits)) = text.split_first() else { return true };
    let number = digits.iter().try_fold(0_u32, |number, digit| {
        let next = number * 10 + char::from(*digit).to_digit(10)?;
        (next <= 65_535).then_some(next)
    });
    *colon == b':' && number.is_some()
}

fn with_slash(path: &[u8]) -> Vec<u8> {
    if path.starts_with(b"/") { path.to_vec() } else { [b"/", path].concat() }
}
