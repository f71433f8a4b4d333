//! Two robots.txt files.

use std::collections::HashSet;
use std::path::Path;

use robosift::agents::Agent;
use robosift::compile::{BodyLimit, compile};
use robosift::diff::{AgentsDiff, agents_named, diff_bodies};
use robosift::evaluate::Settings;
use robosift::parse::{Dialect, Kind, parse_groups};

use super::arguments::DiffArguments;
use super::{agents, files_text};
use crate::cli::bodies::{self, Beginning};
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, note, show};

/// A file and what is shown of it.
pub(super) struct Body {
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    /// Its rules as they are written, by line.
    rules: Vec<(u32, String)>,
}

impl Body {
    fn read(path: &Path, dialect: &Dialect, limit: BodyLimit) -> Result<Self, CliError> {
        let Beginning { name, text, is_cut } = bodies::read(path, limit)?;
        if is_cut {
            note(bodies::cut_note(&name, limit));
        }
        let rules = parse_groups(&text, dialect).rules;
        let rules = rules.iter().map(|rule| {
            let kind = if rule.kind == Kind::Allow { "Allow" } else { "Disallow" };
            (rule.line, format!("{kind}: {}", String::from_utf8_lossy(rule.pattern)))
        });
        let rules = rules.collect();
        Ok(Body { name, text, rules })
    }

    /// The rule on a line, as it is written.
    pub(super) fn rule(&self, line: u32) -> &str {
        let place = self.rules.binary_search_by_key(&line, |(line, _)| *line);
        let rule = place.ok().and_then(|at| self.rules.get(at));
        rule.map_or("", |(_, text)| text.as_str())
    }
}

/// What was compared, for printing.
pub(super) struct FilesDiff {
    pub(super) old: Body,
    pub(super) new: Body,
    pub(super) dialect: Dialect,
    pub(super) diffs: Vec<AgentsDiff>,
}

/// Runs the command for two files.
pub(super) fn run(arguments: &DiffArguments, settings: &Settings) -> Result<Exit, CliError> {
    if arguments.output.is_some() {
        return Err(CliError::usage(
            "--output is for two corpora; of two files all is printed, with --json as one object",
        ));
    }
    let limit = BodyLimit::new(arguments.deciding.body_limit);
    let dialect = settings.dialect;
    let old = Body::read(&arguments.old, &dialect, limit)?;
    let new = Body::read(&arguments.new, &dialect, limit)?;
    let agents = match agents(arguments, settings)? {
        Some(agents) => agents,
        None => named(&old, &new, settings),
    };
    let programs = [&old, &new].map(|body| compile(&body.text, &dialect, BodyLimit::NONE));
    let [of_old, of_new] = &programs;
    let diffs = diff_bodies(of_old.view(), of_new.view(), &agents, settings);
    let diff = FilesDiff { old, new, dialect, diffs };
    match (arguments.json, arguments.quiet) {
        (true, _) => show(files_text::json(&diff)),
        (false, true) => {}
        (false, false) => show(files_text::text(&diff)),
    }
    Ok(exit(&diff.diffs))
}

/// All agents that either file names, and `*`.
fn named(old: &Body, new: &Body, settings: &Settings) -> Vec<Agent> {
    let mut names = agents_named(&old.text, &settings.dialect);
    let mut known: HashSet<Vec<u8>> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    let of_new = agents_named(&new.text, &settings.dialect).into_iter();
    names.extend(of_new.filter(|name| known.insert(name.to_ascii_lowercase())));
    names.push(b"*".to_vec());
    let token = Settings { agent_kind: robosift::agents::AgentKind::Token, ..settings.clone() };
    names.iter().filter_map(|name| token.read_agent(name)).collect()
}

fn exit(diffs: &[AgentsDiff]) -> Exit {
    match () {
        () if diffs.iter().any(|diff| !diff.comparison.closed.is_empty()) => Exit::No,
        () if diffs.iter().any(|diff| diff.comparison.cut_off) => Exit::Unknown,
        () => Exit::Done,
    }
}
