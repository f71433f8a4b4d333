//! `robosift agents show`: all that is known of one agent.

use clap::Args;
use robosift::agents::registry::{Entry, Registry};
use robosift::evaluate::Settings;
use serde_json::json;

use super::super::aligned::pairs;
use super::super::exit::Exit;
use super::super::message::{CliError, show};
use super::super::registry::RegistryArguments;
use super::{entry_json, marked_confidence};

const EXAMPLE: &str = "\
Example:
  robosift agents show Googlebot-News

  tells who runs it, what for, whose groups it goes by where a file has none for it, in which sets it is, and
  where that is written.

Exit codes: 0 done, 2 the command line makes no sense, or the agent is not known.";

/// Show all that is known of an agent
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct ShowArguments {
    /// Product token or another name of the agent, or the identification string in which one stands: Mozilla/5.0 (compatible; GPTBot/1.2; …)
    #[arg(value_name = "AGENT")]
    agent: String,

    #[command(flatten)]
    registry: RegistryArguments,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(super) fn run(arguments: &ShowArguments) -> Result<Exit, CliError> {
    let registry = arguments.registry.read()?;
    let asked = arguments.agent.trim();
    let entry = registry.find(asked).or_else(|| {
        let agent = Settings::default().read_agent(asked.as_bytes())?;
        registry.find_agent(&agent)
    });
    let entry = entry.ok_or_else(|| CliError::usage(unknown(&registry, asked)))?;
    let sets: Vec<String> =
        registry.sets_of(entry).iter().map(|set| format!("@{}", set.name)).collect();
    if arguments.json {
        let mut about = entry_json(entry);
        about["sets"] = json!(sets);
        about["registry"] = json!(registry.version());
        show(about);
    } else {
        show(text(&registry, entry, &sets));
    }
    Ok(Exit::Done)
}

fn unknown(registry: &Registry, token: &str) -> String {
    // Of a string of several words no name is near.
    let near = if token.contains([' ', '/', '(']) { Vec::new() } else { registry.near(token) };
    let advice = match near.is_empty() {
        true => "`robosift agents list` shows all that are".to_owned(),
        false => format!("did you mean {}?", near.join(" or ")),
    };
    format!("`{token}` is not in the registry; {advice}")
}

fn text(registry: &Registry, entry: &Entry, sets: &[String]) -> String {
    let also: Vec<&str> = entry.also.iter().map(|purpose| purpose.name()).collect();
    let purpose = match also.is_empty() {
        true => entry.purpose.name().to_owned(),
        false => format!("{}, also {}", entry.purpose.name(), also.join(", ")),
    };
    let crawls = if entry.crawls { "yes" } else { "no, a control token that no crawler sends" };
    let rows = [
        ("token", entry.token.clone()),
        ("aliases", entry.aliases.join(", ")),
        ("operator", entry.operator.clone()),
        ("purpose", purpose),
        ("status", entry.status.name().to_owned()),
        ("crawls", crawls.to_owned()),
        ("honours robots", entry.honours_robots.name().to_owned()),
        ("lookup order", lookup_order(entry)),
        ("honours *", honours_wildcard(entry).to_owned()),
        ("confidence", marked_confidence(entry)),
        ("source", entry.source.clone()),
        ("as of", entry.as_of.clone()),
        ("note", entry.note.clone()),
        ("sets", sets.join(", ")),
        ("registry", registry.version().to_owned()),
    ];
    pairs(rows.into_iter().filter(|(_, value)| !value.is_empty()))
}

/// The order, and what it means.
fn lookup_order(entry: &Entry) -> String {
    let order = entry.lookup_order.join(", ");
    let others: Vec<&str> = entry.fallback_names().collect();
    let meaning = match (others.is_empty(), entry.honours_wildcard) {
        (true, Some(true)) => "its own group, else that of *, as RFC 9309 says".to_owned(),
        (true, Some(false)) => "its own group, else no rules: * never applies".to_owned(),
        (true, None) => "its own group; whether that of * applies is not known".to_owned(),
        (false, wildcard) => {
            let last = match wildcard {
                Some(true) => ", else that of *",
                Some(false) => ", else no rules: * never applies",
                None => "; whether that of * applies is not known",
            };
            format!("its own group, else that of {}{last}", others.join(", else that of "))
        }
    };
    let asked = match entry.has_order_of_its_own() {
        true => " (where --fallback documented asks for it)",
        false => "",
    };
    format!("{order}: {meaning}{asked}")
}

fn honours_wildcard(entry: &Entry) -> &'static str {
    match entry.honours_wildcard {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}
