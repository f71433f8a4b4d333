//! The lines of a head, a record's as well as an HTTP response's: `Name: value` until an empty line.
//!
//! Lines end with LF, a CR before it is dropped. A line that begins with a blank continues the one
//! before; a line without a colon is passed over.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

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

/// The fields of a head from `start` on: names as they stand, and where the values do.
pub(super) fn fields(head: &[u8], start: usize) -> impl Iterator<Item = (&[u8], Span)> {
    Lines { head, at: start }.filter_map(move |line| {
        let colon = memchr(b':', head.get(line.clone())?)?;
        let name = head.get(line.start..line.start + colon)?.trim_ascii();
        Some((name, trim(head, line.start + colon + 1..line.end)))
    })
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
