//! The octets of a body → [`Robots`], in one pass over its [marks](crate::text::marks).
//!
//! What a body says is defined by [`lines`](crate::text::lines) and [`field`], which read a line
//! after the other. Here the common kind of line, a well-spelt key with its colon at once, is read
//! without searching for anything, and every other kind is left to [`field`].

use super::field::{
    Field, Key, field, first_visible, may_have_rule, trim, well_spelt, well_spelt_rule,
};
use super::robots::Rule;
use super::{Dialect, LONG_LINE, Robots};
use crate::text::lines::byte_order_mark_len;
use crate::text::marks::for_each_mark;

/// Reads a body into `room`, which is empty; without its other records unless they are to be kept.
pub(super) fn read<'b>(
    body: &'b [u8],
    dialect: &Dialect,
    keep_records: bool,
    room: Robots<'b>,
) -> Robots<'b> {
    let text = body.get(byte_order_mark_len(body)..).unwrap_or_default();
    let line_limit = dialect.line_limit.unwrap_or(usize::MAX);
    let longest = LONG_LINE.min(line_limit);
    let mut sink = Sink { line_limit, longest, keep_records, robots: room };
    let mut line = Line { number: 1, start: 0, comment: usize::MAX };
    // What follows the last CR, where an LF belongs to the same line end.
    let mut after_cr = usize::MAX;
    let mut is_plain_text = text.len() == body.len();
    is_plain_text &= for_each_mark(text, |at| match text.get(at) {
        Some(b'\n') if at == after_cr => line.start = at + 1,
        Some(end @ (b'\n' | b'\r')) => {
            sink.line(text, line, at);
            line = line.next(at);
            after_cr = if *end == b'\r' { at + 1 } else { usize::MAX };
        }
        Some(other) => {
            let (begins_comment, is_plain) = other_mark(*other);
            is_plain_text &= is_plain;
            if begins_comment {
                line.comment = line.comment.min(at);
            }
        }
        None => {}
    });
    if line.start < text.len() {
        sink.line(text, line, text.len());
    }
    sink.robots.close_group();
    Robots { is_plain_text, ..sink.robots }
}

/// Whether a mark that ends no line ends what it says, and whether text may hold it.
// Not inlined: a choice between line ends alone is cheaper than one among all marks.
#[inline(never)]
fn other_mark(octet: u8) -> (bool, bool) {
    (matches!(octet, b'#' | 0), octet == b'#')
}

/// What is known of the line being read; places are those of the text.
#[derive(Clone, Copy)]
struct Line {
    /// Counted from 1.
    number: u32,
    start: usize,
    /// Its first `#` or NUL; the largest number where there is none so far.
    comment: usize,
}

impl Line {
    /// The one behind this one, which ends at `end`.
    #[inline]
    fn next(self, end: usize) -> Line {
        Line { number: self.number.saturating_add(1), start: end + 1, comment: usize::MAX }
    }
}

/// Where lines go.
struct Sink<'b> {
    line_limit: usize,
    /// Longer lines are told of, or cut.
    longest: usize,
    keep_records: bool,
    robots: Robots<'b>,
}

impl<'b> Sink<'b> {
    // Always inlined, so that what is known of a line stays in registers.
    #[inline(always)]
    fn line(&mut self, text: &'b [u8], line: Line, end: usize) {
        if end.saturating_sub(line.start) > self.longest {
            return self.long_line(line.number, text.get(line.start..end).unwrap_or_default());
        }
        let content = text.get(line.start..line.comment.min(end)).unwrap_or_default();
        let Some(first) = content.first() else { return };
        if let Some((kind, pattern)) = well_spelt_rule(content) {
            self.robots.add_rule(Rule { line: line.number, kind, pattern });
        } else if self.keep_records || may_have_rule(first_visible(*first, content)) {
            let whole = text.get(line.start..end).unwrap_or_default();
            self.other_line(line.number, content, whole);
        }
    }

    /// A line whose `content`, up to a comment, does not begin with a well-spelt rule.
    #[inline(never)]
    fn other_line(&mut self, number: u32, content: &'b [u8], whole: &'b [u8]) {
        match well_spelt(trim(content)) {
            Some(field) => self.robots.add(number, &field),
            None => self.add(number, field(whole)),
        }
    }

    #[cold]
    fn long_line(&mut self, number: u32, line: &'b [u8]) {
        let is_long = u32::from(line.len() > LONG_LINE);
        self.robots.long_lines = self.robots.long_lines.saturating_add(is_long);
        self.add(number, field(line.get(..self.line_limit).unwrap_or(line)));
    }

    fn add(&mut self, number: u32, field: Option<Field<'b>>) {
        if let Some(field) = field
            && (self.keep_records || field.key != Key::Other)
        {
            self.robots.add(number, &field);
        }
    }
}
