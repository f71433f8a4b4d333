//! The scan form: the first literal rule that matches, unless a wildcard rule of better rank does.

use super::{Match, Steps, wildcard};
use crate::compile::{PathGrams, RuleProgram, Scan};
use crate::text::compare::{begins_with, equal, holds_pair};

/// Wildcard rules from which on the grams of a path are marked instead of each rule's pair being
/// searched for. Not tuned by itself: 2, 9 and 16 were tried beside other changes.
const MIN_WILDCARDS_FOR_GRAMS: usize = 16;

/// Octets of a path up to which wildcard rules are turned down by what it holds before they are
/// searched for. A longer one holds nearly everything, and each test is one more pass over it.
const MAX_PATH_FOR_TESTS: usize = 512;

/// The rule of best rank that matches `path`.
#[inline]
pub(super) fn first_match<'p>(
    rules: &Scan<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    steps.add(rules.len());
    let literal = rules.first_literal(path, |rule| literal_matches(rule, path, steps));
    if rules.num_wildcards() == 0 {
        return literal;
    }
    first_wildcard(rules, path, literal.as_ref(), steps).or(literal)
}

/// The first wildcard rule that matches and has better rank than `literal`.
fn first_wildcard<'p>(
    rules: &Scan<'p>,
    path: &[u8],
    literal: Option<&Match<'p>>,
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    let with_tests = path.len() <= MAX_PATH_FOR_TESTS;
    let with_grams = with_tests && rules.num_wildcards() >= MIN_WILDCARDS_FOR_GRAMS;
    if with_tests {
        steps.add(path.len());
    }
    let mut grams: Option<PathGrams> = None;
    for at in rules.wildcard_candidates(path, with_tests) {
        let rule = rules.wildcard(at)?;
        if literal.is_some_and(|literal| literal.rank() < rule.rank()) {
            return None;
        }
        if with_grams {
            let grams = grams.get_or_insert_with(|| mark(path, steps));
            if !grams.hold(rules.grams(at)) {
                continue;
            }
        } else if let (Some(pair), true) = (rule.pair, with_tests) {
            steps.add(path.len());
            if !holds_pair(path, pair) {
                continue;
            }
        }
        if wildcard_matches(&rule, path, steps) {
            return Some(rule);
        }
    }
    None
}

fn mark(path: &[u8], steps: &mut impl Steps) -> PathGrams {
    steps.add(path.len());
    PathGrams::new(path)
}

#[inline]
fn literal_matches(rule: &RuleProgram<'_>, path: &[u8], steps: &mut impl Steps) -> bool {
    steps.add(rule.pattern.len().min(path.len()));
    match rule.pattern {
        [text @ .., b'$'] if rule.anchored => equal(path, text),
        text => begins_with(path, text),
    }
}

fn wildcard_matches(rule: &RuleProgram<'_>, path: &[u8], steps: &mut impl Steps) -> bool {
    steps.add(rule.pattern.len().min(path.len()));
    match rule.pattern {
        [text @ .., b'$'] if rule.anchored => wildcard::matches(text, true, path, steps),
        text => wildcard::matches(text, false, path, steps),
    }
}
