//! Grams: three octets in a row that a path must hold for a wildcard rule to match.
//!
//! A rule keeps up to four of them, chosen while it is compiled; a matcher marks those of a path once
//! and turns most wildcard rules down without searching for their literals. Necessary, not
//! sufficient: a gram shares its slot with others. Literals of less than three octets have none.

use super::ids::narrow;
use super::pattern::for_each_star;

/// A slot that every path has: fills up the grams of rules that need fewer than four.
const ALWAYS: u16 = 0;

/// Up to four slots, as 16-bit numbers.
pub(crate) type Grams = u64;

/// Octets of a gram.
pub(super) const GRAM_LEN: usize = 3;

/// The slot of the gram that four octets begin with.
#[inline]
pub(super) fn slot_of(octets: [u8; 4]) -> u16 {
    let gram = u32::from_le_bytes(octets) << 8;
    let [_, _, low, high] = gram.wrapping_mul(0x9E37_79B1).to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// The slot of a gram by itself.
#[inline]
pub(super) fn slot_of_gram([first, second, third]: [u8; GRAM_LEN]) -> u16 {
    slot_of([first, second, third, 0])
}

/// What a path must hold behind the first wildcard of a rule's pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// The first, middle and last gram of the longest literal there, and the first of the next
    /// longest.
    pub(super) grams: Grams,
    /// The rarest pair of octets in the longest literal; none where the anchor holds the only one to
    /// the path's end.
    pub(super) pair: Option<[u8; 2]>,
}

/// What `pattern`, which comes without its anchor, needs.
pub(super) fn needs_of(pattern: &[u8], anchored: bool) -> Needs {
    let literals = Literals::of(pattern);
    let has_pair = !anchored || literals.count > 1;
    let pair = has_pair.then(|| rarest_pair(literals.longest)).flatten();
    Needs { grams: grams_of(literals.longest, literals.next), pair }
}

fn grams_of(longest: &[u8], next: &[u8]) -> Grams {
    let slot = |literal: &[u8], at: usize| {
        literal
            .get(at..)
            .and_then(|tail| tail.first_chunk())
            .map_or(ALWAYS, |gram| slot_of_gram(*gram))
    };
    let last = longest.len().saturating_sub(GRAM_LEN);
    let slots = [slot(longest, 0), slot(longest, last), slot(longest, last / 2), slot(next, 0)];
    slots.iter().rev().fold(0, |packed, slot| packed << 16 | u64::from(*slot))
}

/// The first of the pairs whose octets are least common.
fn rarest_pair(literal: &[u8]) -> Option<[u8; 2]> {
    let (&first, rest) = literal.split_first()?;
    let mut last = commonness(first);
    // The least product and, below it, where it stands: chosen without a branch.
    let mut rarest = u64::MAX;
    for (at, &octet) in rest.iter().enumerate() {
        let commonness = commonness(octet);
        rarest = rarest.min(u64::from(last * commonness) << u32::BITS | u64::from(narrow(at)));
        last = commonness;
    }
    let at = usize::try_from(rarest & u64::from(u32::MAX)).unwrap_or(usize::MAX);
    literal.get(at..).and_then(|tail| tail.first_chunk()).copied()
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

/// The literals behind the first wildcard of a pattern.
struct Literals<'t> {
    longest: &'t [u8],
    next: &'t [u8],
    /// How many they are, empty ones too.
    count: usize,
}

impl<'t> Literals<'t> {
    fn of(pattern: &'t [u8]) -> Self {
        let mut literals = Literals { longest: &[], next: &[], count: 0 };
        let mut begins = None;
        for_each_star(pattern, |at| {
            if let Some(from) = begins.replace(at + 1) {
                literals.add(pattern.get(from..at).unwrap_or_default());
            }
        });
        if let Some(from) = begins {
            literals.add(pattern.get(from..).unwrap_or_default());
        }
        literals
    }

    #[inline]
    fn add(&mut self, literal: &'t [u8]) {
        self.count += 1;
        if literal.len() > self.longest.len() {
            (self.longest, self.next) = (literal, self.longest);
        } else if literal.len() > self.next.len() {
            self.next = literal;
        }
    }
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
        for_each_slot(path, |slot| flags[slot / 128] = true);
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
        for_each_slot(path, |slot| words[slot / 64] |= 1 << (slot % 64));
        LongGrams(words)
    }

    #[inline]
    fn hold(&self, grams: Grams) -> bool {
        all_slots(grams, |slot| self.0[slot / 64] & (1 << (slot % 64)) != 0)
    }
}

/// Calls `each` with the slots of the grams of `path`. Four octets are read where three would do,
/// because a processor reads them at once.
#[inline]
fn for_each_slot(path: &[u8], mut each: impl FnMut(usize)) {
    let fours = path.windows(GRAM_LEN + 1).filter_map(|four| four.first_chunk());
    fours.for_each(|four| each(usize::from(slot_of(*four))));
    if let Some(last) = path.last_chunk() {
        each(usize::from(slot_of_gram(*last)));
    }
}

#[inline]
fn all_slots(grams: Grams, marked: impl Fn(usize) -> bool) -> bool {
    let octets = grams.to_le_bytes();
    let (slots, _) = octets.as_chunks::<2>();
    slots.iter().all(|slot| marked(usize::from(u16::from_le_bytes(*slot))))
}
