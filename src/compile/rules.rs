//! The rules of a body, normalised once, each ready to be ranked in any group it belongs to.

use memchr::memmem;

use super::ids::{narrow, widen};
use super::pattern::{self, Shape, Stars};
use super::words::WORD_SPAN;
use crate::parse::{Dialect, Group, Kind, Robots, Rule};

/// A rule that can match, its pattern among the texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) text_at: u32,
    pub(super) text_len: u32,
    /// Octets of the normalised pattern; more than the text has where runs of stars were made one.
    pub(super) specificity: u32,
    pub(super) line: u32,
    pub(super) kind: Kind,
    pub(super) shape: Shape,
}

impl Ranked {
    /// Sorts by rank: more octets, then allow, then the earlier line.
    pub(super) fn rank(&self) -> (u32, u64) {
        let later = u64::from(self.kind == Kind::Disallow) << 32 | u64::from(self.line);
        (u32::MAX - self.specificity, later)
    }

    /// The pattern without its anchor, and without a star that means no more than its end.
    pub(super) fn compared_text<'t>(&self, texts: &'t [u8]) -> &'t [u8] {
        let at = widen(self.text_at);
        let has_end = self.shape.anchored || self.shape.stars == Stars::AtEnd;
        let len = widen(self.text_len) - usize::from(has_end);
        texts.get(at..at + len).unwrap_or_default()
    }

    /// What the pattern begins with behind its `/`, up to a wildcard: some octets of it.
    pub(super) fn head<'t>(&self, texts: &'t [u8]) -> &'t [u8] {
        let Some(literal) = self.compared_text(texts).strip_prefix(b"/") else { return &[] };
        let head = &literal[..literal.len().min(WORD_SPAN)];
        let len = match self.shape.is_literal() {
            true => head.len(),
            false => memchr::memchr(b'*', head).unwrap_or(head.len()),
        };
        &head[..len]
    }
}

/// The rules of one group of the body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Where they begin and end among the ranked rules.
    pub(super) rules: (usize, usize),
    /// Lines of the first empty rule of each kind, 0 where there is none.
    pub(super) empty_allow: u32,
    pub(super) empty_disallow: u32,
}

impl Part {
    /// Remembers the first empty rule of each kind.
    fn note_empty(&mut self, rule: &Rule<'_>) {
        let line = match rule.kind {
            Kind::Allow => &mut self.empty_allow,
            Kind::Disallow => &mut self.empty_disallow,
        };
        if *line == 0 {
            *line = rule.line;
        }
    }
}

/// All rules of a body.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) ranked: Vec<Ranked>,
    pub(super) parts: Vec<Part>,
    /// Normalised patterns.
    pub(super) texts: Vec<u8>,
}

impl Rules {
    /// Normalises the rules of all groups.
    pub(super) fn new(robots: &Robots<'_>, dialect: &Dialect) -> Self {
        let mut rules = Rules {
            ranked: Vec::with_capacity(robots.rules.len()),
            parts: Vec::with_capacity(robots.groups.len()),
            texts: Vec::with_capacity(robots.rules.iter().map(|rule| rule.pattern.len()).sum()),
        };
        robots.groups.iter().for_each(|group| rules.add_part(robots, group, dialect));
        rules
    }

    /// The rules of `part`.
    pub(super) fn of(&self, part: Part) -> &[Ranked] {
        self.ranked.get(part.rules.0..part.rules.1).unwrap_or_default()
    }

    fn add_part(&mut self, robots: &Robots<'_>, group: &Group, dialect: &Dialect) {
        let mut part = Part { rules: (self.ranked.len(), 0), ..Part::default() };
        for rule in robots.rules_of(group) {
            if rule.pattern.is_empty() {
                part.note_empty(rule);
            } else {
                self.add(rule, dialect);
            }
        }
        part.rules.1 = self.ranked.len();
        self.parts.push(part);
    }

    fn add(&mut self, rule: &Rule<'_>, dialect: &Dialect) {
        let start = self.texts.len();
        let shape = pattern::normalise(rule.pattern, dialect.normalisation, &mut self.texts);
        // Taken before the pattern is kept, which may shorten it.
        let directory = match dialect.index_html && rule.kind == Kind::Allow {
            true => pattern::directory_of_index(&self.texts[start..])
                .map(|len| self.texts[start..start + len].to_vec()),
            false => None,
        };
        self.keep(rule, start, shape);
        if let (Some(directory), true) = (directory, shape.possible) {
            let second = self.texts.len();
            let stars = Stars::of(&directory, true);
            self.texts.extend_from_slice(&directory);
            self.texts.push(b'$');
            self.keep(rule, second, Shape { anchored: true, stars, possible: true });
        }
    }

    /// Keeps the pattern written from `start` on, or takes it back if it can never match.
    fn keep(&mut self, rule: &Rule<'_>, start: usize, shape: Shape) {
        if !shape.possible {
            self.texts.truncate(start);
            return;
        }
        let specificity = narrow(self.texts.len() - start);
        let text_at = match shape.stars {
            Stars::Nowhere => start,
            _ => self.unite_stars(start),
        };
        self.ranked.push(Ranked {
            text_at: narrow(text_at),
            text_len: narrow(self.texts.len() - text_at),
            specificity,
            line: rule.line,
            kind: rule.kind,
            shape,
        });
    }

    /// Makes runs of stars in the text from `start` on one star each, because a run means no more
    /// than one and may be as long as a body; returns where the text then begins, its length
    /// before it.
    fn unite_stars(&mut self, start: usize) -> usize {
        if memmem::find(&self.texts[start..], b"**").is_none() {
            return start;
        }
        let mut text = self.texts.split_off(start);
        text.dedup_by(|later, earlier| *later == b'*' && *earlier == b'*');
        self.texts.extend_from_slice(&narrow(text.len()).to_le_bytes());
        self.texts.extend_from_slice(&text);
        start + 4
    }
}
