//! Where things stand in a program. All integers are little-endian, 32 bits unless said otherwise;
//! offsets count from the program's first octet, those of texts from the first text.
//!
//! ```text
//! header   magic, total length, flags, rules in groups, names at, names, groups at, groups,
//!          texts at, wildcard group + 1
//! names    sorted by (hash, kind, text): hash, text at, text length, group (kind in the top bit)
//! groups   offset of each group
//! group    form, rules or parts, line of an empty rule, rules with a wildcard, then
//!   scan       literal rules: a word (32 bits) each; then what both forms of rules end with
//!   trie       texts, root; nodes: bit, node or leaf for 0, for 1; leaves: text at, text length,
//!              open rule + 1, anchored rule + 1, link + 1, jump + 1; then what both end with
//!   both       wildcard rules: a word (32 bits) each, a set of features (8 bits) each, a set of
//!              grams (64 bits) each; where the form says so, an index of grams: where each slot's
//!              rules begin, where those without a gram do, numbers of wildcard rules; then all
//!              rules, literal ones first
//!   compound   count group numbers
//! rule     text at, specificity, line, rule flags (with a wildcard: a pair of octets in the upper
//!          half; without: how many wildcard rules have better rank, and in the second octet how
//!          many octets at its end are not compared); the text is as long as the specificity says,
//!          or, where runs of stars were made one, as the 32 bits before it
//! texts    names and normalised patterns; zeros behind them
//! ```

use super::NameKind;

pub(super) const MAGIC: u32 = u32::from_le_bytes(*b"RSP3");

pub(super) const HEADER_LEN: usize = 40;
pub(super) const TOTAL_LEN_AT: usize = 4;
pub(super) const FLAGS_AT: usize = 8;
pub(super) const NUM_RULES_AT: usize = 12;
pub(super) const NAMES_AT: usize = 16;
pub(super) const NUM_NAMES_AT: usize = 20;
pub(super) const GROUPS_AT: usize = 24;
pub(super) const TEXTS_AT: usize = 32;
pub(super) const WILDCARD_AT: usize = 36;

pub(super) const NAME_LEN: usize = 16;
pub(super) const WHOLE_NAME: u32 = 1 << 31;

pub(super) const GROUP_HEADER_LEN: usize = 16;
pub(super) const FORM_SCAN: u32 = 0;
pub(super) const FORM_COMPOUND: u32 = 1;
pub(super) const FORM_TRIE: u32 = 2;

pub(super) const TRIE_HEADER_LEN: usize = 8;
pub(super) const NODE_LEN: usize = 12;
pub(super) const LEAF_LEN: usize = 24;
/// Marks the number of a leaf where a node's could stand.
pub(super) const IS_LEAF: u32 = 1 << 31;

pub(super) const WORD_LEN: usize = 4;
pub(super) const FEATURES_LEN: usize = 1;
pub(super) const GRAMS_LEN: usize = 8;
/// Octets of an offset in an index of grams.
pub(super) const OFFSET_LEN: usize = 4;
/// Set in the form of a group whose wildcard rules have an index of grams.
pub(super) const FORM_INDEXED: u32 = 1 << 8;

pub(super) const RULE_LEN: usize = 16;
pub(super) const RULE_ALLOW: u32 = 1;
pub(super) const RULE_ANCHORED: u32 = 2;
pub(super) const RULE_PAIR: u32 = 8;
pub(super) const RULE_SHORTENED: u32 = 16;
pub(super) const PAIR_SHIFT: u32 = 16;
/// Where the octets of a literal rule's specificity that are not compared, up to a number that says
/// there are more, stand among its flags.
pub(super) const CUT_SHIFT: u32 = 8;
pub(super) const MAX_CUT: u32 = 0xFF;

/// Where the number of wildcard rules of better rank, up to a number that says there are more, stands
/// among a literal rule's flags.
pub(super) const BETTER_SHIFT: u32 = 16;
pub(super) const MAX_BETTER: u32 = 0xFFFF;

/// Zeros at a program's end, so that eight octets can be read from where any text begins.
pub(super) const PADDING_LEN: usize = 7;

/// Where the features of so many wildcard rules begin, counted from their first word.
pub(super) fn features_at(count: usize) -> usize {
    count.saturating_mul(WORD_LEN)
}

/// Where their grams begin.
pub(super) fn grams_at(count: usize) -> usize {
    count.saturating_mul(WORD_LEN + FEATURES_LEN)
}

/// Where an index of them begins, and what follows where there is none.
pub(super) fn index_at(count: usize) -> usize {
    count.saturating_mul(WORD_LEN + FEATURES_LEN + GRAMS_LEN)
}

/// FNV-1a over the kind and the lower-case octets of a name.
pub(super) fn name_hash(kind: NameKind, text: &[u8]) -> u32 {
    let mix = |hash: u32, octet: u8| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193);
    let seed = mix(0x811C_9DC5, u8::from(kind == NameKind::Whole));
    text.iter().fold(seed, |hash, octet| mix(hash, octet.to_ascii_lowercase()))
}
