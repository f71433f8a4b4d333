//! The verdict of one row for one agent, before it is written into columns.

use super::Basis;
use crate::agents::{Agent, AgentName};
use crate::compile::{BodyFlags, GroupId, NameKind, ProgramRef};
use crate::corpus::{Access, CaptureFlags};
use crate::corpus::{BodyId, Corpus, Outcome as Closed, Site};
use crate::matching::Match;
use crate::parse::Kind;

use super::Settings;

/// Which group applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// One that names the agent.
    Named,
    /// The one for `*`.
    Wildcard,
    /// One that names another agent, whose group the agent goes by where it has none of its own.
    Fallback,
}

impl GroupKind {
    /// The word in the `robots_group` column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            GroupKind::Named => "named",
            GroupKind::Wildcard => "wildcard",
            GroupKind::Fallback => "fallback",
        }
    }
}

/// What a site answers one agent, whatever the path.
#[derive(Clone, Copy, Debug)]
pub(super) enum Answer<'c> {
    /// The same for every path.
    Fixed(Option<bool>, Basis),
    /// It depends on the rules of a group.
    Group(Applied<'c>),
}

/// The group that applies to an agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Applied<'c> {
    pub(super) program: ProgramRef<'c>,
    pub(super) body: BodyId,
    pub(super) group: GroupId,
    pub(super) kind: GroupKind,
    /// Which of the names that are looked for the body knows; `None` for `*`.
    pub(super) name: Option<usize>,
}

/// The verdict of one row for one agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<'c> {
    pub(super) allowed: Option<bool>,
    pub(super) basis: Basis,
    pub(super) applied: Option<Applied<'c>>,
    pub(super) rule: Option<Match<'c>>,
}

impl<'c> Outcome<'c> {
    /// A verdict to which no group contributed.
    pub(super) fn fixed(allowed: Option<bool>, basis: Basis) -> Self {
        Outcome { allowed, basis, applied: None, rule: None }
    }

    /// The verdict of a group whose best matching rule is `rule`.
    pub(super) fn of_group(applied: Applied<'c>, rule: Option<Match<'c>>) -> Self {
        let (allowed, basis) = match &rule {
            Some(rule) => (rule.kind == Kind::Allow, Basis::Rule),
            None => (true, Basis::NoRule),
        };
        Outcome { allowed: Some(allowed), basis, applied: Some(applied), rule }
    }

    /// Body number in the upper 32 bits, line number in the lower; `None` where no rule decided.
    pub(super) fn rule_id(&self) -> Option<i64> {
        let (applied, rule) = (self.applied?, self.rule?);
        Some(i64::from(applied.body.number()) << 32 | i64::from(rule.line))
    }
}

/// What `site` answers `agent`.
pub(super) fn answer<'c>(
    corpus: &'c Corpus,
    site: &Site,
    agent: Option<&Agent>,
    settings: &Settings,
) -> Answer<'c> {
    let Some(agent) = agent else { return Answer::Fixed(None, Basis::BadAgent) };
    let body = match site.access {
        Access::Rules(body) => body,
        Access::RedirectUnresolved => return Answer::Fixed(None, Basis::RedirectUnresolved),
        Access::Closed(outcome) => return closed(outcome, settings),
    };
    match corpus.program(body) {
        Some(program) => answer_of_body(program, body, site, agent),
        None => closed(Closed::NoCapture, settings),
    }
}

fn closed<'c>(outcome: Closed, settings: &Settings) -> Answer<'c> {
    match outcome {
        Closed::NoCapture => Answer::Fixed(settings.no_capture.allowed(), Basis::NoCapture),
        Closed::Unknown => Answer::Fixed(None, Basis::NoCapture),
        Closed::Unavailable => Answer::Fixed(Some(true), Basis::Unavailable),
        Closed::Unreachable => Answer::Fixed(Some(false), Basis::Unreachable),
        Closed::Forbidden => Answer::Fixed(Some(false), Basis::Forbidden),
    }
}

/// What a body answers `agent`.
pub(super) fn answer_of_body<'c>(
    program: ProgramRef<'c>,
    body: BodyId,
    site: &Site,
    agent: &Agent,
) -> Answer<'c> {
    if program.num_rules() == 0 {
        let basis =
            if is_no_robots(program.flags(), site) { Basis::NotRobots } else { Basis::NoRules };
        return Answer::Fixed(Some(true), basis);
    }
    answer_of_rules(program, body, agent)
}

/// What a body with rules answers `agent`.
pub(super) fn answer_of_rules<'c>(
    program: ProgramRef<'c>,
    body: BodyId,
    agent: &Agent,
) -> Answer<'c> {
    match group(&program, agent) {
        Some((group, kind, name)) => Answer::Group(Applied { program, body, group, kind, name }),
        None => Answer::Fixed(Some(true), Basis::NoGroup),
    }
}

/// A web page or binary by its octets, or by its declared type where it is not blank.
fn is_no_robots(flags: BodyFlags, site: &Site) -> bool {
    flags.contains(BodyFlags::WEB_PAGE)
        || flags.contains(BodyFlags::BINARY)
        || (site.flags.contains(CaptureFlags::PAGE_OR_BINARY_TYPE)
            && !flags.contains(BodyFlags::BLANK))
}

/// The group of the first of the names to look for that the body knows, else that of `*` unless the agent
/// ignores it.
pub(super) fn group(
    program: &ProgramRef<'_>,
    agent: &Agent,
) -> Option<(GroupId, GroupKind, Option<usize>)> {
    let named = agent.lookup_names().enumerate().find_map(|(at, name)| {
        let group = match name {
            AgentName::Wildcard => None,
            AgentName::Token(token) => program.find(NameKind::Token, token),
            AgentName::Whole(name) => program.find(NameKind::Whole, name),
        };
        let is_own = at < agent.names().len();
        let kind = if is_own { GroupKind::Named } else { GroupKind::Fallback };
        group.map(|group| (group, kind, Some(at)))
    });
    let wildcard = || program.wildcard().filter(|_| !agent.ignores_wildcard());
    named.or_else(|| wildcard().map(|group| (group, GroupKind::Wildcard, None)))
}
