//! One line → key and value.
//!
//! The grammar of RFC 9309 section 2.2 with the leniencies of google/robotstxt: a NUL ends the
//! line's content, blanks are space, TAB, LF, VT, FF and CR, a colon may be missing when exactly two
//! words stand on the line, keys are known by their beginning.

use memchr::{memchr2, memchr3};

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
/// with a rightly spelt key and a colon; `None` where it does not.
#[inline]
pub(super) fn well_spelt(content: &[u8]) -> Option<Field<'_>> {
    let head = u64::from_le_bytes(*content.first_chunk()?);
    let (key, name_len) = if head | LETTERS == u64::from_le_bytes(*b"disallow") {
        (Key::Disallow, 8)
    } else if (head | LETTERS) & FIVE_OCTETS == u64::from_le_bytes(*b"allow\0\0\0") {
        (Key::Allow, 5)
    } else if content.get(..10)?.eq_ignore_ascii_case(b"user-agent") {
        (Key::UserAgent, 10)
    } else {
        return None;
    };
    let (name, tail) = content.split_at_checked(name_len)?;
    Some(Field { key, name, value: trim(tail.strip_prefix(b":")?) })
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

/// Cuts blanks from the start of a line: web pages that stand in for robots.txt are indented, far.
#[inline]
pub(super) fn trim_indent(mut line: &[u8]) -> &[u8] {
    while let Some((head, rest)) = line.split_first_chunk() {
        let others = u64::from_le_bytes(*head) ^ u64::from_le_bytes([b' '; 8]);
        if others != 0 {
            // A number of octets below eight fits.
            let spaces = usize::try_from(others.trailing_zeros() / 8).unwrap_or(0);
            line = line.get(spaces..).unwrap_or_default();
            break;
        }
        line = rest;
    }
    trim_start(line)
}
