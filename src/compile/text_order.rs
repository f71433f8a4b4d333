//! Patterns in the order of their octets, compared eight at a time.
//!
//! Texts count as followed by zeros, which no pattern holds. Those that agree so far are sorted by
//! their next eight octets as one number: unlike a comparison of two texts, that neither starts at
//! their beginnings again nor calls anything.

use super::ids::{narrow, widen};
use crate::text::lanes::filled;
use crate::text::room::empty;

/// Where a text stands among all texts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) at: u32,
    pub(super) len: u32,
}

impl Place {
    /// Eight octets of the text from number `from` on, the first highest; zeros behind its end.
    #[inline]
    pub(super) fn word(self, texts: &[u8], from: usize) -> u64 {
        let left = widen(self.len).saturating_sub(from);
        let tail = texts.get(widen(self.at).saturating_add(from)..).unwrap_or_default();
        match tail.first_chunk() {
            // What follows the text is cut; without a branch, because many texts are that short.
            Some(octets) => u64::from_be_bytes(*octets) & !u64::MAX.unbounded_shr(narrow(left * 8)),
            None => last_word(tail.get(..left).unwrap_or(tail)),
        }
    }
}

/// [`Place::word`] at the end of all texts.
#[cold]
fn last_word(tail: &[u8]) -> u64 {
    u64::from_be_bytes(filled(tail, 0))
}

/// A text by its number, and the eight octets of it that are compared.
#[derive(Clone, Copy, Debug)]
struct Item {
    word: u64,
    number: u32,
}

/// Puts texts in order, again and again in the same memory.
#[derive(Debug, Default)]
pub(super) struct TextOrder {
    items: Vec<Item>,
    /// Where each differs from the one before.
    bits: Vec<u32>,
}

/// Stands for a bit where there is none.
const SAME: u32 = u32::MAX;

impl TextOrder {
    /// Sorts the texts at `places`.
    ///
    /// # Complexity
    /// Linear in the octets that texts share with another, and as many sorts of words as they have
    /// words.
    pub(super) fn sort(&mut self, places: &[Place], texts: &[u8]) {
        self.items.clear();
        self.items.extend(
            places
                .iter()
                .enumerate()
                .map(|(number, place)| Item { word: place.word(texts, 0), number: narrow(number) }),
        );
        self.bits.clear();
        self.bits.resize(places.len(), SAME);
        // Ranges of items that agree up to an octet, and are to be sorted from there on.
        let mut open = vec![(0, places.len(), 0)];
        while let Some((from, to, depth)) = open.pop() {
            let Some(range) = self.items.get_mut(from..to) else { continue };
            range.sort_unstable_by_key(|item| item.word);
            self.note_bits(from, to, depth);
            let mut at = from;
            let Some(range) = self.items.get_mut(from..to) else { continue };
            for run in range.chunk_by_mut(|one, other| one.word == other.word) {
                let to = at + run.len();
                match run {
                    [] | [_] => {}
                    [first, ..] if first.word & 0xFF == 0 => {
                        run.sort_unstable_by_key(|item| item.number);
                    }
                    _ => {
                        read_words(run, places, texts, depth + 8);
                        open.push((at, to, depth + 8));
                    }
                }
                at = to;
            }
        }
    }

    /// Notes where neighbours differ whose octets from number `depth` on were sorted.
    fn note_bits(&mut self, from: usize, to: usize, depth: usize) {
        let items = self.items.get(from..to).unwrap_or_default();
        let bits = self.bits.get_mut(from..to).unwrap_or_default().iter_mut().skip(1);
        for (pair, bit) in items.array_windows().zip(bits) {
            let [one, other] = pair.map(|item: Item| item.word);
            if one != other {
                *bit = narrow(depth * 8).saturating_add((one ^ other).leading_zeros());
            }
        }
    }

    /// The numbers of the texts in their order, of equal texts the lower number first; with each the
    /// first bit, counted from the first octet's highest, in which it differs from the one before, if
    /// any does.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Option<u32>)> {
        let differing = self.bits.iter().map(|bit| Some(*bit).filter(|bit| *bit != SAME));
        self.items.iter().map(|item| item.number).zip(differing)
    }

    /// Empties all lists; their memory is kept where it is not large.
    pub(super) fn empty(&mut self) {
        empty(&mut self.items);
        empty(&mut self.bits);
    }
}

/// Reads the words of `items` from octet `depth` on.
fn read_words(items: &mut [Item], places: &[Place], texts: &[u8], depth: usize) {
    for item in items {
        let place = places.get(widen(item.number));
        item.word = place.map_or(0, |place| place.word(texts, depth));
    }
}
