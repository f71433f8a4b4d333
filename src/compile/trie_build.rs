//! Writing a [`Trie`](super::trie::Trie): texts sorted, nodes where neighbours part.

use super::ids::narrow;
use super::layout::IS_LEAF;
use crate::text::compare::common_len;

/// A literal rule on its way into a trie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    /// The pattern without an anchor.
    pub(super) text: &'t [u8],
    pub(super) text_at: u32,
    pub(super) anchored: bool,
    /// Number of the rule's record; of two, the lower has the better rank.
    pub(super) rule: u32,
}

/// A trie as lists of words, ready to be written.
#[derive(Debug, Default)]
pub(super) struct TrieParts {
    pub(super) root: u32,
    pub(super) nodes: Vec<[u32; 3]>,
    pub(super) leaves: Vec<[u32; 6]>,
}

impl TrieParts {
    /// Of at least one rule.
    pub(super) fn new(mut entries: Vec<Entry<'_>>) -> Self {
        entries.sort_unstable_by_key(|entry| (entry.text, entry.rule));
        let leaves = unite_equal(&entries);
        let shared: Vec<usize> =
            leaves.windows(2).map(|pair| common_len(pair[0].text, pair[1].text)).collect();
        let bits: Vec<u32> = leaves
            .windows(2)
            .zip(&shared)
            .map(|(pair, shared)| first_different_bit(pair[0].text, pair[1].text, *shared))
            .collect();
        let (root, nodes) = nodes(&bits);
        TrieParts { root, nodes, leaves: link(&leaves, &shared) }
    }
}

/// A text with its rules, each number one higher, 0 for none.
#[derive(Clone, Copy)]
struct Text<'t> {
    text: &'t [u8],
    text_at: u32,
    open_rule: u32,
    anchored_rule: u32,
}

/// One entry a text, with the best rule of each kind; `entries` are sorted.
fn unite_equal<'t>(entries: &[Entry<'t>]) -> Vec<Text<'t>> {
    let mut texts: Vec<Text<'t>> = Vec::with_capacity(entries.len());
    for entry in entries {
        if texts.last().is_none_or(|last| last.text != entry.text) {
            let (text, text_at) = (entry.text, entry.text_at);
            texts.push(Text { text, text_at, open_rule: 0, anchored_rule: 0 });
        }
        if let Some(last) = texts.last_mut() {
            let rule = match entry.anchored {
                true => &mut last.anchored_rule,
                false => &mut last.open_rule,
            };
            if *rule == 0 {
                *rule = entry.rule + 1;
            }
        }
    }
    texts
}

/// The first bit, counted from the first octet's highest, in which two texts that agree over
/// `shared` octets differ.
fn first_different_bit(one: &[u8], other: &[u8], shared: usize) -> u32 {
    let octet = |text: &[u8]| text.get(shared).copied().unwrap_or(0);
    narrow(shared * 8) + (octet(one) ^ octet(other)).leading_zeros()
}

/// The nodes between sorted texts, and the root: of each range of texts, the node with the lowest
/// bit stands above the others.
fn nodes(bits: &[u32]) -> (u32, Vec<[u32; 3]>) {
    let mut nodes: Vec<[u32; 3]> = Vec::with_capacity(bits.len());
    // Nodes whose right side is still open, the uppermost first.
    let mut open: Vec<u32> = Vec::new();
    for (at, &bit) in bits.iter().enumerate() {
        let at = narrow(at);
        let mut left = IS_LEAF | at;
        while let Some(&last) = open.last().filter(|last| nodes[index(**last)][0] > bit) {
            left = last;
            open.pop();
        }
        if let Some(&above) = open.last() {
            nodes[index(above)][2] = at;
        }
        nodes.push([bit, left, IS_LEAF | (at + 1)]);
        open.push(at);
    }
    (open.first().copied().unwrap_or(IS_LEAF), nodes)
}

/// A text with an open rule that begins others.
struct Prefix {
    len: usize,
    leaf: u32,
    /// The best open rule of the text and those it begins with.
    rule: u32,
}

/// The better of two rules, whose numbers are one higher and 0 for none.
fn best_rule(one: u32, other: u32) -> u32 {
    if one == 0 || other == 0 { one.max(other) } else { one.min(other) }
}

/// Records of the leaves: each with the longest prefix that has an open rule, and a jump over
/// several of them, so that any prefix is reached in few steps, however many there are.
fn link(texts: &[Text<'_>], shared: &[usize]) -> Vec<[u32; 6]> {
    let mut leaves: Vec<[u32; 6]> = Vec::with_capacity(texts.len());
    // Texts with an open rule that begin the text at hand, the longest last.
    let mut prefixes: Vec<Prefix> = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let agreed = at.checked_sub(1).and_then(|last| shared.get(last)).copied().unwrap_or(0);
        while prefixes.last().is_some_and(|prefix| prefix.len > agreed) {
            prefixes.pop();
        }
        let open_rule = best_rule(text.open_rule, prefixes.last().map_or(0, |prefix| prefix.rule));
        let link = prefixes.last().map_or(0, |prefix| prefix.leaf + 1);
        let jump = prefixes.get(jump_from(prefixes.len())).map_or(0, |prefix| prefix.leaf + 1);
        leaves.push([
            text.text_at,
            narrow(text.text.len()),
            if text.open_rule == 0 { 0 } else { open_rule },
            text.anchored_rule,
            link,
            jump,
        ]);
        if text.open_rule != 0 {
            prefixes.push(Prefix { len: text.text.len(), leaf: narrow(at), rule: open_rule });
        }
    }
    leaves
}

/// Which prefix, counted from the shortest, the jump of a text with `depth` prefixes leads to: the
/// depth with its lowest bit taken off, so that jumps halve what is left.
fn jump_from(depth: usize) -> usize {
    depth & depth.wrapping_sub(1)
}

fn index(node: u32) -> usize {
    super::ids::widen(node)
}
