//! Where things stand in a program. All integers are little-endian, 32 bits unless said otherwise;
//! offsets count from the program's first octet, those of texts from the first text.
//!
//! ```text
//! header   magic, total length, flags, rules in groups, names at, names, groups at, groups,
//!          texts at, wildcard group + 1
//! names    sorted by (hash, kind, text): hash, text at, text length, group (kind in the top bit)
//! groups   offset of each group
//! group    form, rules or parts, line of an empty rule, rules with a wildcard, then
//!   scan       literal rules: a word each, then a mask each; wildcard rules: a word (64 bits)
//!              each, a mask (64 bits) each, a set of grams (64 bits) each, a set of features (8
//!              bits) each and zeros to a multiple of eight octets; then all rules in that order
//!   compound   count group numbers
//! rule     text at, specificity, line, rule flags (a pair of octets in the upper half); the text
//!          is as long as the specificity says, or, where runs of stars were made one, as the 32
//!          bits before it
//! texts    names and normalised patterns
//! ```

use super::NameKind;

pub(super) const MAGIC: u32 = u32::from_le_bytes(*b"RSP1");

pub(super) const HEADER_LEN: usize = 40;
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

pub(super) const LITERAL_WORD_LEN: usize = 4;
pub(super) const WORD_LEN: usize = 8;
/// Rules whose words are compared at a time.
pub(super) const LANES: usize = 8;
/// How many octets the features of `count` rules take.
pub(super) fn features_len(count: usize) -> usize {
    count.next_multiple_of(LANES)
}

pub(super) const RULE_LEN: usize = 16;
pub(super) const RULE_ALLOW: u32 = 1;
pub(super) const RULE_ANCHORED: u32 = 2;
pub(super) const RULE_WILDCARD: u32 = 4;
pub(super) const RULE_PAIR: u32 = 8;
pub(super) const RULE_SHORTENED: u32 = 16;
pub(super) const PAIR_SHIFT: u32 = 16;

/// FNV-1a over the kind and the lower-case octets of a name.
pub(super) fn name_hash(kind: NameKind, text: &[u8]) -> u32 {
    let mix = |hash: u32, octet: u8| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193);
    let seed = mix(0x811C_9DC5, u8::from(kind == NameKind::Whole));
    text.iter().fold(seed, |hash, octet| mix(hash, octet.to_ascii_lowercase()))
}

/// The first octets after a path's `/` as one word, zeros where there are none.
///
/// A pattern holds no NUL, so a zero never equals an octet that a rule asks for.
#[inline]
pub(super) fn first_word(after_slash: &[u8]) -> u64 {
    match after_slash.first_chunk::<WORD_LEN>() {
        Some(word) => u64::from_le_bytes(*word),
        None => after_slash.iter().rev().fold(0, |word, octet| word << 8 | u64::from(*octet)),
    }
}

/// Which of the first octets make a literal rule's word: not neighbours, because the beginnings of
/// a site's paths are much alike.
const LITERAL_OCTETS: [usize; LITERAL_WORD_LEN] = [0, 1, 3, 5];

/// The octets of a [`first_word`], or of its mask, that literal rules are compared by.
#[inline]
pub(super) fn literal_word(word: u64) -> u32 {
    let octets = word.to_le_bytes();
    u32::from_le_bytes(LITERAL_OCTETS.map(|at| octets[at]))
}
