//! `robosift explain`: why a URL is allowed or disallowed.

mod arguments;
mod html;
mod html_parts;
mod listing;
mod phrases;
mod snippet;
mod source;
mod text;

use robosift::agents::Agent;
use robosift::corpus::{AsOf, Moment};
use robosift::evaluate::Settings;
use robosift::explain::{Explainer, Explanation};

use super::eval::{agents_of, settings_of};
use super::exit::Exit;
use super::message::{CliError, show};
use super::places::Taken;
use super::quantity;
pub(crate) use arguments::ExplainArguments;
use arguments::SourceArguments;
pub(crate) use listing::cut;

/// Runs the command.
pub(crate) fn run(arguments: &ExplainArguments) -> Result<Exit, CliError> {
    let settings = Settings {
        moment: moment(arguments)?,
        ..settings_of(&arguments.judging, arguments.agent_kind, &arguments.registry)?
    };
    let agents = match arguments.agents.iter().any(|text| !text.trim().is_empty()) {
        true => agents_of(&arguments.agents, &settings)?.agents().to_vec(),
        false if arguments.all_agents => Vec::new(),
        false => {
            return Err(CliError::usage(
                "no agent is asked for: give --agent GPTBot, or --all-agents",
            ));
        }
    };
    refuse_page_among_sources(arguments)?;
    let source = source::load(arguments, &settings)?;
    let explanation = Explainer::new(&source.corpus, &source.texts, &settings)
        .with_twin(source.twin.as_ref())
        .with_hops(&source.hops)
        .with_beginnings(source.is_beginning)
        .with_all(all_agents(arguments, &settings))
        .explain(&arguments.url, &agents, arguments.at)
        .map_err(CliError::failed)?;
    if let Some(path) = &arguments.html {
        let page = html::page(&explanation);
        std::fs::write(path, page)
            .map_err(|error| CliError::failed(format!("{}: {error}", path.display())))?;
    }
    match (arguments.quiet, arguments.json) {
        (true, _) => {}
        (false, true) => show(explanation.to_json()),
        (false, false) => text::print(&explanation),
    }
    Ok(exit(&explanation))
}

/// The page replaces no source, and lies in no folder of them.
fn refuse_page_among_sources(arguments: &ExplainArguments) -> Result<(), CliError> {
    let Some(page) = &arguments.html else { return Ok(()) };
    let SourceArguments { robots, response, corpus, .. } = &arguments.source;
    let files = [&arguments.file, robots, response, &arguments.registry.registry];
    Taken::new(corpus, files.into_iter().flatten()).refuse(page)
}

/// Disallowed for any, else unknown for any, else allowed for all.
fn exit(explanation: &Explanation) -> Exit {
    let asked = explanation.agents.iter().map(|agent| agent.allowed);
    let others = explanation.all_agents.iter().map(|agent| agent.allowed);
    let verdicts: Vec<Option<bool>> = match explanation.agents.is_empty() {
        true => others.collect(),
        false => asked.collect(),
    };
    match () {
        () if verdicts.contains(&Some(false)) => Exit::No,
        () if verdicts.contains(&None) || verdicts.is_empty() => Exit::Unknown,
        () => Exit::Done,
    }
}

fn all_agents(arguments: &ExplainArguments, settings: &Settings) -> Vec<Agent> {
    if !arguments.all_agents {
        return Vec::new();
    }
    let entries = settings.registry.entries().iter();
    entries.filter_map(|entry| settings.read_agent(entry.token.as_bytes())).collect()
}

/// The question is one row: `--at` is its time.
fn moment(arguments: &ExplainArguments) -> Result<Moment, CliError> {
    let judging = &arguments.judging;
    let as_of = match judging.as_of.as_deref() {
        None if arguments.at.is_some() => AsOf::Row,
        None => AsOf::Latest,
        Some(word) => {
            AsOf::parse(word).map_err(|error| CliError::usage(format!("--as-of {error}")))?
        }
    };
    let needs_time = matches!(as_of, AsOf::Row | AsOf::Ever);
    if needs_time && arguments.at.is_none() {
        return Err(CliError::usage(
            "--as-of row and ever need the time of the question: --at TIME",
        ));
    }
    let window = judging.capture_window.as_deref().map(quantity::span).transpose();
    let window = window.map_err(CliError::usage)?;
    if as_of == AsOf::Latest && (window.is_some() || judging.nearest) {
        return Err(CliError::usage(
            "--capture-window and --nearest need a time to measure from: --at TIME",
        ));
    }
    Ok(Moment { as_of, window, nearest: judging.nearest })
}
