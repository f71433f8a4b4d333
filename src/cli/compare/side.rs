//! `--left` and `--right`: settings on top of those that hold for both.

use std::path::PathBuf;

use clap::builder::Resettable;
use clap::{Args, Command, FromArgMatches};

use super::arguments::CompareArguments;
use crate::cli::eval::arguments::{
    EvalArguments, JudgingArguments, LayoutArgument, OutputArguments, SuffixArgument,
};
use crate::cli::message::CliError;
use crate::cli::quantity;

/// What a side may set: the arguments of `Deciding`, and the corpus.
#[derive(Args, Clone, Debug)]
struct SideArguments {
    #[arg(long)]
    corpus: Vec<PathBuf>,

    #[command(flatten)]
    judging: JudgingArguments,
}

/// The `eval` whose verdicts are those of a side with these settings.
pub(super) fn eval_of(
    arguments: &CompareArguments,
    flag: &str,
    settings: &[String],
) -> Result<EvalArguments, CliError> {
    let side = read(arguments, flag, settings)?;
    if side.corpus.is_empty() {
        return Err(CliError::usage(format!(
            "no corpus is given for {flag}: name one for both with --corpus PATH, or one for each side with corpus=PATH"
        )));
    }
    let mut corpus = arguments.corpus.clone();
    corpus.corpus = side.corpus;
    Ok(EvalArguments {
        rows: arguments.rows.clone(),
        output: arguments.output.clone(),
        corpus,
        input: arguments.input.clone(),
        judging: side.judging,
        columns: OutputArguments {
            columns: "standard".to_owned(),
            keep: "none".to_owned(),
            layout: LayoutArgument::Wide,
            suffix: SuffixArgument::Auto,
            compression: arguments.compression,
        },
        running: arguments.running.clone(),
        damage: arguments.damage.clone(),
        dry_run: false,
    })
}

/// Settings as they are typed, over those of both sides.
fn read(
    arguments: &CompareArguments,
    flag: &str,
    settings: &[String],
) -> Result<SideArguments, CliError> {
    // What has a default would else replace what holds for both sides.
    let command = SideArguments::augment_args_for_update(Command::new("side"))
        .no_binary_name(true)
        .disable_help_flag(true)
        .mut_args(|argument| argument.default_value(Resettable::Reset));
    let words = settings.iter().map(|text| text.trim()).filter(|text| !text.is_empty());
    let words: Vec<String> =
        words.map(|text| argument(&command, flag, text)).collect::<Result<_, _>>()?;
    let refuse = |error: clap::Error| CliError::usage(format!("{flag}: {}", sentence(&error)));
    let mut matches = command.try_get_matches_from(words).map_err(refuse)?;
    let common = &arguments.judging;
    let mut side =
        SideArguments { corpus: arguments.corpus.corpus.clone(), judging: common.clone() };
    let adds_statuses = matches.contains_id("status");
    side.update_from_arg_matches_mut(&mut matches).map_err(refuse)?;
    side.judging.nearest |= common.nearest;
    if adds_statuses {
        // The later of two that hold for a status counts.
        side.judging.status.splice(0..0, common.status.iter().cloned());
    }
    Ok(side)
}

/// A setting as an argument.
fn argument(command: &Command, flag: &str, text: &str) -> Result<String, CliError> {
    if let Some((key, value)) = text.split_once('=') {
        let mut keys = command.get_arguments().filter_map(|argument| argument.get_long());
        return match keys.any(|known| known == key) {
            true => Ok(format!("--{key}={value}")),
            false => Err(unknown(command, flag, text)),
        };
    }
    match text {
        "rfc9309" | "google" => Ok(format!("--dialect={text}")),
        "closed" | "commoncrawl" => Ok(format!("--policy={text}")),
        "latest" | "row" | "ever" => Ok(format!("--as-of={text}")),
        "nearest" => Ok("--nearest".to_owned()),
        date if quantity::moment(date).is_ok() => Ok(format!("--as-of={date}")),
        _ => Err(unknown(command, flag, text)),
    }
}

fn unknown(command: &Command, flag: &str, text: &str) -> CliError {
    let keys = command.get_arguments().filter_map(|argument| argument.get_long());
    let keys: Vec<&str> = keys.filter(|key| *key != "nearest").collect();
    CliError::usage(format!(
        "{flag}: `{text}` is no setting; there are a dialect (rfc9309, google), a policy (closed, commoncrawl), a date, latest, \
         row, ever, nearest, and KEY=VALUE with one of {}",
        keys.join(", ")
    ))
}

/// What the parser of arguments says, in one line.
fn sentence(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.split("\n\n").next().unwrap_or_default().trim_start_matches("error: ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
