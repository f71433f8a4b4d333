//! Words of bodies: shown in messages, and compared with known ones.

/// Octets of a body that a message shows.
const MOST_SHOWN: usize = 60;

/// Octets as they stand in a message: short, and with nothing in it that a terminal would obey.
pub(super) fn shown(octets: &[u8]) -> String {
    let text = String::from_utf8_lossy(octets.get(..MOST_SHOWN).unwrap_or(octets)).into_owned();
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            // Marks of direction would show a line otherwise than it is.
            '\u{200B}'..='\u{200F}'
            | '\u{202A}'..='\u{202E}'
            | '\u{2066}'..='\u{2069}'
            | '\u{FEFF}' => {
                shown.extend(c.escape_unicode());
            }
            _ if c.is_control() => shown.extend(c.escape_default()),
            _ => shown.push(c),
        }
    }
    if octets.len() > MOST_SHOWN {
        shown.push('…');
    }
    shown
}

/// Letters of a word that is compared with others by its spelling.
const MOST_LETTERS: usize = 32;

/// How many letters must be put in, left out, replaced or exchanged with their neighbour to make `one` of `other`
/// (optimal string alignment); `None` for more than `most`. Words are in lower case.
pub(super) fn distance(one: &str, other: &str, most: usize) -> Option<usize> {
    let one: Vec<char> = one.chars().take(MOST_LETTERS + 1).collect();
    let other: Vec<char> = other.chars().take(MOST_LETTERS + 1).collect();
    if one.len().abs_diff(other.len()) > most || one.len().max(other.len()) > MOST_LETTERS {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for (to, other_letter) in other.iter().enumerate() {
            let get = |row: &[usize], at: usize| row.get(at).copied().unwrap_or(usize::MAX / 2);
            let replaced = get(&row, to) + usize::from(letter != other_letter);
            let mut best = replaced.min(get(&row, to + 1) + 1).min(get(&next, to) + 1);
            let neighbours = at > 0 && to > 0 && one.get(at - 1) == Some(other_letter);
            if neighbours && other.get(to - 1) == Some(letter) {
                best = best.min(get(&before, to - 1) + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().filter(|distance| *distance <= most)
}

/// Whether `one` becomes `other` by one letter put in, left out, replaced or exchanged with its neighbour.
/// Linear; both are in lower case.
pub(super) fn differ_in_one(one: &[u8], other: &[u8]) -> bool {
    if one.len().abs_diff(other.len()) > 1 || one == other {
        return false;
    }
    let same_start = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (one.get(same_start..), other.get(same_start..));
    let (one, other) = (one.unwrap_or_default(), other.unwrap_or_default());
    let same_end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let rest = |word: &[u8]| word.len().saturating_sub(same_end);
    match (rest(one), rest(other)) {
        (0 | 1, 0 | 1) => true,
        (2, 2) => one.first() == other.get(1) && one.get(1) == other.first(),
        _ => false,
    }
}

/// Whether one word is the other with two neighbouring letters exchanged.
pub(super) fn are_exchanged(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && {
        let mut differ = one.iter().zip(other).filter(|(a, b)| a != b);
        let (first, second) = (differ.next(), differ.next());
        differ.next().is_none()
            && first.zip(second).is_some_and(|((a, b), (c, d))| a == d && b == c)
            && differ_in_one(one, other)
    }
}

/// Where `word`, in lower case, stands first in `text`, in any case.
pub(super) fn find_ignoring_case(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len().max(1)).position(|window| window.eq_ignore_ascii_case(word))
}
