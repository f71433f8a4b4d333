//! Writing a [`Program`]: names united over groups, rules ranked, everything put in one slice.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::Wanted;
use super::choose::{Chooser, Form, FormChoice};
use super::features;
use super::gram_index::push_index;
use super::grams::{grams_of, pair_of};
use super::ids::{narrow, widen};
use super::layout;
use super::names::Names;
use super::program::{BodyFlags, NameKind, Program};
use super::rules::{Part, Ranked, Rules};
use super::trie_build::{Entry, TrieParts};
use super::words;
use crate::parse::{Dialect, Kind, Robots};
use crate::text::room::empty;

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
    /// The rules of the group being written.
    ranked: Vec<Ranked>,
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
        let in_use = match wanted {
            Wanted::All => None,
            Wanted::Only(_) => Some(names.parts_in_use(robots.groups.len())),
        };
        self.rules.add_parts(robots, dialect, |part| {
            in_use.as_ref().is_none_or(|in_use| in_use.get(part) == Some(&true))
        });
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
        let mut ranked = std::mem::take(&mut self.ranked);
        ranked.clear();
        for part in parts {
            ranked.extend_from_slice(self.rules.of(self.part(*part)));
        }
        if parts.len() > 1 {
            ranked.sort_unstable_by_key(Ranked::order);
        }
        let num_literals = ranked.partition_point(|rule| rule.shape.is_literal());
        let (literals, wildcards) = ranked.split_at(num_literals);
        let form = if trie { layout::FORM_TRIE } else { layout::FORM_SCAN };
        let form = form | if index { layout::FORM_INDEXED } else { 0 };
        let group = self.begin_group(form, ranked.len(), wildcards.len(), parts);
        let (texts, out) = (&self.rules.texts, &mut self.groups);
        match trie {
            true => push_trie(literals, texts, out),
            false => words::push_words(literals.iter().map(|rule| rule.head(texts)), out),
        }
        push_wildcards(wildcards, texts, index, out);
        ranked.iter().for_each(|rule| push_rule_record(rule, texts, out));
        self.ranked = ranked;
        group
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
        empty(&mut self.ranked);
        empty(&mut self.rules.ranked);
        let names_at = layout::HEADER_LEN;
        let groups_at = names_at + names.names.len() * layout::NAME_LEN;
        let first_group = groups_at + self.starts.len() * 4;
        let texts_at = first_group + self.groups.len();
        let names_len: usize = names.names.iter().map(|name| name.text.len()).sum();
        let total_len = texts_at + self.rules.texts.len() + names_len;
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

fn push_trie(literals: &[Ranked], texts: &[u8], out: &mut Vec<u8>) {
    let entry = |(at, rule): (usize, &Ranked)| Entry {
        text: rule.compared_text(texts),
        text_at: rule.text_at,
        anchored: rule.shape.anchored,
        rule: narrow(at),
    };
    let trie = TrieParts::new(literals.iter().enumerate().map(entry).collect());
    push_words(&[narrow(trie.leaves.len()), trie.root], out);
    trie.nodes.iter().for_each(|node| push_words(node, out));
    trie.leaves.iter().for_each(|leaf| push_words(leaf, out));
}

fn push_wildcards(rules: &[Ranked], texts: &[u8], index: bool, out: &mut Vec<u8>) {
    let patterns = rules.iter().map(|rule| rule.compared_text(texts));
    words::push_words(rules.iter().map(|rule| rule.head(texts)), out);
    out.extend(patterns.clone().map(features::needed_by));
    for pattern in patterns.clone() {
        out.extend_from_slice(&grams_of(pattern).to_le_bytes());
    }
    if index {
        push_index(patterns, out);
    }
}

fn push_rule_record(rule: &Ranked, texts: &[u8], out: &mut Vec<u8>) {
    let flag = |set: bool, bit: u32| if set { bit } else { 0 };
    let flags = flag(rule.kind == Kind::Allow, layout::RULE_ALLOW)
        | flag(rule.shape.anchored, layout::RULE_ANCHORED)
        | flag(rule.text_len != rule.specificity, layout::RULE_SHORTENED);
    let pair = match rule.shape.is_literal() {
        true => None,
        false => pair_of(rule.compared_text(texts), rule.shape.anchored),
    };
    let pair = pair.map_or(0, |pair| {
        u32::from(u16::from_le_bytes(pair)) << layout::PAIR_SHIFT | layout::RULE_PAIR
    });
    push_words(&[rule.text_at, rule.specificity, rule.line, flags | pair], out);
}
