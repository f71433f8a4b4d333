//! `robosift corpus`: builds corpora and shows what is in them.

mod build;
mod info;
mod show;
mod show_json;
mod tables;

use clap::{Args, Subcommand};

use super::exit::Exit;
use super::message::CliError;

/// Build a corpus of captures, and look into one
#[derive(Args, Clone, Debug)]
pub(crate) struct CorpusCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Clone, Debug, Subcommand)]
enum What {
    Build(build::BuildArguments),
    Merge(build::MergeArguments),
    Info(info::InfoArguments),
    /// Write the rules of all bodies as a table: rule id, digest, line, pattern, names, origins
    Rules(tables::TableArguments),
    /// Write all captures as a table: URL, time, status, redirect, body
    Captures(tables::TableArguments),
    /// Write sitemaps, crawl delays and all other records as a table
    Records(tables::TableArguments),
    Show(show::ShowArguments),
}

/// Runs the command.
pub(crate) fn run(command: &CorpusCommand) -> Result<Exit, CliError> {
    match &command.what {
        What::Build(arguments) => build::run(arguments),
        What::Merge(arguments) => build::merge(arguments),
        What::Info(arguments) => info::run(arguments),
        What::Rules(arguments) => tables::rules(arguments),
        What::Captures(arguments) => tables::captures(arguments),
        What::Records(arguments) => tables::records(arguments),
        What::Show(arguments) => show::run(arguments),
    }
}
