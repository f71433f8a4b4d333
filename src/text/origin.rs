//! URL → origin and the rest: where a URL splits, and the one spelling of its origin.
//!
//! Enters: a URL or a bare origin, any octets. Leaves: its parts as they stand, borrowed
//! ([`split`]), or its origin in canonical form ([`write_origin`], [`Origin`]), equal for all
//! spellings of one scheme, host and port.
//!
//! Cost: [`split`] is two searches and never allocates; [`write_origin`] copies a plain host and
//! allocates only for one that is percent-encoded or international. Both linear in the authority.
//!
//! Must not know: robots, columns, what a path means.
//!
//! Source: RFC 3986 section 3.2 (authority); RFC 6454 (origin); the
//! WHATWG URL standard for what a host may hold. Two choices of ours: numbers are not read as
//! IPv4 addresses (`127.1` stays `127.1`), and ASCII hosts are not checked for sound punycode,
//! so a broken `xn--` label is a host like any other.

use std::borrow::Cow;
use std::net::Ipv6Addr;

use super::compare::begins_with;
use super::lanes::{LANES, Lanes, for_each_chunk};

use idna::AsciiDenyList;
use memchr::{memchr3, memrchr, memrchr_iter};

/// Longest host, in octets, that is put through UTS 46 or comes out of it. A DNS name has at most
/// 253 octets, and its longest spelling in UTF-8 four times that; the limit bounds what a hostile
/// host can cost (encoding a label as punycode is quadratic in the label).
const MAX_INTERNATIONAL_HOST_LEN: usize = 2048;

/// What no host may hold: the WHATWG forbidden domain code points (with all controls and the
/// blank), and `;`, which ends a host and so must not come back by percent-decoding.
const FORBIDDEN_IN_HOST: AsciiDenyList = AsciiDenyList::new(true, "%#/:<>?@[\\]^|;");

/// The parts of a URL as they stand, all borrowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UrlParts<'u> {
    /// Scheme https; else it is http.
    pub https: bool,
    /// The authority without user information; not empty, not yet known to be a valid host.
    pub host_port: &'u [u8],
    /// From the first of `/ ? #` on, the fragment included; may be empty.
    pub rest: &'u [u8],
}

/// Splits an absolute http or https URL.
///
/// The scheme is recognised ignoring case; the authority ends at the first of `/ ? #`; user
/// information is what stands before its last `@`. `None`: another scheme, no `://`, or no host.
/// Nothing is trimmed. Time linear in the authority, no allocation.
#[inline]
pub fn split(url: &[u8]) -> Option<UrlParts<'_>> {
    let (https, after_scheme) = split_scheme(url)?;
    let authority_len = memchr3(b'/', b'?', b'#', after_scheme).unwrap_or(after_scheme.len());
    let (authority, rest) = after_scheme.split_at_checked(authority_len)?;
    let host_port = match memrchr(b'@', authority) {
        Some(at) => authority.get(at + 1..)?,
        None => authority,
    };
    (!host_port.is_empty()).then_some(UrlParts { https, host_port, rest })
}

/// As [`split`], of a URL whose scheme and authority are its canonical origin as they stand, and that
/// origin; `None` for all other URLs.
///
/// # Complexity
/// One search and one pass over the authority, sixteen octets at a time.
#[inline]
pub fn split_canonical(url: &[u8]) -> Option<(UrlParts<'_>, &[u8])> {
    let (https, after_scheme) = match url.strip_prefix(b"https://") {
        Some(after) => (true, after),
        None => (false, url.strip_prefix(b"http://")?),
    };
    let len = memchr3(b'/', b'?', b'#', after_scheme).unwrap_or(after_scheme.len());
    let (host_port, rest) = after_scheme.split_at_checked(len)?;
    let origin = url.get(..url.len() - rest.len())?;
    is_plain(host_port).then_some((UrlParts { https, host_port, rest }, origin))
}

/// Whether the scheme is https, and what follows `://`.
#[inline]
fn split_scheme(url: &[u8]) -> Option<(bool, &[u8])> {
    if let Some((scheme, after)) = url.split_at_checked(8)
        && scheme.eq_ignore_ascii_case(b"https://")
    {
        return Some((true, after));
    }
    let (scheme, after) = url.split_at_checked(7)?;
    scheme.eq_ignore_ascii_case(b"http://").then_some((false, after))
}

/// Scheme and authority as a URL spells them: what the next URL of the same origin begins with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(Vec<u8>);

impl Prefix {
    /// Takes those of `url`, whose authority `rest` follows.
    #[inline]
    pub fn set(&mut self, url: &[u8], rest: &[u8]) {
        self.0.clear();
        self.0.extend_from_slice(&url[..url.len().saturating_sub(rest.len())]);
    }

    /// No URL begins as the last one did.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// What follows the authority of `url`, if scheme and authority are spelt as here.
    ///
    /// # Complexity
    /// One comparison of octets.
    #[must_use]
    #[inline]
    pub fn rest_of<'u>(&self, url: &'u [u8]) -> Option<&'u [u8]> {
        let begins = !self.0.is_empty() && begins_with(url, &self.0);
        let rest = url.get(self.0.len()..).filter(|_| begins)?;
        matches!(rest.first(), None | Some(b'/' | b'?' | b'#')).then_some(rest)
    }
}

/// Writes the canonical origin of split parts into `out`, cleared first, as `https://host[:port]`.
///
/// False where there is no valid host or port; `out` then holds nothing of use. Writing the
/// origin of an origin gives it back. A plain host (octets `[a-z0-9._-]`, no dot at the end, no
/// port) is copied; any other goes the slow way:
///
/// - host and port end at the first `;`;
/// - a port is decimal, at most 65535; the scheme's default and an empty one are dropped;
/// - an IPv6 address in brackets is written as [`Ipv6Addr`] writes it (RFC 5952);
/// - any other host is percent-decoded, put in its ASCII form (UTS 46, non-transitional, not
///   strict: underscores, empty labels and over-long names pass) and lower case, and loses the
///   dots at its end. Octets that are not UTF-8 and what WHATWG forbids in a domain make it
///   invalid.
pub fn write_origin(parts: &UrlParts<'_>, out: &mut Vec<u8>) -> bool {
    out.clear();
    out.extend_from_slice(if parts.https { b"https://" } else { b"http://" });
    if is_plain(parts.host_port) {
        out.extend_from_slice(parts.host_port);
        return true;
    }
    write_host_port(parts, out).is_some()
}

/// Whether a host is its own canonical form.
#[inline]
fn is_plain(host_port: &[u8]) -> bool {
    let mut is_plain = Lanes::all(u8::MAX);
    for_each_chunk(host_port, b'a', |octets| {
        let alphanumeric = octets.is_in(b'a', b'z').or(octets.is_in(b'0', b'9'));
        is_plain = is_plain.and(alphanumeric.or(octets.is_in(b'-', b'.')).or(octets.is(b'_')));
    });
    is_plain.high_bits() == (1 << LANES) - 1 && host_port.last().is_some_and(|&octet| octet != b'.')
}

#[inline]
fn is_plain_octet(octet: u8) -> bool {
    matches!(octet, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b'_')
}

/// The slow way of [`write_origin`].
fn write_host_port(parts: &UrlParts<'_>, out: &mut Vec<u8>) -> Option<()> {
    let host_port = parts.host_port.split(|&octet| octet == b';').next()?;
    let (host, port) = if host_port.first() == Some(&b'[') {
        let close = host_port.iter().position(|&octet| octet == b']')?;
        host_port.split_at_checked(close + 1)?
    } else {
        let colon = host_port.iter().position(|&octet| octet == b':');
        host_port.split_at_checked(colon.unwrap_or(host_port.len()))?
    };
    let port = read_port(port)?;
    match host.strip_prefix(b"[").and_then(|host| host.strip_suffix(b"]")) {
        Some(address) => write_ipv6(address, out)?,
        None => write_name(&percent_decode(host), out)?,
    }
    let default_port = if parts.https { 443 } else { 80 };
    if let Some(port) = port.filter(|&port| port != default_port) {
        out.extend_from_slice(format!(":{port}").as_bytes());
    }
    Some(())
}

/// Reads a port with its colon: `Some(None)` where it is empty or missing, `None` where it is no
/// port.
fn read_port(text: &[u8]) -> Option<Option<u16>> {
    let Some((colon, digits)) = text.split_first() else {
        return Some(None);
    };
    if *colon != b':' {
        return None;
    }
    let mut port = None;
    for digit in digits {
        let value = char::from(*digit).to_digit(10)?;
        let so_far = u32::from(port.unwrap_or(0_u16));
        port = Some(u16::try_from(so_far * 10 + value).ok()?);
    }
    Some(port)
}

fn write_ipv6(address: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let address: Ipv6Addr = std::str::from_utf8(address).ok()?.parse().ok()?;
    out.extend_from_slice(format!("[{address}]").as_bytes());
    Some(())
}

/// Writes a percent-decoded host name in its ASCII form, lower case, without dots at its end.
fn write_name(host: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let start = out.len();
    if host.iter().all(|octet| is_plain_octet(octet.to_ascii_lowercase())) {
        out.extend(host.iter().map(u8::to_ascii_lowercase));
    } else if host.len() <= MAX_INTERNATIONAL_HOST_LEN {
        let ascii = idna::domain_to_ascii_cow(host, FORBIDDEN_IN_HOST).ok()?;
        let is_short = ascii.len() <= MAX_INTERNATIONAL_HOST_LEN;
        out.extend_from_slice(is_short.then_some(ascii)?.as_bytes());
    } else {
        return None;
    }
    while out.len() > start && out.last() == Some(&b'.') {
        out.pop();
    }
    (out.len() > start).then_some(())
}

/// Decodes `%XX` once; a stray `%` stays (and is forbidden in a host).
fn percent_decode(host: &[u8]) -> Cow<'_, [u8]> {
    if !host.contains(&b'%') {
        return Cow::Borrowed(host);
    }
    let mut decoded = Vec::with_capacity(host.len());
    let mut rest = host;
    while let Some((&octet, after)) = rest.split_first() {
        let (value, after) = match (octet, read_escape(after)) {
            (b'%', Some(value)) => (value, after.get(2..).unwrap_or_default()),
            _ => (octet, after),
        };
        decoded.push(value);
        rest = after;
    }
    Cow::Owned(decoded)
}

/// The octet that two hexadecimal digits stand for.
fn read_escape(text: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*text.get(at)?).to_digit(16);
    u8::try_from(digit(0)? * 16 + digit(1)?).ok()
}

/// Scheme, host and port of an http(s) URL in canonical form; equal when the origins are.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Origin {
    text: Box<str>,
    /// Where the host ends in `text`.
    host_end: usize,
}

impl Origin {
    /// The origin of a URL or of a bare `https://host`; path and query are ignored. `None` where
    /// [`split`] finds no http(s) URL or [`write_origin`] no valid host.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut canonical = Vec::with_capacity(text.len().min(300));
        if !write_origin(&split(text)?, &mut canonical) {
            return None;
        }
        let text = String::from_utf8(canonical).ok()?.into_boxed_str();
        let is_address = text.ends_with(']');
        let host_end = text.rfind(':').filter(|&at| at > "https".len() && !is_address);
        Some(Self { host_end: host_end.unwrap_or(text.len()), text })
    }

    /// The canonical text: `https://www.example.com`, `http://example.com:8080`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &str {
        if self.text.starts_with("https") { "https" } else { "http" }
    }

    /// The host in ASCII form; an IPv6 address with its brackets.
    pub fn host(&self) -> &str {
        self.text.get(self.scheme().len() + "://".len()..self.host_end).unwrap_or_default()
    }

    /// The port where it is not the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.text.get(self.host_end + 1..)?.parse().ok()
    }

    /// The sort key in which an origin stands beside its subdomains: host labels reversed and
    /// joined by `,`, then `:port` when it is not the default, then `)`, then the scheme
    /// (`com,example,www)https`). IP addresses are not reversed.
    pub fn surt(&self) -> String {
        let mut key = String::with_capacity(self.text.len());
        if is_ip_address(self.host()) {
            key.push_str(self.host());
        } else {
            let host = self.host();
            let mut end = host.len();
            for dot in memrchr_iter(b'.', host.as_bytes()) {
                key.push_str(host.get(dot + 1..end).unwrap_or_default());
                key.push(',');
                end = dot;
            }
            key.push_str(host.get(..end).unwrap_or_default());
        }
        key.push_str(self.text.get(self.host_end..).unwrap_or_default());
        key.push(')');
        key.push_str(self.scheme());
        key
    }
}

/// Whether a canonical host is an IPv6 address or an IPv4 address in four decimal parts.
pub(super) fn is_ip_address(host: &str) -> bool {
    host.starts_with('[') || host.parse::<std::net::Ipv4Addr>().is_ok()
}
