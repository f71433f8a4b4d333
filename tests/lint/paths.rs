//! Paths that patterns likely match, and a matcher of patterns that is plainly right.

use crate::random::Random;

/// Whether a normalised `pattern` matches `path`: tried at every place.
pub(crate) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|at| matches(rest, &path[at..])),
        [octet, rest @ ..] => path.first() == Some(octet) && matches(rest, &path[1..]),
    }
}

const PIECES: [&str; 8] = ["", "a", "b", "/", "c", "ab", "/a", "x"];

/// A path that `pattern` likely matches: something for each star, and something behind.
pub(crate) fn path_for(pattern: &str, random: &mut Random) -> Vec<u8> {
    let mut path = String::new();
    let (text, anchored) = match pattern.strip_suffix('$') {
        Some(text) => (text, true),
        None => (pattern, false),
    };
    for c in text.chars() {
        match c {
            '*' => path.push_str(random.pick(&PIECES)),
            c => path.push(c),
        }
    }
    if !anchored || random.one_in(4) {
        path.push_str(random.pick(&PIECES));
    }
    if !path.starts_with('/') {
        path.insert(0, '/');
    }
    path.into_bytes()
}

/// A pattern of few letters, likely to have something to do with others like it.
pub(crate) fn pattern(random: &mut Random) -> String {
    const LETTERS: [&str; 12] =
        ["a", "b", "/", "*", "a", "*", "b", "/a", "%61", "*", "/index.htm", "**"];
    let mut pattern = random.pick(&["/", "/", "/", "*", "/a", "*/"]).to_owned();
    for _ in 0..random.below(4) {
        pattern.push_str(random.pick(&LETTERS));
    }
    if random.one_in(5) {
        pattern.push('$');
    }
    pattern
}
