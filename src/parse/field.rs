//! One line → key and value.
//!
//! The grammar of RFC 9309 section 2.2 with the leniencies of google/robotstxt: a NUL ends the
//! line's content, blanks are space, TAB, LF, VT, FF and CR, a colon may be missing when exactly two
//! words stand on the line, keys are known by their beginning.

use memchr::{memchr2, memchr3};

use super::robots::Kind;
use crate::text::lanes::{LANES, Lanes};
use crate::text::short::short;

/// What a line says, borrowed from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'b> {
    /// What kind of line it is.
    pub key: Key,
    /// The key as written, never empty.
    pub name: &'b [u8],
    /// The value without surrounding blanks; may be empty.
    pub value: &'b [u8],
}

/// Kinds of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A user-agent line.
    UserAgent,
    /// An allow rule.
    Allow,
    /// A disallow rule.
    Disallow,
    /// Any other record: Sitemap, Crawl-delay, Content-Signal and what else people write.
    Other,
}

/// Beginnings that make a key a user-agent line; the first is the right spelling.
const USER_AGENT: [&[u8]; 3] = [b"user-agent", b"useragent", b"user agent"];
/// Beginnings that make a key a disallow rule; the first is the right spelling.
const DISALLOW: [&[u8]; 6] =
    [b"disallow", b"dissallow", b"dissalow", b"disalow", b"diasllow", b"disallaw"];
/// Typos of `allow` are not accepted.
const ALLOW: [&[u8]; 1] = [b"allow"];

/// Reads the octets of one line; `None` where it says nothing.
///
/// # Complexity
/// Linear in the line.
#[must_use]
pub fn field(line: &[u8]) -> Option<Field<'_>> {
    let (name, value) = match first_separator(line)? {
        (colon, true) => (trim(&line[..colon]), content(&line[colon + 1..])),
        (end, false) => two_words(trim(&line[..end]))?,
    };
    if name.is_empty() {
        return None;
    }
    Some(Field { key: key(name), name, value })
}

/// Where the first colon stands, or else where the line's content ends; `None` for a line that
/// says nothing.
#[inline]
fn first_separator(line: &[u8]) -> Option<(usize, bool)> {
    match memchr3(b':', b'#', 0, line) {
        Some(at) if line[at] == b':' => Some((at, true)),
        Some(0) => None,
        Some(at) => Some((at, false)),
        None => (!line.is_empty()).then_some((line.len(), false)),
    }
}

/// The line up to a NUL or a comment, without surrounding blanks.
#[inline]
fn content(line: &[u8]) -> &[u8] {
    trim(&line[..memchr2(0, b'#', line).unwrap_or(line.len())])
}

/// Key and value of a line without a colon: blanks stand between exactly two words.
fn two_words(content: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = blank_between_two_words(content)?;
    Some((trim(&content[..blank]), trim(&content[blank..])))
}

/// The first blank of trimmed `content` if it stands between exactly two words.
fn blank_between_two_words(content: &[u8]) -> Option<usize> {
    let blank = memchr2(b' ', b'\t', content)?;
    let gap = content[blank..].iter().position(|o| !matches!(o, b' ' | b'\t'))?;
    memchr2(b' ', b'\t', &content[blank + gap..]).is_none().then_some(blank)
}

fn key(name: &[u8]) -> Key {
    let begins = |spellings: &[&[u8]]| spellings.iter().any(|s| begins_ignoring_case(name, s));
    match name.first().map_or(0, |first| first | 0x20) {
        b'u' if begins(&USER_AGENT) => Key::UserAgent,
        b'a' if begins(&ALLOW) => Key::Allow,
        b'd' if begins(&DISALLOW) => Key::Disallow,
        _ => Key::Other,
    }
}

/// What [`field`] says of a line if its `content`, what stands before the first `#` or NUL, begins
/// with `Allow:` or `Disallow:`; `None` where it does not.
#[inline]
pub(super) fn well_spelt_rule(content: &[u8]) -> Option<(Kind, &[u8])> {
    let head = u64::from_le_bytes(*content.first_chunk()?) | LETTERS;
    // Chosen without a branch: which of the two comes next is hard to foresee.
    let (kind, name_len, octets, spelling) = match head.to_le_bytes().first() {
        Some(b'd') => (Kind::Disallow, 8, u64::MAX, u64::from_le_bytes(*b"disallow")),
        _ => (Kind::Allow, 5, FIVE_OCTETS, u64::from_le_bytes(*b"allow\0\0\0")),
    };
    if head & octets != spelling {
        return None;
    }
    let value = content.get(name_len..)?.strip_prefix(b":")?;
    let trimmed = value.strip_prefix(b" ").unwrap_or(value);
    // No blank is above a space.
    match (trimmed.first(), trimmed.last()) {
        (Some(b'!'..), Some(b'!'..)) => Some((kind, trimmed)),
        _ => Some((kind, trim_apart(value))),
    }
}

/// [`trim`], kept out of the way of values that need none.
#[inline(never)]
fn trim_apart(value: &[u8]) -> &[u8] {
    trim(value)
}

/// What [`field`] says of a line if its `content`, what stands before the first `#` or NUL, begins
/// with a rightly spelt key and a colon; `None` where it does not.
#[inline]
pub(super) fn well_spelt(content: &[u8]) -> Option<Field<'_>> {
    if let Some((kind, value)) = well_spelt_rule(content) {
        let (key, name_len) = match kind {
            Kind::Disallow => (Key::Disallow, 8),
            Kind::Allow => (Key::Allow, 5),
        };
        return Some(Field { key, name: content.get(..name_len)?, value });
    }
    let (name, tail) = content.split_at_checked(10)?;
    let is_user_agent = name.eq_ignore_ascii_case(b"user-agent");
    let value = tail.strip_prefix(b":").filter(|_| is_user_agent)?;
    Some(Field { key: Key::UserAgent, name, value: trim(value) })
}

/// The bit in which the two cases of a letter differ, for eight letters.
const LETTERS: u64 = u64::from_le_bytes([0x20; 8]);
/// The first five of eight octets.
const FIVE_OCTETS: u64 = u64::from_le_bytes([0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0]);

/// Whether a line whose first octet that is no blank is `first` may be anything but another record.
#[inline]
pub(super) fn may_have_rule(first: u8) -> bool {
    matches!(first | 0x20, b'u' | b'a' | b'd')
}

fn begins_ignoring_case(name: &[u8], beginning: &[u8]) -> bool {
    name.get(..beginning.len()).is_some_and(|head| head.eq_ignore_ascii_case(beginning))
}

/// Cuts blanks (space, TAB, LF, VT, FF, CR) from both ends.
#[inline]
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let mut text = trim_start(text);
    while let [rest @ .., b' ' | b'\t'..=b'\r'] = text {
        text = rest;
    }
    text
}

/// Cuts blanks from the start.
#[inline]
fn trim_start(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t'..=b'\r', rest @ ..] = text {
        text = rest;
    }
    text
}

/// The first octet above a space, which no blank is, of a line that begins with `first`; a space where
/// there is none. Web pages that stand in for robots.txt are indented, mostly by less than sixteen
/// octets.
#[inline]
pub(super) fn first_visible(first: u8, line: &[u8]) -> u8 {
    if first > b' ' {
        return first;
    }
    let start = line.first_chunk().copied().unwrap_or_else(|| short(line));
    match first_visible_of(&start) {
        None if line.len() > LANES => first_visible_behind(line),
        found => found.unwrap_or(b' '),
    }
}

#[inline]
fn first_visible_of(octets: &[u8; LANES]) -> Option<u8> {
    let visible = Lanes::new(octets).is_in(b'!', u8::MAX).high_bits();
    octets.get(usize::try_from(visible.trailing_zeros()).unwrap_or(LANES)).copied()
}

#[inline(never)]
fn first_visible_behind(line: &[u8]) -> u8 {
    let (chunks, rest) = line.as_chunks();
    let last = short(rest);
    chunks.iter().chain([&last]).find_map(first_visible_of).unwrap_or(b' ')
}
