//! A group in the scan form: its rules by rank, and which of them a path may match.

use super::features::{Features, features_of, satisfied};
use super::grams::Grams;
use super::ids::widen;
use super::layout;
use super::program::word_of;
use crate::parse::Kind;

/// A word or a mask.
pub(super) type Word = [u8; layout::WORD_LEN];

/// Rules in order of rank: more octets first, allow before disallow, earlier line before later.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'p> {
    /// The first octets after `/` that each rule asks for.
    pub(super) words: &'p [Word],
    /// Which octets of the words count.
    pub(super) masks: &'p [Word],
    /// What wildcard rules need a path to hold.
    pub(super) grams: &'p [[u8; layout::WORD_LEN]],
    /// What kinds of octets wildcard rules need, eight rules each.
    pub(super) features: &'p [[u8; layout::LANES]],
    pub(super) num_wildcards: u32,
    pub(super) rules: &'p [[u8; layout::RULE_LEN]],
    pub(super) texts: &'p [u8],
}

/// One rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleProgram<'p> {
    /// The normalised pattern, its `$` included.
    pub pattern: &'p [u8],
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
    pub fn num_wildcards(&self) -> u32 {
        self.num_wildcards
    }

    /// The ranks of the rules that `path` may match by its first octets and the kinds of octets it
    /// has, best first.
    ///
    /// # Complexity
    /// Eight rules at a time, some two nanoseconds each eight.
    #[inline]
    pub fn candidates(&self, path: &[u8]) -> Candidates<'p> {
        Candidates {
            word: layout::first_word(path.get(1..).unwrap_or_default()),
            words: self.words,
            masks: self.masks,
            features: self.features,
            path_features: match self.num_wildcards {
                0 => 0,
                _ => features_of(path),
            },
            base: 0,
            hits: 0,
        }
    }

    /// What the wildcard rule at `rank` needs a path to hold.
    #[inline]
    pub(crate) fn grams(&self, rank: usize) -> Grams {
        self.grams.get(rank).map_or(Grams::MAX, |grams| Grams::from_le_bytes(*grams))
    }

    /// The rule at `rank`.
    #[must_use]
    #[inline]
    pub fn rule(&self, rank: usize) -> Option<RuleProgram<'p>> {
        let record = self.rules.get(rank)?;
        let flags = word_of(record, 12);
        let at = widen(word_of(record, 0));
        let len = widen(word_of(record, 4));
        Some(RuleProgram {
            pattern: self.texts.get(at..at.saturating_add(len)).unwrap_or_default(),
            line: word_of(record, 8),
            kind: if flags & layout::RULE_ALLOW != 0 { Kind::Allow } else { Kind::Disallow },
            anchored: flags & layout::RULE_ANCHORED != 0,
            wildcard: flags & layout::RULE_WILDCARD != 0,
            pair: (flags & layout::RULE_PAIR != 0).then(|| [record[14], record[15]]),
        })
    }
}

/// Iterator over candidates: rules whose first octets agree with a path.
#[derive(Clone, Debug)]
pub struct Candidates<'p> {
    word: u64,
    words: &'p [Word],
    masks: &'p [Word],
    features: &'p [[u8; layout::LANES]],
    path_features: Features,
    /// Rank after the last of the rules that `hits` is about.
    base: usize,
    /// One bit for each rule looked at and not handed out yet.
    hits: u32,
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.hits == 0 {
            let lanes = (self.words.first_chunk(), self.masks.first_chunk());
            let len = match lanes {
                (Some(words), Some(masks)) => {
                    self.hits = agreeing::<{ layout::LANES }>(self.word, words, masks);
                    layout::LANES
                }
                _ if self.words.is_empty() => return None,
                _ => {
                    self.hits = agreeing_few(self.word, self.words, self.masks);
                    self.words.len()
                }
            };
            if let Some((needs, more)) = self.features.split_first() {
                self.hits &= satisfied(*needs, self.path_features);
                self.features = more;
            }
            self.words = self.words.get(len..).unwrap_or_default();
            self.masks = self.masks.get(len..).unwrap_or_default();
            self.base += layout::LANES;
        }
        let first = self.hits.trailing_zeros();
        self.hits &= self.hits - 1;
        Some(self.base - layout::LANES + widen(first))
    }
}

/// Which of `N` rules agree with the path's first octets, one bit each.
#[inline]
fn agreeing<const N: usize>(word: u64, words: &[Word; N], masks: &[Word; N]) -> u32 {
    let mut hits = 0;
    for lane in 0..N {
        hits |= u32::from(agrees(word, &words[lane], &masks[lane])) << lane;
    }
    hits
}

/// As [`agreeing`], of the last few rules of a group.
#[inline]
fn agreeing_few(word: u64, words: &[Word], masks: &[Word]) -> u32 {
    let pairs = words.iter().zip(masks).enumerate();
    pairs.fold(0, |hits, (lane, (wanted, mask))| {
        hits | u32::from(agrees(word, wanted, mask)) << lane
    })
}

#[inline]
fn agrees(word: u64, wanted: &Word, mask: &Word) -> bool {
    (word ^ u64::from_le_bytes(*wanted)) & u64::from_le_bytes(*mask) == 0
}

/// Octets of a pattern that begins with `/` which the comparison of words covers.
pub(crate) const COMPARED_OCTETS: usize = 1 + layout::WORD_LEN;

impl RuleProgram<'_> {
    /// Octets of the normalised pattern, `*` and `$` counted (RFC 9309 section 2.2.2).
    #[must_use]
    pub fn specificity(&self) -> u32 {
        super::narrow(self.pattern.len())
    }
}
