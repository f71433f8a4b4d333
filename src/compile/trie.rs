//! Literal rules as a binary trie: the longest text that begins a path, in a walk down.
//!
//! A node names the first bit in which the texts below it differ, and only such bits are looked at:
//! the walk ends at the one text that agrees with the path longest, without having compared
//! anything. Every other text that begins the path is a prefix of that one, so one comparison tells
//! how far it agrees, and links from each text to its longest prefix among the texts lead to the
//! answer.
//!
//! Texts count as followed by zeros, which no pattern holds; so does a path.

use super::ids::widen;
use super::layout;
use super::program::word_of;

/// The literal rules of a group as a trie.
#[derive(Clone, Copy, Debug)]
pub struct Trie<'p> {
    pub(super) root: u32,
    /// A bit and where to go when it is 0 and 1.
    pub(super) nodes: &'p [[u8; layout::NODE_LEN]],
    pub(super) leaves: &'p [[u8; layout::LEAF_LEN]],
    pub(super) texts: &'p [u8],
}

/// A text of the trie and the rules that have it as their pattern.
#[derive(Clone, Copy, Debug)]
pub struct Leaf<'p> {
    record: &'p [u8; layout::LEAF_LEN],
    texts: &'p [u8],
}

impl<'p> Leaf<'p> {
    /// The pattern, without an anchor.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &'p [u8] {
        let at = widen(word_of(self.record, 0));
        self.texts.get(at..at.saturating_add(self.len())).unwrap_or_default()
    }

    #[inline]
    fn len(&self) -> usize {
        widen(word_of(self.record, 4))
    }

    /// The best rule that a path matches if it begins with the text: one of the text, or of one that
    /// begins it (`/a*` asks for more octets than `/a` and as many as `/ab`).
    #[must_use]
    #[inline]
    pub fn open_rule(&self) -> Option<usize> {
        word_of(self.record, 8).checked_sub(1).map(widen)
    }

    /// The rule that a path matches if it is the text.
    #[must_use]
    #[inline]
    pub fn anchored_rule(&self) -> Option<usize> {
        word_of(self.record, 12).checked_sub(1).map(widen)
    }
}

impl<'p> Trie<'p> {
    /// The text that agrees with `path` over more octets than, or as many as, any other.
    ///
    /// # Complexity
    /// At most one step for each bit of the path and one more, in practice about the logarithm of
    /// the number of texts.
    #[must_use]
    #[inline]
    pub fn nearest(&self, path: &[u8]) -> Option<Leaf<'p>> {
        let (mut at, mut last_bit) = (self.root, None);
        while at & layout::IS_LEAF == 0 {
            let node = self.nodes.get(widen(at))?;
            let bit = word_of(node, 0);
            // Bits ascend on the way down; in a damaged program the walk ends here.
            if last_bit.is_some_and(|last| last >= bit) {
                return None;
            }
            last_bit = Some(bit);
            let octet = path.get(widen(bit / 8)).copied().unwrap_or(0);
            let is_set = octet << (bit % 8) & 0x80 != 0;
            at = either(node, is_set);
        }
        self.leaf(at & !layout::IS_LEAF)
    }

    /// The longest text with an open rule that is `leaf`'s or a prefix of it and has at most
    /// `len` octets.
    ///
    /// # Complexity
    /// At most about the square of the logarithm of the number of prefixes.
    #[must_use]
    #[inline]
    pub fn longest_open(&self, leaf: Leaf<'p>, len: usize) -> Option<Leaf<'p>> {
        if leaf.len() <= len && leaf.open_rule().is_some() {
            return Some(leaf);
        }
        let mut leaf = leaf;
        loop {
            let link = self.leaf(word_of(leaf.record, 16).checked_sub(1)?)?;
            if link.len() <= len {
                return Some(link);
            }
            let jump = word_of(leaf.record, 20).checked_sub(1).and_then(|at| self.leaf(at));
            let next = jump.filter(|jump| jump.len() > len).unwrap_or(link);
            // Links lead to shorter texts; in a damaged program the search ends here.
            if next.len() >= leaf.len() {
                return None;
            }
            leaf = next;
        }
    }

    #[inline]
    fn leaf(&self, at: u32) -> Option<Leaf<'p>> {
        let record = self.leaves.get(widen(at))?;
        Some(Leaf { record, texts: self.texts })
    }
}

/// Where a node leads.
///
/// Both places are read as one number and shifted: chosen by a branch or by their address, the next
/// node would be waited for longer.
#[inline]
fn either(node: &[u8; layout::NODE_LEN], is_set: bool) -> u32 {
    let both = node.last_chunk().map_or(0, |both| u64::from_le_bytes(*both));
    let [a, b, c, d, ..] = (both >> (u32::from(is_set) * u32::BITS)).to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}
