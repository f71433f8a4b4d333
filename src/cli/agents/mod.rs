//! `robosift agents`: shows what the registry knows of crawlers.

mod list;
mod show;

use clap::{Args, Subcommand};
use robosift::agents::registry::Entry;
use serde_json::{Value, json};

use super::exit::Exit;
use super::message::CliError;

/// Look up crawlers: who runs them, what for, which groups they go by
#[derive(Args, Clone, Debug)]
pub(crate) struct AgentsCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    List(list::ListArguments),
    Show(show::ShowArguments),
}

/// Runs the command.
pub(crate) fn run(command: &AgentsCommand) -> Result<Exit, CliError> {
    match &command.what {
        What::List(arguments) => list::run(arguments),
        What::Show(arguments) => show::run(arguments),
    }
}

/// How an entry came about, with a mark where nothing of the operator's was read.
fn marked_confidence(entry: &Entry) -> String {
    let mark = if entry.confidence.is_verified() { "" } else { " ?" };
    format!("{}{mark}", entry.confidence.name())
}

fn entry_json(entry: &Entry) -> Value {
    let also: Vec<&str> = entry.also.iter().map(|purpose| purpose.name()).collect();
    json!({
        "token": entry.token,
        "operator": entry.operator,
        "purpose": entry.purpose.name(),
        "also": also,
        "status": entry.status.name(),
        "crawls": entry.crawls,
        "aliases": entry.aliases,
        "honours_robots": entry.honours_robots.name(),
        "lookup_order": entry.lookup_order,
        "honours_wildcard": entry.honours_wildcard,
        "confidence": entry.confidence.name(),
        "verified": entry.confidence.is_verified(),
        "source": entry.source,
        "as_of": entry.as_of,
        "note": entry.note,
    })
}
