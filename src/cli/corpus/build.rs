//! `robosift corpus build` and `merge`: captures in, one corpus folder out.
//!
//! Enters: arguments as typed. Leaves: the folder, a summary on stdout. Must not know: how a corpus is built.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{self, ColumnNames, SourceFile, SourceOptions, SourceReport};
use robosift::corpus::{BuildReport, Corpus, FolderBuild, FolderPlan};
use serde_json::json;

use super::super::exit::Exit;
use super::super::message::{CliError, note, notes, show, skipped, tell};
use super::super::progress::FileProgress;
use super::super::quantity::counted;
use super::super::running::{DamageArguments, RunningArguments};

const EXAMPLE: &str = "\
Example:
  robosift corpus build data/demo/robots.jsonl -o demo.corpus
  robosift eval --corpus demo.corpus --agent GPTBot data/demo/rows.parquet -o verdicts.parquet

  Until it is whole, the corpus stands in demo.corpus.partial; a build that was cut off is taken up
  again with --resume.

Exit codes: 0 done, 2 the command line makes no sense, 3 finished but something was skipped, 4 failed.";

const MERGE_EXAMPLE: &str = "\
Example:
  robosift corpus merge 2025.corpus 2026.corpus -o both.corpus

  Each must have been built with the texts of its bodies (without --no-bodies).

Exit codes: 0 done, 2 the command line makes no sense, 4 failed.";

/// Build a corpus from captures of robots.txt files
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(super) struct BuildArguments {
    /// Archives (.warc, .warc.gz, .warc.zst), tables (.parquet, .jsonl, .csv, the latter two also .gz and .zst), folders, quoted globs, lists of paths (.paths, .paths.gz), built corpora, or one robots.txt with --origin
    #[arg(required = true, value_name = "SOURCES")]
    sources: Vec<PathBuf>,

    /// Whose robots.txt a single file is: https://www.example.com
    #[arg(long, value_name = "ORIGIN")]
    origin: Option<String>,

    /// Columns of robots tables that go by other names: body=response.body,url=robots_url
    #[arg(long, value_name = "MAP")]
    robots_columns: Option<String>,

    /// Octets of a body that are read as rules, 0 = all; of a body, sources give 8 MiB at most
    #[arg(long, value_name = "OCTETS", default_value_t = 512_000)]
    body_limit: usize,

    /// Leave the texts of bodies out: the corpus is smaller, and can neither be merged, nor asked with another --body-limit, nor show its files
    #[arg(long)]
    no_bodies: bool,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    damage: DamageArguments,

    #[command(flatten)]
    running: RunningArguments,
}

/// Make one corpus of several
#[derive(Args, Clone, Debug)]
#[command(after_help = MERGE_EXAMPLE)]
pub(super) struct MergeArguments {
    /// Built corpora
    #[arg(required = true, value_name = "CORPORA")]
    corpora: Vec<PathBuf>,

    #[command(flatten)]
    output: OutputArguments,

    #[command(flatten)]
    running: RunningArguments,
}

#[derive(Args, Clone, Debug)]
struct OutputArguments {
    /// Folder to make
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
}

/// Memory that a build stays within where none is given.
const DEFAULT_MEMORY: usize = 2 << 30;

/// Least memory that a build is begun with.
const LEAST_MEMORY: usize = 64 << 20;

/// Runs `corpus build`.
pub(super) fn run(arguments: &BuildArguments) -> Result<Exit, CliError> {
    let columns = match &arguments.robots_columns {
        Some(map) => ColumnNames::parse(map).map_err(CliError::usage)?,
        None => ColumnNames::default(),
    };
    let options = SourceOptions {
        columns,
        origin: arguments.origin.clone(),
        skip_damaged: arguments.damage.skip(),
        batch_octets: None,
    };
    let what = What {
        sources: &arguments.sources,
        output: &arguments.output.output,
        limit: BodyLimit::new(arguments.body_limit),
        texts: !arguments.no_bodies,
    };
    build(&what, options, &arguments.running)
}

/// Runs `corpus merge`.
pub(super) fn merge(arguments: &MergeArguments) -> Result<Exit, CliError> {
    for path in &arguments.corpora {
        if !Corpus::is_at(path) {
            return Err(CliError::usage(format!(
                "{} is no built corpus; `robosift corpus build` takes other sources",
                path.display()
            )));
        }
    }
    let limits = arguments.corpora.iter().map(|path| {
        Corpus::open_any(path).map(|corpus| corpus.facts().limit).map_err(CliError::failed)
    });
    let limits: Vec<BodyLimit> = limits.collect::<Result<_, _>>()?;
    let limit = limits.first().copied().unwrap_or(BodyLimit::DEFAULT);
    if limits.iter().any(|other| *other != limit) {
        return Err(CliError::usage(
            "the corpora were built with different --body-limit; `robosift corpus build` makes one \
             of them with the limit you give",
        ));
    }
    let what =
        What { sources: &arguments.corpora, output: &arguments.output.output, limit, texts: true };
    build(&what, SourceOptions::default(), &arguments.running)
}

/// What is built.
struct What<'a> {
    sources: &'a [PathBuf],
    output: &'a Path,
    limit: BodyLimit,
    texts: bool,
}

fn build(
    what: &What<'_>,
    options: SourceOptions,
    running: &RunningArguments,
) -> Result<Exit, CliError> {
    let memory = running.memory.unwrap_or(DEFAULT_MEMORY);
    if memory < LEAST_MEMORY {
        return Err(CliError::usage("--memory: a build needs 64MiB at least"));
    }
    let started = Instant::now();
    let files = what.sources.iter().map(|path| sources::list(path).map_err(CliError::failed));
    let files: Vec<SourceFile> = files.collect::<Result<Vec<_>, _>>()?.concat();
    let pool = running.pool()?;
    let threads = pool.current_num_threads();
    let options = SourceOptions { batch_octets: Some(memory / 16 / threads), ..options };
    let plan = FolderPlan {
        output: what.output.to_path_buf(),
        sources: sources::number(&files).1,
        limit: what.limit,
        texts: what.texts,
        memory,
        threads,
        origin_of_captures: sources::state(&files, &options).map_err(CliError::failed)?,
    };
    let build = FolderBuild::begin(plan, running.resume).map_err(CliError::failed)?;
    if build.was_resumed() && !running.quiet {
        note("an earlier build of these sources is taken up again");
    }
    if running.verbose && !running.quiet {
        files.iter().for_each(|file| tell(file.path.display()));
    }
    let progress = FileProgress::new(running.quiet, files.len() as u64);
    let fed = pool.install(|| sources::feed(&build, &files, &options, &progress));
    progress.finish();
    let fed: SourceReport = fed.map_err(CliError::failed)?;
    if !running.quiet {
        notes(&fed.notes);
    }
    let waiting = super::super::progress::waiting(running.quiet, "merging, compiling and writing");
    let report = pool.install(|| build.finish()).map_err(CliError::failed)?;
    waiting.finish_and_clear();
    print(what.output, running, &report, files.len(), started.elapsed().as_secs_f64());
    Ok(if report.skipped.is_empty() { Exit::Done } else { Exit::Skipped })
}

fn print(
    output: &Path,
    running: &RunningArguments,
    report: &BuildReport,
    files: usize,
    seconds: f64,
) {
    let counts = &report.counts;
    if running.json {
        show(json!({
            "sources": files,
            "captures": counts.captures,
            "captures_without_place": counts.without_place,
            "captures_without_status": counts.without_status,
            "revisits": counts.revisits,
            "revisits_unresolved": counts.revisits_unresolved,
            "origins": report.origins,
            "bodies": report.bodies,
            "octets": report.octets,
            "skipped": report.skipped.kept(),
            "num_skipped": report.skipped.count(),
            "seconds": (seconds * 1000.0).round() / 1000.0,
        }));
        return;
    }
    if running.quiet {
        return;
    }
    show(format_args!(
        "{} of {} from {} in {seconds:.1} s",
        counted(counts.captures, "capture"),
        counted(report.origins, "origin"),
        counted(files as u64, "file"),
    ));
    show(format_args!(
        "{} distinct bodies, {} in {}",
        HumanCount(report.bodies),
        HumanBytes(report.octets),
        output.display()
    ));
    if counts.without_place > 0 {
        show(format_args!(
            "{} captures were left out: their origin or URL is not an absolute http(s) one",
            HumanCount(counts.without_place)
        ));
    }
    if counts.revisits > 0 {
        show(format_args!(
            "{} revisits, of which {} refer to a body that is not there",
            HumanCount(counts.revisits),
            HumanCount(counts.revisits_unresolved)
        ));
    }
    if !report.skipped.is_empty() {
        show(format_args!("skipped: {}", HumanCount(report.skipped.count())));
        skipped(report.skipped.kept(), report.skipped.count(), running.verbose);
    }
}
