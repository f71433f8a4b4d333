//! The known names, arranged for search in identification strings.
//!
//! Enters: a place in an identification string. Leaves: the known name that stands there, if any: a
//! token or an alias of the built-in registry.
//!
//! Cost: the names are arranged once, on first use; a look-up copies at most the longest name's octets
//! and makes one hash probe, so a string is searched in time linear in its length.
//!
//! Must not know: what a name is used for. A user's own file adds no names here: how a string is read
//! does not depend on it.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::Registry;

/// The known names. All keys are lower case.
struct KnownNames {
    /// As site owners write them, sorted ignoring case.
    names: Vec<&'static str>,
    /// Names of one word.
    words: HashSet<Vec<u8>>,
    /// Names of several words by their first word, the longest first.
    phrases: HashMap<Vec<u8>, Vec<Vec<u8>>>,
    longest_word: usize,
}

static KNOWN: LazyLock<KnownNames> = LazyLock::new(|| {
    let entries = Registry::builtin().entries().iter();
    KnownNames::new(entries.flat_map(|entry| entry.names()).collect())
});

impl KnownNames {
    fn new(mut names: Vec<&'static str>) -> Self {
        names.sort_by_key(|name| name.to_ascii_lowercase());
        let (mut words, mut phrases) = (HashSet::new(), HashMap::<_, Vec<_>>::new());
        for name in &names {
            let lower = name.to_ascii_lowercase().into_bytes();
            match lower.split(|&octet| octet == b' ').next() {
                Some(first) if first.len() < lower.len() => {
                    phrases.entry(first.to_vec()).or_default().push(lower);
                }
                _ => {
                    words.insert(lower);
                }
            }
        }
        for same_start in phrases.values_mut() {
            same_start.sort_by_key(|name| std::cmp::Reverse(name.len()));
        }
        let longest_word = words.iter().chain(phrases.keys()).map(Vec::len).max().unwrap_or(0);
        Self { names, words, phrases, longest_word }
    }
}

/// All known names as site owners write them, sorted ignoring case: tokens and aliases of the
/// built-in registry.
pub fn names() -> &'static [&'static str] {
    &KNOWN.names
}

/// Length of the known name that begins `text`, 0 where none does. `word_len` octets of `text`
/// are its first word (octets for which [`is_word_octet`] holds), and a name ends where a word
/// ends, so `GPTBot` is not found in `GPTBotX`; a name of several words is tried before one of
/// its first word alone.
pub(in crate::agents) fn name_len_at(text: &[u8], word_len: usize) -> usize {
    let known = &*KNOWN;
    if word_len > known.longest_word {
        return 0;
    }
    let word = text.get(..word_len).unwrap_or_default().to_ascii_lowercase();
    let phrases = known.phrases.get(&word).into_iter().flatten();
    let phrase = phrases.filter(|phrase| begins_with(text, phrase)).map(Vec::len).next();
    phrase.unwrap_or(if known.words.contains(&word) { word_len } else { 0 })
}

/// Whether a lower-case `phrase` begins `text`, ignoring case, and ends where a word ends.
fn begins_with(text: &[u8], phrase: &[u8]) -> bool {
    let same = text.get(..phrase.len()).is_some_and(|start| start.eq_ignore_ascii_case(phrase));
    same && !text.get(phrase.len()).copied().is_some_and(is_word_octet)
}

/// The octets that words are made of when known names are looked for.
pub(in crate::agents) fn is_word_octet(octet: u8) -> bool {
    octet.is_ascii_alphanumeric() || matches!(octet, b'_' | b'.' | b'-')
}
