//! An explanation as JSON, version 1: fields are added, never renamed or given another meaning, without a new version.

use serde_json::{Value, json};

use super::Clause;
use super::story::{
    AgentStory, AgentVerdict, CaptureStory, Explanation, GroupLines, GroupStory, Hop, OtherDialect,
    RecordStory, RuleStory,
};
use crate::corpus::hex;
use crate::parse::Kind;
use crate::text::timestamp;

/// The version of the object.
const SCHEMA_VERSION: u32 = 1;

impl Explanation {
    /// All of it as one JSON object, the one that `robosift explain --json` prints.
    #[must_use]
    pub fn to_json(&self) -> Value {
        object(self)
    }
}

fn object(explanation: &Explanation) -> Value {
    let settings = &explanation.settings;
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let target = explanation.target.as_ref();
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "url": explanation.url,
        "origin": target.map(|target| &target.origin),
        "path": target.map(|target| text(&target.path)),
        "path_compared": target.map(|target| text(&target.compared)),
        "dialect": settings.dialect.name,
        "policy": settings.policy.name,
        "scope": settings.scope.name(),
        "body_limit": explanation.limit.octets(),
        "captures": explanation.captures.iter().map(capture).collect::<Vec<_>>(),
        "agents": explanation.agents.iter().map(agent).collect::<Vec<_>>(),
        "all_agents": explanation.all_agents.iter().map(in_short).collect::<Vec<_>>(),
    })
}

fn capture(capture: &CaptureStory) -> Value {
    let hop = |hop: &Hop| json!({"url": hop.url, "status": hop.status, "to": hop.to});
    json!({
        "origin": capture.origin,
        "access": capture.access,
        "status": capture.site.status.map(|status| status.0),
        "time": capture.site.time.map(timestamp::format),
        "redirected": capture.site.redirected,
        "stale": capture.site.stale,
        "is_twin": capture.is_twin,
        "redirects": capture.hops.iter().map(hop).collect::<Vec<_>>(),
        "body": capture.body.as_ref().map(|body| json!({
            "id": body.id.number(),
            "sha256": (!body.is_beginning).then(|| hex(&body.digest)),
            "octets": (!body.is_beginning).then_some(body.len),
            "origins": body.num_origins,
            "flags": body.flags.bits(),
            "has_text": body.text.is_some(),
            "groups": body.groups.iter().map(group_lines).collect::<Vec<_>>(),
        })),
    })
}

fn agent(agent: &AgentStory) -> Value {
    let applied = agent.applied.as_ref();
    json!({
        "agent": agent.agent,
        "names": agent.names,
        "capture": agent.capture,
        "allowed": agent.allowed,
        "verdict": verdict(agent.allowed),
        "basis": agent.basis.name(),
        "reason": agent.reason,
        "line": agent.deciding_line(),
        "group": applied.map(|applied| json!({
            "kind": applied.kind.name(),
            "name": applied.name,
            "rules": applied.num_rules,
        })),
        "groups": agent.groups.iter().map(group).collect::<Vec<_>>(),
        "groups_in_all": agent.num_groups,
        "matching": agent.num_matching,
        "rules": agent.rules.iter().map(rule).collect::<Vec<_>>(),
        "records": agent.records.iter().map(record).collect::<Vec<_>>(),
        "other_dialect": agent.other.as_ref().map(other),
        "operator": agent.operator.as_ref().map(|operator| json!({
            "name": operator.name,
            "purpose": operator.purpose,
            "honours_robots": operator.honours_robots,
            "confidence": operator.confidence,
        })),
        "notes": agent.notes,
    })
}

/// A group, whoever asks.
fn group_lines(group: &GroupLines) -> Value {
    json!({
        "user_agents": user_agents(&group.user_agents),
        "first_line": group.first_line,
        "last_line": group.last_line,
        "rules": group.num_rules,
    })
}

/// A group as it stands to the agent. Of many groups and agents, those that have to do with the agent, with their first
/// user-agent lines; all of them stand beside the body.
fn group(group: &GroupStory) -> Value {
    json!({
        "user_agents": user_agents(&group.user_agents),
        "user_agents_in_all": group.num_user_agents,
        "first_line": group.first_line,
        "last_line": group.last_line,
        "rules": group.num_rules,
        "standing": group.passed_over.as_ref().map_or("applies", |passed| passed.name()),
    })
}

fn user_agents(lines: &[(u32, String)]) -> Vec<Value> {
    lines.iter().map(|(line, value)| json!({"line": line, "value": value})).collect()
}

fn rule(rule: &RuleStory) -> Value {
    json!({
        "line": rule.line,
        "kind": if rule.kind == Kind::Allow { "allow" } else { "disallow" },
        "written": rule.written,
        "pattern": rule.pattern,
        "specificity": rule.specificity,
        "standing": rule.standing.name(),
    })
}

fn record(record: &RecordStory) -> Value {
    json!({
        "line": record.line,
        "kind": record.kind.name(),
        "name": record.name,
        "value": record.value,
        "applies": record.applies,
    })
}

fn other(other: &OtherDialect) -> Value {
    let clause = |clause: &&Clause| {
        json!({
            "name": clause.name,
            "title": clause.title,
            "rfc9309": clause.rfc9309,
            "google": clause.google,
        })
    };
    json!({
        "dialect": other.dialect.name,
        "allowed": other.allowed,
        "basis": other.basis.name(),
        "line": other.line,
        "differs": other.differs,
        "needs_text": other.needs_text,
        "clauses": other.clauses.iter().map(clause).collect::<Vec<_>>(),
    })
}

fn in_short(verdict: &AgentVerdict) -> Value {
    json!({
        "agent": verdict.agent,
        "allowed": verdict.allowed,
        "basis": verdict.basis.name(),
        "line": verdict.line,
        "group": verdict.kind.map(|kind| kind.name()),
    })
}

fn verdict(allowed: Option<bool>) -> &'static str {
    match allowed {
        Some(true) => "allowed",
        Some(false) => "disallowed",
        None => "unknown",
    }
}
