//! Groups keep their rules by rank, however many they are and however long: literal rules, then those
//! with a wildcard, each by more octets, allow before disallow, the earlier line. Compared with a
//! plain sort of the lines. The seed is fixed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use robosift::compile::{BodyLimit, FormChoice, GroupProgram, Program, compile_in_form};
use robosift::parse::{Dialect, Kind};

/// A rule that needs no normalising: its kind, and its pattern without runs of stars.
type Line = (Kind, String);

fn line() -> impl Strategy<Value = Line> {
    let piece = || prop_oneof![8 => "[ab/]{0,4}", 1 => "[abc]{0,60}"];
    let stars = prop_oneof![6 => Just(""), 1 => Just("*")];
    (
        any::<bool>(),
        piece(),
        stars,
        "[ab]{1,3}",
        prop_oneof![8 => Just(""), 1 => Just("*"), 1 => Just("$")],
    )
        .prop_map(|(allow, head, star, tail, end)| {
            let kind = if allow { Kind::Allow } else { Kind::Disallow };
            (kind, format!("/{head}{star}{tail}{end}"))
        })
}

fn body(lines: &[Line]) -> String {
    let lines = lines.iter().map(|(kind, pattern)| match kind {
        Kind::Allow => format!("Allow: {pattern}\n"),
        Kind::Disallow => format!("Disallow: {pattern}\n"),
    });
    std::iter::once("User-agent: *\n".to_owned()).chain(lines).collect()
}

/// The numbers of the lines in the order in which a group has to keep them.
fn by_rank(lines: &[Line]) -> Vec<u32> {
    let mut numbered: Vec<(u32, &Line)> = (2..).zip(lines).collect();
    numbered.sort_by_key(|(number, (kind, pattern))| {
        let is_wildcard = pattern.strip_suffix('*').unwrap_or(pattern).contains('*');
        (is_wildcard, usize::MAX - pattern.len(), *kind == Kind::Disallow, *number)
    });
    numbered.into_iter().map(|(number, _)| number).collect()
}

fn kept(program: &Program) -> Vec<u32> {
    let GroupProgram::Rules(rules) = program.group(program.wildcard().unwrap()) else {
        panic!("one group of the body is no list of groups");
    };
    (0..rules.len()).map(|at| rules.rule(at).unwrap().line).collect()
}

#[test]
fn rules_are_kept_by_rank() {
    let config =
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let lines = prop_oneof![vec(line(), 0..70), vec(line(), 0..900)];
    let result = TestRunner::new_with_rng(config, rng).run(&lines, |lines| {
        for choice in [FormChoice::Measured, FormChoice::ForFew, FormChoice::ForMany] {
            let body = body(&lines);
            let program =
                compile_in_form(body.as_bytes(), &Dialect::RFC9309, BodyLimit::DEFAULT, choice);
            assert_eq!(kept(&program), by_rank(&lines), "{body}");
        }
        Ok(())
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("given up: {reason}"),
    }
}
