//! The rules of a group: which of them a path may match, best rank first.

use super::features::{Features, satisfied};
use super::gram_index::GramIndex;
use super::grams::Grams;
use super::layout;
use super::records::{Records, RuleProgram};
use super::trie::Trie;
use super::words::{Bits, PathWord, Words};
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

    /// The wildcard rule `at`, counted from 0 by rank.
    #[must_use]
    #[inline]
    pub fn wildcard(&self, at: usize) -> Option<RuleProgram<'p>> {
        self.records.rule(self.len().saturating_sub(self.wildcards.len()) + at)
    }
}

/// The rules of a group that have a wildcard.
#[derive(Clone, Copy, Debug)]
pub struct Wildcards<'p> {
    pub(super) words: Words<'p>,
    /// From the first rule's features on to the program's end.
    pub(super) features: &'p [u8],
    pub(super) grams: &'p [[u8; layout::GRAMS_LEN]],
    pub(super) index: Option<GramIndex<'p>>,
}

impl<'p> Wildcards<'p> {
    /// Number of rules.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.count
    }

    /// Whether there is no rule.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.count == 0
    }

    /// The first answer that `check` gives for a rule that a path may match by its first octets and
    /// by the kinds of octets it `has`; rules are numbered from 0 by rank.
    ///
    /// # Complexity
    /// Linear in the rules, sixteen at a time.
    #[inline]
    pub(crate) fn first_candidate<T>(
        &self,
        word: &PathWord,
        has: Features,
        mut check: impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let mut base = 0;
        while base < self.len() {
            let features = self.features.get(base..).unwrap_or_default();
            let mut agreeing = satisfied(features, has);
            if agreeing != 0 {
                agreeing &= self.words.agreeing(base, word);
                let found = Bits(agreeing).find_map(|at| check(base + at));
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
    pub fn index(&self) -> Option<&GramIndex<'p>> {
        self.index.as_ref()
    }

    /// Whether a path may match the rule at `at`, by its first octets and by the kinds of octets it
    /// `has`.
    #[inline]
    pub(crate) fn may_match(&self, at: usize, word: &PathWord, has: Features) -> bool {
        self.features.get(at).is_some_and(|needs| needs & !has == 0) && self.words.agrees(at, word)
    }

    /// The grams of `rule`, which a path must hold.
    #[inline]
    pub(crate) fn grams(&self, at: usize) -> Grams {
        self.grams.get(at).map_or(Grams::MIN, |grams| Grams::from_le_bytes(*grams))
    }
}
