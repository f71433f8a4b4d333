//! What changed between two robots.txt files, as a person or a program reads it.

use robosift::diff::{AgentsDiff, Change, Decider, Extent};
use robosift::evaluate::Basis;
use robosift::parse::Kind;
use serde_json::{Value, json};

use super::files::{Body, FilesDiff};
use crate::cli::explain::cut;
use crate::cli::quantity::counted;

/// The version of the object: fields are added, never renamed, while it is the same.
const SCHEMA_VERSION: u32 = 1;

/// Outcomes whose paths are shown.
const MOST_OUTCOMES: usize = 50;

/// Agents of one outcome that are named.
const MOST_AGENTS: usize = 12;

/// Paths of one outcome that are shown each way.
const MOST_PATHS: usize = 30;

/// Characters of a path or rule that are shown.
const WIDTH: usize = 100;

/// All of it, for a terminal.
pub(super) fn text(diff: &FilesDiff) -> String {
    let FilesDiff { old, new, dialect, diffs } = diff;
    let mut lines = vec![format!(
        "{} → {}, dialect {}",
        cut(old.name.as_bytes(), WIDTH),
        cut(new.name.as_bytes(), WIDTH),
        dialect.name
    )];
    for outcome in diffs.iter().take(MOST_OUTCOMES) {
        lines.push(String::new());
        lines.push(format!("{}: {}", agents(outcome), headline(outcome)));
        let comparison = &outcome.comparison;
        lines.extend(paths("closed", &comparison.closed, old, new));
        lines.extend(paths("opened", &comparison.opened, old, new));
    }
    lines.extend(left_out(diffs));
    lines.join("\n")
}

/// How much is not shown: the outcomes behind those that weigh more.
fn left_out(diffs: &[AgentsDiff]) -> Option<String> {
    let left_out = diffs.get(MOST_OUTCOMES..).filter(|left_out| !left_out.is_empty())?;
    let agents: usize = left_out.iter().map(|outcome| outcome.agents.len()).sum();
    let closed = left_out.iter().filter(|outcome| !outcome.comparison.closed.is_empty()).count();
    Some(format!(
        "\n… {} of {} more, paths closed in {closed} of them; --json has all",
        counted(left_out.len() as u64, "outcome"),
        counted(agents as u64, "agent")
    ))
}

fn agents(outcome: &AgentsDiff) -> String {
    let name = |name: &String| match name.as_str() {
        "*" => "any other agent (*)".to_owned(),
        name => cut(name.as_bytes(), WIDTH),
    };
    let mut names: Vec<String> = outcome.agents.iter().take(MOST_AGENTS).map(name).collect();
    let num_more = outcome.agents.len().saturating_sub(MOST_AGENTS);
    if num_more > 0 {
        names.push(format!("{num_more} more"));
    }
    names.join(", ")
}

fn headline(outcome: &AgentsDiff) -> String {
    let comparison = &outcome.comparison;
    let extent = match (outcome.old_allows, outcome.new_allows) {
        (old, new) if old == new => String::new(),
        (_, Extent::Nothing) => "; now nothing is allowed".to_owned(),
        (_, Extent::All) => "; now all is allowed".to_owned(),
        (Extent::Nothing, _) => "; nothing was allowed before".to_owned(),
        _ => String::new(),
    };
    let rules = |changes: &[Change]| counted(changes.len() as u64, "rule");
    let closed = match comparison.closed.as_slice() {
        [] => None,
        one @ [_] => Some(format!("{} closes paths", rules(one))),
        more => Some(format!("{} close paths", rules(more))),
    };
    let opened = match comparison.opened.as_slice() {
        [] => None,
        opened => Some(format!("paths of {} opened", rules(opened))),
    };
    let told: Vec<String> = [closed, opened].into_iter().flatten().collect();
    let told = match (told.is_empty(), comparison.cut_off) {
        (true, true) => "no change was found".to_owned(),
        (true, false) => "unchanged".to_owned(),
        (false, _) => told.join(", "),
    };
    let more = match comparison.cut_off {
        true => "; there may be more: to know would take too much work",
        false => "",
    };
    format!("{told}{extent}{more}")
}

fn paths(what: &str, changes: &[Change], old: &Body, new: &Body) -> Vec<String> {
    let shown = changes.iter().take(MOST_PATHS);
    let cells: Vec<[String; 3]> = shown
        .map(|change| {
            let path = cut(&change.path, WIDTH);
            [path, decider("old", &change.old, old), decider("new", &change.new, new)]
        })
        .collect();
    let width = |column: usize| {
        cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let (first, second) = (width(0).unwrap_or(0), width(1).unwrap_or(0));
    let mut lines: Vec<String> = cells
        .iter()
        .map(|[path, old, new]| format!("  {what}  {path:<first$}  {old:<second$}  {new}"))
        .collect();
    let num_more = changes.len().saturating_sub(MOST_PATHS);
    if num_more > 0 {
        lines.push(format!("  … {num_more} more"));
    }
    lines
}

fn decider(side: &str, decider: &Decider, body: &Body) -> String {
    match &decider.rule {
        Some(rule) => {
            format!("{side} line {}: {}", rule.line, cut(body.rule(rule.line).as_bytes(), WIDTH))
        }
        None => format!("{side}: {}", no_rule(decider.basis)),
    }
}

fn no_rule(basis: Basis) -> &'static str {
    match basis {
        Basis::NoRule => "no rule matches",
        Basis::NoGroup => "no group applies",
        Basis::NoRules => "no rules",
        Basis::NotRobots => "no robots.txt",
        other => other.name(),
    }
}

/// All of it, for programs.
pub(super) fn json(diff: &FilesDiff) -> Value {
    let FilesDiff { old, new, dialect, diffs } = diff;
    let closes = diffs.iter().any(|diff| !diff.comparison.closed.is_empty());
    let opens = diffs.iter().any(|diff| !diff.comparison.opened.is_empty());
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": old.name,
        "new": new.name,
        "dialect": dialect.name,
        "something_closed": closes,
        "something_opened": opens,
        "agents": diffs.iter().map(|diff| outcome(diff, old, new)).collect::<Vec<_>>(),
    })
}

fn outcome(diff: &AgentsDiff, old: &Body, new: &Body) -> Value {
    let changes = |changes: &[Change]| -> Vec<Value> {
        let one = |change: &Change| {
            json!({
                "path": String::from_utf8_lossy(&change.path),
                "old": decider_json(&change.old, old),
                "new": decider_json(&change.new, new),
            })
        };
        changes.iter().map(one).collect()
    };
    json!({
        "agents": diff.agents,
        "old_allows": diff.old_allows.name(),
        "new_allows": diff.new_allows.name(),
        "closed": changes(&diff.comparison.closed),
        "opened": changes(&diff.comparison.opened),
        "complete": !diff.comparison.cut_off,
    })
}

fn decider_json(decider: &Decider, body: &Body) -> Value {
    json!({
        "basis": decider.basis.name(),
        "rule": decider.rule.as_ref().map(|rule| json!({
            "line": rule.line,
            "kind": if rule.kind == Kind::Allow { "allow" } else { "disallow" },
            "written": body.rule(rule.line),
            "pattern": rule.pattern,
        })),
    })
}
