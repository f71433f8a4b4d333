//! The lines of a head, a record's as well as an HTTP response's: `Name: value` until an empty line.
//!
//! Lines end with LF, a CR before it is dropped. A line that begins with a blank continues the one
//! before; a line without a colon is passed over.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2};

use crate::text::lanes::filled;

/// Where a value stands in the octets that hold its head.
pub(super) type Span = Range<usize>;

/// Where a head ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeadEnd {
    /// Octets of the head, the empty line among them.
    pub(super) len: usize,
    /// Whether a line continues another.
    pub(super) is_folded: bool,
}

/// Finds the empty line that ends the head which `octets` begin with.
pub(super) fn head_end(octets: &[u8]) -> Option<HeadEnd> {
    let mut is_folded = false;
    let mut line = 0;
    for at in memchr_iter(b'\n', octets) {
        match octets.get(line..at) {
            Some(b"" | b"\r") if line > 0 => return Some(HeadEnd { len: at + 1, is_folded }),
            Some([b' ' | b'\t', ..]) => is_folded |= line > 0,
            _ => {}
        }
        line = at + 1;
    }
    None
}

/// Puts blanks in the place of line ends before continuations, so that a value is one line.
pub(super) fn unfold(head: &mut [u8]) {
    for at in 1..head.len() {
        let is_continued = matches!(head.get(at), Some(b' ' | b'\t'));
        if is_continued && head.get(at - 1) == Some(&b'\n') {
            for line_end in head.iter_mut().take(at).rev().take_while(|octet| is_line_end(octet)) {
                *line_end = b' ';
            }
        }
    }
}

fn is_line_end(octet: &u8) -> bool {
    matches!(octet, b'\r' | b'\n')
}

/// The fields of a head from `start` on: their names, and where the values stand.
pub(super) fn fields(head: &[u8], start: usize) -> impl Iterator<Item = (Name, Span)> {
    Lines { head, at: start }.filter_map(move |line| {
        let colon = memchr(b':', head.get(line.clone())?)?;
        let name = head.get(line.start..line.start + colon)?.trim_ascii();
        Some((Name::of(name), trim(head, line.start + colon + 1..line.end)))
    })
}

/// Gives each field of a head from `start` on, where a line begins, to `take`, as [`fields`] would, and finds its end on the way;
/// gives the octets up to there. `None`, and whatever was given is to be forgotten, where a line continues another or the
/// empty line is missing: most heads are read so, in one pass instead of three.
#[inline]
pub(super) fn read_fields(
    octets: &[u8],
    start: usize,
    mut take: impl FnMut(&Name, Span),
) -> Option<usize> {
    let mut line = start;
    loop {
        let rest = octets.get(line..)?;
        match rest {
            [b'\n', ..] => return Some(line + 1),
            [b'\r', b'\n', ..] => return Some(line + 2),
            [octet, ..] if octet.is_ascii_whitespace() => return None,
            _ => {}
        }
        let mut end = memchr2(b':', b'\n', rest)?;
        if rest.get(end) == Some(&b':') {
            // No blank begins the line.
            let (name, value) = (rest.get(..end)?.trim_ascii_end(), line + end + 1);
            end += memchr(b'\n', rest.get(end..)?)?;
            take(&Name::begin_of(rest, name.len()), trim(octets, value..line + end));
        }
        line += end + 1;
    }
}

/// Octets that a field's name has at most, of those that are looked for.
const LONGEST_NAME: usize = 32;

/// The name of a field in lower case, to be compared with all that are looked for.
pub(super) struct Name {
    octets: [u8; LONGEST_NAME],
    len: usize,
}

impl Name {
    fn of(name: &[u8]) -> Self {
        Name::begin_of(name, name.len())
    }

    /// The first `len` octets of `line`. All that may be a name are taken, which takes fewer steps than those that are one.
    #[inline]
    fn begin_of(line: &[u8], len: usize) -> Self {
        let mut octets: [u8; LONGEST_NAME] = filled(line, 0);
        octets.make_ascii_lowercase();
        Name { octets, len }
    }

    /// Nothing where the name is longer than any that is looked for.
    #[inline]
    pub(super) fn octets(&self) -> &[u8] {
        self.octets.get(..self.len).unwrap_or_default()
    }
}

/// The octets of `span`.
pub(super) fn text<'o>(octets: &'o [u8], span: &Option<Span>) -> Option<&'o [u8]> {
    octets.get(span.clone()?)
}

struct Lines<'h> {
    head: &'h [u8],
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Span;

    fn next(&mut self) -> Option<Span> {
        let rest = self.head.get(self.at..).filter(|rest| !rest.is_empty())?;
        let start = self.at;
        let len = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = start + len + 1;
        Some(start..start + len)
    }
}

fn trim(octets: &[u8], span: Span) -> Span {
    let Some(value) = octets.get(span.clone()) else { return span.start..span.start };
    let leading = value.len() - value.trim_ascii_start().len();
    let start = span.start + leading;
    start..start + value.trim_ascii().len()
}
