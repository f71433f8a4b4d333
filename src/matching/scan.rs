//! The scan form: rules in order of rank, the first that matches decides.

use super::{Match, Steps, wildcard};
use crate::compile::{RuleProgram, Scan};

/// The first rule that matches `path`.
#[inline]
pub(super) fn first_match<'p>(
    rules: &Scan<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    steps.add(rules.len());
    rules.candidates(path).filter_map(|rank| rules.rule(rank)).find(|rule| {
        steps.add(rule.pattern.len().min(path.len()));
        matches(rule, path, steps)
    })
}

#[inline]
fn matches(rule: &RuleProgram<'_>, path: &[u8], steps: &mut impl Steps) -> bool {
    let text = if rule.anchored {
        rule.pattern.split_last().map_or(rule.pattern, |(_, text)| text)
    } else {
        rule.pattern
    };
    match (rule.wildcard, rule.anchored) {
        (false, false) => path.starts_with(text),
        (false, true) => path == text,
        (true, anchored) => wildcard::matches(text, anchored, path, steps),
    }
}
