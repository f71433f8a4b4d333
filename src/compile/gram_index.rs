//! Which wildcard rules a path may match, found from the path's side: for groups with many.
//!
//! Each rule stands under one gram, three octets in a row that every path it matches holds. A pass over the path looks each of its grams up; what it finds are the
//! candidates, however many rules there are. Rules without a literal of three octets stand in a list
//! of their own and are candidates always.

use memchr::memchr;

use super::grams::{GRAM_LEN, slot_of, slot_of_gram};
use super::ids::{narrow, widen};
use super::layout;

/// Most slots of an index, as a power of two: one bit each of those seen fits on the stack.
const MAX_SLOT_BITS: u32 = 13;
const MIN_SLOT_BITS: u32 = 6;
const SEEN_WORDS: usize = 1 << (MAX_SLOT_BITS - u64::BITS.trailing_zeros());

/// Slots for each rule, as a power of two: most slots that a path looks up are empty.
const SLOT_BITS_PER_RULE: u32 = 2;

/// Wildcard rules by gram.
#[derive(Clone, Copy, Debug)]
pub struct GramIndex<'p> {
    /// How many bits fewer the number of a slot has than that of a gram's.
    shift: u32,
    /// Where each slot's rules begin, and after the last slot those that have no gram.
    starts: &'p [[u8; layout::OFFSET_LEN]],
    /// Numbers of rules.
    rules: &'p [[u8; 4]],
}

/// Grams looked up together.
const STRIDE: usize = 64;

impl<'p> GramIndex<'p> {
    /// Reads the index that `octets` begin with.
    pub(super) fn read(octets: &'p [u8], num_rules: usize) -> Self {
        let slot_bits = slot_bits(num_rules);
        let (starts, rules) = octets.split_at_checked(starts_len(slot_bits)).unwrap_or_default();
        let rules = rules.get(..num_rules.saturating_mul(4)).unwrap_or_default();
        GramIndex {
            shift: u16::BITS.saturating_sub(slot_bits),
            starts: starts.as_chunks().0,
            rules: rules.as_chunks().0,
        }
    }

    /// How long the index of so many rules is.
    pub(super) fn len_of(num_rules: usize) -> usize {
        starts_len(slot_bits(num_rules)).saturating_add(num_rules.saturating_mul(4))
    }

    /// Calls `each` with the number of every rule that may match `path`, once, in no order.
    ///
    /// # Complexity
    /// One pass over the path, an octet at a time, and the candidates.
    #[inline]
    pub fn for_each_candidate(&self, path: &[u8], mut each: impl FnMut(usize)) {
        // Each rule stands in one place of a sound index: a damaged one gives no more than there are.
        let mut left = self.rules.len();
        if path.len() < STRIDE + GRAM_LEN {
            let (occupied, count) = self.occupied_slots(path);
            let occupied = occupied.get(..count).unwrap_or_default();
            for (at, slot) in occupied.iter().enumerate() {
                if !occupied.iter().take(at).any(|before| before == slot) {
                    self.each_in(usize::from(*slot), &mut left, &mut each);
                }
            }
        } else {
            self.for_each_in_long(path, &mut left, &mut each);
        }
        let without_gram = self.starts.last().map_or(u32::MAX, |start| u32::from_le_bytes(*start));
        self.each_of(without_gram, u32::MAX, &mut left, &mut each);
    }

    /// Calls `each` with the rules whose gram stands in `path`.
    fn for_each_in_long(&self, path: &[u8], left: &mut usize, each: &mut impl FnMut(usize)) {
        let mut seen = [0_u64; SEEN_WORDS];
        let mut at = 0;
        while let Some(tail) = path.get(at..).filter(|tail| tail.len() >= GRAM_LEN) {
            let (occupied, count) = self.occupied_slots(tail);
            for slot in occupied.iter().take(count) {
                let (slot, bit) = (usize::from(*slot), 1 << (slot % 64));
                if let Some(word) = seen.get_mut(slot / 64).filter(|word| **word & bit == 0) {
                    *word |= bit;
                    self.each_in(slot, left, each);
                }
            }
            at += STRIDE;
        }
    }

    /// The slots of the first grams of `text` that have rules, and how many they are. Without a
    /// branch for each gram, which no processor could foresee.
    #[inline]
    fn occupied_slots(&self, text: &[u8]) -> ([u16; STRIDE], usize) {
        let (mut slots, mut count) = ([0; STRIDE], 0);
        let mut look_up = |slot: u16| {
            let slot = slot >> self.shift;
            let (from, to) = self.range(usize::from(slot));
            // Never full before the last gram: one place each.
            slots[count % STRIDE] = slot;
            count += usize::from(from < to);
        };
        let fours = text.windows(GRAM_LEN + 1).filter_map(|four| four.first_chunk());
        fours.take(STRIDE).for_each(|four| look_up(slot_of(*four)));
        if let (Some(last), true) = (text.last_chunk(), text.len() < STRIDE + GRAM_LEN) {
            look_up(slot_of_gram(*last));
        }
        (slots, count)
    }

    #[inline]
    fn range(&self, slot: usize) -> (u32, u32) {
        match self.starts.get(slot..slot + 2) {
            Some([from, to]) => (u32::from_le_bytes(*from), u32::from_le_bytes(*to)),
            _ => (0, 0),
        }
    }

    #[inline]
    fn each_in(&self, slot: usize, left: &mut usize, each: &mut impl FnMut(usize)) {
        let (from, to) = self.range(slot);
        self.each_of(from, to, left, each);
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

fn starts_len(slot_bits: u32) -> usize {
    ((1 << slot_bits) + 1) * layout::OFFSET_LEN
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
        let grams =
            indexed_literal(pattern).windows(GRAM_LEN).filter_map(|gram| gram.first_chunk());
        grams.map(move |gram| usize::from(slot_of_gram(*gram) >> (u16::BITS - slot_bits)))
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
