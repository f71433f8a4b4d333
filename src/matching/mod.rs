//! Program × path → the rule that decides.
//!
//! Enters: a group of a [`Program`] and a path prepared for its dialect. Leaves: the best [`Match`],
//! if any. Nothing is allocated per URL; the cost is at most octets of path times candidate rules,
//! counted by [`Steps`] where somebody asks. Captures, origins and columns are not known here.
//!
//! [`naive`] answers the same from the RFC's text, sharing no code: the oracle of the tests.

mod every;
pub mod naive;
mod rules;
mod steps;
mod wildcard;

use crate::compile::{Compound, GroupId, GroupProgram, Program, RuleProgram};
use crate::parse::{Dialect, Normalisation};
use crate::text::path::PathTraits;
use crate::text::percent;

pub use every::every;
pub use steps::Steps;

/// The rule that decides.
pub type Match<'p> = RuleProgram<'p>;

/// The most specific rule of `group` that matches `path`; allow before disallow and the earlier
/// line before the later where specificity is equal (RFC 9309 section 2.2.2).
///
/// `path` must be what [`prepare`] gives for the program's dialect.
///
/// # Complexity
/// Constant space. Time at most proportional to the octets of the path times the rules whose first
/// octets agree with it.
///
/// # Examples
/// ```
/// use robosift::compile::{BodyLimit, compile};
/// use robosift::matching::best;
/// use robosift::parse::Dialect;
/// let body = b"User-agent: *\nDisallow: /shop\nAllow: /shop/*.pdf$\n";
/// let program = compile(body, &Dialect::RFC9309, BodyLimit::DEFAULT);
/// let group = program.wildcard().ok_or("no * group")?;
/// assert_eq!(best(&program, group, b"/shop/a.pdf", &mut ()).map(|m| m.line), Some(3));
/// assert_eq!(best(&program, group, b"/shop/a.html", &mut ()).map(|m| m.line), Some(2));
/// assert_eq!(best(&program, group, b"/", &mut ()), None);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
#[inline]
pub fn best<'p>(
    program: &'p Program,
    group: GroupId,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    best_of(&program.group(group), path, steps)
}

/// As [`best`], of a group that has been looked up.
#[must_use]
#[inline]
pub fn best_of<'p>(
    group: &GroupProgram<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    match group {
        GroupProgram::Rules(rules) => rules.rule(rules::first_match(rules, path, steps)?),
        GroupProgram::Compound(groups) => best_of_parts(groups, path, steps),
    }
}

#[inline(never)]
fn best_of_parts<'p>(
    groups: &Compound<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    let decided = groups
        .parts()
        .filter_map(|rules| rules::first_match(&rules, path, steps).and_then(|at| rules.rule(at)));
    decided.min_by_key(Match::rank)
}

/// Whether one normalised pattern, its anchor taken off, matches `path`.
///
/// # Complexity
/// Linear in both.
pub(crate) fn pattern_matches(
    text: &[u8],
    anchored: bool,
    path: &[u8],
    steps: &mut impl Steps,
) -> bool {
    match memchr::memchr(b'*', text) {
        Some(_) => wildcard::matches(text, anchored, path, steps),
        None if anchored => path == text,
        None => path.starts_with(text),
    }
}

/// The line that google/robotstxt reports as the matching one: the deciding rule's or, where none
/// matches, that of an empty rule; 0 where there is neither.
///
/// # Complexity
/// As [`best`].
#[must_use]
pub fn matching_line(program: &Program, group: GroupId, path: &[u8]) -> u32 {
    best(program, group, path, &mut ())
        .map_or_else(|| program.empty_rule_line(group), |decided| decided.line)
}

/// The form of `path` that rules of `dialect` are compared with; `buffer` is used where it differs
/// from what stands in the URL. `traits` are those of the path, or of something it is part of.
///
/// # Complexity
/// Nothing where the path has no octet with another form; else one pass, and at most three times
/// its length in `buffer`.
#[inline]
pub fn prepare<'s>(
    path: &'s [u8],
    traits: PathTraits,
    dialect: &Dialect,
    buffer: &'s mut Vec<u8>,
) -> &'s [u8] {
    match dialect.normalisation {
        Normalisation::RuleOnly => path,
        Normalisation::BothSides if !traits.may_need_normalising() => path,
        Normalisation::BothSides => {
            buffer.clear();
            percent::normalise(path, [b'*', b'$'], buffer);
            buffer
        }
    }
}
