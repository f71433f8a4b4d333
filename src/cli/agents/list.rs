//! `robosift agents list`: all agents, or those of a set.

use clap::Args;
use robosift::agents::registry::{AgentSet, Entry, Registry};
use serde_json::{Value, json};

use super::super::aligned::left_table;
use super::super::exit::Exit;
use super::super::message::{CliError, show};
use super::super::registry::RegistryArguments;
use super::{entry_json, marked_confidence};

const EXAMPLE: &str = "\
Example:
  robosift agents list @ai-training

  shows the agents that gather what models are trained on: who runs them, whether they obey robots.txt by
  what their operators say, and how we know. Without a set: all agents, and below them all sets.

Exit codes: 0 done, 2 the command line makes no sense.";

/// List agents, all or those of a set
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct ListArguments {
    /// A set of agents, as in @ai-training [default: all agents, and the names of the sets]
    #[arg(value_name = "@SET")]
    set: Option<String>,

    #[command(flatten)]
    registry: RegistryArguments,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &ListArguments) -> Result<Exit, CliError> {
    let registry = arguments.registry.read()?;
    let agents = match &arguments.set {
        None => registry.entries().iter().map(|entry| entry.token.as_str()).collect(),
        Some(set) => registry.set(set).ok_or_else(|| CliError::usage(registry.unknown_set(set)))?,
    };
    let sets = if arguments.set.is_none() { registry.sets() } else { &[] };
    match arguments.json {
        true => show(json(&registry, &agents, arguments.set.as_deref())),
        false => show(text(&registry, &agents, sets)),
    }
    Ok(Exit::Done)
}

fn text(registry: &Registry, agents: &[&str], sets: &[AgentSet]) -> String {
    let header = ["agent", "operator", "purpose", "honours robots", "confidence"];
    let mut table = left_table(&header);
    let entries: Vec<Option<&Entry>> = agents.iter().map(|agent| registry.find(agent)).collect();
    for (agent, entry) in agents.iter().zip(&entries) {
        table.add_row(row(agent, *entry));
    }
    let mut lines = vec![table.trim_fmt()];
    let is_marked = |entry: &&Entry| !entry.confidence.is_verified();
    if entries.iter().flatten().any(is_marked) {
        lines.push("\n?: from a list or from memory, not verified".to_owned());
    }
    if !sets.is_empty() {
        let mut table = left_table(&["set", "agents", "about"]);
        for set in sets {
            let num_agents = registry.set(&set.name).unwrap_or_default().len();
            table.add_row([format!("@{}", set.name), num_agents.to_string(), set.about.clone()]);
        }
        lines.extend([String::new(), table.trim_fmt()]);
    }
    lines.push(format!("\nregistry {}", registry.version()));
    lines.join("\n")
}

fn row(agent: &str, entry: Option<&Entry>) -> [String; 5] {
    match entry {
        Some(entry) => [
            agent.to_owned(),
            entry.operator.clone(),
            entry.purpose.name().to_owned(),
            entry.honours_robots.name().to_owned(),
            marked_confidence(entry),
        ],
        None => {
            let about =
                if agent == "*" { "all that no group names" } else { "not in the registry" };
            [agent, about, "", "", ""].map(str::to_owned)
        }
    }
}

fn json(registry: &Registry, agents: &[&str], set: Option<&str>) -> Value {
    let agents: Vec<Value> = agents
        .iter()
        .map(|agent| registry.find(agent).map_or_else(|| json!({"token": agent}), entry_json))
        .collect();
    let sets: Vec<Value> = registry
        .sets()
        .iter()
        .filter(|known| set.is_none_or(|set| known.is_called(set)))
        .map(|set| {
            let agents = registry.set(&set.name);
            json!({"name": set.name, "about": set.about, "source": set.source, "agents": agents})
        })
        .collect();
    json!({"registry": registry.version(), "agents": agents, "sets": sets})
}
