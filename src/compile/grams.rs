//! Grams: pairs of octets that a path must hold for a wildcard rule to match.
//!
//! A rule keeps up to four of them, chosen while it is compiled; a matcher marks those of a path once
//! and turns most wildcard rules down without searching for their literals. Necessary, not
//! sufficient: a pair shares one of 512 slots with others. Literals of one octet have none.

use memchr::memchr;

/// Slots for pairs of octets.
const PAIR_SLOTS: usize = 512;

/// A slot that every path has: fills up the grams of rules that need fewer than four.
const ALWAYS: usize = PAIR_SLOTS;

/// Number of slots.
const GRAM_SLOTS: usize = ALWAYS + 1;

/// Up to four slots, as 16-bit numbers.
pub(crate) type Grams = u64;

#[inline]
fn pair_slot(first: u8, second: u8) -> usize {
    (usize::from(first) * 33 + usize::from(second)) % PAIR_SLOTS
}

/// The grams that `pattern`, without its anchor, needs behind its first wildcard: the first, middle
/// and last pair of its longest literal there, and the first pair of the next longest.
pub(super) fn grams_of(pattern: &[u8]) -> Grams {
    let (longest, next) = longest_literals(pattern);
    let slot = |literal: &[u8], at: usize| match literal.get(at..at + 2) {
        Some(pair) => pair_slot(pair[0], pair[1]),
        None => ALWAYS,
    };
    let last = longest.len().saturating_sub(2);
    pack([slot(longest, 0), slot(longest, last), slot(longest, last / 2), slot(next, 0)])
}

/// The rarest pair of octets in the longest literal behind the first wildcard of `pattern`.
pub(super) fn pair_of(pattern: &[u8]) -> Option<[u8; 2]> {
    let (longest, _) = longest_literals(pattern);
    let pairs = longest.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.min_by_key(|[first, second]| commonness(*first) * commonness(*second))
}

/// How common an octet is in paths, roughly.
fn commonness(octet: u8) -> u32 {
    match octet {
        b'/' | b'e' | b'a' | b'i' | b'-' => 8,
        b't' | b'o' | b's' | b'r' | b'n' | b'c' | b'l' => 6,
        b'a'..=b'z' => 3,
        b'0'..=b'9' | b'.' => 4,
        _ => 1,
    }
}

/// The longest and the next longest literal behind the first wildcard.
fn longest_literals(pattern: &[u8]) -> (&[u8], &[u8]) {
    let (mut longest, mut next): (&[u8], &[u8]) = (&[], &[]);
    let behind = memchr(b'*', pattern).map_or(&pattern[pattern.len()..], |at| &pattern[at + 1..]);
    for literal in behind.split(|octet| *octet == b'*') {
        if literal.len() > longest.len() {
            (longest, next) = (literal, longest);
        } else if literal.len() > next.len() {
            next = literal;
        }
    }
    (longest, next)
}

fn pack(slots: [usize; 4]) -> Grams {
    slots.iter().rev().fold(0, |packed, slot| packed << 16 | *slot as u64)
}

/// The grams of one path.
#[derive(Debug)]
pub struct PathGrams {
    marked: [bool; GRAM_SLOTS],
}

impl PathGrams {
    /// Marks the grams of `path`.
    ///
    /// # Complexity
    /// One store an octet.
    #[must_use]
    pub fn new(path: &[u8]) -> Self {
        let mut marked = [false; GRAM_SLOTS];
        marked[ALWAYS] = true;
        for pair in path.windows(2) {
            marked[pair_slot(pair[0], pair[1])] = true;
        }
        PathGrams { marked }
    }

    /// Whether the path has all of `grams`.
    #[must_use]
    #[inline]
    pub fn hold(&self, grams: Grams) -> bool {
        let slots = grams.to_le_bytes();
        let (slots, _) = slots.as_chunks::<2>();
        slots.iter().all(|slot| {
            let slot = usize::from(u16::from_le_bytes(*slot));
            self.marked.get(slot).copied().unwrap_or(true)
        })
    }
}
