//! What an explanation says in words, the same on a terminal and on a page.

use indicatif::HumanCount;
use robosift::corpus::{Access, hex};
use robosift::evaluate::GroupKind;
use robosift::explain::{
    AgentStory, BodyStory, CaptureStory, Explanation, GroupStory, OtherDialect, PassedOver,
    RuleStanding, RuleStory,
};
use robosift::parse::Kind;
use robosift::text::timestamp;

use super::listing::{self, visible};
use crate::cli::quantity::counted;

/// `allowed`, `disallowed` or `unknown`.
pub(super) fn verdict(allowed: Option<bool>) -> &'static str {
    match allowed {
        Some(true) => "allowed",
        Some(false) => "disallowed",
        None => "unknown",
    }
}

/// `GPTBot may not fetch it`.
pub(super) fn headline(agent: &AgentStory) -> String {
    let name = visible(&agent.agent);
    match agent.allowed {
        Some(true) => format!("{name} may fetch it"),
        Some(false) => format!("{name} may not fetch it"),
        None => format!("whether {name} may fetch it is not known"),
    }
}

/// Text of anyone, to be shown: its first characters, for a pattern may have half a million.
pub(super) fn short(text: &str) -> String {
    listing::cut(text.as_bytes(), 300)
}

/// `Disallow: /private/`, as written where that is known.
pub(super) fn rule(rule: &RuleStory) -> String {
    let kind = if rule.kind == Kind::Allow { "Allow" } else { "Disallow" };
    format!("{kind}: {}", short(rule.written.as_ref().unwrap_or(&rule.pattern)))
}

/// The pattern as compared, where that is not what stands in the file.
pub(super) fn compared(rule: &RuleStory) -> Option<String> {
    let differs = rule.written.as_ref().is_some_and(|written| *written != rule.pattern);
    differs.then(|| short(&rule.pattern))
}

/// What became of a rule that matches.
pub(super) fn standing(standing: RuleStanding) -> &'static str {
    match standing {
        RuleStanding::Decides => "decides",
        RuleStanding::LessSpecific => "fewer octets",
        RuleStanding::AllowWins => "as many octets: allow wins",
        RuleStanding::Later => "as many octets: the first line counts",
    }
}

/// Which group applied, and why.
pub(super) fn applied(agent: &AgentStory) -> String {
    let Some(applied) = &agent.applied else {
        return match agent.num_groups == 0 {
            true => "no group was asked".to_owned(),
            false => "no group applies".to_owned(),
        };
    };
    let rules = counted(applied.num_rules as u64, "rule");
    let name = applied.name.as_deref().map(visible).unwrap_or_default();
    match applied.kind {
        GroupKind::Wildcard => {
            format!("the group for * applies ({rules}): no group names the agent")
        }
        GroupKind::Named => format!("the group for {name} applies ({rules}): it names the agent"),
        GroupKind::Fallback => format!(
            "the group for {name} applies ({rules}): none names the agent, which then goes by it"
        ),
    }
}

/// Why a group applies or does not.
pub(super) fn group(group: &GroupStory, agent: &AgentStory) -> String {
    match &group.passed_over {
        None if agent.applied.is_none() => "would apply".to_owned(),
        None => "applies".to_owned(),
        Some(PassedOver::NamesOthers) => "names other agents".to_owned(),
        Some(PassedOver::Ignored) => "the agent ignores *".to_owned(),
        Some(PassedOver::Hidden) => match agent.applied.as_ref().map(|applied| applied.kind) {
            Some(GroupKind::Fallback) => "another group comes before it".to_owned(),
            _ => "another group names the agent".to_owned(),
        },
        Some(PassedOver::Outranked(name)) => {
            format!("names {}, which stands behind the name that applies", visible(name))
        }
    }
}

/// At most so many of the groups, in the order of the body: those that have to do with the agent before all others.
pub(super) fn shown_groups(agent: &AgentStory, most: usize) -> Vec<&GroupStory> {
    let mut groups: Vec<&GroupStory> = agent.groups.iter().collect();
    groups.sort_by_key(|group| matches!(group.passed_over, Some(PassedOver::NamesOthers)));
    groups.truncate(most);
    groups.sort_by_key(|group| group.first_line);
    groups
}

/// Where a group's lines are: `4–9`.
pub(super) fn lines(group: &GroupStory) -> String {
    match group.first_line == group.last_line {
        true => group.first_line.to_string(),
        false => format!("{}–{}", group.first_line, group.last_line),
    }
}

/// The names that a group gives, at most some of them.
pub(super) fn names(group: &GroupStory) -> String {
    const MOST: usize = 6;
    let shown: Vec<String> =
        group.user_agents.iter().take(MOST).map(|(_, value)| cut(&visible(value))).collect();
    match group.num_user_agents.saturating_sub(MOST) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn cut(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        None => text.to_owned(),
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
    }
}

/// The URL that the body stands at: where redirects led.
pub(super) fn place(capture: &CaptureStory) -> String {
    let last = capture.hops.last().filter(|_| capture.body.is_some());
    let own = || format!("{}/robots.txt", capture.origin);
    last.map_or_else(own, |hop| visible(&hop.to))
}

/// What was captured, when, with which status.
pub(super) fn capture(capture: &CaptureStory) -> String {
    let site = &capture.site;
    if matches!(capture.access, "no_capture") && site.status.is_none() && site.time.is_none() {
        return "no capture".to_owned();
    }
    let mut said = Vec::new();
    said.extend(site.status.map(|status| format!("status {}", status.0)));
    said.extend(site.time.map(|time| format!("fetched {}", timestamp::format(time))));
    said.extend(capture.is_twin.then(|| "of the same host under the other scheme".to_owned()));
    said.extend(site.stale.then(|| "an older copy, in place of an unreachable one".to_owned()));
    if !matches!(site.access, Access::Rules(_)) {
        said.push(capture.access.replace('_', " "));
    }
    said.extend(capture.body.as_ref().map(body));
    said.join(", ")
}

fn body(body: &BodyStory) -> String {
    let origins = match body.num_origins {
        0 | 1 => String::new(),
        many => format!(", served by {}", counted(many, "origin")),
    };
    if body.is_beginning {
        return format!("more than {} octets", HumanCount(body.len));
    }
    let digest = hex(&body.digest);
    let digest = digest.get(..12).unwrap_or_default();
    format!("{} octets{origins}, sha256 {digest}…", HumanCount(body.len))
}

/// What the other dialect says.
pub(super) fn other(other: &OtherDialect, own: &AgentStory) -> String {
    let name = other.dialect.name;
    let by = match other.line {
        Some(line) => format!("by line {line}"),
        None => format!("basis {}", other.basis.name()),
    };
    match (other.differs, other.allowed == own.allowed) {
        (false, _) => format!("dialect {name} says the same"),
        (true, true) => format!("dialect {name}: {} too, but {by}", verdict(other.allowed)),
        (true, false) => format!("dialect {name}: {}, {by}", verdict(other.allowed)),
    }
}

/// `dialect rfc9309, policy rfc9309`.
pub(super) fn terms(explanation: &Explanation) -> String {
    let settings = &explanation.settings;
    let mut said = vec![
        format!("dialect {}", settings.dialect.name),
        format!("policy {}", settings.policy.name),
    ];
    if settings.scope != robosift::evaluate::Scope::Origin {
        said.push(format!("scope {}", settings.scope.name()));
    }
    said.join(", ")
}

/// Path and query as given and as compared, where they differ.
pub(super) fn paths(explanation: &Explanation) -> Option<(String, String)> {
    let target = explanation.target.as_ref().filter(|target| target.path != target.compared)?;
    let text = |octets| visible(&String::from_utf8_lossy(octets));
    Some((text(&target.path), text(&target.compared)))
}
