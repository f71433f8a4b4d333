//! What one of the two answers an agent, whatever the path.
//!
//! Enters: a verdict of the evaluator. Leaves: the rules that it depends on, or the answer where it depends on none. Must not know:
//! the other side.

use crate::compile::{GroupProgram, RuleProgram};
use crate::evaluate::{Basis, Judged};
use crate::matching;
use crate::parse::Kind;

/// Octets of a pattern that take as long as a rule does.
const OCTETS_OF_WEIGHT: usize = 32;

/// What one side answers an agent.
#[derive(Clone, Debug)]
pub enum Side<'c> {
    /// The same for every path; `None`: nothing is known.
    Fixed(Option<bool>, Basis),
    /// It depends on the rules of a group.
    Group(GroupProgram<'c>),
}

impl<'c> Side<'c> {
    /// The side on which a question about the path `/` was answered so.
    ///
    /// # Complexity
    /// Constant.
    #[must_use]
    pub fn of(judged: &Judged<'c>) -> Self {
        match &judged.group {
            None => Side::Fixed(judged.allowed, judged.basis),
            Some(by) => Side::Group(by.program.group(by.group)),
        }
    }

    /// Whether it answers that nothing is known.
    pub(super) fn is_unknown(&self) -> bool {
        matches!(self, Side::Fixed(None, _))
    }

    /// What it takes to read its rules, as [`Budget`](super::budget::Budget) counts it.
    pub(super) fn weight(&self) -> usize {
        match self {
            Side::Fixed(..) => 1,
            Side::Group(group) => {
                group.rules().iter().map(|rule| 1 + rule.pattern.len() / OCTETS_OF_WEIGHT).sum()
            }
        }
    }

    /// Whether both answer the same for every path because they are the same.
    pub(super) fn is_same(&self, other: &Side<'_>) -> bool {
        match (self, other) {
            (Side::Fixed(one, _), Side::Fixed(other, _)) => one == other,
            (Side::Group(one), Side::Group(other)) => {
                let (one, other) = (one.rules(), other.rules());
                let what = |rule: &RuleProgram<'_>| (rule.kind, rule.anchored);
                one.len() == other.len()
                    && one.iter().zip(&other).all(|(one, other)| {
                        what(one) == what(other) && one.pattern == other.pattern
                    })
            }
            _ => false,
        }
    }

    /// Whether `path`, in the form in which it is compared, is allowed, and what decides: asked of the matcher that judges rows.
    pub(super) fn judge(&self, path: &[u8]) -> (Option<bool>, Decider) {
        match self {
            Side::Fixed(allowed, basis) => (*allowed, Decider { basis: *basis, rule: None }),
            Side::Group(group) => match matching::best_of(group, path, &mut ()) {
                None => (Some(true), Decider { basis: Basis::NoRule, rule: None }),
                Some(rule) => {
                    let decider =
                        Decider { basis: Basis::Rule, rule: Some(DecidingRule::of(&rule)) };
                    (Some(rule.kind == Kind::Allow), decider)
                }
            },
        }
    }
}

/// What decides on one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decider {
    /// The basis of the verdict.
    pub basis: Basis,
    /// The rule, where one decides.
    pub rule: Option<DecidingRule>,
}

/// A rule that decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecidingRule {
    /// The line that it stands on.
    pub line: u32,
    /// Which way it goes.
    pub kind: Kind,
    /// Its pattern as it is compared.
    pub pattern: String,
}

impl DecidingRule {
    fn of(rule: &RuleProgram<'_>) -> Self {
        let pattern = String::from_utf8_lossy(rule.pattern).into_owned();
        DecidingRule { line: rule.line, kind: rule.kind, pattern }
    }
}
