//! `robosift lint`: what the owner of a robots.txt may not have meant.
//!
//! Enters: files, standard input, or a corpus. Leaves: findings as text, JSON or SARIF on stdout, or as a table; exit code 1
//! where there are some at the level asked for. Must not know: how anything is found.

mod arguments;
mod codes;
mod corpus;
mod excerpt;
mod files;
mod json;
mod sarif;
mod text;

pub(crate) use arguments::LintArguments;

use super::exit::Exit;
use super::message::CliError;

/// Runs the command.
pub(crate) fn run(arguments: &LintArguments) -> Result<Exit, CliError> {
    if arguments.list {
        return codes::list(arguments.format());
    }
    let options = arguments.options()?;
    match (arguments.files.is_empty(), arguments.corpus.is_empty()) {
        (false, true) => files::run(arguments, &options),
        (true, false) => corpus::run(arguments, &options),
        _ => Err(CliError::usage(
            "name robots.txt files, `-` for standard input, or a corpus with --corpus",
        )),
    }
}
