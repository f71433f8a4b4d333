//! A body cut into lines, numbered as Google's parser numbers them.
//!
//! CR, LF and CRLF each end one line; a byte order mark at the very start, whole or only begun, is
//! skipped. One `memchr` pass, no allocation.

use memchr::memchr2;

const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// One line of a body, without its line end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'b> {
    /// Position in the body, from 1.
    pub number: u32,
    /// The octets of the line. NULs and comments are still in it.
    pub octets: &'b [u8],
}

/// Iterator over the lines of a body.
///
/// A body that ends in a line end has no further empty line here; Google's parser sees one, which
/// can hold nothing. Numbers stop counting at `u32::MAX`.
///
/// # Complexity
/// Linear in the body, constant space.
///
/// # Examples
/// ```
/// use robosift::text::lines::lines;
/// let numbered: Vec<(u32, &[u8])> = lines(b"a\r\nb\rc").map(|l| (l.number, l.octets)).collect();
/// assert_eq!(numbered, [(1, &b"a"[..]), (2, b"b"), (3, b"c")]);
/// ```
#[derive(Clone, Debug)]
pub struct Lines<'b> {
    rest: &'b [u8],
    number: u32,
}

/// The lines of `body`, its byte order mark skipped.
#[must_use]
pub fn lines(body: &[u8]) -> Lines<'_> {
    Lines { rest: &body[byte_order_mark_len(body)..], number: 0 }
}

/// How many of the first octets are the beginning of a UTF-8 byte order mark: 0 to 3.
#[must_use]
pub fn byte_order_mark_len(body: &[u8]) -> usize {
    BYTE_ORDER_MARK.iter().zip(body).take_while(|(mark, octet)| mark == octet).count()
}

impl<'b> Iterator for Lines<'b> {
    type Item = Line<'b>;

    #[inline]
    fn next(&mut self) -> Option<Line<'b>> {
        if self.rest.is_empty() {
            return None;
        }
        self.number = self.number.saturating_add(1);
        let (octets, rest) = match memchr2(b'\n', b'\r', self.rest) {
            None => (self.rest, &self.rest[self.rest.len()..]),
            Some(end) => (&self.rest[..end], &self.rest[end + line_end_len(&self.rest[end..])..]),
        };
        self.rest = rest;
        Some(Line { number: self.number, octets })
    }
}

/// Two for CRLF, else one.
fn line_end_len(at_end: &[u8]) -> usize {
    if at_end.starts_with(b"\r\n") { 2 } else { 1 }
}
