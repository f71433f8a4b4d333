//! `robosift compare`: the same rows judged in two ways, and the rows that differ.

mod arguments;
mod json;
mod side;
mod text;

use std::time::Instant;

use robosift::job::{CompareJob, CompareTally};
use robosift::stream::{self, Report};

use super::eval::arguments::EvalArguments;
use super::eval::corpus::{self, Keep, Loaded};
use super::eval::plan::{self, EvalPlan};
use super::eval::progress::EvalProgress;
use super::exit::Exit;
use super::message::{CliError, note, show, skipped};
pub(crate) use arguments::CompareArguments;

/// A way of judging, with its corpus.
struct Side {
    /// Its settings as they were typed.
    typed: String,
    arguments: EvalArguments,
    plan: EvalPlan,
    /// `None` where it is that of the other side.
    loaded: Option<Loaded>,
}

/// A run that is over.
struct Run<'r> {
    sides: [&'r Side; 2],
    report: &'r Report<CompareTally>,
    load_seconds: f64,
    compare_seconds: f64,
}

/// Runs the command.
pub(crate) fn run(arguments: &CompareArguments) -> Result<Exit, CliError> {
    if arguments.running.resume {
        return Err(CliError::usage(
            "compare writes one file, when all of it is known: there is nothing to --resume",
        ));
    }
    let mut left = Side::new(arguments, "--left", &arguments.left)?;
    let mut right = Side::new(arguments, "--right", &arguments.right)?;
    let quiet = arguments.running.quiet;
    if !quiet {
        left.plan.notes().for_each(note);
        right
            .plan
            .notes()
            .filter(|text| !left.plan.notes().any(|known| known == *text))
            .for_each(note);
    }
    let started = Instant::now();
    load(&mut left, &mut right)?;
    let load_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let Some(of_left) = &left.loaded else { return Err(CliError::failed("no corpus")) };
    let of_right = right.loaded.as_ref().unwrap_or(of_left);
    let job = CompareJob::try_new(
        left.plan.evaluator_without_columns(&of_left.corpus)?,
        right.plan.evaluator_without_columns(&of_right.corpus)?,
        left.plan.row_names.clone(),
    )
    .map_err(CliError::usage)?;
    let mut plan = left.plan.stream.clone();
    plan.key_values = metadata([(&left, of_left), (&right, of_right)]);
    let progress = EvalProgress::new(quiet);
    let outcome = stream::run_gathered(&job, &plan, &progress);
    progress.finish();
    let report = outcome.map_err(plan::stream_error)?;
    let run = Run {
        sides: [&left, &right],
        report: &report,
        load_seconds,
        compare_seconds: started.elapsed().as_secs_f64(),
    };
    print(arguments, &run);
    let is_whole = report.skipped.is_empty() && run.skipped_sources().count() == 0;
    Ok(if is_whole { Exit::Done } else { Exit::Skipped })
}

impl Side {
    fn new(
        arguments: &CompareArguments,
        flag: &str,
        settings: &[String],
    ) -> Result<Self, CliError> {
        let arguments = side::eval_of(arguments, flag, settings)?;
        let plan = EvalPlan::gathered(&arguments)?;
        Ok(Side { typed: settings.join(","), arguments, plan, loaded: None })
    }

    /// Whether both are answered by the same captures, read in the same way.
    fn has_captures_of(&self, other: &Side) -> bool {
        self.arguments.corpus.corpus == other.arguments.corpus.corpus
    }

    /// Whether bodies are compiled to the same programs.
    fn compiles_as(&self, other: &Side) -> bool {
        self.plan.settings.dialect == other.plan.settings.dialect
            && self.plan.body_limit == other.plan.body_limit
            && self.plan.asked.wanted() == other.plan.asked.wanted()
    }
}

/// Loads the corpora; one for both sides where that answers both. Texts are kept where causes will have to be looked for in mixtures of
/// both sides.
fn load(left: &mut Side, right: &mut Side) -> Result<(), CliError> {
    let (same_captures, same_programs) = (left.has_captures_of(right), left.compiles_as(right));
    let keep = if same_programs { Keep::Programs } else { Keep::ProgramsAndTexts };
    left.loaded = Some(corpus::load(&left.arguments, &left.plan, keep)?);
    if same_captures && same_programs {
        return Ok(());
    }
    let mut arguments = right.arguments.clone();
    // What there is to say of the same captures has been said.
    arguments.running.quiet |= same_captures;
    let keep = if same_captures { Keep::Programs } else { keep };
    right.loaded = Some(corpus::load(&arguments, &right.plan, keep)?);
    Ok(())
}

/// What is recorded of each side: as of the `eval` that gives its verdicts.
fn metadata(sides: [(&Side, &Loaded); 2]) -> Vec<(String, String)> {
    let names = ["left", "right"].into_iter();
    let pairs = names.zip(sides).flat_map(|(name, (side, loaded))| {
        let is_damaged = loaded.report.skipped.count() > 0;
        let recorded = side.plan.stream_with_metadata(&loaded.corpus, is_damaged).key_values;
        recorded.into_iter().map(move |(key, value)| {
            (key.replacen("robosift.", &format!("robosift.{name}."), 1), value)
        })
    });
    let version = ("robosift.version".to_owned(), env!("CARGO_PKG_VERSION").to_owned());
    std::iter::once(version).chain(pairs).collect()
}

impl<'r> Run<'r> {
    /// The corpora that were loaded.
    fn loaded(&self) -> impl Iterator<Item = &'r Loaded> {
        self.sides.into_iter().filter_map(|side| side.loaded.as_ref())
    }

    /// What was left out of the corpora.
    fn skipped_sources(&self) -> impl Iterator<Item = &'r String> {
        self.loaded().flat_map(|loaded| loaded.report.skipped.kept())
    }
}

fn print(arguments: &CompareArguments, run: &Run<'_>) {
    let running = &arguments.running;
    if running.json {
        show(json::object(run));
    } else if !running.quiet {
        show(text::summary(arguments, run));
    }
    if !running.quiet {
        let rows = run.report.skipped.iter();
        let rows = rows.map(|file| format!("{} rows: {}", file.rows, file.reason));
        let all: Vec<String> = run.skipped_sources().cloned().chain(rows).collect();
        skipped(&all, all.len() as u64, running.verbose);
    }
}
