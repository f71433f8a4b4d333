//! `robosift corpus rules`, `captures` and `records`: what a corpus holds, as Parquet for SQL.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use robosift::corpus::{Corpus, CorpusError, CorpusFiles, export};
use serde_json::json;

use super::super::exit::Exit;
use super::super::message::{CliError, show};
use super::super::progress;

const EXAMPLE: &str = "\
Example:
  robosift corpus rules demo.corpus -o rules.parquet
  robosift corpus captures demo.corpus -o captures.parquet
  robosift corpus records demo.corpus -o records.parquet

  Rule ids of verdicts (robots_rule_id) join with rule_id of the same corpus; digest and line join
  across corpora. body_id and digest join captures, records and rules. num_origins counts the
  origins that serve a body themselves, not those that redirect to it.

Exit codes: 0 done, 2 the command line makes no sense, 4 failed.";

/// Write a table of what a corpus holds
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct TableArguments {
    /// A built corpus: one folder, or one of shards
    #[arg(value_name = "CORPUS")]
    corpus: PathBuf,

    /// Parquet file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Show no progress and no summary (a summary asked for with --json is still printed)
    #[arg(short, long)]
    quiet: bool,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `corpus rules`.
pub(super) fn rules(arguments: &TableArguments) -> Result<Exit, CliError> {
    refuse_inside(arguments)?;
    // Asked first, for its words on what is no corpus.
    Corpus::open_any(&arguments.corpus).map_err(CliError::failed)?;
    let files = CorpusFiles::open(&arguments.corpus).map_err(CliError::failed)?;
    let rows = export::write_rules(&files, &arguments.output).map_err(CliError::failed)?;
    print(arguments, "rules", rows);
    Ok(Exit::Done)
}

/// Runs `corpus captures`.
pub(super) fn captures(arguments: &TableArguments) -> Result<Exit, CliError> {
    write(arguments, "captures", export::write_captures)
}

/// Runs `corpus records`.
pub(super) fn records(arguments: &TableArguments) -> Result<Exit, CliError> {
    write(arguments, "records", export::write_records)
}

fn write(
    arguments: &TableArguments,
    what: &'static str,
    write: impl Fn(&Corpus, &Path) -> Result<u64, CorpusError>,
) -> Result<Exit, CliError> {
    refuse_inside(arguments)?;
    let corpus = Corpus::open_any(&arguments.corpus).map_err(CliError::failed)?;
    let waiting = progress::waiting(arguments.quiet, "reading the corpus");
    let rows = write(&corpus, &arguments.output).map_err(CliError::failed)?;
    waiting.finish_and_clear();
    print(arguments, what, rows);
    Ok(Exit::Done)
}

/// A file more in the corpus' folder, or in that of a shard, would be in its way.
fn refuse_inside(arguments: &TableArguments) -> Result<(), CliError> {
    let folder = arguments.output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok();
    let corpus = arguments.corpus.canonicalize().ok();
    match folder.zip(corpus).is_some_and(|(folder, corpus)| folder.starts_with(corpus)) {
        true => Err(CliError::usage("the output lies in the corpus; choose another place")),
        false => Ok(()),
    }
}

fn print(arguments: &TableArguments, what: &str, rows: u64) {
    let octets = fs::metadata(&arguments.output).map_or(0, |found| found.len());
    if arguments.json {
        show(json!({ "table": what, "rows": rows, "octets": octets }));
    } else if !arguments.quiet {
        let (rows, place) = (HumanCount(rows), arguments.output.display());
        show(format_args!("{rows} {what} written to {place} ({})", HumanBytes(octets)));
    }
}
