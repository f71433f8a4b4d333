//! Inclusion of patterns, against all short paths.

use robosift::lint::includes;

use crate::paths::matches;

/// Longest path, its slash included, and longest pattern, without an anchor.
const MOST_OCTETS: usize = 6;
const MOST_PATTERN: usize = 4;

/// All texts of at most `most` letters of `letters`, after `first`.
fn texts(first: &[u8], letters: &[u8], most: usize) -> Vec<Vec<u8>> {
    let mut all = vec![first.to_vec()];
    let mut from = 0;
    while from < all.len() {
        let text = all[from].clone();
        from += 1;
        if text.len() < most {
            all.extend(letters.iter().map(|letter| [&text[..], &[*letter]].concat()));
        }
    }
    all
}

#[test]
fn a_pattern_includes_another_if_it_matches_all_its_paths() {
    // `c` stands in no pattern, as some octet never does.
    let paths = texts(b"/", b"/abc", MOST_OCTETS);
    let mut patterns = texts(b"/", b"/ab*", MOST_PATTERN);
    patterns.extend(texts(b"*", b"/ab*", MOST_PATTERN));
    let anchored: Vec<Vec<u8>> = patterns.iter().map(|p| [&p[..], b"$"].concat()).collect();
    patterns.extend(anchored);
    let matched: Vec<Vec<bool>> =
        patterns.iter().map(|p| paths.iter().map(|path| matches(p, path)).collect()).collect();
    let (mut num_included, mut num_pairs) = (0, 0);
    for (wide, of_wide) in patterns.iter().zip(&matched) {
        for (narrow, of_narrow) in patterns.iter().zip(&matched) {
            let expected = of_narrow.iter().zip(of_wide).all(|(narrow, wide)| !narrow || *wide);
            let (wide, narrow) = (wide.escape_ascii(), narrow.escape_ascii());
            let (w, n) = (wide.to_string(), narrow.to_string());
            assert_eq!(includes(w.as_bytes(), n.as_bytes()), expected, "{w} ⊇ {n}");
            num_included += usize::from(expected);
            num_pairs += 1;
        }
    }
    assert_eq!(num_pairs, patterns.len() * patterns.len());
    assert!(num_included > num_pairs / 50 && num_included < num_pairs / 2, "{num_included}");
}

#[test]
fn long_patterns_cost_what_matching_costs() {
    let wide = format!("/{}$", "*a".repeat(5_000));
    let narrow = format!("/{}", "a*".repeat(5_000));
    assert!(!includes(wide.as_bytes(), narrow.as_bytes()));
    assert!(includes(narrow.as_bytes(), format!("/{}", "a".repeat(6_000)).as_bytes()));
}
