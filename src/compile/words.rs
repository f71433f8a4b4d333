//! Words: what a path must begin with for a rule to match, four octets a rule.
//!
//! Sixteen rules are compared at a time. Necessary, not sufficient.

use super::ids::widen;
use super::layout::WORD_LEN;
use crate::text::compare::Head;
use crate::text::lanes::{LANES, agreeing_of_eight, agreeing_of_four, agreeing_of_sixteen, filled};

/// Which octets after a path's `/` make a word: not neighbours, because the beginnings of a site's
/// paths are much alike.
const WORD_OCTETS: [usize; WORD_LEN] = [0, 1, 3, 5];

/// How many octets a word is chosen from.
pub(super) const WORD_SPAN: usize = 6;

/// The word of octets that follow a `/`; zeros where there are none.
#[inline]
pub(super) fn word_of(after_slash: &[u8]) -> [u8; WORD_LEN] {
    let first: [u8; WORD_SPAN] = filled(after_slash, 0);
    WORD_OCTETS.map(|at| first[at])
}

/// The word of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathWord([u8; WORD_LEN]);

impl PathWord {
    /// That of a path which begins with `head`, its `/` first.
    #[inline]
    pub(crate) fn of(head: Head) -> Self {
        let [_, after_slash @ ..] = head.octets();
        PathWord(word_of(&after_slash))
    }
}

/// The words of a group's literal rules, or of its wildcard rules.
#[derive(Clone, Copy, Debug)]
pub struct Words<'p> {
    /// From the first word on to the program's end: the last sixteen are read as if they were full.
    pub(super) octets: &'p [u8],
    pub(super) count: usize,
}

impl Words<'_> {
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

    /// Which of the sixteen rules from number `base` on, a multiple of sixteen, agree with a path:
    /// one bit each. They agree if all octets that they ask for are the same; a pattern holds no NUL,
    /// so a zero stands where a rule asks for nothing.
    #[inline]
    pub(super) fn agreeing(&self, base: usize, word: PathWord) -> u32 {
        let tail = self.octets.get(base * WORD_LEN..).unwrap_or_default();
        agreeing_in(tail, self.count.saturating_sub(base), word)
    }

    /// Whether the rule at `at` agrees with a path.
    #[inline]
    pub(super) fn agrees(&self, at: usize, word: PathWord) -> bool {
        let asked = self.octets.get(at * WORD_LEN..).and_then(|tail| tail.first_chunk());
        let asked = asked.map_or(0, |asked| u32::from_le_bytes(*asked));
        // Octets that a rule does not ask for are its last ones.
        let unused = asked.leading_zeros() / u8::BITS * u8::BITS;
        (asked ^ u32::from_le_bytes(word.0)).unbounded_shl(unused) == 0
    }

    /// The first answer that `check` gives for a rule that agrees with a path; rules are numbered
    /// from 0 by rank.
    ///
    /// # Complexity
    /// Linear in the rules, sixteen at a time.
    #[inline]
    pub(crate) fn first_agreeing<T>(
        &self,
        word: PathWord,
        mut check: impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let (mut tail, mut base) = (self.octets, 0);
        while let Some(left) = self.count.checked_sub(base).filter(|left| *left > 0) {
            let found = Bits(agreeing_in(tail, left, word)).find_map(|at| check(base + at));
            if found.is_some() {
                return found;
            }
            tail = tail.get(LANES * WORD_LEN..).unwrap_or_default();
            base += LANES;
        }
        None
    }
}

/// Which of the first sixteen of `left` rules, whose words `tail` begins with, agree with a path.
#[inline]
fn agreeing_in(tail: &[u8], left: usize, word: PathWord) -> u32 {
    match (left, tail.first_chunk()) {
        (LANES.., Some(words)) => agreeing_of_sixteen(word.0, words),
        _ => agreeing_of_last(tail, left, word),
    }
}

/// As [`agreeing_in`], of less than sixteen rules.
#[inline]
fn agreeing_of_last(tail: &[u8], left: usize, word: PathWord) -> u32 {
    let found = match left {
        ..=4 => tail.first_chunk().map(|words| agreeing_of_four(word.0, words)),
        5..=8 => tail.first_chunk().map(|words| agreeing_of_eight(word.0, words)),
        _ => tail.first_chunk().map(|words| agreeing_of_sixteen(word.0, words)),
    };
    found.unwrap_or_else(|| near_end(tail, word)) & first_bits(left)
}

/// As [`agreeing_in`], of the last words of a program. In sound ones records follow them.
#[cold]
fn near_end(tail: &[u8], word: PathWord) -> u32 {
    agreeing_of_sixteen(word.0, &filled(tail, 0))
}

/// The lowest bits, as many as there are rules `left`.
#[inline]
pub(super) fn first_bits(left: usize) -> u32 {
    if left < LANES { (1 << left) - 1 } else { u32::MAX }
}

/// The numbers of the bits that are set, from the lowest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits(pub(super) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let first = self.0.trailing_zeros();
        self.0 &= self.0.wrapping_sub(1);
        (first < u32::BITS).then(|| widen(first))
    }
}
