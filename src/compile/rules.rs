//! The rules of a body, normalised once, each ready to be ranked in any group it belongs to.

use memchr::memchr_iter;

use super::ids::{narrow, widen};
use super::keys::{Key, Sorter};
use super::layout::{self, WORD_LEN};
use super::pattern::{self, Shape, Stars};
use super::text_order::Place;
use super::words::word_of;
use crate::parse::{Dialect, Group, Kind, Robots, Rule};
use crate::text::room::empty;

/// A rule that can match, its pattern among the texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) text_at: u32,
    /// Octets of the pattern without its anchor, and without a star that means no more than its end.
    compared_len: u32,
    /// Octets of the normalised pattern; more than the text has where runs of stars were made one.
    pub(super) specificity: u32,
    pub(super) line: u32,
    /// As in a program's record of the rule, but for the pair.
    pub(super) flags: u32,
}

impl Ranked {
    /// The pattern without its anchor, and without a star that means no more than its end.
    #[inline]
    pub(super) fn compared_text<'t>(&self, texts: &'t [u8]) -> &'t [u8] {
        let at = widen(self.text_at);
        texts.get(at..at + widen(self.compared_len)).unwrap_or_default()
    }

    /// Where that stands.
    pub(super) fn compared_place(&self) -> Place {
        Place { at: self.text_at, len: self.compared_len }
    }

    /// The word that a path must agree with: of what the pattern begins with behind its `/`, up to a
    /// wildcard.
    #[inline]
    pub(super) fn word(&self, texts: &[u8]) -> [u8; WORD_LEN] {
        let first = self.compared_place().word(texts, 0).swap_bytes();
        let star = high_bit_if_zero(first ^ repeated(b'*'));
        // What stands below the lowest bit; all where there is none.
        let before_star = ((star & star.wrapping_neg()) >> 7).wrapping_sub(1);
        match (first & before_star).to_le_bytes() {
            [b'/', after_slash @ ..] => word_of(&after_slash),
            _ => [0; WORD_LEN],
        }
    }

    /// Octets of its specificity at its end that are not compared.
    #[inline]
    pub(super) fn cut(&self) -> u32 {
        self.specificity.saturating_sub(self.compared_len)
    }

    /// Its pattern ends in the `$` that anchors.
    #[inline]
    pub(super) fn is_anchored(&self) -> bool {
        self.flags & layout::RULE_ANCHORED != 0
    }
}

/// Eight times the same octet.
const fn repeated(octet: u8) -> u64 {
    u64::from_le_bytes([octet; 8])
}

/// The highest bits of the octets of `word` that are zero, and perhaps of others above one that is.
#[inline]
fn high_bit_if_zero(word: u64) -> u64 {
    word.wrapping_sub(repeated(1)) & !word & repeated(0x80)
}

/// Stands where there is no rule.
static NO_RULE: Ranked = Ranked { text_at: 0, compared_len: 0, specificity: 0, line: 0, flags: 0 };

/// The rules of one group of the body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Part {
    /// Where their keys begin and end.
    keys: (usize, usize),
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
    /// In the order of the body.
    ranked: Vec<Ranked>,
    /// Their keys, sorted within each part.
    keys: Vec<Key>,
    sorter: Sorter,
    pub(super) parts: Vec<Part>,
    /// Normalised patterns.
    pub(super) texts: Vec<u8>,
}

impl Rules {
    /// Empties all lists; their memory is kept where it is not large.
    pub(super) fn empty(&mut self) {
        self.empty_rules();
        empty(&mut self.parts);
        empty(&mut self.texts);
    }

    /// Forgets all but the texts and parts.
    pub(super) fn empty_rules(&mut self) {
        empty(&mut self.ranked);
        empty(&mut self.keys);
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
        self.sorter.empty();
    }

    /// The keys of the rules of `part`, in order.
    pub(super) fn of(&self, part: Part) -> &[Key] {
        self.keys.get(part.keys.0..part.keys.1).unwrap_or_default()
    }

    /// How many literal rules and how many others `part` has.
    pub(super) fn count(&self, part: Part) -> (usize, usize) {
        let keys = self.of(part);
        let num_literals = keys.partition_point(|key| key.is_literal());
        (num_literals, keys.len() - num_literals)
    }

    /// The rules that have `keys`.
    #[inline]
    pub(super) fn ranked<'r>(
        &'r self,
        keys: &'r [Key],
    ) -> impl ExactSizeIterator<Item = &'r Ranked> + Clone {
        keys.iter().map(|key| self.get(*key))
    }

    /// The rule that has `key`.
    #[inline]
    pub(super) fn get(&self, key: Key) -> &Ranked {
        self.ranked.get(key.number()).unwrap_or(&NO_RULE)
    }

    fn add_part(&mut self, robots: &Robots<'_>, group: &Group, dialect: &Dialect) {
        let first = self.keys.len();
        let mut part = Part::default();
        for rule in robots.rules_of(group) {
            if rule.pattern.is_empty() {
                part.note_empty(rule);
            } else {
                self.add(rule, dialect);
            }
        }
        part.keys = (first, self.keys.len());
        self.parts.push(part);
        self.sorter.sort(self.keys.get_mut(first..).unwrap_or_default());
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
        let (text_at, text_len) = match may_have_run {
            true => self.unite_stars(start),
            false => (narrow(start), specificity),
        };
        let has_end = shape.anchored || shape.stars == Stars::AtEnd;
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        self.keys.push(Key::new(shape.is_literal(), specificity, rule.kind, self.ranked.len()));
        self.ranked.push(Ranked {
            text_at,
            compared_len: text_len.saturating_sub(u32::from(has_end)),
            specificity,
            line: rule.line,
            flags: flag(rule.kind == Kind::Allow, layout::RULE_ALLOW)
                | flag(shape.anchored, layout::RULE_ANCHORED)
                | flag(text_len != specificity, layout::RULE_SHORTENED),
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
    /// before it, and that length.
    #[cold]
    fn unite_stars(&mut self, start: usize) -> (u32, u32) {
        let text = self.texts.get(start..).unwrap_or_default();
        if !memchr_iter(b'*', text).any(|at| text.get(at + 1) == Some(&b'*')) {
            return (narrow(start), narrow(text.len()));
        }
        let mut text = self.texts.split_off(start);
        text.dedup_by(|later, earlier| *later == b'*' && *earlier == b'*');
        self.texts.extend_from_slice(&narrow(text.len()).to_le_bytes());
        self.texts.extend_from_slice(&text);
        (narrow(start + 4), narrow(text.len()))
    }
}
