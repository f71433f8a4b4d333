//! All short paths over a small alphabet, asked of the plain matcher: what differs there, diff has found, and the other way round.

use proptest::prelude::*;
use robosift::diff::Extent;
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;

use super::asking::{check_witnesses, diff};

/// Octets of paths; `x` stands for those that no pattern has.
const ALPHABET: &[u8] = b"/ab.x";

/// Octets of the longest path that is tried.
const MAX_LEN: usize = 6;

/// All paths over the alphabet.
fn paths() -> Vec<Vec<u8>> {
    let mut all = vec![b"/".to_vec()];
    let mut begin = 0;
    for _ in 1..MAX_LEN {
        let end = all.len();
        for at in begin..end {
            for octet in ALPHABET {
                let path = [all[at].as_slice(), &[*octet]].concat();
                all.push(path);
            }
        }
        begin = end;
    }
    all
}

/// A pattern; short, so that what it says shows in short paths.
fn pattern() -> impl Strategy<Value = String> {
    let octet = prop_oneof![
        3 => Just("a"), 2 => Just("b"), 2 => Just("/"), 1 => Just("."), 3 => Just("*"),
    ];
    let text = prop::collection::vec(octet, 0..4).prop_map(|octets| octets.concat());
    let start = prop_oneof![8 => Just("/"), 2 => Just("*"), 1 => Just("")];
    (start, text, prop_oneof![3 => Just(""), 1 => Just("$")])
        .prop_map(|(start, text, end)| format!("{start}{text}{end}"))
}

fn body() -> impl Strategy<Value = String> {
    let rule = (any::<bool>(), pattern()).prop_map(|(allow, pattern)| {
        format!("{}: {pattern}\n", if allow { "Allow" } else { "Disallow" })
    });
    prop::collection::vec(rule, 0..6).prop_map(|rules| format!("User-agent: *\n{}", rules.concat()))
}

/// Two bodies; the second one often has most of the first one's rules.
fn bodies() -> impl Strategy<Value = (String, String)> {
    let apart = (body(), body());
    let near = (body(), body(), any::<prop::sample::Index>()).prop_map(|(old, other, at)| {
        let mut lines: Vec<&str> = old.lines().collect();
        let replaced = at.index(lines.len()).max(1);
        lines.truncate(replaced);
        lines.extend(old.lines().skip(replaced + 1));
        lines.extend(other.lines().nth(1));
        let new = lines.join("\n") + "\n";
        (old, new)
    });
    prop_oneof![apart, near]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_that_changed_is_missed((old, new) in bodies(), google in any::<bool>()) {
        let (dialect, naive) = match google {
            true => (Dialect::GOOGLE, NaiveDialect::Google),
            false => (Dialect::RFC9309, NaiveDialect::Rfc9309),
        };
        let found = diff(old.as_bytes(), new.as_bytes(), "a", dialect);
        check_witnesses(old.as_bytes(), new.as_bytes(), "a", dialect, &found);
        prop_assert!(!found.comparison.cut_off);
        let [old_robots, new_robots] = [&old, &new].map(|body| NaiveRobots::parse(body.as_bytes(), naive));
        let mut refusing_closed = Vec::new();
        let mut refusing_opened = Vec::new();
        let mut extents = [[false; 2]; 2];
        for path in paths() {
            let was = old_robots.judge_path(b"a", &path);
            let is = new_robots.judge_path(b"a", &path);
            for (extent, answer) in extents.iter_mut().zip([was, is]) {
                extent[usize::from(answer.allowed == Some(true))] = true;
            }
            match (was.allowed, is.allowed) {
                (Some(true), Some(false)) => refusing_closed.push((is.rule_line, path.len())),
                (Some(false), Some(true)) => refusing_opened.push((was.rule_line, path.len())),
                _ => {}
            }
        }
        // For each rule that refuses, the shortest path tells.
        for (brute, changes, is_closed) in [
            (refusing_closed, &found.comparison.closed, true),
            (refusing_opened, &found.comparison.opened, false),
        ] {
            let mut known: Vec<(u32, usize)> = Vec::new();
            for change in changes {
                let by = if is_closed { &change.new } else { &change.old };
                let line = by.rule.as_ref().unwrap().line;
                known.push((line, change.path.len()));
            }
            for (line, len) in &brute {
                let found = known.iter().filter(|(known, _)| known == line).map(|(_, len)| *len).min();
                prop_assert!(found.is_some_and(|found| found <= *len), "line {line} is missed:\n{old}{new}");
            }
            for (line, len) in known.iter().filter(|(_, len)| *len <= MAX_LEN) {
                prop_assert!(
                    brute.iter().any(|(brute, brute_len)| (brute, brute_len) == (line, len)),
                    "line {line} with {len} octets is too much:\n{old}{new}"
                );
            }
        }
        for (brute, told) in extents.iter().zip([found.old_allows, found.new_allows]) {
            match told {
                Extent::All => prop_assert_eq!(brute, &[false, true]),
                Extent::Nothing => prop_assert_eq!(brute, &[true, false]),
                Extent::Some => {}
                Extent::Unknown => prop_assert!(false, "not told:\n{}{}", old, new),
            }
        }
    }
}
