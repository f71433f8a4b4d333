//! The command line: one file or folder per command, arguments as typed → validated plan → run →
//! exit code. The only place that prints.

mod agents;
mod aligned;
mod bodies;
mod compare;
mod corpus;
mod diff;
mod eval;
mod exit;
mod explain;
mod lint;
mod message;
mod places;
mod progress;
mod quantity;
mod recorded;
mod registry;
mod running;
mod workload;

use std::panic;

use clap::{Parser, Subcommand};

use exit::Exit;
use message::CliError;

const ABOUT: &str = "Judge URLs by robots.txt captures, at crawl scale";

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  finished with a no: explain: disallowed; lint: findings at the level of --fail-on;
     diff: something closed
  2  the command line makes no sense
  3  finished, but something was skipped
  4  failed
  5  not known (explain, diff)";

#[derive(Debug, Parser)]
#[command(name = "robosift", version, about = ABOUT, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Eval(Box<eval::EvalArguments>),
    Explain(Box<explain::ExplainArguments>),
    Diff(Box<diff::DiffArguments>),
    Compare(Box<compare::CompareArguments>),
    Corpus(Box<corpus::CorpusCommand>),
    Agents(agents::AgentsCommand),
    Lint(Box<lint::LintArguments>),
    Workload(workload::WorkloadArguments),
}

/// Runs the command that the arguments ask for.
pub(crate) fn run() -> Exit {
    let outcome = match Arguments::parse().command {
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Compare(arguments) => compare::run(&arguments),
        Command::Corpus(command) => corpus::run(&command),
        Command::Agents(command) => agents::run(&command),
        Command::Lint(arguments) => lint::run(&arguments),
        Command::Workload(arguments) => workload::run(&arguments),
    };
    let outcome = outcome.and_then(|exit| match message::is_output_cut_off() {
        true => Err(CliError::failed("standard output could not be written; is the disk full?")),
        false => Ok(exit),
    });
    outcome.unwrap_or_else(|error: CliError| {
        message::report(&error);
        error.exit()
    })
}

/// Panics inside a guarded read of a damaged file become errors; they print nothing themselves.
pub(crate) fn silence_handled_panics() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !robosift::table::guarded() {
            report(panic);
        }
    }));
}
