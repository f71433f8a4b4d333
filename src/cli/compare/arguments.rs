//! The arguments of `compare` as typed.

use std::path::PathBuf;

use clap::Args;

use crate::cli::eval::arguments::{
    CompressionArgument, CorpusArguments, InputArguments, JudgingArguments,
};
use crate::cli::running::{DamageArguments, RunningArguments};

const EXAMPLE: &str = "\
Settings of --left and --right, parted by commas:
  rfc9309, google                  a dialect
  closed, commoncrawl              a policy
  2024-05-01, latest, row, ever    as of when
  nearest                          --nearest
  KEY=VALUE                        any other argument of `Deciding` without its dashes, such as policy=google,
                                   status=403=disallow, body-limit=0, fallback=documented; or corpus=PATH
                                   (a path with a comma cannot stand there: --corpus takes it, for both sides)
What a side does not set is as the arguments of `Deciding` and --corpus say for both.

Example:
  robosift compare --corpus data/demo/robots.jsonl --agent GPTBot --left rfc9309 --right google,policy=closed data/demo/rows.parquet -o differences.parquet

  judges each row in dialect rfc9309, and in dialect google with the policy that reads 403 as a refusal, and
  writes differences.parquet: a row for each that differs, with both verdicts, their rules, and in column
  robots_clause which settings make the difference: of those parted by commas each alone, those parted by +
  together. The summary counts all rows by both bases, and those that differ by what makes them so.
  Other comparisons: --left 2024-01-01 --right 2025-01-01; --left corpus=a.corpus --right corpus=b.corpus.

Exit codes: 0 done, whatever differs, 2 the command line makes no sense, 3 finished but something was
skipped, 4 failed.";

/// Judge the same rows in two ways and write those that differ
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE, mut_arg("corpus", |corpus| corpus.required(false)))]
pub(crate) struct CompareArguments {
    /// Parquet files with a row per URL; folders and quoted globs take all files in them
    #[arg(required = true, value_name = "ROWS")]
    pub(super) rows: Vec<String>,

    /// The one way of judging: settings as below
    #[arg(long, required = true, value_name = "SETTINGS", value_delimiter = ',')]
    pub(super) left: Vec<String>,

    /// The other way
    #[arg(long, required = true, value_name = "SETTINGS", value_delimiter = ',')]
    pub(super) right: Vec<String>,

    /// File to write: the rows that differ, whatever the number of input files
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: PathBuf,

    /// Compression of the output
    #[arg(long, value_name = "CODEC", default_value = "zstd", help_heading = "Output")]
    pub(super) compression: CompressionArgument,

    #[command(flatten)]
    pub(super) corpus: CorpusArguments,

    #[command(flatten)]
    pub(super) input: InputArguments,

    #[command(flatten)]
    pub(super) judging: JudgingArguments,

    #[command(flatten)]
    pub(super) running: RunningArguments,

    #[command(flatten)]
    pub(super) damage: DamageArguments,
}
