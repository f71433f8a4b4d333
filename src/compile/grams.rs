//! Grams: three octets in a row that a path must hold for a wildcard rule to match.
//!
//! A rule keeps up to four of them, chosen while it is compiled; a matcher marks those of a path once
//! and turns most wildcard rules down without searching for their literals. Necessary, not
//! sufficient: a gram shares its slot with others. Literals of less than three octets have none.

use memchr::memchr;

/// A slot that every path has: fills up the grams of rules that need fewer than four.
const ALWAYS: u16 = 0;

/// Up to four slots, as 16-bit numbers.
pub(crate) type Grams = u64;

/// Octets of a gram.
const GRAM_LEN: usize = 3;

#[inline]
fn slot_of(gram: [u8; GRAM_LEN]) -> u16 {
    let [first, second, third] = gram;
    let mixed = u32::from_le_bytes([first, second, third, 0]).wrapping_mul(0x9E37_79B1);
    let [_, _, low, high] = mixed.to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// The grams that `pattern`, without its anchor, needs behind its first wildcard: the first, middle
/// and last of its longest literal there, and the first of the next longest.
pub(super) fn grams_of(pattern: &[u8]) -> Grams {
    let (longest, next) = longest_literals(pattern);
    let slot = |literal: &[u8], at: usize| {
        literal.get(at..).and_then(|tail| tail.first_chunk()).map_or(ALWAYS, |gram| slot_of(*gram))
    };
    let last = longest.len().saturating_sub(GRAM_LEN);
    let slots = [slot(longest, 0), slot(longest, last), slot(longest, last / 2), slot(next, 0)];
    slots.iter().rev().fold(0, |packed, slot| packed << 16 | u64::from(*slot))
}

/// The rarest pair of octets in the longest literal behind the first wildcard of `pattern`, which
/// comes without its anchor; none where the anchor holds the only such literal to the path's end.
pub(super) fn pair_of(pattern: &[u8], anchored: bool) -> Option<[u8; 2]> {
    if anchored && memchr::memchr_iter(b'*', pattern).count() == 1 {
        return None;
    }
    let (longest, _) = longest_literals(pattern);
    let pairs = longest.windows(2).map(|pair| [pair[0], pair[1]]);
    pairs.min_by_key(|[first, second]| commonness(*first) * commonness(*second))
}

/// How common an octet is in paths, roughly.
#[inline]
fn commonness(octet: u8) -> u32 {
    COMMONNESS[usize::from(octet)]
}

/// [`commonness`] looked up: asked for each octet of each wildcard rule.
const COMMONNESS: [u32; 256] = {
    let mut table = [0; 256];
    let mut octet = 0_u8;
    loop {
        table[octet as usize] = match octet {
            b'/' | b'e' | b'a' | b'i' | b'-' => 8,
            b't' | b'o' | b's' | b'r' | b'n' | b'c' | b'l' => 6,
            b'a'..=b'z' => 3,
            b'0'..=b'9' | b'.' => 4,
            _ => 1,
        };
        match octet.checked_add(1) {
            Some(next) => octet = next,
            None => break table,
        }
    }
};

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

/// The grams of a path of moderate length: one flag for each 128 slots.
#[derive(Debug)]
pub(crate) struct ShortGrams([bool; SHORT_FLAGS]);

/// The grams of a path of any length: one bit for each slot.
#[derive(Debug)]
pub(crate) struct LongGrams([u64; LONG_WORDS]);

const SHORT_FLAGS: usize = 512;
const LONG_WORDS: usize = 1_024;

/// The grams of one path.
pub(crate) trait PathGrams {
    /// Marks the grams of `path`: one pass, an octet at a time, on the stack.
    fn new(path: &[u8]) -> Self;

    /// Whether the path has all of `grams`.
    fn hold(&self, grams: Grams) -> bool;
}

impl PathGrams for ShortGrams {
    #[inline]
    fn new(path: &[u8]) -> Self {
        let mut flags = [false; SHORT_FLAGS];
        flags[usize::from(ALWAYS)] = true;
        slots_of_path(path).for_each(|slot| flags[slot / 128] = true);
        ShortGrams(flags)
    }

    #[inline]
    fn hold(&self, grams: Grams) -> bool {
        all_slots(grams, |slot| self.0[slot / 128])
    }
}

impl PathGrams for LongGrams {
    fn new(path: &[u8]) -> Self {
        let mut words = [0; LONG_WORDS];
        words[usize::from(ALWAYS)] |= 1;
        slots_of_path(path).for_each(|slot| words[slot / 64] |= 1 << (slot % 64));
        LongGrams(words)
    }

    #[inline]
    fn hold(&self, grams: Grams) -> bool {
        all_slots(grams, |slot| self.0[slot / 64] & (1 << (slot % 64)) != 0)
    }
}

#[inline]
fn slots_of_path(path: &[u8]) -> impl Iterator<Item = usize> {
    let grams = path.windows(GRAM_LEN).filter_map(|gram| gram.first_chunk());
    grams.map(|gram| usize::from(slot_of(*gram)))
}

#[inline]
fn all_slots(grams: Grams, marked: impl Fn(usize) -> bool) -> bool {
    let octets = grams.to_le_bytes();
    let (slots, _) = octets.as_chunks::<2>();
    slots.iter().all(|slot| marked(usize::from(u16::from_le_bytes(*slot))))
}
