//! Writing a [`Program`]: names united over groups, rules ranked, everything put in one slice.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::Program;
use super::Wanted;
use super::choose::{Chooser, Form, FormChoice};
use super::features::{self, Features};
use super::gram_index::push_index;
use super::grams::needs_of;
use super::ids::{narrow, widen};
use super::keys::Key;
use super::layout::{self, WORD_LEN};
use super::names::Names;
use super::program::{BodyFlags, NameKind};
use super::records;
use super::rules::{Part, Ranked, Rules};
use super::text_order::Place;
use super::trie_build::TrieBuilder;
use crate::parse::{Dialect, Robots};
use crate::text::lanes::LANES;
use crate::text::room::empty;
use crate::text::short::short;

/// What a program tells of its body.
#[derive(Clone, Copy)]
pub(super) struct Facts {
    pub(super) num_rules: usize,
    pub(super) flags: BodyFlags,
}

/// Puts one program after the other together, in the same memory.
#[derive(Debug, Default)]
pub(super) struct Build {
    /// The forms that groups are given.
    pub(super) choice: FormChoice,
    rules: Rules,
    /// Which groups of the body have to be read.
    in_use: Vec<bool>,
    chooser: Chooser,
    /// Group programs, one after the other, and where each begins.
    groups: Vec<u8>,
    starts: Vec<usize>,
    /// The group program of each group of the body, once it is written.
    of_part: Vec<Option<u32>>,
    /// The group programs that unite several groups.
    of_parts: HashMap<Vec<u32>, u32, RandomState>,
    /// The group program of each name, in the order of the names.
    of_names: Vec<u32>,
    /// The keys of the group being written.
    keys: Vec<Key>,
    /// The flags of its wildcard rules that tell of their pairs.
    pair_flags: Vec<u32>,
    /// Where the patterns of its literal rules stand, and their trie.
    places: Vec<Place>,
    trie: TrieBuilder,
}

impl Build {
    /// Begins anew with the groups of `robots` that `names` stand over.
    pub(super) fn begin(
        &mut self,
        robots: &Robots<'_>,
        names: &Names<'_>,
        dialect: &Dialect,
        wanted: &Wanted,
    ) {
        self.rules.empty();
        empty(&mut self.groups);
        empty(&mut self.starts);
        empty(&mut self.of_part);
        empty(&mut self.of_names);
        self.of_parts = HashMap::default();
        self.chooser = Chooser::new(robots.rules.len(), self.choice);
        self.of_part.resize(robots.groups.len(), None);
        let in_use = &mut self.in_use;
        in_use.clear();
        in_use.resize(robots.groups.len(), *wanted == Wanted::All);
        names.mark_parts_in_use(in_use);
        self.rules.add_parts(robots, dialect, |part| in_use.get(part) == Some(&true));
        empty(in_use);
    }

    /// Writes one group program for each distinct set of groups that names stand over, and the
    /// program.
    pub(super) fn write(&mut self, names: &Names<'_>, facts: Facts) -> Program {
        let wildcard = (!names.wildcard.is_empty()).then(|| self.group_of(&names.wildcard));
        for name in &names.names {
            let group = self.group_of(names.parts_of(name));
            self.of_names.push(group);
        }
        self.finish(names, wildcard, facts)
    }

    /// The group program of `parts`.
    fn group_of(&mut self, parts: &[u32]) -> u32 {
        if let [part] = parts {
            if let Some(group) = self.of_part.get(widen(*part)).copied().flatten() {
                return group;
            }
            let group = self.write_group(parts);
            if let Some(known) = self.of_part.get_mut(widen(*part)) {
                *known = Some(group);
            }
            return group;
        }
        if let Some(&group) = self.of_parts.get(parts) {
            return group;
        }
        let group = self.write_group(parts);
        self.of_parts.insert(parts.to_vec(), group);
        group
    }

    fn part(&self, part: u32) -> Part {
        self.rules.parts.get(widen(part)).copied().unwrap_or_default()
    }

    fn write_group(&mut self, parts: &[u32]) -> u32 {
        let counts = parts.iter().map(|part| self.rules.count(self.part(*part)));
        let (num_literals, num_wildcards) = counts
            .fold((0, 0), |(literals, wildcards), more| (literals + more.0, wildcards + more.1));
        match self.chooser.form(parts.len(), num_literals, num_wildcards) {
            Form::Compound => self.write_compound(parts),
            Form::Rules { trie, index } => self.write_rules(parts, trie, index),
        }
    }

    fn write_rules(&mut self, parts: &[u32], trie: bool, index: bool) -> u32 {
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        parts.iter().for_each(|part| keys.extend_from_slice(self.rules.of(self.part(*part))));
        if parts.len() > 1 {
            keys.sort_unstable();
        }
        let num_literals = keys.partition_point(|key| key.is_literal());
        let (literals, wildcards) = keys.split_at(num_literals);
        if trie {
            self.build_trie(literals);
        }
        let form = if trie { layout::FORM_TRIE } else { layout::FORM_SCAN };
        let form = form | if index { layout::FORM_INDEXED } else { 0 };
        self.reserve(literals.len(), wildcards.len());
        let group = self.begin_group(form, keys.len(), wildcards.len(), parts);
        self.push_rules(literals, wildcards, trie, index);
        self.keys = keys;
        group
    }

    fn build_trie(&mut self, literals: &[Key]) {
        let rules = &self.rules;
        self.places.extend(rules.ranked(literals).map(Ranked::compared_place));
        self.trie.build(&self.places, &rules.texts, |at| {
            literals.get(at).is_some_and(|key| rules.get(*key).is_anchored())
        });
        empty(&mut self.places);
    }

    /// Writes what follows a group's header.
    fn push_rules(&mut self, literal_keys: &[Key], wildcard_keys: &[Key], trie: bool, index: bool) {
        let (rules, texts, out) = (&self.rules, &self.rules.texts, &mut self.groups);
        let (literals, wildcards) = (rules.ranked(literal_keys), rules.ranked(wildcard_keys));
        if trie {
            push_trie(&self.trie, out);
            self.trie.empty();
        } else {
            push_each(literals, out, |rule| rule.word(texts));
        }
        push_wildcards(wildcards.clone(), texts, index, &mut self.pair_flags, out);
        let mut better = 0;
        push_records(literal_keys.iter(), out, |key| {
            while wildcard_keys.get(better).is_some_and(|wildcard| wildcard.outranks(*key)) {
                better += 1;
            }
            let rule = rules.get(*key);
            record(rule, records::literal_flags(rule.cut(), better))
        });
        let flags = self.pair_flags.iter();
        push_records(wildcards.zip(flags), out, |(rule, flags)| record(rule, *flags));
    }

    /// Makes room for a large group, and for no more than it takes without an index.
    fn reserve(&mut self, num_literals: usize, num_wildcards: usize) {
        let literals = match self.trie.leaves.len() {
            0 => num_literals * WORD_LEN,
            leaves => layout::TRIE_HEADER_LEN + leaves * (layout::NODE_LEN + layout::LEAF_LEN),
        };
        let wildcards = num_wildcards * (WORD_LEN + 1 + layout::GRAMS_LEN);
        let records = (num_literals + num_wildcards) * layout::RULE_LEN;
        let octets = layout::GROUP_HEADER_LEN + literals + wildcards + records;
        // Smaller ones share in what is doubled.
        if octets > self.groups.capacity() {
            self.groups.reserve_exact(octets);
        }
    }

    fn write_compound(&mut self, parts: &[u32]) -> u32 {
        let groups: Vec<u32> =
            parts.iter().map(|part| self.group_of(std::slice::from_ref(part))).collect();
        let group = self.begin_group(layout::FORM_COMPOUND, groups.len(), 0, parts);
        groups.iter().for_each(|group| push_words(&[*group], &mut self.groups));
        group
    }

    /// Writes a group's header; returns the number of the group.
    fn begin_group(&mut self, form: u32, count: usize, num_wildcards: usize, parts: &[u32]) -> u32 {
        let first = |line: fn(&Part) -> u32| {
            parts.iter().map(|part| line(&self.part(*part))).find(|line| *line > 0)
        };
        let empty_rule =
            first(|part| part.empty_allow).or_else(|| first(|part| part.empty_disallow));
        let header = [form, narrow(count), empty_rule.unwrap_or(0), narrow(num_wildcards)];
        self.starts.push(self.groups.len());
        push_words(&header, &mut self.groups);
        narrow(self.starts.len() - 1)
    }

    /// Puts the parts together; see [`layout`].
    fn finish(&mut self, names: &Names<'_>, wildcard: Option<u32>, facts: Facts) -> Program {
        // What is put together takes as much memory again: large lists that it came from go first.
        empty(&mut self.keys);
        empty(&mut self.pair_flags);
        self.rules.empty_rules();
        let names_at = layout::HEADER_LEN;
        let groups_at = names_at + names.names.len() * layout::NAME_LEN;
        let first_group = groups_at + self.starts.len() * 4;
        let texts_at = first_group + self.groups.len();
        let names_len: usize = names.names.iter().map(|name| name.text.len()).sum();
        let total_len = texts_at + self.rules.texts.len() + names_len + layout::PADDING_LEN;
        let header = [
            layout::MAGIC,
            narrow(total_len),
            facts.flags.bits(),
            narrow(facts.num_rules),
            narrow(names_at),
            narrow(names.names.len()),
            narrow(groups_at),
            narrow(self.starts.len()),
            narrow(texts_at),
            wildcard.map_or(0, |group| group + 1),
        ];
        let mut out = Vec::with_capacity(total_len);
        push_words(&header, &mut out);
        self.push_names(names, &mut out);
        let starts = self.starts.iter().map(|start| narrow(first_group + start));
        starts.for_each(|start| out.extend_from_slice(&start.to_le_bytes()));
        out.extend_from_slice(&self.groups);
        out.extend_from_slice(&self.rules.texts);
        out.extend_from_slice(&[0; layout::PADDING_LEN]);
        Program::new(out)
    }

    /// Writes the records of all names; their texts go to the end of the arena.
    fn push_names(&mut self, names: &Names<'_>, out: &mut Vec<u8>) {
        for (name, group) in names.names.iter().zip(&self.of_names) {
            let tag = if name.kind == NameKind::Whole { layout::WHOLE_NAME } else { 0 };
            let at = narrow(self.rules.texts.len());
            push_words(&[name.hash, at, narrow(name.text.len()), group | tag], out);
            self.rules.texts.extend(name.text.iter().map(u8::to_ascii_lowercase));
        }
    }
}

/// Appends a fixed number of words at once.
fn push_words<const N: usize>(words: &[u32; N], out: &mut Vec<u8>) {
    out.extend_from_slice(words.map(u32::to_le_bytes).as_flattened());
}

/// Appends some octets for each entry.
#[inline]
fn push_each<T, const N: usize>(
    entries: impl ExactSizeIterator<Item = T>,
    out: &mut Vec<u8>,
    mut octets: impl FnMut(T) -> [u8; N],
) {
    let from = out.len();
    out.resize(from + entries.len() * N, 0);
    let (places, _) = out.get_mut(from..).unwrap_or_default().as_chunks_mut();
    places.iter_mut().zip(entries).for_each(|(place, entry)| *place = octets(entry));
}

/// Appends some words for each entry.
#[inline]
fn push_records<T, const WORDS: usize>(
    entries: impl ExactSizeIterator<Item = T>,
    out: &mut Vec<u8>,
    mut words: impl FnMut(T) -> [u32; WORDS],
) {
    let from = out.len();
    out.resize(from + entries.len() * WORDS * size_of::<u32>(), 0);
    let (places, _) = out.get_mut(from..).unwrap_or_default().as_chunks_mut().0.as_chunks_mut();
    let records = entries.map(|entry| words(entry).map(u32::to_le_bytes));
    places.iter_mut().zip(records).for_each(|(place, record)| *place = record);
}

fn push_trie(trie: &TrieBuilder, out: &mut Vec<u8>) {
    push_words(&[narrow(trie.leaves.len()), trie.root], out);
    push_records(trie.nodes.iter(), out, |node| *node);
    push_records(trie.leaves.iter(), out, |leaf| *leaf);
}

/// Writes what tells wildcard rules apart; keeps the flags of their pairs for their records.
#[inline(never)]
fn push_wildcards<'r>(
    rules: impl ExactSizeIterator<Item = &'r Ranked> + Clone,
    texts: &[u8],
    index: bool,
    pair_flags: &mut Vec<u32>,
    out: &mut Vec<u8>,
) {
    push_each(rules.clone(), out, |rule| rule.word(texts));
    push_each(rules.clone(), out, |rule| [features_of(rule.compared_text(texts))]);
    pair_flags.clear();
    push_each(rules.clone(), out, |rule| {
        let needs = needs_of(rule.compared_text(texts), rule.is_anchored());
        pair_flags.push(needs.pair.map_or(0, records::pair_flags));
        needs.grams.to_le_bytes()
    });
    if index {
        push_index(rules.map(|rule| rule.compared_text(texts)), out);
    }
}

/// The features that a wildcard rule needs.
#[inline]
fn features_of(text: &[u8]) -> Features {
    match text.len() {
        // Zeros are no features.
        ..LANES => features::features_of(&short(text)),
        _ => features::features_of(text),
    }
}

/// The record of a rule, with more flags.
#[inline]
fn record(rule: &Ranked, flags: u32) -> [u32; 4] {
    [rule.text_at, rule.specificity, rule.line, rule.flags | flags]
}
