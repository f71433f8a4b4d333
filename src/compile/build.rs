//! Writing a [`Program`]: names united over groups, rules normalised once and ranked.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::choose::{Chooser, Form};
use super::grams::grams_of;
use super::ids::{narrow, widen};
use super::layout;
use super::names::{self, Name, Names, Parts};
use super::pattern::{self, Shape};
use super::program::{BodyFlags, NameKind, Program};
use crate::parse::{Dialect, Group, Kind, Robots, Rule, parse};
use crate::text::{lines::byte_order_mark_len, sniff};

/// How many octets of a body are read (RFC 9309 section 2.5); the rest is ignored and flagged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLimit(usize);

impl BodyLimit {
    /// 500 KiB: what every crawler must read, and what Google reads.
    pub const DEFAULT: BodyLimit = BodyLimit(512_000);

    /// No limit but the 256 MiB that keep every offset of a program within 32 bits.
    pub const NONE: BodyLimit = BodyLimit(256 << 20);

    /// A limit of `octets`, 0 for [`BodyLimit::NONE`].
    #[must_use]
    pub fn new(octets: usize) -> Self {
        if octets == 0 { BodyLimit::NONE } else { BodyLimit(octets.min(BodyLimit::NONE.0)) }
    }

    /// The part of `body` that is read.
    #[must_use]
    pub fn cut(self, body: &[u8]) -> &[u8] {
        &body[..body.len().min(self.0)]
    }
}

/// Compiles a body.
///
/// # Complexity
/// Linear in the body, plus sorting each group's rules by rank; at most some three times as many
/// rules are written as the body has, whatever groups its names share.
#[must_use]
pub fn compile(body: &[u8], dialect: &Dialect, limit: BodyLimit) -> Program {
    let read = limit.cut(body);
    let robots = parse(read, dialect);
    let mut build = Build::new(&robots, dialect);
    build.add_groups();
    build.finish(flags(body, read, &robots))
}

fn flags(body: &[u8], read: &[u8], robots: &Robots<'_>) -> BodyFlags {
    BodyFlags::default()
        .with(BodyFlags::OVER_LIMIT, read.len() < body.len())
        .with(BodyFlags::WEB_PAGE, sniff::is_web_page(read))
        .with(BodyFlags::BINARY, sniff::is_binary(read))
        .with(BodyFlags::LONG_LINE, robots.long_lines > 0)
        .with(BodyFlags::NOT_UTF8, !is_utf8_so_far(read))
        .with(BodyFlags::BYTE_ORDER_MARK, byte_order_mark_len(read) > 0)
        .with(BodyFlags::BLANK, read[byte_order_mark_len(read)..].trim_ascii().is_empty())
}

/// A body cut in the middle of a character is still UTF-8.
fn is_utf8_so_far(body: &[u8]) -> bool {
    std::str::from_utf8(body).map_or_else(|error| error.error_len().is_none(), |_| true)
}

/// A rule that can match, its pattern in the text arena.
#[derive(Clone, Copy)]
struct Ranked {
    pattern_at: u32,
    pattern_len: u32,
    line: u32,
    kind: Kind,
    shape: Shape,
}

impl Ranked {
    /// Sorts by rank: more octets, then allow, then the earlier line.
    fn rank(&self) -> (std::cmp::Reverse<u32>, bool, u32) {
        (std::cmp::Reverse(self.pattern_len), self.kind == Kind::Disallow, self.line)
    }
}

/// The rules of one group of the body.
#[derive(Clone, Copy, Default)]
struct PartRules {
    /// Where they begin and end in the list of ranked rules.
    from: usize,
    to: usize,
    empty_allow: u32,
    empty_disallow: u32,
}

struct Build<'r, 'b> {
    robots: &'r Robots<'b>,
    dialect: &'r Dialect,
    texts: Vec<u8>,
    ranked: Vec<Ranked>,
    part_rules: Vec<PartRules>,
    names: Vec<(Name, u32)>,
    wildcard: Option<u32>,
    groups: Vec<Vec<u8>>,
    chooser: Chooser,
}

impl<'r, 'b> Build<'r, 'b> {
    fn new(robots: &'r Robots<'b>, dialect: &'r Dialect) -> Self {
        let mut build = Build {
            robots,
            dialect,
            texts: Vec::new(),
            ranked: Vec::with_capacity(robots.rules.len()),
            part_rules: Vec::with_capacity(robots.groups.len()),
            names: Vec::new(),
            wildcard: None,
            groups: Vec::new(),
            chooser: Chooser::new(robots.rules.len()),
        };
        for group in &robots.groups {
            build.add_part(group);
        }
        build
    }

    /// Normalises the rules of one group of the body.
    fn add_part(&mut self, group: &Group) {
        let from = self.ranked.len();
        let mut part = PartRules { from, ..PartRules::default() };
        for rule in self.robots.rules_of(group) {
            if rule.pattern.is_empty() {
                note_empty_rule(&mut part, rule);
            } else {
                self.add_rule(rule);
            }
        }
        part.to = self.ranked.len();
        self.part_rules.push(part);
    }

    fn add_rule(&mut self, rule: &Rule<'_>) {
        let start = self.texts.len();
        let shape = pattern::normalise(rule.pattern, self.dialect.normalisation, &mut self.texts);
        let index_directory = (self.dialect.index_html && rule.kind == Kind::Allow)
            .then(|| pattern::directory_of_index(&self.texts[start..]).map(<[u8]>::to_vec))
            .flatten();
        self.push_rule(rule, start, shape);
        if let Some(directory) = index_directory {
            let start = self.texts.len();
            self.texts.extend_from_slice(&directory);
            self.texts.push(b'$');
            let wildcard = memchr::memchr(b'*', &directory).is_some();
            self.push_rule(rule, start, Shape { anchored: true, wildcard, ..shape });
        }
    }

    /// Keeps the pattern written from `start` on, or takes it back if it can never match.
    fn push_rule(&mut self, rule: &Rule<'_>, start: usize, shape: Shape) {
        if !shape.possible {
            self.texts.truncate(start);
            return;
        }
        self.ranked.push(Ranked {
            pattern_at: narrow(start),
            pattern_len: narrow(self.texts.len() - start),
            line: rule.line,
            kind: rule.kind,
            shape,
        });
    }

    /// Finds the names and writes one group program for each distinct set of groups they stand over.
    fn add_groups(&mut self) {
        let Names { named, wildcard } = names::collect(self.robots, self.dialect);
        let mut written: HashMap<Parts, u32, RandomState> = HashMap::default();
        if !wildcard.is_empty() {
            self.wildcard = Some(self.group_of(wildcard, &mut written));
        }
        for (name, parts) in named {
            let group = self.group_of(parts, &mut written);
            self.names.push((name, group));
        }
    }

    fn group_of(&mut self, parts: Parts, written: &mut HashMap<Parts, u32, RandomState>) -> u32 {
        if let Some(&group) = written.get(&parts) {
            return group;
        }
        let form = self.chooser.form(parts.len(), self.num_rules(&parts));
        let program = match form {
            Form::Scan => self.scan(&parts),
            Form::Compound => self.compound(&parts, written),
        };
        let group = narrow(self.groups.len());
        self.groups.push(program);
        written.insert(parts, group);
        group
    }

    fn num_rules(&self, parts: &[u32]) -> usize {
        parts.iter().map(|part| self.part(*part)).map(|rules| rules.to - rules.from).sum()
    }

    fn part(&self, part: u32) -> PartRules {
        self.part_rules.get(widen(part)).copied().unwrap_or_default()
    }

    fn scan(&self, parts: &[u32]) -> Vec<u8> {
        let part_rules = parts.iter().map(|part| self.part(*part));
        let mut rules: Vec<Ranked> =
            part_rules.flat_map(|part| self.ranked[part.from..part.to].iter().copied()).collect();
        rules.sort_unstable_by_key(Ranked::rank);
        let num_wildcards = rules.iter().filter(|rule| rule.shape.wildcard).count();
        let mut out = self.group_header(layout::FORM_SCAN, rules.len(), num_wildcards, parts);
        let mut words: Vec<(u64, u64)> =
            rules.iter().map(|rule| self.word_and_mask(rule)).collect();
        words.resize(layout::padded(rules.len()), layout::NO_RULE);
        out.extend(words.iter().flat_map(|(word, _)| word.to_le_bytes()));
        out.extend(words.iter().flat_map(|(_, mask)| mask.to_le_bytes()));
        out.extend(rules.iter().flat_map(|rule| grams_of(self.literal_text(rule)).to_le_bytes()));
        rules.iter().for_each(|rule| push_rule_record(rule, &mut out));
        out
    }

    fn compound(
        &mut self,
        parts: &[u32],
        written: &mut HashMap<Parts, u32, RandomState>,
    ) -> Vec<u8> {
        let groups: Vec<u32> =
            parts.iter().map(|part| self.group_of(vec![*part], written)).collect();
        let mut out = self.group_header(layout::FORM_COMPOUND, groups.len(), 0, parts);
        out.extend(groups.iter().flat_map(|group| group.to_le_bytes()));
        out
    }

    fn group_header(
        &self,
        form: u32,
        count: usize,
        num_wildcards: usize,
        parts: &[u32],
    ) -> Vec<u8> {
        let first = |line: fn(&PartRules) -> u32| {
            parts.iter().map(|part| line(&self.part(*part))).find(|line| *line > 0)
        };
        let empty_rule =
            first(|part| part.empty_allow).or_else(|| first(|part| part.empty_disallow));
        let header = [form, narrow(count), empty_rule.unwrap_or(0), narrow(num_wildcards)];
        header.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// The octets after the pattern's `/` up to a wildcard, the anchor or eight, and which they are.
    fn word_and_mask(&self, rule: &Ranked) -> (u64, u64) {
        let text = self.literal_text(rule);
        let Some(literal) = text.strip_prefix(b"/") else { return (0, 0) };
        let len = memchr::memchr(b'*', literal).unwrap_or(literal.len()).min(layout::WORD_LEN);
        let mask = if len == layout::WORD_LEN { u64::MAX } else { (1 << (8 * len)) - 1 };
        (layout::first_word(&literal[..len]), mask)
    }

    /// The pattern without its anchor.
    fn literal_text(&self, rule: &Ranked) -> &[u8] {
        let at = widen(rule.pattern_at);
        let len = widen(rule.pattern_len) - usize::from(rule.shape.anchored);
        self.texts.get(at..at + len).unwrap_or_default()
    }

    /// Puts the parts together; see [`layout`].
    fn finish(mut self, flags: BodyFlags) -> Program {
        let names_at = layout::HEADER_LEN;
        let groups_at = names_at + self.names.len() * layout::NAME_LEN;
        let first_group = groups_at + self.groups.len() * 4;
        let groups_len: usize = self.groups.iter().map(Vec::len).sum();
        let texts_at = first_group + groups_len;
        let names = self.name_records();
        let total_len = texts_at + self.texts.len();
        let header = [
            layout::MAGIC,
            narrow(total_len),
            flags.bits(),
            narrow(self.robots.rules.len()),
            narrow(names_at),
            narrow(self.names.len()),
            narrow(groups_at),
            narrow(self.groups.len()),
            narrow(texts_at),
            self.wildcard.map_or(0, |group| group + 1),
        ];
        let mut out = Vec::with_capacity(total_len);
        out.extend(header.iter().flat_map(|word| word.to_le_bytes()));
        out.extend_from_slice(&names);
        let mut at = first_group;
        for group in &self.groups {
            out.extend(narrow(at).to_le_bytes());
            at += group.len();
        }
        self.groups.iter().for_each(|group| out.extend_from_slice(group));
        out.extend_from_slice(&self.texts);
        Program::new(out)
    }

    /// The records of all names, sorted; their texts go to the end of the arena.
    fn name_records(&mut self) -> Vec<u8> {
        self.names.sort_by_cached_key(|((kind, text), _)| {
            (layout::name_hash(*kind, text), *kind, text.clone())
        });
        let mut records = Vec::with_capacity(self.names.len() * layout::NAME_LEN);
        for ((kind, text), group) in &self.names {
            let tag = if *kind == NameKind::Whole { layout::WHOLE_NAME } else { 0 };
            let hash = layout::name_hash(*kind, text);
            let record = [hash, narrow(self.texts.len()), narrow(text.len()), group | tag];
            records.extend(record.iter().flat_map(|word| word.to_le_bytes()));
            self.texts.extend_from_slice(text);
        }
        records
    }
}

/// Remembers the first empty rule of each kind.
fn note_empty_rule(part: &mut PartRules, rule: &Rule<'_>) {
    let line = match rule.kind {
        Kind::Allow => &mut part.empty_allow,
        Kind::Disallow => &mut part.empty_disallow,
    };
    if *line == 0 {
        *line = rule.line;
    }
}

fn push_rule_record(rule: &Ranked, out: &mut Vec<u8>) {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let flags = flag(rule.kind == Kind::Allow, layout::RULE_ALLOW)
        | flag(rule.shape.anchored, layout::RULE_ANCHORED)
        | flag(rule.shape.wildcard, layout::RULE_WILDCARD);
    let record = [rule.pattern_at, rule.pattern_len, rule.line, flags];
    out.extend(record.iter().flat_map(|word| word.to_le_bytes()));
}
