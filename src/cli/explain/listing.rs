//! Which lines of a body are shown for one agent, and how each is marked.
//!
//! Enters: the octets of a body, what became of an agent. Leaves: lines as text that a terminal or a page may show, with
//! marks, and gaps. Must not know: colours, tags.

use std::collections::BTreeSet;

use robosift::explain::AgentStory;
use robosift::text::lines::lines;

/// A line, or a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Row {
    Line(Line),
    /// So many lines that are not shown.
    Gap(usize),
}

/// A line that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) number: u32,
    pub(super) text: String,
    /// It is part of a group that applies.
    pub(super) in_group: bool,
    /// Its rule decides.
    pub(super) decides: bool,
    /// Its rule matches.
    pub(super) matches: bool,
}

/// How much is shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Lines up to which a body is shown whole.
    pub(super) whole: usize,
    /// Characters of a line.
    pub(super) width: usize,
}

/// Lines shown around the one that decides.
const AROUND: u32 = 3;
/// Lines shown of the beginning of a group.
const OF_GROUP: u32 = 5;
/// Other rules that match whose lines are shown.
const MOST_MATCHES: usize = 10;
/// Groups that apply whose beginnings are shown.
const MOST_GROUPS: usize = 5;
/// Gaps no longer than this are filled.
const SHORT_GAP: u32 = 2;

/// The lines of `body` that are shown for `agent`.
pub(super) fn listing(body: &[u8], agent: &AgentStory, room: Room) -> Vec<Row> {
    let num_lines = lines(body).count();
    let shown = match num_lines > room.whole {
        true => Some(interesting(agent)),
        false => None,
    };
    let mut rows: Vec<Row> = Vec::new();
    for line in lines(body) {
        let is_shown = shown.as_ref().is_none_or(|shown| shown.contains(&line.number));
        match (is_shown, rows.last_mut()) {
            (true, _) => rows.push(Row::Line(marked(line.number, line.octets, agent, room))),
            (false, Some(Row::Gap(count))) => *count += 1,
            (false, _) => rows.push(Row::Gap(1)),
        }
    }
    rows
}

fn marked(number: u32, octets: &[u8], agent: &AgentStory, room: Room) -> Line {
    let applied = agent.groups.iter().filter(|group| group.passed_over.is_none());
    let mut applied = applied.map(|group| group.first_line..=group.last_line);
    Line {
        number,
        text: cut(octets, room.width),
        in_group: agent.applied.is_some() && applied.any(|lines| lines.contains(&number)),
        decides: agent.deciding_line() == Some(number),
        matches: agent.rules.iter().any(|rule| rule.line == number),
    }
}

/// Numbers of the lines that matter, and of those around them.
fn interesting(agent: &AgentStory) -> BTreeSet<u32> {
    let mut shown = BTreeSet::new();
    let mut show = |from: u32, to: u32| shown.extend(from.max(1)..=to);
    if let Some(line) = agent.deciding_line() {
        show(line.saturating_sub(AROUND), line.saturating_add(AROUND));
    }
    for rule in agent.rules.iter().take(MOST_MATCHES) {
        show(rule.line, rule.line);
    }
    let applied = agent.groups.iter().filter(|group| group.passed_over.is_none());
    for group in applied.take(MOST_GROUPS) {
        let beginning = group.first_line.saturating_add(OF_GROUP);
        show(group.first_line.saturating_sub(1), beginning.min(group.last_line));
        show(group.last_line, group.last_line.saturating_add(1));
    }
    if shown.is_empty() {
        shown.extend(1..=10);
    }
    let ends: Vec<u32> = shown.iter().copied().collect();
    for pair in ends.windows(2) {
        if let [one, other] = pair
            && other - one <= SHORT_GAP + 1
        {
            shown.extend(*one..*other);
        }
    }
    shown
}

/// Text that is shown: a line's first characters, with the number of those left out.
pub(crate) fn cut(octets: &[u8], width: usize) -> String {
    // Four octets a character suffice.
    let head = octets.get(..width.saturating_mul(4)).unwrap_or(octets);
    let text = visible(&String::from_utf8_lossy(head));
    match text.char_indices().nth(width) {
        None if head.len() == octets.len() => text,
        end => {
            let kept = end.map_or(text.as_str(), |(at, _)| text.get(..at).unwrap_or_default());
            format!("{kept}… ({} octets)", octets.len())
        }
    }
}

/// Text whose control characters, and those that turn the direction of writing, are written out: `\u{1b}`.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push(c),
            c if c.is_control() || is_format(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

fn is_format(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{61C}')
}
