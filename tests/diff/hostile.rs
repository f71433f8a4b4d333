//! Bodies that were written to make comparing hard: it ends, and says when it does not know.

use std::time::{Duration, Instant};

use robosift::parse::Dialect;

use super::asking::{check_witnesses, diff, diff_for};

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

/// Rules with so many stars that whether a path closes takes more than one search may take.
fn entangled() -> String {
    let letter = |n: u8, step: u8| char::from(b'a' + (n * step + step) % 26);
    let allows = (0..60_u8).map(|n| {
        format!("Allow: /*{}*{}*{}*{n}*q\n", letter(n, 1), letter(n % 30, 7), letter(n % 20, 11))
    });
    allows.chain(["Disallow: /\n".to_owned()]).collect()
}

/// Name and rules of so many groups, then of two that are plain.
fn groups(num: usize, rules: &str, last: &str) -> Vec<u8> {
    // Each is another one, so that each is compared.
    let hard = (0..num).map(|n| format!("User-agent: h-{}\n{rules}Allow: /{n}\n", "x".repeat(n)));
    let long = "long".repeat(200);
    let plain =
        format!("User-agent: plain\nDisallow: /{long}{last}\nUser-agent: few\nDisallow: /{last}\n");
    hard.chain([plain]).collect::<String>().into_bytes()
}

#[test]
fn all_groups_of_two_bodies_share_one_bound() {
    let names: Vec<String> = (0..40).map(|n| format!("h-{}", "x".repeat(n))).collect();
    let agents: Vec<&str> = names.iter().map(String::as_str).chain(["plain", "few"]).collect();
    let found = |num| {
        let old = groups(num, &entangled(), "old");
        let new = groups(num, "Disallow: /\nAllow: /open\n", "new");
        diff_for(&old, &new, &agents, Dialect::RFC9309)
    };
    let of = |found: &[robosift::diff::AgentsDiff], agent: &str| {
        let diff = found.iter().find(|diff| diff.agents.iter().any(|known| known == agent));
        let comparison = &diff.unwrap().comparison;
        (comparison.closed.len(), comparison.cut_off)
    };
    assert_eq!(of(&found(1), "plain"), (1, false));
    // What hard groups before it took is not there any more, but a few steps are.
    let found = found(40);
    assert_eq!((of(&found, "plain"), of(&found, "few")), ((0, true), (1, false)));
}

/// Every rule stands beside every other, so that looking at them all is what takes time: it is counted too.
#[test]
fn many_rules_that_begin_with_a_star_end() {
    let of = |last: &str| body((0..20_000).map(|n| format!("Disallow: /*{n}*{last}")));
    let found = diff(&of("x"), &of("y"), "a", Dialect::RFC9309);
    assert!(found.comparison.cut_off);
}
