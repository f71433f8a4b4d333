//! What changed between two corpora, as a person or a program reads it.

use indicatif::HumanCount;
use robosift::corpus::AsOf;
use robosift::diff::{AgentCounts, SiteChange};
use robosift::text::timestamp;
use serde_json::{Map, Value, json};

use super::corpora::Compared;
use crate::cli::aligned::table;
use crate::cli::explain::cut;
use crate::cli::quantity::counted;
use crate::cli::recorded;

/// The version of the object: fields are added, never renamed, while it is the same.
const SCHEMA_VERSION: u32 = 1;

/// Agents that are shown one by one.
const MOST_AGENTS: usize = 40;

/// Characters of an agent's name that are shown.
const WIDTH: usize = 60;

/// All of it, for a terminal.
pub(super) fn text(compared: &Compared<'_>) -> String {
    let diff = &compared.diff;
    let count = |number: u64| HumanCount(number).to_string();
    let mut lines = vec![
        format!(
            "{} in both, {} in {} only, {} in {} only; {} compared",
            counted(diff.in_both, "origin"),
            count(diff.only_old),
            compared.arguments.old.display(),
            count(diff.only_new),
            compared.arguments.new.display(),
            counted(diff.num_compared, "answer pair"),
        ),
        format!(
            "dialect {}, policy {}, {}",
            compared.settings.dialect.name,
            compared.settings.policy.name,
            as_of(compared)
        ),
        String::new(),
    ];
    let shown = shown(compared);
    let mut rows = table(&header(compared));
    for counts in shown.iter().take(MOST_AGENTS) {
        let agent = match counts.agent.as_str() {
            "*" if !compared.asked => "* (any other)".to_owned(),
            agent => cut(agent.as_bytes(), WIDTH),
        };
        let cells = SiteChange::ALL.into_iter().map(|change| count(counts.count(change)));
        let as_wildcard = (!compared.asked).then(|| count(counts.as_wildcard));
        rows.add_row(std::iter::once(agent).chain(cells).chain(as_wildcard));
    }
    lines.push(rows.trim_fmt());
    if shown.len() > MOST_AGENTS {
        lines.push(format!("… {} more; --json has all", shown.len() - MOST_AGENTS));
    }
    let num_left = diff.agents.len() - shown.len();
    if num_left > 0 {
        lines.push(format!(
            "{} of the registry: no origin answers them otherwise than *",
            counted(num_left as u64, "agent")
        ));
    }
    if let (Some(rows), Some(path)) = (compared.rows, &compared.arguments.output) {
        lines.push(format!("\n{} written to {}", counted(rows, "row"), path.display()));
    }
    lines.join("\n")
}

fn header(compared: &Compared<'_>) -> Vec<&'static str> {
    let mut header = vec![
        "agent",
        "closed wholly",
        "partly closed",
        "closed and opened",
        "partly opened",
        "opened wholly",
        "unchanged",
        "unknown",
        "undecided",
    ];
    header.extend((!compared.asked).then_some("as *"));
    header
}

/// The agents worth a line: all that were asked for; else `*` and those that some origin answers otherwise, those for whom
/// most closed first.
fn shown<'a>(compared: &'a Compared<'_>) -> Vec<&'a AgentCounts> {
    let agents = compared.diff.agents.iter();
    if compared.asked {
        return agents.collect();
    }
    let mut shown: Vec<&AgentCounts> =
        agents.filter(|agent| agent.agent == "*" || agent.num_origins() > 0).collect();
    let closed = |agent: &AgentCounts| -> u64 {
        let closing = SiteChange::ALL.into_iter().filter(|change| change.closes());
        closing.map(|change| agent.count(change)).sum()
    };
    shown.sort_by_key(|agent| {
        let rank = std::cmp::Reverse((closed(agent), agent.num_origins()));
        (agent.agent != "*", rank)
    });
    shown
}

fn as_of(compared: &Compared<'_>) -> String {
    match compared.settings.moment.as_of {
        AsOf::Date(time) => format!("as of {}", timestamp::format(time)),
        _ => "as of the latest visit of each origin".to_owned(),
    }
}

/// All of it, for programs.
pub(super) fn json(compared: &Compared<'_>) -> Value {
    let diff = &compared.diff;
    let agents: Vec<Value> = diff.agents.iter().map(|agent| counts(agent, compared)).collect();
    let judging = compared.arguments.deciding.judging();
    let mut object = recorded::settings(compared.settings, &judging);
    let rest = json!({
        "schema_version": SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "old": compared.arguments.old.display().to_string(),
        "new": compared.arguments.new.display().to_string(),
        "origins": {
            "in_both": diff.in_both,
            "only_old": diff.only_old,
            "only_new": diff.only_new,
        },
        "pairs_compared": diff.num_compared,
        "something_closed": diff.has_closed(),
        "rows": compared.rows,
        "agents": agents,
    });
    if let Value::Object(rest) = rest {
        object.extend(rest);
    }
    Value::Object(object)
}

fn counts(counts: &AgentCounts, compared: &Compared<'_>) -> Value {
    let mut object = Map::new();
    object.insert("agent".to_owned(), json!(counts.agent));
    for change in SiteChange::ALL {
        object.insert(change.name().to_owned(), json!(counts.count(change)));
    }
    if !compared.asked {
        object.insert("as_wildcard".to_owned(), json!(counts.as_wildcard));
    }
    Value::Object(object)
}
