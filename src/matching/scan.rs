//! The scan form: rules in order of rank, the first that matches decides.

use super::{Match, Steps, wildcard};
use crate::compile::{COMPARED_OCTETS, PathGrams, RuleProgram, Scan};
use crate::text::compare::{begins_with, equal, holds_pair};

/// Wildcard rules from which on the grams of a path are marked: marking costs as much as searching
/// for the pairs of some eight rules.
const MIN_WILDCARDS_FOR_GRAMS: u32 = 9;

/// Octets of a path up to which its grams are marked; in longer ones nearly all slots would be.
const MAX_PATH_FOR_GRAMS: usize = 512;

/// The first rule that matches `path`.
#[inline]
pub(super) fn first_match<'p>(
    rules: &Scan<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    steps.add(rules.len());
    let with_grams =
        rules.num_wildcards() >= MIN_WILDCARDS_FOR_GRAMS && path.len() <= MAX_PATH_FOR_GRAMS;
    let mut grams: Option<PathGrams> = None;
    for rank in rules.candidates(path) {
        let Some(rule) = rules.rule(rank) else { continue };
        if with_grams && rule.wildcard {
            let grams = grams.get_or_insert_with(|| mark(path, steps));
            if !grams.hold(rules.grams(rank)) {
                continue;
            }
        } else if let Some(pair) = rule.pair {
            steps.add(path.len());
            if !holds_pair(path, pair) {
                continue;
            }
        }
        if matches(&rule, path, steps) {
            return Some(rule);
        }
    }
    None
}

fn mark(path: &[u8], steps: &mut impl Steps) -> PathGrams {
    steps.add(path.len());
    PathGrams::new(path)
}

/// Whether `rule`, a candidate for `path`, matches it.
#[inline]
fn matches(rule: &RuleProgram<'_>, path: &[u8], steps: &mut impl Steps) -> bool {
    let text = match rule.pattern {
        [text @ .., b'$'] if rule.anchored => text,
        text => text,
    };
    steps.add(text.len().min(path.len()));
    match (rule.wildcard, rule.anchored) {
        (false, false) => match text.get(COMPARED_OCTETS..) {
            None => true,
            Some(tail) => path.get(COMPARED_OCTETS..).is_some_and(|path| begins_with(path, tail)),
        },
        (false, true) => equal(path, text),
        (true, anchored) => wildcard::matches(text, anchored, path, steps),
    }
}
