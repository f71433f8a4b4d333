//! Which wildcard rules a path may match, found from the path's side: for groups with many.
//!
//! Each rule stands under one gram, three octets in a row that every path it matches holds. A pass over the path looks each of its grams up; what it finds are the
//! candidates, however many rules there are. Rules without a literal of three octets stand in a list
//! of their own and are candidates always.

use memchr::memchr;

use super::ids::{narrow, widen};
use super::layout;
use super::program::word_of;
use crate::text::lanes::filled;

/// Octets of a gram.
const GRAM_LEN: usize = 3;

/// Most slots of an index, as a power of two: one bit each of those seen fits on the stack.
const MAX_SLOT_BITS: u32 = 13;
const MIN_SLOT_BITS: u32 = 6;
const SEEN_WORDS: usize = 1 << (MAX_SLOT_BITS - u64::BITS.trailing_zeros());

/// Slots for each rule, as a power of two: most slots that a path looks up are empty.
const SLOT_BITS_PER_RULE: u32 = 2;

/// Wildcard rules by gram.
#[derive(Clone, Copy, Debug)]
pub struct GramIndex<'p> {
    slot_bits: u32,
    /// Where each slot's rules begin, and after the last slot those that have no gram.
    starts: &'p [u8],
    /// Numbers of rules.
    rules: &'p [[u8; 4]],
}

/// Grams looked up together.
const STRIDE: usize = 64;

/// The slot of the first three of four octets.
#[inline]
fn slot_of(octets: [u8; 4], slot_bits: u32) -> u16 {
    let gram = u32::from_le_bytes(octets) << 8;
    let mixed = gram.wrapping_mul(0x9E37_79B1);
    let [low, high, ..] = (mixed >> (u32::BITS - slot_bits)).to_le_bytes();
    u16::from_le_bytes([low, high])
}

impl<'p> GramIndex<'p> {
    /// Reads the index that `octets` begin with; says how long it is.
    pub(super) fn read(octets: &'p [u8], num_rules: usize) -> (Self, usize) {
        let slot_bits = slot_bits(num_rules);
        let starts_len = ((1 << slot_bits) + 1) * layout::OFFSET_LEN;
        let rules = octets.get(starts_len..).unwrap_or_default();
        let rules_len = num_rules.saturating_mul(4);
        let rules = rules.get(..rules_len).unwrap_or_default().as_chunks().0;
        let starts = octets.get(..starts_len).unwrap_or_default();
        (GramIndex { slot_bits, starts, rules }, starts_len.saturating_add(rules_len))
    }

    /// Calls `each` with the number of every rule that may match `path`, once, in no order.
    ///
    /// # Complexity
    /// One pass over the path, an octet at a time, and the candidates.
    #[inline]
    pub fn for_each_candidate(&self, path: &[u8], mut each: impl FnMut(usize)) {
        let mut seen = [0_u64; SEEN_WORDS];
        // Each rule stands in one place of a sound index: a damaged one gives no more than there are.
        let mut left = self.rules.len();
        let mut at = 0;
        while let Some(tail) = path.get(at..).filter(|tail| tail.len() >= GRAM_LEN) {
            let (occupied, count) = self.occupied_slots(tail);
            for slot in occupied.iter().take(count) {
                let (slot, bit) = (usize::from(*slot), 1 << (slot % 64));
                if let Some(word) = seen.get_mut(slot / 64).filter(|word| **word & bit == 0) {
                    *word |= bit;
                    let (from, to) = self.range(slot);
                    self.each_of(from, to, &mut left, &mut each);
                }
            }
            at += STRIDE;
        }
        self.each_of(
            word_of(self.starts, self.starts.len().saturating_sub(4)),
            u32::MAX,
            &mut left,
            &mut each,
        );
    }

    /// The slots of the first grams of `text` that have rules, and how many they are. Without a
    /// branch for each gram, which no processor could foresee.
    #[inline]
    fn occupied_slots(&self, text: &[u8]) -> ([u16; STRIDE], usize) {
        let (mut slots, mut count) = ([0; STRIDE], 0);
        let mut look_up = |octets: [u8; 4]| {
            let slot = slot_of(octets, self.slot_bits);
            let (from, to) = self.range(usize::from(slot));
            // Never full before the last gram: one place each.
            slots[count % STRIDE] = slot;
            count += usize::from(from < to);
        };
        let fours = text.windows(4).filter_map(|four| four.first_chunk());
        fours.take(STRIDE).for_each(|four| look_up(*four));
        if let (Some([first, second, third]), true) = (text.last_chunk(), text.len() <= STRIDE + 2)
        {
            look_up([*first, *second, *third, 0]);
        }
        (slots, count)
    }

    #[inline]
    fn range(&self, slot: usize) -> (u32, u32) {
        let at = slot * layout::OFFSET_LEN;
        let both = self.starts.get(at..).and_then(|tail| tail.first_chunk::<8>());
        let both = both.map_or(0, |both| u64::from_le_bytes(*both));
        (narrow_half(both), narrow_half(both >> 32))
    }

    #[inline]
    fn each_of(&self, from: u32, to: u32, left: &mut usize, each: &mut impl FnMut(usize)) {
        let to = widen(to).min(self.rules.len());
        let rules = self.rules.get(widen(from)..to).unwrap_or_default();
        let rules = rules.get(..*left).unwrap_or(rules);
        *left -= rules.len();
        rules.iter().for_each(|rule| each(widen(u32::from_le_bytes(*rule))));
    }
}

/// The lower 32 bits.
#[inline]
fn narrow_half(both: u64) -> u32 {
    let [a, b, c, d, ..] = both.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

fn slot_bits(num_rules: usize) -> u32 {
    let bits = narrow(num_rules).max(1).ilog2() + 1 + SLOT_BITS_PER_RULE;
    bits.clamp(MIN_SLOT_BITS, MAX_SLOT_BITS)
}

/// Writes the index of `patterns`, which come without their anchors.
pub(super) fn push_index<'t>(
    patterns: impl ExactSizeIterator<Item = &'t [u8]> + Clone,
    out: &mut Vec<u8>,
) {
    let slot_bits = slot_bits(patterns.len());
    let num_slots = 1 << slot_bits;
    let slots_of = |pattern: &'t [u8]| {
        let grams = indexed_literal(pattern).windows(GRAM_LEN);
        grams.map(move |gram| usize::from(slot_of(filled(gram, 0), slot_bits)))
    };
    // Rules stand under the gram that fewest rules have: others may be common in the site's paths.
    let mut num_with = vec![0_u32; num_slots];
    patterns.clone().flat_map(slots_of).for_each(|slot| num_with[slot] += 1);
    let slots: Vec<usize> = patterns
        .map(|pattern| slots_of(pattern).min_by_key(|slot| num_with[*slot]).unwrap_or(num_slots))
        .collect();
    let mut starts = vec![0_u32; num_slots + 1];
    slots.iter().filter(|slot| **slot < num_slots).for_each(|slot| starts[slot + 1] += 1);
    (0..num_slots).for_each(|slot| starts[slot + 1] += starts[slot]);
    starts.iter().for_each(|start| out.extend_from_slice(&start.to_le_bytes()));
    let mut rules = vec![0_u32; slots.len()];
    for (rule, slot) in slots.into_iter().enumerate() {
        rules[widen(starts[slot])] = narrow(rule);
        starts[slot] += 1;
    }
    rules.iter().for_each(|rule| out.extend_from_slice(&rule.to_le_bytes()));
}

/// The literal that a rule's gram is taken from: the longest behind the first wildcard, because what
/// stands before it is compared anyway, or that if no other is long enough.
fn indexed_literal(pattern: &[u8]) -> &[u8] {
    let (head, behind) = pattern.split_at(memchr(b'*', pattern).unwrap_or(0));
    let longest = behind.split(|octet| *octet == b'*').max_by_key(|literal| literal.len());
    longest.filter(|literal| literal.len() >= GRAM_LEN).unwrap_or(head)
}
