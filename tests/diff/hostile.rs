//! Bodies that were written to make comparing hard: it ends, and says when it does not know.

use std::time::{Duration, Instant};

use robosift::parse::Dialect;

use super::asking::{check_witnesses, diff};

fn body(rules: impl Iterator<Item = String>) -> Vec<u8> {
    format!("User-agent: *\n{}", rules.collect::<Vec<_>>().join("\n")).into_bytes()
}

/// Each of the allows may or may not have matched before its last letter: as many states as they have subsets.
fn many_states(last: &str) -> Vec<u8> {
    let letters = "abcdefghijklmnopqrstuvwxyz";
    let allows =
        letters.chars().map(|c| format!("Allow: /*{c}*{c}*{c}*{c}*longer-than-all-others$"));
    body(allows.chain([format!("Disallow: /*{last}")]))
}

fn is_quick(old: &[u8], new: &[u8]) -> bool {
    let started = Instant::now();
    for dialect in Dialect::ALL {
        for (old, new) in [(old, new), (new, old)] {
            let found = diff(old, new, "a", dialect);
            check_witnesses(old, new, "a", dialect, &found);
        }
    }
    // A bound against what is exponential, not a measurement.
    started.elapsed() < Duration::from_secs(120)
}

#[test]
fn exponential_states_end() {
    assert!(is_quick(&many_states("0"), &many_states("1")));
    let cut = diff(&many_states("0*1"), &many_states("0*1*"), "a", Dialect::RFC9309);
    assert!(cut.comparison.is_empty());
}

#[test]
fn many_rules_end() {
    let old = body((0..20_000).map(|n| format!("Disallow: /{n}/")));
    let new = body((1..20_001).map(|n| format!("Disallow: /{n}/")));
    let found = diff(&old, &new, "a", Dialect::RFC9309);
    let paths = |changes: &[robosift::diff::Change]| -> Vec<Vec<u8>> {
        changes.iter().map(|change| change.path.clone()).collect()
    };
    assert_eq!(paths(&found.comparison.closed), [b"/20000/"]);
    assert_eq!(paths(&found.comparison.opened), [b"/0/"]);
    assert!(!found.comparison.cut_off);
}

#[test]
fn many_stars_and_long_patterns_end() {
    let stars = body((0..3_000).map(|n| format!("Disallow: /*{n}*{n}")));
    let others = body((0..3_000).map(|n| format!("Allow: /*{n}*{n}$")));
    assert!(is_quick(&stars, &others));
    let long = body((0..2).map(|n| format!("Disallow: /{}{n}", "ab*".repeat(60_000))));
    let longer = body((1..3).map(|n| format!("Disallow: /{}{n}", "ab*".repeat(60_000))));
    let found = diff(&long, &longer, "a", Dialect::RFC9309);
    assert_eq!((found.comparison.closed.len(), found.comparison.opened.len()), (1, 1));
}
