//! Two corpora.

use std::path::Path;

use robosift::agents::Agent;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, ColumnNames, SourceOptions, SourceReport};
use robosift::corpus::{Corpus, CorpusBuilder};
use robosift::diff::{AgentsAsked, ChangeTable, CorporaDiff, SiteChange, diff_corpora};
use robosift::evaluate::Settings;

use super::arguments::DiffArguments;
use super::{agents, corpora_text};
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, notes, show, skipped};
use crate::cli::places::Taken;
use crate::cli::progress;

/// What was compared, for printing.
pub(super) struct Compared<'a> {
    pub(super) arguments: &'a DiffArguments,
    pub(super) settings: &'a Settings,
    pub(super) diff: CorporaDiff,
    /// Agents were asked for by name.
    pub(super) asked: bool,
    /// Rows written, where a table was.
    pub(super) rows: Option<u64>,
}

/// Runs the command for two corpora.
pub(super) fn run(arguments: &DiffArguments, settings: &Settings) -> Result<Exit, CliError> {
    let given = agents(arguments, settings)?;
    let taken = Taken::new([&arguments.old, &arguments.new], &arguments.registry.registry);
    arguments.output.iter().try_for_each(|output| taken.refuse(output))?;
    let waiting = progress::waiting(arguments.quiet, "reading the corpora");
    let (old, skipped_old) = load(&arguments.old, arguments, settings)?;
    let (new, skipped_new) = load(&arguments.new, arguments, settings)?;
    let some_skipped = skipped_old || skipped_new;
    let known = known(settings);
    let asked = match &given {
        Some(agents) => AgentsAsked::Each(agents),
        None => AgentsAsked::WhereNamed(&known),
    };
    let path = arguments.output.as_deref();
    let mut table = path.map(ChangeTable::create).transpose().map_err(CliError::failed)?;
    let diff =
        diff_corpora(&old, &new, asked, settings, table.as_mut()).map_err(CliError::failed)?;
    let rows = table.map(ChangeTable::finish).transpose().map_err(CliError::failed)?;
    waiting.finish_and_clear();
    let compared = Compared { arguments, settings, diff, asked: given.is_some(), rows };
    match (arguments.json, arguments.quiet) {
        (true, _) => show(corpora_text::json(&compared)),
        (false, true) => {}
        (false, false) => show(corpora_text::text(&compared)),
    }
    Ok(exit(&compared.diff, some_skipped))
}

fn exit(diff: &CorporaDiff, some_skipped: bool) -> Exit {
    let is_undecided = diff.agents.iter().any(|agent| agent.count(SiteChange::Undecided) > 0);
    match () {
        () if diff.has_closed() => Exit::No,
        () if is_undecided || nothing_is_known(diff) => Exit::Unknown,
        () if some_skipped => Exit::Skipped,
        () => Exit::Done,
    }
}

/// Whether no answer was there on both sides: then nothing is known to have stayed open.
fn nothing_is_known(diff: &CorporaDiff) -> bool {
    diff.agents.iter().all(|agent| agent.num_origins() == agent.count(SiteChange::Unknown))
}

/// `*`, then all agents of the registry.
fn known(settings: &Settings) -> Vec<Agent> {
    let entries = settings.registry.entries().iter();
    let tokens = std::iter::once("*").chain(entries.map(|entry| entry.token.as_str()));
    tokens.filter_map(|token| settings.read_agent(token.as_bytes())).collect()
}

/// Opens a built corpus; captures as they are, and those built with another body limit, are compiled in memory. Also says
/// whether something was skipped.
fn load(
    path: &Path,
    arguments: &DiffArguments,
    settings: &Settings,
) -> Result<(Corpus, bool), CliError> {
    let limit = BodyLimit::new(arguments.deciding.body_limit);
    if Corpus::is_at(path) {
        let corpus = Corpus::open(path, &settings.dialect).map_err(CliError::failed)?;
        if corpus.facts().limit == limit {
            return Ok((corpus, false));
        }
    }
    let map = arguments.deciding.robots_columns.as_deref();
    let columns = map.map(ColumnNames::parse).transpose().map_err(CliError::usage)?;
    let options = SourceOptions { columns: columns.unwrap_or_default(), ..Default::default() };
    let mut report = SourceReport::default();
    let mut builder = CorpusBuilder::new(settings.dialect, limit);
    sources::load(path, &options, &mut builder, &mut report).map_err(CliError::failed)?;
    let corpus = builder.finish().map_err(CliError::failed)?;
    if !arguments.quiet {
        notes(&report.notes);
    }
    skipped(report.skipped.kept(), report.skipped.count(), false);
    Ok((corpus, !report.skipped.is_empty()))
}
