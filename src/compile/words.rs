//! Words: what a path must begin with for a rule to match, four octets a rule.
//!
//! Sixteen rules are compared at a time. Necessary, not sufficient.

use super::ids::widen;
use crate::text::lanes::{LANES, agreeing_of_eight, agreeing_of_sixteen, filled};

/// Octets of a word.
pub(super) const WORD_LEN: usize = 4;

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
    /// That of `path`, which begins with its `/`.
    #[inline]
    pub(crate) fn new(path: &[u8]) -> Self {
        PathWord(word_of(path.get(1..).unwrap_or_default()))
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
    pub(super) fn agreeing(&self, base: usize, word: &PathWord) -> u32 {
        let left = self.count.saturating_sub(base);
        let tail = self.octets.get(base * WORD_LEN..).unwrap_or_default();
        if left > LANES / 2 {
            let all = if left < LANES { (1 << left) - 1 } else { u32::MAX };
            let filled;
            let words = match tail.first_chunk() {
                Some(words) => words,
                None => {
                    filled = near_end(tail);
                    &filled
                }
            };
            agreeing_of_sixteen(word.0, words) & all
        } else {
            let filled;
            let words = match tail.first_chunk() {
                Some(words) => words,
                None => {
                    filled = near_end(tail);
                    &filled
                }
            };
            agreeing_of_eight(word.0, words) & ((1 << left) - 1)
        }
    }

    /// Whether the rule at `at` agrees with a path.
    #[inline]
    pub(super) fn agrees(&self, at: usize, word: &PathWord) -> bool {
        let asked = self.octets.get(at * WORD_LEN..).unwrap_or_default().iter();
        asked.zip(word.0).all(|(asked, octet)| *asked == 0 || *asked == octet)
    }

    /// The first answer that `check` gives for a rule that agrees with a path; rules are numbered
    /// from 0 by rank.
    ///
    /// # Complexity
    /// Linear in the rules, sixteen at a time.
    #[inline]
    pub(crate) fn first_agreeing<T>(
        &self,
        word: &PathWord,
        mut check: impl FnMut(usize) -> Option<T>,
    ) -> Option<T> {
        let mut base = 0;
        while base < self.count {
            let found = Bits(self.agreeing(base, word)).find_map(|at| check(base + at));
            if found.is_some() {
                return found;
            }
            base += LANES;
        }
        None
    }
}

/// The last words of a program.
#[cold]
fn near_end<const N: usize>(tail: &[u8]) -> [u8; N] {
    filled(tail, 0)
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
