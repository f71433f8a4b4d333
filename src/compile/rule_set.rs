//! The rules of a group: which of them a path may match, best rank first.

use super::features::{Features, satisfied};
use super::gram_index::GramIndex;
use super::grams::Grams;
use super::layout;
use super::records::{LiteralText, Records, RuleProgram};
use super::trie::Trie;
use super::words::{Bits, PathWord, Words, first_bits};
use crate::text::lanes::LANES;

/// A group's rules: those without a wildcard in one of two forms, and those with one.
#[derive(Clone, Copy, Debug)]
pub struct RuleSet<'p> {
    pub(super) literals: Literals<'p>,
    pub(super) wildcards: Wildcards<'p>,
    pub(super) records: Records<'p>,
}

/// The rules of a group that have no wildcard.
#[derive(Clone, Copy, Debug)]
pub enum Literals<'p> {
    /// Few: all are looked at, by rank, eight at a time.
    Scan(Words<'p>),
    /// Many: a walk down a trie.
    Trie(Trie<'p>),
}

impl<'p> RuleSet<'p> {
    /// Number of rules that can match.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.rules.len()
    }

    /// Whether there is no rule that can match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.rules.is_empty()
    }

    /// The rules without a wildcard.
    #[must_use]
    pub fn literals(&self) -> &Literals<'p> {
        &self.literals
    }

    /// The rules with a wildcard.
    #[must_use]
    pub fn wildcards(&self) -> &Wildcards<'p> {
        &self.wildcards
    }

    /// The rule whose record stands at `at`: literal rules come first.
    #[must_use]
    #[inline]
    pub fn rule(&self, at: usize) -> Option<RuleProgram<'p>> {
        self.records.rule(at)
    }

    /// What is compared of the rule without a wildcard whose record stands at `at`.
    #[inline]
    pub(crate) fn literal(&self, at: usize) -> Option<LiteralText<'p>> {
        self.records.literal(at)
    }

    /// The number of the first record of a wildcard rule.
    #[inline]
    pub(crate) fn num_literals(&self) -> usize {
        self.len().saturating_sub(self.wildcards.len())
    }

    /// How many wildcard rules have better rank than the rule whose record stands at `at`, which has
    /// no wildcard: the first so many.
    #[inline]
    pub(crate) fn num_better_wildcards(&self, at: usize) -> usize {
        let better = self.records.num_better_wildcards(at);
        better.unwrap_or_else(|| self.count_better_wildcards(at)).min(self.wildcards.len())
    }

    #[cold]
    fn count_better_wildcards(&self, at: usize) -> usize {
        let Some(rank) = self.rule(at).map(|rule| rule.rank()) else { return usize::MAX };
        let wildcards = self.records.rules.get(self.num_literals()..).unwrap_or_default();
        wildcards.partition_point(|record| self.records.read(record).rank() < rank)
    }

    /// The wildcard rule `at`, counted from 0 by rank.
    #[must_use]
    #[inline]
    pub fn wildcard(&self, at: usize) -> Option<RuleProgram<'p>> {
        self.records.rule(self.num_literals() + at)
    }
}

/// The rules of a group that have a wildcard.
#[derive(Clone, Copy, Debug)]
pub struct Wildcards<'p> {
    /// From the first rule's word on to the program's end. What stands where follows from the number of
    /// rules and is looked up when it is asked for: in most groups it never is.
    pub(super) octets: &'p [u8],
    pub(super) count: usize,
    pub(super) is_indexed: bool,
}

impl<'p> Wildcards<'p> {
    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first of the first `count` rules that a path may match, by its first octets and by the
    /// kinds of octets it `has`, and that stands the `check`; rules are numbered from 0 by rank.
    ///
    /// # Complexity
    /// Linear in the rules, sixteen at a time.
    #[inline]
    pub(crate) fn first_candidate(
        &self,
        count: usize,
        word: PathWord,
        has: Features,
        mut check: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        let (words, features) = (self.words(), self.features());
        let mut base = 0;
        while base < count {
            let features = features.get(base..).unwrap_or_default();
            let mut agreeing = satisfied(features, has) & first_bits(count - base);
            if agreeing != 0 {
                agreeing &= words.agreeing(base, word);
                let found = Bits(agreeing).map(|at| base + at).find(|at| check(*at));
                if found.is_some() {
                    return found;
                }
            }
            base += LANES;
        }
        None
    }

    /// The rules by gram, where they are many.
    #[must_use]
    pub fn index(&self) -> Option<GramIndex<'p>> {
        let octets = self.octets.get(layout::index_at(self.count)..).unwrap_or_default();
        self.is_indexed.then(|| GramIndex::read(octets, self.count))
    }

    /// Whether a path may match the rule at `at`, by its first octets and by the kinds of octets it
    /// `has`.
    #[inline]
    pub(crate) fn may_match(&self, at: usize, word: PathWord, has: Features) -> bool {
        let needs = self.features().get(at).copied().unwrap_or_default();
        // Both at once: one branch is foreseen more often than two.
        (needs & !has == 0) & self.words().agrees(at, word)
    }

    /// The grams of `rule`, which a path must hold.
    #[inline]
    pub(crate) fn grams(&self, at: usize) -> Grams {
        let at = layout::grams_at(self.count).saturating_add(at.saturating_mul(layout::GRAMS_LEN));
        let grams = self.octets.get(at..).and_then(|tail| tail.first_chunk());
        grams.map_or(Grams::MIN, |grams| Grams::from_le_bytes(*grams))
    }

    #[inline]
    fn words(&self) -> Words<'p> {
        Words { octets: self.octets, count: self.count }
    }

    /// From the first rule's features on.
    #[inline]
    fn features(&self) -> &'p [u8] {
        self.octets.get(layout::features_at(self.count)..).unwrap_or_default()
    }
}
