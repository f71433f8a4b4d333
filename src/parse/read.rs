//! The octets of a body → [`Robots`], in one pass over its [marks](crate::text::marks).
//!
//! What a body says is defined by [`lines`](crate::text::lines) and [`field`], which read a line
//! after the other. Here the common kind of line, a well-spelt key with its colon at once, is read
//! without searching for anything, and every other kind is left to [`field`].

use super::field::{Field, Key, field, may_have_rule, trim_indent, well_spelt};
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
    let mut reader = Reader {
        text,
        line_limit: dialect.line_limit.unwrap_or(usize::MAX),
        longest: LONG_LINE.min(dialect.line_limit.unwrap_or(usize::MAX)),
        keep_records,
        robots: Robots { is_plain_text: text.len() == body.len(), ..room },
        number: 0,
        start: 0,
        comment: usize::MAX,
        after_cr: usize::MAX,
    };
    for_each_mark(text, |at| reader.mark(at));
    if reader.start < text.len() {
        reader.last_line();
    }
    reader.robots
}

/// What is known of the line being read; places are those of the text.
struct Reader<'b> {
    text: &'b [u8],
    line_limit: usize,
    /// Longer lines are told of, or cut.
    longest: usize,
    keep_records: bool,
    robots: Robots<'b>,
    /// Lines before it.
    number: u32,
    start: usize,
    /// Its first `#` or NUL; the largest number where there is none so far.
    comment: usize,
    /// What follows the last CR, where an LF belongs to the same line end.
    after_cr: usize,
}

impl<'b> Reader<'b> {
    #[inline]
    fn mark(&mut self, at: usize) {
        match self.text.get(at) {
            Some(b'\n') if at == self.after_cr => self.start = at + 1,
            Some(end @ (b'\n' | b'\r')) => {
                self.end_line(at);
                self.after_cr = if *end == b'\r' { at + 1 } else { usize::MAX };
            }
            Some(other) => self.other_mark(*other, at),
            None => {}
        }
    }

    // Not inlined: a choice between line ends alone is cheaper than one among all marks.
    #[inline(never)]
    fn other_mark(&mut self, octet: u8, at: usize) {
        if matches!(octet, b'#' | 0) {
            self.comment = self.comment.min(at);
        }
        if !matches!(octet, b'#' | b'\t') {
            self.robots.is_plain_text = false;
        }
    }

    // Always inlined: called, its state would be written to memory and read again for each line.
    #[inline(always)]
    fn end_line(&mut self, end: usize) {
        let start = std::mem::replace(&mut self.start, end + 1);
        let comment = std::mem::replace(&mut self.comment, usize::MAX);
        self.number = self.number.saturating_add(1);
        let line = self.text.get(start..end).unwrap_or_default();
        if line.len() > self.longest {
            return self.add_long_line(line);
        }
        let content = trim_indent(self.text.get(start..comment.min(end)).unwrap_or_default());
        let Some(first) = content.first() else { return };
        if self.keep_records || may_have_rule(*first) {
            match well_spelt(content) {
                Some(field) => self.robots.add(self.number, &field),
                None => self.add(field(line)),
            }
        }
    }

    #[cold]
    fn last_line(&mut self) {
        self.end_line(self.text.len());
    }

    #[cold]
    fn add_long_line(&mut self, line: &'b [u8]) {
        let is_long = u32::from(line.len() > LONG_LINE);
        self.robots.long_lines = self.robots.long_lines.saturating_add(is_long);
        self.add(field(&line[..line.len().min(self.line_limit)]));
    }

    fn add(&mut self, field: Option<Field<'b>>) {
        if let Some(field) = field
            && (self.keep_records || field.key != Key::Other)
        {
            self.robots.add(self.number, &field);
        }
    }
}
