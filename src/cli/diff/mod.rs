//! `robosift diff`: what closed and opened between two robots.txt files or two corpora.

mod arguments;
mod corpora;
mod corpora_text;
mod files;
mod files_text;

use robosift::agents::Agent;
use robosift::corpus::sources;
use robosift::corpus::{AsOf, Moment};
use robosift::evaluate::Settings;

use super::bodies;
use super::eval::{agents_of, settings_of};
use super::exit::Exit;
use super::message::CliError;
use super::quantity;
pub(crate) use arguments::DiffArguments;

/// Runs the command.
pub(crate) fn run(arguments: &DiffArguments) -> Result<Exit, CliError> {
    let judging = arguments.deciding.judging();
    let settings = Settings {
        moment: moment(arguments)?,
        ..settings_of(&judging, arguments.agent_kind, &arguments.registry)?
    };
    let paths = [&arguments.old, &arguments.new];
    if paths.iter().all(|path| bodies::is_stdin(path)) {
        return Err(CliError::usage(
            "standard input is read once: only one of OLD and NEW can be -",
        ));
    }
    for path in paths.into_iter().filter(|path| !bodies::is_stdin(path)) {
        let text = path.to_string_lossy();
        if !path.exists() && !text.contains(['*', '?', '[']) {
            return Err(CliError::failed(format!("{text}: there is no such file or folder")));
        }
    }
    let is_body = |path| bodies::is_stdin(path) || sources::is_body(path);
    match (is_body(&arguments.old), is_body(&arguments.new)) {
        (true, true) => files::run(arguments, &settings),
        (false, false) => corpora::run(arguments, &settings),
        (is_old, _) => {
            let (file, corpus) = match is_old {
                true => (&arguments.old, &arguments.new),
                false => (&arguments.new, &arguments.old),
            };
            Err(CliError::usage(format!(
                "{} is one robots.txt and {} a corpus: give two of a kind",
                file.display(),
                corpus.display()
            )))
        }
    }
}

/// The agents that were asked for; `None` where none were.
fn agents(arguments: &DiffArguments, settings: &Settings) -> Result<Option<Vec<Agent>>, CliError> {
    match arguments.agents.as_slice() {
        [] => Ok(None),
        typed => agents_of(typed, settings).map(|asked| Some(asked.agents().to_vec())),
    }
}

fn moment(arguments: &DiffArguments) -> Result<Moment, CliError> {
    let as_of = match arguments.deciding.as_of.as_deref() {
        None | Some("latest") => AsOf::Latest,
        Some(date) => AsOf::Date(quantity::moment(date).map_err(|error| {
            CliError::usage(format!("--as-of takes latest or a date: {error}"))
        })?),
    };
    Ok(Moment { as_of, ..Moment::default() })
}
