//! Which groups of a body apply to an agent, and why the others do not.
//!
//! Enters: a parsed body, an agent's names, the one by which the body knows it. Leaves: every group with its lines and its
//! standing. Cost: names times user-agent lines. Must not know: rules.

use super::story::{GroupStory, PassedOver};
use crate::agents::{Agent, AgentName};
use crate::parse::{Dialect, Group, Record, Robots, UserAgentLine};

/// How a body knows an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// By the name at this place among those that are looked for.
    Named(usize),
    /// As one of all others.
    Wildcard,
    /// Not at all.
    Unknown,
}

/// How the user-agent lines of a body name an agent.
pub(super) fn known_by_lines(robots: &Robots<'_>, agent: &Agent, dialect: &Dialect) -> Known {
    let is_named =
        |name: &AgentName| robots.user_agents.iter().any(|line| names(line, name, dialect));
    let has_wildcard = robots.user_agents.iter().any(UserAgentLine::is_wildcard);
    match agent.lookup_names().position(is_named) {
        Some(at) => Known::Named(at),
        None if has_wildcard && !agent.ignores_wildcard() => Known::Wildcard,
        None => Known::Unknown,
    }
}

/// All groups of a body.
pub(super) fn groups(
    robots: &Robots<'_>,
    agent: &Agent,
    known: Known,
    dialect: &Dialect,
    belongs: impl Fn(&Record<'_>) -> bool,
) -> Vec<GroupStory> {
    let mut last_records = vec![0; robots.groups.len()];
    for record in robots.records.iter().filter(|record| belongs(record)) {
        if let Some(last) = record.group.and_then(|group| last_records.get_mut(group)) {
            *last = record.line;
        }
    }
    let groups = robots.groups.iter().zip(last_records);
    groups.map(|(group, last)| story(robots, group, last, agent, known, dialect)).collect()
}

fn story(
    robots: &Robots<'_>,
    group: &Group,
    last_record: u32,
    agent: &Agent,
    known: Known,
    dialect: &Dialect,
) -> GroupStory {
    let (lines, rules) = (robots.user_agents_of(group), robots.rules_of(group));
    let last_name = lines.last().map_or(0, |line| line.line);
    let last_rule = rules.last().map_or(0, |rule| rule.line);
    let value = |line: &UserAgentLine<'_>| String::from_utf8_lossy(line.value).into_owned();
    GroupStory {
        user_agents: lines.iter().map(|line| (line.line, value(line))).collect(),
        first_line: lines.first().map_or(0, |line| line.line),
        last_line: last_name.max(last_rule).max(last_record),
        num_rules: rules.len(),
        passed_over: passed_over(lines, agent, known, dialect),
    }
}

fn passed_over(
    lines: &[UserAgentLine<'_>],
    agent: &Agent,
    known: Known,
    dialect: &Dialect,
) -> Option<PassedOver> {
    let names = |name: &AgentName| lines.iter().any(|line| names(line, name, dialect));
    let named = agent.lookup_names().position(names);
    let is_wildcard = lines.iter().any(UserAgentLine::is_wildcard);
    match (known, named) {
        (Known::Named(by), _) if agent.lookup_names().nth(by).is_some_and(names) => None,
        (_, Some(lower)) => {
            let name = agent.lookup_names().nth(lower).map_or(&b""[..], AgentName::as_bytes);
            Some(PassedOver::Outranked(String::from_utf8_lossy(name).into_owned()))
        }
        (Known::Wildcard, None) if is_wildcard => None,
        (Known::Unknown, None) if is_wildcard && agent.ignores_wildcard() => {
            Some(PassedOver::Ignored)
        }
        (_, None) if is_wildcard => Some(PassedOver::Hidden),
        (_, None) => Some(PassedOver::NamesOthers),
    }
}

/// Whether a user-agent line gives this name.
fn names(line: &UserAgentLine<'_>, name: &AgentName, dialect: &Dialect) -> bool {
    !line.is_wildcard()
        && match name {
            AgentName::Wildcard => false,
            AgentName::Token(token) => line.token().eq_ignore_ascii_case(token),
            AgentName::Whole(whole) => {
                dialect.whole_names && line.whole_name().eq_ignore_ascii_case(whole)
            }
        }
}
