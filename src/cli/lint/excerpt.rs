//! Lines of a body as they are shown below a finding.
//!
//! Enters: hostile octets and a place among them. Leaves: text that no terminal obeys, at most some hundred letters
//! of it, and where the place stands in it.

use std::collections::HashMap;
use std::ops::Range;

use robosift::lint::Finding;
use robosift::text::lines::lines;

/// Octets that are shown before and behind the beginning of a place in a long line.
const BEFORE: usize = 40;
const BEHIND: usize = 120;

/// The lines that findings speak of.
pub(super) struct Lines<'b>(HashMap<u32, &'b [u8]>);

impl<'b> Lines<'b> {
    /// Of `body`, in one pass.
    pub(super) fn of(body: &'b [u8], findings: &[Finding]) -> Self {
        let mut wanted: HashMap<u32, &[u8]> = HashMap::new();
        for finding in findings {
            wanted.insert(finding.line, b"");
            if let Some(related) = &finding.related {
                wanted.insert(related.line, b"");
            }
        }
        for line in lines(body) {
            if let Some(octets) = wanted.get_mut(&line.number) {
                *octets = line.octets;
            }
        }
        Lines(wanted)
    }

    /// The octets of a line.
    pub(super) fn get(&self, line: u32) -> &'b [u8] {
        self.0.get(&line).copied().unwrap_or_default()
    }
}

/// A line, or what stands around a place of it, and where that place is in the text. An empty `span` is all of the line.
pub(super) fn excerpt(line: &[u8], span: &Range<usize>) -> (String, Range<usize>) {
    let span = if span.is_empty() { 0..line.trim_ascii_end().len() } else { span.clone() };
    let is_long = line.len() > BEFORE + BEHIND;
    let from = if is_long { span.start.saturating_sub(BEFORE) } else { 0 };
    let to = if is_long { span.start.saturating_add(BEHIND).min(line.len()) } else { line.len() };
    let mut text = String::new();
    if from > 0 {
        text.push('…');
    }
    let (mut start, mut end) = (None, None);
    let mut at = from;
    for chunk in line.get(from..to).unwrap_or_default().utf8_chunks() {
        for c in chunk.valid().chars() {
            mark(&mut start, &mut end, at, &span, text.len());
            at += c.len_utf8();
            push(c, &mut text);
        }
        if !chunk.invalid().is_empty() {
            mark(&mut start, &mut end, at, &span, text.len());
            at += chunk.invalid().len();
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }
    let shown = text.len();
    if to < line.len() {
        text.push('…');
    }
    let start = start.unwrap_or(shown);
    (text, start..end.unwrap_or(shown).max(start))
}

/// Notes where the place begins and ends in the text.
fn mark(
    start: &mut Option<usize>,
    end: &mut Option<usize>,
    at: usize,
    span: &Range<usize>,
    shown: usize,
) {
    if at >= span.start {
        start.get_or_insert(shown);
    }
    if at >= span.end {
        end.get_or_insert(shown);
    }
}

/// What a terminal would obey is written out; direction marks too, which would show a line otherwise than it is.
fn push(c: char, text: &mut String) {
    match c {
        '\t' => text.push(' '),
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2066}'..='\u{2069}'
        | '\u{FEFF}' => {
            text.extend(c.escape_unicode());
        }
        _ if c.is_control() => text.extend(c.escape_default()),
        _ => text.push(c),
    }
}
