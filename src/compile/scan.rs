//! A group in the scan form: its rules by rank, and which of them a path may match.

use super::features::{Features, features_of, satisfied};
use super::grams::Grams;
use super::ids::widen;
use super::layout;
use super::program::word_of;
use crate::parse::Kind;

/// The literal rules of a group by rank, then its rules with a wildcard by rank.
///
/// Rank is: more octets first, allow before disallow, earlier line before later.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'p> {
    /// Some of the first octets after `/` that each literal rule asks for, and which of them count.
    pub(super) literal_words: &'p [[u8; layout::LITERAL_WORD_LEN]],
    pub(super) literal_masks: &'p [[u8; layout::LITERAL_WORD_LEN]],
    /// The first octets after `/` that each wildcard rule asks for, and which of them count.
    pub(super) words: &'p [[u8; layout::WORD_LEN]],
    pub(super) masks: &'p [[u8; layout::WORD_LEN]],
    /// Pairs of octets that wildcard rules need a path to hold.
    pub(super) grams: &'p [[u8; layout::WORD_LEN]],
    /// What kinds of octets wildcard rules need, eight rules each.
    pub(super) features: &'p [[u8; layout::LANES]],
    pub(super) rules: &'p [[u8; layout::RULE_LEN]],
    pub(super) texts: &'p [u8],
}

/// One rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleProgram<'p> {
    /// The normalised pattern, its `$` included, a run of stars as one.
    pub pattern: &'p [u8],
    specificity: u32,
    /// The line it stands on.
    pub line: u32,
    /// Allow or disallow.
    pub kind: Kind,
    /// The pattern's last octet is the anchor.
    pub anchored: bool,
    /// The pattern holds a wildcard.
    pub wildcard: bool,
    /// Two octets that stand next to each other in every path that matches, behind the wildcard.
    pub(crate) pair: Option<[u8; 2]>,
}

impl<'p> Scan<'p> {
    /// Number of rules that can match.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no rule that can match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Rules with a wildcard.
    #[must_use]
    pub fn num_wildcards(&self) -> usize {
        self.words.len()
    }

    /// The first literal rule, by rank, whose word agrees with `path` and that `matches`.
    ///
    /// # Complexity
    /// Linear in the literal rules, eight at a time.
    #[inline]
    pub fn first_literal(
        &self,
        path: &[u8],
        mut matches: impl FnMut(&RuleProgram<'p>) -> bool,
    ) -> Option<RuleProgram<'p>> {
        let word = layout::literal_word(layout::first_word(path.get(1..).unwrap_or_default()));
        let mut check = |at: usize| self.rule(at).filter(|rule| matches(rule));
        let (eights, few) = self.literal_words.as_chunks::<{ layout::LANES }>();
        let (mask_eights, few_masks) = self.literal_masks.as_chunks::<{ layout::LANES }>();
        for (at, (words, masks)) in eights.iter().zip(mask_eights).enumerate() {
            if any_agrees(word, words, masks) {
                let found = first_agreeing(word, words, masks, at * layout::LANES, &mut check);
                if found.is_some() {
                    return found;
                }
            }
        }
        first_agreeing(word, few, few_masks, eights.len() * layout::LANES, &mut check)
    }

    /// The wildcard rules, by rank, that `path` may match by its first octets and, where `by_features`
    /// says so, by the kinds of octets it has; numbered from 0.
    ///
    /// # Complexity
    /// One pass over the path for its features; linear in the wildcard rules, eight at a time.
    #[inline]
    pub fn wildcard_candidates(
        &self,
        path: &[u8],
        by_features: bool,
    ) -> impl Iterator<Item = usize> + use<'p> {
        let scan = *self;
        let word = layout::first_word(path.get(1..).unwrap_or_default());
        let has = if by_features { features_of(path) } else { Features::MAX };
        self.features.iter().enumerate().flat_map(move |(at, needs)| {
            let bits = Bits(satisfied(*needs, has));
            bits.map(move |bit| at * layout::LANES + bit).filter(move |at| scan.agrees(*at, word))
        })
    }

    #[inline]
    fn agrees(&self, wildcard: usize, word: u64) -> bool {
        match (self.words.get(wildcard), self.masks.get(wildcard)) {
            (Some(wanted), Some(mask)) => {
                (word ^ u64::from_le_bytes(*wanted)) & u64::from_le_bytes(*mask) == 0
            }
            _ => false,
        }
    }

    /// A wildcard rule.
    #[must_use]
    #[inline]
    pub fn wildcard(&self, at: usize) -> Option<RuleProgram<'p>> {
        self.rule(self.literal_words.len() + at)
    }

    /// The pairs of octets that the wildcard rule at `at` needs a path to hold.
    #[inline]
    pub(crate) fn grams(&self, at: usize) -> Grams {
        self.grams.get(at).map_or(Grams::MAX, |grams| Grams::from_le_bytes(*grams))
    }

    #[inline]
    fn rule(&self, at: usize) -> Option<RuleProgram<'p>> {
        let record = self.rules.get(at)?;
        let flags = word_of(record, 12);
        let at = widen(word_of(record, 0));
        let specificity = word_of(record, 4);
        let len = match flags & layout::RULE_SHORTENED {
            0 => widen(specificity),
            _ => widen(word_of(self.texts, at.saturating_sub(4))),
        };
        Some(RuleProgram {
            specificity,
            pattern: self.texts.get(at..at.saturating_add(len)).unwrap_or_default(),
            line: word_of(record, 8),
            kind: if flags & layout::RULE_ALLOW != 0 { Kind::Allow } else { Kind::Disallow },
            anchored: flags & layout::RULE_ANCHORED != 0,
            wildcard: flags & layout::RULE_WILDCARD != 0,
            pair: (flags & layout::RULE_PAIR != 0).then(|| [record[14], record[15]]),
        })
    }
}

/// The numbers of the bits that are set, from the lowest.
struct Bits(u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (first < u32::BITS).then(|| widen(first))
    }
}

type LiteralWord = [u8; layout::LITERAL_WORD_LEN];

#[inline]
fn literal_agrees(word: u32, wanted: &LiteralWord, mask: &LiteralWord) -> bool {
    (word ^ u32::from_le_bytes(*wanted)) & u32::from_le_bytes(*mask) == 0
}

/// Whether one of eight rules agrees: without an early end, so that it becomes vector code.
#[inline]
fn any_agrees(
    word: u32,
    words: &[LiteralWord; layout::LANES],
    masks: &[LiteralWord; layout::LANES],
) -> bool {
    let mut found = [0_u32; layout::LANES];
    for ((found, wanted), mask) in found.iter_mut().zip(words).zip(masks) {
        *found = u32::from(literal_agrees(word, wanted, mask));
    }
    found.iter().fold(0, |any, found| any | found) != 0
}

/// The first rule from `base` on that agrees and passes `check`.
#[inline]
fn first_agreeing<'p>(
    word: u32,
    words: &[LiteralWord],
    masks: &[LiteralWord],
    base: usize,
    check: &mut impl FnMut(usize) -> Option<RuleProgram<'p>>,
) -> Option<RuleProgram<'p>> {
    let agreeing = words.iter().zip(masks).enumerate();
    agreeing
        .filter(|(_, (wanted, mask))| literal_agrees(word, wanted, mask))
        .find_map(|(at, _)| check(base + at))
}

impl RuleProgram<'_> {
    /// Octets of the normalised pattern, `*` and `$` counted (RFC 9309 section 2.2.2).
    #[must_use]
    pub fn specificity(&self) -> u32 {
        self.specificity
    }

    /// Rules sort by it: more octets, then allow, then the earlier line.
    #[must_use]
    #[inline]
    pub fn rank(&self) -> (std::cmp::Reverse<u32>, bool, u32) {
        (std::cmp::Reverse(self.specificity), self.kind == Kind::Disallow, self.line)
    }
}
