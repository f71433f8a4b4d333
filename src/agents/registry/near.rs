//! Names that somebody may have meant.
//!
//! Enters: a word that is no name, and all names. Leaves: the few that differ least from it. Cost:
//! octets of the word times octets of each name; meant for one question of a person.

/// Most names that are suggested.
const MAX_NEAR: usize = 4;

/// Octets of a word that are compared: names have fewer.
const MAX_WORD: usize = 64;

/// The names nearest to `word`, the nearest first; none that has little in common with it.
pub(super) fn near<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let word = word.to_ascii_lowercase();
    let word = word.as_bytes().get(..MAX_WORD).unwrap_or(word.as_bytes());
    let mut found: Vec<(usize, &str)> = names
        .filter_map(|name| difference(word, name.to_ascii_lowercase().as_bytes()).zip(Some(name)))
        .collect();
    found.sort_unstable();
    found.into_iter().take(MAX_NEAR).map(|(_, name)| name).collect()
}

/// How much two lower-case words differ; `None` where they have little in common.
fn difference(word: &[u8], name: &[u8]) -> Option<usize> {
    let distance = edits(word, name);
    let is_part = word.len() >= 3 && name.windows(word.len()).any(|part| part == word);
    (is_part || distance <= word.len().min(name.len()) / 3).then_some(distance)
}

/// Octets to insert, drop or change to make one word of the other.
fn edits(one: &[u8], other: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, octet) in one.iter().enumerate() {
        let mut before = at;
        let mut left = at + 1;
        for (cell, wanted) in row.iter_mut().skip(1).zip(other) {
            let changed = before + usize::from(octet != wanted);
            before = *cell;
            left = changed.min(left + 1).min(before + 1);
            *cell = left;
        }
        if let Some(first) = row.first_mut() {
            *first = at + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}
