//! The body line by line: what each says, and in which group it stands.
//!
//! Enters: the part of a body that is read, and its groups. Leaves: findings. One pass, and constant room but for
//! the names of agents.

use memchr::memchr;

use super::agents::Agents;
use super::code::Code;
use super::finding::{At, Findings, made_words, words};
use super::keys::{self, Record};
use super::words::shown;
use super::{Options, patterns, records};
use crate::parse::{Field, Group, Key, Kind, LONG_LINE, Robots, field};
use crate::text::lines::lines;

/// A line that says something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'b> {
    pub(super) number: u32,
    /// All its octets that are read.
    pub(super) octets: &'b [u8],
    pub(super) field: Field<'b>,
}

impl Line<'_> {
    /// The place of `part`, which is a part of the line.
    pub(super) fn at(&self, part: &[u8]) -> At {
        At { line: self.number, span: self.span(part), related: None }
    }

    /// Where `part`, which is a part of the line, stands in it.
    pub(super) fn span(&self, part: &[u8]) -> std::ops::Range<usize> {
        let start = part.as_ptr().addr().saturating_sub(self.octets.as_ptr().addr());
        let start = start.min(self.octets.len());
        start..start.saturating_add(part.len()).min(self.octets.len())
    }
}

/// Why a stack of user-agent lines seems to have ended, though no rule has closed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Blank,
    Record,
}

/// Where the lines are, group after group.
#[derive(Debug, Default)]
struct State {
    num_groups: usize,
    /// The last user-agent line of a stack that no rule has closed; 0 where there is none.
    open_agent: u32,
    gap: Option<Gap>,
}

/// Checks every line of `text`.
pub(super) fn check(text: &[u8], robots: &Robots<'_>, options: &Options, findings: &mut Findings) {
    let mut state = State::default();
    let mut agents = Agents::new(&options.agents);
    for line in lines(text) {
        let (number, octets) = (line.number, line.octets);
        check_octets(number, octets, findings);
        let octets =
            options.dialect.line_limit.and_then(|limit| octets.get(..limit)).unwrap_or(octets);
        match field(octets) {
            Some(field) => {
                let line = Line { number, octets, field };
                check_field(&line, robots, &mut state, &mut agents, findings);
            }
            None => without_field(number, octets, &mut state, findings),
        }
    }
    empty_group(&state, robots, findings);
    closed_to_all(robots, findings);
    empty_rules(robots, findings);
}

/// What is wrong with a line before anything is read of it.
fn check_octets(number: u32, octets: &[u8], findings: &mut Findings) {
    if octets.len() > LONG_LINE {
        findings.add(Code::LongLine, At::line(number), || {
            words(
                format!(
                    "the line has {} octets; Google's parser reads the first {LONG_LINE}",
                    octets.len()
                ),
                "make several lines of it",
            )
        });
    }
    if let Some(nul) = memchr(0, octets) {
        let at = At { line: number, span: nul..nul + 1, related: None };
        findings.add(Code::Nul, at, || {
            words("a NUL stands in the line: what is behind it does not count", "take the NUL out")
        });
    }
    // In comments nothing is compared.
    let content = octets.split(|octet| *octet == b'#').next().unwrap_or_default();
    if let Err(error) = std::str::from_utf8(content) {
        let from = error.valid_up_to();
        let at =
            At { line: number, span: from..from + error.error_len().unwrap_or(1), related: None };
        findings.add(Code::NotUtf8, at, || {
            words(
                "the line is not UTF-8: paths outside ASCII compare with the octets that URLs have, which are UTF-8",
                "save the file as UTF-8, or write such octets as `%XX`",
            )
        });
    }
}

fn without_field(number: u32, octets: &[u8], state: &mut State, findings: &mut Findings) {
    let content = octets.split(|octet| matches!(octet, b'#' | 0)).next().unwrap_or_default();
    let content = content.trim_ascii();
    if octets.trim_ascii().is_empty() && state.open_agent != 0 {
        state.gap = state.gap.or(Some(Gap::Blank));
    }
    if content.is_empty() {
        return;
    }
    findings.add(Code::NotUnderstood, At::line(number), || {
        let first = content.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        match keys::is_known(first) {
            true => made_words(
                format!(
                    "no colon follows `{}`, and more than one word: the line is ignored",
                    shown(first)
                ),
                format!("write `{}: …`", shown(first)),
            ),
            false => words(
                format!("`{}` is neither a record nor a comment, and is ignored", shown(content)),
                "begin comments with `#`",
            ),
        }
    });
}

fn check_field(
    line: &Line<'_>,
    robots: &Robots<'_>,
    state: &mut State,
    agents: &mut Agents<'_>,
    findings: &mut Findings,
) {
    let record = keys::check(line, findings);
    match line.field.key {
        Key::UserAgent => {
            user_agent(line, state, findings);
            agents.check(line, state.num_groups, findings);
        }
        Key::Allow | Key::Disallow => {
            if state.num_groups == 0 {
                stray_rule(line, findings);
            }
            state.open_agent = 0;
            let kind = if line.field.key == Key::Allow { Kind::Allow } else { Kind::Disallow };
            patterns::check(line, kind, findings);
        }
        Key::Other => {
            let group = state.num_groups.checked_sub(1).and_then(|at| robots.groups.get(at));
            if record != Record::Nothing && state.open_agent != 0 {
                state.gap = Some(Gap::Record);
            }
            records::check(line, record, group.map(|group| robots.user_agents_of(group)), findings);
        }
    }
}

/// A user-agent line joins the stack above it, though that seems to have ended.
fn user_agent(line: &Line<'_>, state: &mut State, findings: &mut Findings) {
    if state.open_agent == 0 {
        state.num_groups += 1;
    } else if let Some(gap) = state.gap {
        let at = line.at(line.octets).with(state.open_agent, "this group has no rule so far");
        findings.add(Code::JoinedGroup, at, || {
            let between = match gap {
                Gap::Blank => "a blank line does not end a group",
                Gap::Record => "a line that is neither allow nor disallow does not end a group",
            };
            words(
                format!("this agent shares its rules with the one above: {between}"),
                "if they are two groups, give the first a rule of its own: `Disallow:` allows everything",
            )
        });
    }
    (state.open_agent, state.gap) = (line.number, None);
}

fn stray_rule(line: &Line<'_>, findings: &mut Findings) {
    findings.add(Code::StrayRule, line.at(line.octets), || {
        words(
            "the rule stands before the first user-agent line and applies to nobody",
            "begin its group with `User-agent: *`, or with the crawler that it is meant for",
        )
    });
}

/// Only the last group can be without rules: any other stack goes on to the next one.
fn empty_group(state: &State, robots: &Robots<'_>, findings: &mut Findings) {
    // That nobody has rules is told of the whole file.
    if state.open_agent == 0 || robots.rules.is_empty() {
        return;
    }
    let Some(group) = robots.groups.last() else { return };
    if is_for_all(robots, group) {
        return findings.add(Code::EmptyGroup, At::line(state.open_agent), || {
            words(
                "the group for everyone has no rule: everything is allowed to whom no other group names",
                "say so with `Disallow:`",
            )
        });
    }
    findings.add(Code::EmptyGroup, At::line(state.open_agent), || {
        words(
            "the group has no rule: everything is allowed to whom it names, and the `*` group does not apply to them",
            "say so with `Disallow:`, or take the group out to let the `*` group apply",
        )
    });
}

fn is_for_all(robots: &Robots<'_>, group: &Group) -> bool {
    robots.user_agents_of(group).iter().any(|line| line.is_wildcard())
}

/// `Disallow: /` for `*`, without any exception.
fn closed_to_all(robots: &Robots<'_>, findings: &mut Findings) {
    let groups = robots.groups.iter().filter(|group| is_for_all(robots, group));
    let mut closing = None;
    for rule in groups.flat_map(|group| robots.rules_of(group)) {
        let is_all = matches!(rule.pattern, b"/" | b"*" | b"/*");
        match rule.kind {
            Kind::Disallow if is_all => closing = closing.or(Some(rule.line)),
            Kind::Allow if !rule.pattern.is_empty() => return,
            _ => {}
        }
    }
    if let Some(line) = closing {
        findings.add(Code::ClosedToAll, At::line(line), || {
            words(
                "everything is disallowed to every crawler that no other group names",
                "if the site is to be found, take the rule out; a site under construction is better closed by a password",
            )
        });
    }
}

/// Rules without a pattern beside others, and allow rules without one anywhere.
fn empty_rules(robots: &Robots<'_>, findings: &mut Findings) {
    for group in &robots.groups {
        let rules = robots.rules_of(group);
        for rule in rules.iter().filter(|rule| rule.pattern.is_empty()) {
            let (message, remedy) = match rule.kind {
                Kind::Allow => (
                    "an allow rule without a pattern matches nothing",
                    "to allow everything write `Allow: /`; else take the rule out",
                ),
                Kind::Disallow if rules.len() > 1 => (
                    "a disallow rule without a pattern matches nothing: it does not lift the other rules of the group",
                    "take it out, or the others",
                ),
                Kind::Disallow => continue,
            };
            findings.add(Code::EmptyRule, At::line(rule.line), || words(message, remedy));
        }
    }
}
