//! `robosift eval`: verdict columns for rows in Parquet files.

pub(super) mod arguments;
pub(super) mod corpus;
mod fallback;
pub(super) mod moment;
pub(super) mod plan;
pub(super) mod progress;
mod summary;

use std::time::Instant;

use robosift::evaluate::Tally;
use robosift::job::EvalJob;
use robosift::stream::{self, Report};

use super::exit::Exit;
use super::message::{CliError, note, tell};
pub(crate) use arguments::{
    AgentKindArgument, DialectArgument, EvalArguments, FallbackArgument, JudgingArguments,
    NoCaptureArgument, PolicyArgument, ScopeArgument,
};
use corpus::Keep;
use plan::EvalPlan;
pub(crate) use plan::{agents_of, settings_of};
use progress::EvalProgress;

/// Agents of a column that are noted one by one.
const MAX_NOTES: usize = 10;

/// Runs the command.
pub(crate) fn run(arguments: &EvalArguments) -> Result<Exit, CliError> {
    let plan = EvalPlan::new(arguments)?;
    if !arguments.running.quiet {
        plan.notes().for_each(note);
    }
    if arguments.running.verbose && !arguments.running.quiet && !arguments.dry_run {
        for input in &plan.stream.inputs {
            tell(format_args!("{} → {}", input.path.display(), input.output.display()));
        }
    }
    if arguments.dry_run {
        return summary::dry_run(arguments, &plan);
    }
    let started = Instant::now();
    let loaded = corpus::load(arguments, &plan, Keep::Programs)?;
    let load_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let job = EvalJob::new(plan.evaluator(&loaded.corpus)?, plan.row_names.clone());
    let damaged_sources = !loaded.report.skipped.is_empty();
    let stream_plan = plan.stream_with_metadata(&loaded.corpus, damaged_sources);
    let progress = EvalProgress::new(arguments.running.quiet);
    let outcome = stream::run(&job, &stream_plan, &progress);
    progress.finish();
    let report: Report<Tally> = outcome.map_err(plan::stream_error)?;
    if !arguments.running.quiet && plan.asked.agents().is_empty() {
        let mut notes = plan.notes_on(report.tally.agents.keys());
        notes.by_ref().take(MAX_NOTES).for_each(note);
        let num_further = notes.count();
        if num_further > 0 {
            note(format!("{num_further} further agents cannot be named either"));
        }
    }
    let run = summary::Run {
        report: &report,
        loaded: &loaded,
        plan: &plan,
        load_seconds,
        eval_seconds: started.elapsed().as_secs_f64(),
    };
    summary::print(arguments, &run);
    let is_whole = report.skipped.is_empty() && loaded.report.skipped.is_empty();
    Ok(if is_whole { Exit::Done } else { Exit::Skipped })
}
