//! Two robots.txt files, for all agents that matter.
//!
//! Enters: two compiled bodies, agents. Leaves: what closed and opened, agents with the same outcome together. Cost: a
//! comparison for each pair of groups that apply to some agent, within one budget. Must not know: files.

use std::collections::{HashMap, HashSet};

use super::answers::{AgentAnswer, Key, answers};
use super::budget::Budget;
use super::compare::{Comparison, Detail, Extent, compare_within, extent_within};
use crate::agents::Agent;
use crate::compile::ProgramRef;
use crate::corpus::{Access, BodyId, Site};
use crate::evaluate::{Settings, judge_by_program};
use crate::parse::{Dialect, UserAgentLine, parse_groups};

/// Agents for whom the same changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentsDiff {
    /// The agents, as they were asked for.
    pub agents: Vec<String>,
    /// What closed and opened for them.
    pub comparison: Comparison,
    /// How much the old body allows them.
    pub old_allows: Extent,
    /// How much the new body allows them.
    pub new_allows: Extent,
}

/// The agents that the user-agent lines of `body` name, as they are written there, each once ignoring case; without `*`.
///
/// # Complexity
/// One pass over the body.
#[must_use]
pub fn agents_named(body: &[u8], dialect: &Dialect) -> Vec<Vec<u8>> {
    let robots = parse_groups(body, dialect);
    let lines = robots.user_agents.iter().filter(|line| !line.is_wildcard());
    let names = lines.flat_map(|line| names(line, dialect));
    let mut known = HashSet::new();
    let names = names.filter(|name| !name.is_empty() && known.insert(name.to_ascii_lowercase()));
    names.map(<[u8]>::to_vec).collect()
}

/// The names that a user-agent line gives: with other octets than a token's, the line serves both the whole name and
/// the token that it begins with.
fn names<'b>(line: &UserAgentLine<'b>, dialect: &Dialect) -> impl Iterator<Item = &'b [u8]> {
    let (whole, token) = (line.whole_name(), line.token());
    let whole = (dialect.whole_names && whole.len() > token.len()).then_some(whole);
    whole.into_iter().chain([token])
}

/// What changed from the body `old` to the body `new` for each of `agents`, both as served with status 200. Agents for whom the
/// same changed stand together, in the order of the first of them; those for whom all closed come first, then those for
/// whom something closed, then those for whom something opened.
///
/// # Complexity
/// As [`compare`](super::compare()) for each pair of groups that some agent goes by, all of them together within twice the bound
/// of one: past it, what is left is [`cut_off`](Comparison::cut_off).
#[must_use]
pub fn diff_bodies(
    old: ProgramRef<'_>,
    new: ProgramRef<'_>,
    agents: &[Agent],
    settings: &Settings,
) -> Vec<AgentsDiff> {
    let (old, new) = (of_body(old, agents, settings), of_body(new, agents, settings));
    let mut known: HashMap<(Key, Key), usize> = HashMap::new();
    let mut diffs: Vec<AgentsDiff> = Vec::new();
    let mut budget = Budget::default();
    for ((agent, old), new) in agents.iter().zip(&old).zip(&new) {
        let place = *known.entry((old.key, new.key)).or_insert_with(|| {
            let diff = diff(old, new, &settings.dialect, &mut budget);
            let same = diffs.iter().position(|known| is_same(known, &diff));
            same.unwrap_or_else(|| {
                diffs.push(diff);
                diffs.len() - 1
            })
        });
        if let Some(diff) = diffs.get_mut(place) {
            diff.agents.push(agent.label().into_owned());
        }
    }
    diffs.sort_by_key(weight);
    diffs
}

fn of_body<'c>(
    program: ProgramRef<'c>,
    agents: &[Agent],
    settings: &Settings,
) -> Vec<AgentAnswer<'c>> {
    let site = Site { access: Access::Rules(BodyId::new(0)), ..Site::UNKNOWN };
    answers(agents, settings, |agent, url| {
        judge_by_program(program, &site, Some(agent), url, settings)
    })
}

fn diff(
    old: &AgentAnswer<'_>,
    new: &AgentAnswer<'_>,
    dialect: &Dialect,
    budget: &mut Budget,
) -> AgentsDiff {
    AgentsDiff {
        agents: Vec::new(),
        comparison: compare_within(&old.side, &new.side, dialect, Detail::EachRule, budget),
        old_allows: extent_within(&old.side, dialect, budget),
        new_allows: extent_within(&new.side, dialect, budget),
    }
}

/// Sites that closed wholly come first, what did not change last.
fn weight(diff: &AgentsDiff) -> u8 {
    let Comparison { closed, opened, cut_off } = &diff.comparison;
    match (closed.is_empty(), opened.is_empty()) {
        (false, _) if diff.new_allows == Extent::Nothing => 0,
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 3 + u8::from(!cut_off),
    }
}

fn is_same(one: &AgentsDiff, other: &AgentsDiff) -> bool {
    one.comparison == other.comparison
        && (one.old_allows, one.new_allows) == (other.old_allows, other.new_allows)
}
