//! Which groups of a body apply to an agent, and why the others do not.
//!
//! ```text
//! groups of a body ─once─▶ BodyGroups ─an agent's names─▶ Standings ─▶ GroupStory each
//! ```
//!
//! Enters: a parsed body; an agent's names, the one by which the body knows it. Leaves: groups with their lines and their
//! standing. Cost: one pass over the body's groups, however many agents ask; for each agent as many look-ups as it has names,
//! and what is listed. Must not know: rules.

use std::collections::{BTreeMap, HashMap};

use super::story::{GroupLines, GroupStory, PassedOver};
use crate::agents::{Agent, AgentName};
use crate::parse::{Dialect, Group, Record, Robots, UserAgentLine};

/// User-agent lines of a group that are listed where groups are not listed whole.
const MOST_NAMES: usize = 16;

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

/// The groups of a body, by the names that they are for.
#[derive(Debug, Default)]
pub(super) struct BodyGroups {
    lines: Vec<GroupLines>,
    /// Places of groups by name in lower case, each once; whole names count in some dialects.
    by_token: HashMap<Vec<u8>, Vec<usize>>,
    by_whole_name: HashMap<Vec<u8>, Vec<usize>>,
    wildcards: Vec<usize>,
}

/// Why groups apply (`None`) or do not, by place; those that are not here name others.
pub(super) type Standings = BTreeMap<usize, Option<PassedOver>>;

impl BodyGroups {
    /// All groups of a body; `belongs` are the records that count as part of a group.
    pub(super) fn new(
        robots: &Robots<'_>,
        dialect: &Dialect,
        belongs: impl Fn(&Record<'_>) -> bool,
    ) -> Self {
        let mut last_records = vec![0; robots.groups.len()];
        for record in robots.records.iter().filter(|record| belongs(record)) {
            if let Some(last) = record.group.and_then(|group| last_records.get_mut(group)) {
                *last = record.line;
            }
        }
        let mut groups = BodyGroups::default();
        for (place, (group, last)) in robots.groups.iter().zip(last_records).enumerate() {
            groups.lines.push(lines(robots, group, last));
            for line in robots.user_agents_of(group) {
                groups.name(line, place, dialect);
            }
        }
        groups
    }

    fn name(&mut self, line: &UserAgentLine<'_>, place: usize, dialect: &Dialect) {
        let add = |places: &mut Vec<usize>| {
            if places.last() != Some(&place) {
                places.push(place);
            }
        };
        if line.is_wildcard() {
            return add(&mut self.wildcards);
        }
        add(self.by_token.entry(line.token().to_ascii_lowercase()).or_default());
        if dialect.whole_names {
            add(self.by_whole_name.entry(line.whole_name().to_ascii_lowercase()).or_default());
        }
    }

    /// Places of the groups that a name stands over.
    fn named(&self, name: &AgentName) -> &[usize] {
        let places = match name {
            AgentName::Wildcard => None,
            AgentName::Token(token) => self.by_token.get(token.to_ascii_lowercase().as_slice()),
            AgentName::Whole(whole) => {
                self.by_whole_name.get(whole.to_ascii_lowercase().as_slice())
            }
        };
        places.map(Vec::as_slice).unwrap_or_default()
    }

    /// How the body knows an agent that no rule was asked for: by its user-agent lines.
    pub(super) fn known(&self, agent: &Agent) -> Known {
        match agent.lookup_names().position(|name| !self.named(name).is_empty()) {
            Some(at) => Known::Named(at),
            None if !self.wildcards.is_empty() && !agent.ignores_wildcard() => Known::Wildcard,
            None => Known::Unknown,
        }
    }

    /// The standing of all groups that have to do with the agent.
    pub(super) fn standings(&self, agent: &Agent, known: Known) -> Standings {
        let of_wildcards = match known {
            Known::Wildcard => None,
            Known::Unknown if agent.ignores_wildcard() => Some(PassedOver::Ignored),
            _ => Some(PassedOver::Hidden),
        };
        let wildcards = self.wildcards.iter();
        let mut standings: Standings =
            wildcards.map(|place| (*place, of_wildcards.clone())).collect();
        let names: Vec<&AgentName> = agent.lookup_names().collect();
        // The name of highest standing is what is told.
        for name in names.iter().rev() {
            let text = || String::from_utf8_lossy(name.as_bytes()).into_owned();
            let places = self.named(name).iter();
            standings.extend(places.map(|place| (*place, Some(PassedOver::Outranked(text())))));
        }
        if let Known::Named(by) = known
            && let Some(name) = names.get(by)
        {
            standings.extend(self.named(name).iter().map(|place| (*place, None)));
        }
        standings
    }

    /// All groups with their standing where `room` is there for so many lines; else those that have to do with the agent,
    /// those that apply first, as many as there is room for.
    pub(super) fn stories(&self, standings: &Standings, room: usize) -> Vec<GroupStory> {
        if self.num_lines() <= room {
            let names_others = Some(PassedOver::NamesOthers);
            let standing = |place| standings.get(&place).unwrap_or(&names_others).clone();
            let all = self.lines.iter().enumerate();
            return all.map(|(place, lines)| story(lines, usize::MAX, standing(place))).collect();
        }
        let mut concerned: Vec<_> = standings.iter().collect();
        concerned.sort_by_key(|(_, standing)| standing.is_some());
        concerned.truncate((room / (1 + MOST_NAMES)).max(1));
        concerned.sort_by_key(|(place, _)| **place);
        let story = |(place, standing): (&usize, &Option<PassedOver>)| {
            Some(story(self.lines.get(*place)?, MOST_NAMES, standing.clone()))
        };
        concerned.into_iter().filter_map(story).collect()
    }

    /// Groups and user-agent lines.
    fn num_lines(&self) -> usize {
        self.lines.iter().map(|lines| 1 + lines.user_agents.len()).sum()
    }

    /// All groups, whoever asks.
    pub(super) fn into_lines(self) -> Vec<GroupLines> {
        self.lines
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }
}

fn lines(robots: &Robots<'_>, group: &Group, last_record: u32) -> GroupLines {
    let (lines, rules) = (robots.user_agents_of(group), robots.rules_of(group));
    let last_name = lines.last().map_or(0, |line| line.line);
    let last_rule = rules.last().map_or(0, |rule| rule.line);
    let value = |line: &UserAgentLine<'_>| String::from_utf8_lossy(line.value).into_owned();
    GroupLines {
        user_agents: lines.iter().map(|line| (line.line, value(line))).collect(),
        first_line: lines.first().map_or(0, |line| line.line),
        last_line: last_name.max(last_rule).max(last_record),
        num_rules: rules.len(),
    }
}

fn story(lines: &GroupLines, most_names: usize, passed_over: Option<PassedOver>) -> GroupStory {
    GroupStory {
        user_agents: lines.user_agents.iter().take(most_names).cloned().collect(),
        num_user_agents: lines.user_agents.len(),
        first_line: lines.first_line,
        last_line: lines.last_line,
        num_rules: lines.num_rules,
        passed_over,
    }
}
