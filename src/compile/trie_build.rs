//! Writing a [`Trie`](super::trie::Trie): texts sorted, nodes where neighbours part.

use super::ids::{narrow, widen};
use super::layout::IS_LEAF;
use super::text_order::{Place, TextOrder};
use crate::text::room::empty;

/// Builds tries, again and again in the same memory.
#[derive(Debug, Default)]
pub(super) struct TrieBuilder {
    order: TextOrder,
    texts: Vec<Text>,
    /// The first bit in which each text but the first differs from the one before.
    bits: Vec<u32>,
    pub(super) root: u32,
    pub(super) nodes: Vec<[u32; 3]>,
    pub(super) leaves: Vec<[u32; 6]>,
}

/// A text with its rules, each number one higher, 0 for none.
#[derive(Clone, Copy, Debug)]
struct Text {
    place: Place,
    open_rule: u32,
    anchored_rule: u32,
}

impl TrieBuilder {
    /// A trie of rules by rank, at least one, whose patterns without their anchors stand at `places`;
    /// `is_anchored` by number.
    pub(super) fn build(
        &mut self,
        places: &[Place],
        texts: &[u8],
        is_anchored: impl Fn(usize) -> bool,
    ) {
        self.order.sort(places, texts);
        self.unite_equal(places, is_anchored);
        self.order.empty();
        self.root = push_nodes(&self.bits, &mut self.nodes);
        push_leaves(&self.texts, &self.bits, &mut self.leaves);
    }

    /// One text for all rules of the same, with the best rule of each kind.
    fn unite_equal(&mut self, places: &[Place], is_anchored: impl Fn(usize) -> bool) {
        for (number, bit) in self.order.iter() {
            if self.texts.is_empty() || bit.is_some() {
                self.bits.extend(bit);
                let place = places.get(widen(number)).copied().unwrap_or_default();
                self.texts.push(Text { place, open_rule: 0, anchored_rule: 0 });
            }
            if let Some(text) = self.texts.last_mut() {
                let best = match is_anchored(widen(number)) {
                    true => &mut text.anchored_rule,
                    false => &mut text.open_rule,
                };
                if *best == 0 {
                    *best = number.saturating_add(1);
                }
            }
        }
    }

    /// Empties all lists; their memory is kept where it is not large.
    pub(super) fn empty(&mut self) {
        empty(&mut self.texts);
        empty(&mut self.bits);
        empty(&mut self.nodes);
        empty(&mut self.leaves);
    }
}

/// Appends the nodes between sorted texts, and returns the root: of each range of texts, the node with
/// the lowest bit stands above the others.
fn push_nodes(bits: &[u32], nodes: &mut Vec<[u32; 3]>) -> u32 {
    // Nodes whose right side is still open, the uppermost first.
    let mut open: Vec<u32> = Vec::new();
    for (at, &bit) in bits.iter().enumerate() {
        let at = narrow(at);
        let mut left = IS_LEAF | at;
        while let Some(&last) = open.last().filter(|last| nodes[widen(**last)][0] > bit) {
            left = last;
            open.pop();
        }
        if let Some(&above) = open.last() {
            nodes[widen(above)][2] = at;
        }
        nodes.push([bit, left, IS_LEAF | (at + 1)]);
        open.push(at);
    }
    open.first().copied().unwrap_or(IS_LEAF)
}

/// A text with an open rule that begins others.
struct Prefix {
    len: u32,
    leaf: u32,
    /// The best open rule of the text and those it begins with.
    rule: u32,
}

/// The better of two rules, whose numbers are one higher and 0 for none.
fn best_rule(one: u32, other: u32) -> u32 {
    if one == 0 || other == 0 { one.max(other) } else { one.min(other) }
}

/// Appends records of the leaves: each with the longest prefix that has an open rule, and a jump over
/// several of them, so that any prefix is reached in few steps, however many there are.
fn push_leaves(texts: &[Text], bits: &[u32], leaves: &mut Vec<[u32; 6]>) {
    // Texts with an open rule that begin the text at hand, the longest last.
    let mut prefixes: Vec<Prefix> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let agreed = at.checked_sub(1).and_then(|last| bits.get(last)).map_or(0, |bit| bit / 8);
        while prefixes.last().is_some_and(|prefix| prefix.len > agreed) {
            prefixes.pop();
        }
        let open_rule = best_rule(text.open_rule, prefixes.last().map_or(0, |prefix| prefix.rule));
        let link = prefixes.last().map_or(0, |prefix| prefix.leaf + 1);
        let jump = prefixes.get(jump_from(prefixes.len())).map_or(0, |prefix| prefix.leaf + 1);
        leaves.push([
            text.place.at,
            text.place.len,
            if text.open_rule == 0 { 0 } else { open_rule },
            text.anchored_rule,
            link,
            jump,
        ]);
        if text.open_rule != 0 {
            prefixes.push(Prefix { len: text.place.len, leaf: narrow(at), rule: open_rule });
        }
    }
}

/// Which prefix, counted from the shortest, the jump of a text with `depth` prefixes leads to: the
/// depth with its lowest bit taken off, so that jumps halve what is left.
fn jump_from(depth: usize) -> usize {
    depth & depth.wrapping_sub(1)
}
