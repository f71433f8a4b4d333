//! The rules of a body, normalised once, each ready to be ranked in any group it belongs to.

use memchr::memchr_iter;

use super::ids::{narrow, widen};
use super::pattern::{self, Shape, Stars};
use super::words::WORD_SPAN;
use crate::parse::{Dialect, Group, Kind, Robots, Rule};
use crate::text::room::empty;

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

/// More octets than any normalised pattern has: three times the largest body that is read.
const MOST_OCTETS: u32 = (1 << 30) - 1;

/// How many of the lowest bits of a key number the rule: enough for the largest body that is read.
const NUMBER_BITS: u32 = 31;

impl Ranked {
    /// Sorts as programs keep rules: literal rules first, then those with a wildcard, each by rank,
    /// which is more octets, then allow, then the earlier of a body's rules, which are numbered.
    fn key(&self, number: usize) -> u64 {
        let first = u32::from(!self.shape.is_literal()) << 31
            | MOST_OCTETS.saturating_sub(self.specificity);
        let later = u32::from(self.kind == Kind::Disallow) << NUMBER_BITS | narrow(number);
        u64::from(first) << 32 | u64::from(later)
    }

    /// As [`Ranked::key`], by the rule's line: it may have a second pattern of another length.
    pub(super) fn order(&self) -> u64 {
        self.key(widen(self.line))
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

/// The number of the rule that has `key`.
fn number_of(key: u64) -> usize {
    const NUMBER: u64 = (1 << NUMBER_BITS) - 1;
    usize::try_from(key & NUMBER).unwrap_or(usize::MAX)
}

/// The rules of one group of the body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Where they begin and end among the ranked rules.
    rules: (usize, usize),
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
#[derive(Debug, Default)]
pub(super) struct Rules {
    pub(super) ranked: Vec<Ranked>,
    pub(super) parts: Vec<Part>,
    /// Normalised patterns.
    pub(super) texts: Vec<u8>,
    /// The keys of a part's rules, and the rules in their order.
    keys: Vec<u64>,
    sorted: Vec<Ranked>,
}

impl Rules {
    /// Empties all lists; their memory is kept where it is not large.
    pub(super) fn empty(&mut self) {
        empty(&mut self.ranked);
        empty(&mut self.parts);
        empty(&mut self.texts);
    }

    /// Normalises the rules of all groups that are wanted by their number.
    pub(super) fn add_parts(
        &mut self,
        robots: &Robots<'_>,
        dialect: &Dialect,
        is_wanted: impl Fn(usize) -> bool,
    ) {
        for (number, group) in robots.groups.iter().enumerate() {
            match is_wanted(number) {
                true => self.add_part(robots, group, dialect),
                false => self.parts.push(Part::default()),
            }
        }
        empty(&mut self.keys);
        empty(&mut self.sorted);
    }

    /// The rules of `part` in the order of their keys.
    pub(super) fn of(&self, part: Part) -> &[Ranked] {
        self.ranked.get(part.rules.0..part.rules.1).unwrap_or_default()
    }

    /// How many literal rules and how many others `part` has.
    pub(super) fn count(&self, part: Part) -> (usize, usize) {
        let rules = self.of(part);
        let num_literals = rules.partition_point(|rule| rule.shape.is_literal());
        (num_literals, rules.len() - num_literals)
    }

    fn add_part(&mut self, robots: &Robots<'_>, group: &Group, dialect: &Dialect) {
        let first = self.ranked.len();
        let mut part = Part { rules: (first, first), ..Part::default() };
        for rule in robots.rules_of(group) {
            if rule.pattern.is_empty() {
                part.note_empty(rule);
            } else {
                self.add(rule, dialect);
            }
        }
        part.rules.1 = self.ranked.len();
        self.parts.push(part);
        self.sort_from(first);
    }

    /// Sorts the rules from number `first` on. Keys of one word sort faster than rules.
    fn sort_from(&mut self, first: usize) {
        let Some(rules) = self.ranked.get_mut(first..) else { return };
        self.keys.clear();
        self.keys.extend(rules.iter().enumerate().map(|(number, rule)| rule.key(number)));
        self.keys.sort_unstable();
        self.sorted.clear();
        self.sorted.extend(self.keys.iter().filter_map(|key| rules.get(number_of(*key))));
        rules.iter_mut().zip(&self.sorted).for_each(|(rule, sorted)| *rule = *sorted);
    }

    #[inline]
    fn add(&mut self, rule: &Rule<'_>, dialect: &Dialect) {
        let start = self.texts.len();
        let (shape, may_have_run) =
            pattern::normalise(rule.pattern, dialect.normalisation, &mut self.texts);
        if !shape.possible {
            self.texts.truncate(start);
        } else if dialect.index_html && rule.kind == Kind::Allow {
            self.keep_with_directory(rule, start, shape, may_have_run);
        } else {
            self.keep(rule, start, shape, may_have_run);
        }
    }

    /// Keeps the pattern written from `start` on.
    #[inline]
    fn keep(&mut self, rule: &Rule<'_>, start: usize, shape: Shape, may_have_run: bool) {
        let specificity = narrow(self.texts.len() - start);
        let text_at = if may_have_run { self.unite_stars(start) } else { start };
        self.ranked.push(Ranked {
            text_at: narrow(text_at),
            text_len: narrow(self.texts.len() - text_at),
            specificity,
            line: rule.line,
            kind: rule.kind,
            shape,
        });
    }

    /// Keeps the pattern of an allow rule, and that of the directory which it may stand for.
    fn keep_with_directory(
        &mut self,
        rule: &Rule<'_>,
        start: usize,
        shape: Shape,
        may_have_run: bool,
    ) {
        let text = self.texts.get(start..).unwrap_or_default();
        // Taken before the pattern is kept, which may shorten it.
        let directory = pattern::directory_of_index(text).map(<[u8]>::to_vec);
        self.keep(rule, start, shape, may_have_run);
        if let Some(directory) = directory {
            let second = self.texts.len();
            let stars = Stars::of(&directory, true);
            self.texts.extend_from_slice(&directory);
            self.texts.push(b'$');
            let shape = Shape { anchored: true, stars, possible: true };
            self.keep(rule, second, shape, stars != Stars::Nowhere);
        }
    }

    /// Makes runs of stars in the text from `start` on one star each, because a run means no more
    /// than one and may be as long as a body; returns where the text then begins, its length
    /// before it.
    #[cold]
    fn unite_stars(&mut self, start: usize) -> usize {
        let text = self.texts.get(start..).unwrap_or_default();
        if !memchr_iter(b'*', text).any(|at| text.get(at + 1) == Some(&b'*')) {
            return start;
        }
        let mut text = self.texts.split_off(start);
        text.dedup_by(|later, earlier| *later == b'*' && *earlier == b'*');
        self.texts.extend_from_slice(&narrow(text.len()).to_le_bytes());
        self.texts.extend_from_slice(&text);
        start + 4
    }
}
