//! The rules that match, and what became of each.
//!
//! Enters: a group's program, a path, and the parsed body where its text is known. Leaves: rules by rank. Cost: as
//! [`matching::every`]. Must not know: agents.

use super::story::{AgentStory, RuleStanding, RuleStory};
use crate::compile::GroupProgram;
use crate::matching::{self, Match};
use crate::parse::{Kind, Robots};

/// The rules of `group` that match `path`, the one that decides first, and how many they are.
pub(super) fn rules(
    group: &GroupProgram<'_>,
    path: &[u8],
    robots: Option<&Robots<'_>>,
) -> (Vec<RuleStory>, usize) {
    let matching = matching::every(group, path);
    let Some(first) = matching.first() else { return (Vec::new(), 0) };
    let shown = matching.iter().take(AgentStory::MOST_RULES).enumerate();
    let stories = shown.map(|(at, rule)| RuleStory {
        line: rule.line,
        kind: rule.kind,
        written: robots.and_then(|robots| written(robots, rule.line)),
        pattern: String::from_utf8_lossy(rule.pattern).into_owned(),
        specificity: rule.specificity(),
        standing: if at == 0 { RuleStanding::Decides } else { standing(first, rule) },
    });
    (stories.collect(), matching.len())
}

/// What became of `rule`, where `first` decides.
fn standing(first: &Match<'_>, rule: &Match<'_>) -> RuleStanding {
    if rule.specificity() < first.specificity() {
        return RuleStanding::LessSpecific;
    }
    match (first.kind, rule.kind) {
        (Kind::Allow, Kind::Disallow) => RuleStanding::AllowWins,
        _ => RuleStanding::Later,
    }
}

/// The pattern that stands on `line`.
fn written(robots: &Robots<'_>, line: u32) -> Option<String> {
    let at = robots.rules.binary_search_by_key(&line, |rule| rule.line).ok()?;
    robots.rules.get(at).map(|rule| String::from_utf8_lossy(rule.pattern).into_owned())
}
