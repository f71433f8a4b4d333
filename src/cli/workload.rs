//! `robosift workload`: makes up a crawl for benchmarks and demonstrations.
//!
//! Enters: arguments as typed. Leaves: a folder of tables, a summary on stdout. Must not know: how rows are made.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use robosift::workload::{Workload, WorkloadError, WorkloadSummary};
use serde_json::json;

use super::exit::Exit;
use super::message::{CliError, show};
use super::quantity;

/// Rows an origin when the number of origins is not given.
const ROWS_PER_ORIGIN: u64 = 60;

const EXAMPLE: &str = "\
Example:
  robosift workload --rows 1m --origins 20k --seed 7 -o demo

  makes demo/robots.parquet (what 20,000 origins answered when their robots.txt was fetched) and
  demo/rows/part-00000.parquet (a million rows with url, agent and fetch_time, sorted by origin).
  The same arguments always give the same files. To judge the rows by the table:

  robosift eval --corpus demo/robots.parquet --agent GPTBot demo/rows/part-00000.parquet -o verdicts.parquet";

/// Make up a crawl: a robots table, and rows that it answers
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLE)]
pub(crate) struct WorkloadArguments {
    /// Rows to make; k, m and b stand for thousand, million and billion (500k, 20m, 1b)
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    rows: u64,

    /// Origins the rows belong to, from 1 to the number of rows [default: one for 60 rows]
    #[arg(long, value_name = "M", value_parser = quantity::count)]
    origins: Option<u64>,

    /// Number that all made-up things are drawn from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// Files to split the rows into [default: one for ten million rows]
    #[arg(long, value_name = "N")]
    files: Option<u32>,

    /// Rows of a Parquet row group [default: 1m]
    #[arg(long, value_name = "N", value_parser = quantity::count)]
    row_group_rows: Option<u64>,

    /// Folder to write to; made where needed
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// Use a folder that already holds files; the tables of an earlier workload are replaced
    #[arg(long)]
    force: bool,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,

    /// Show no progress and no summary (a summary asked for with --json is still printed)
    #[arg(short, long)]
    quiet: bool,
}

/// Makes the workload and prints what was made.
///
/// # Errors
///
/// When the sizes make no sense, the folder is in use, or a file cannot be written.
pub(crate) fn run(args: &WorkloadArguments) -> Result<Exit, CliError> {
    let workload = plan(args)?;
    let bar = progress_bar(args, workload.rows());
    let started = Instant::now();
    let summary =
        workload.write(&args.output, &mut |rows| bar.set_position(rows)).map_err(failure)?;
    bar.finish_and_clear();
    print_summary(args, &summary, started.elapsed());
    Ok(Exit::Done)
}

/// Turns the arguments into a checked workload.
fn plan(args: &WorkloadArguments) -> Result<Workload, CliError> {
    let origins = args.origins.unwrap_or_else(|| (args.rows / ROWS_PER_ORIGIN).max(1));
    let mut workload =
        Workload::try_new(args.rows, origins, args.seed).map_err(failure)?.with_replace(args.force);
    if let Some(files) = args.files {
        workload = workload.with_files(files).map_err(failure)?;
    }
    if let Some(rows) = args.row_group_rows {
        workload = workload
            .with_row_group_rows(usize::try_from(rows).unwrap_or(usize::MAX))
            .map_err(failure)?;
    }
    Ok(workload)
}

fn failure(error: WorkloadError) -> CliError {
    if error.is_usage() { CliError::usage(error) } else { CliError::failed(error) }
}

/// A bar on the terminal; hidden where stderr is none.
fn progress_bar(args: &WorkloadArguments, rows: u64) -> ProgressBar {
    if args.quiet {
        return ProgressBar::hidden();
    }
    let template = "{wide_bar} {human_pos} of {human_len} rows, {per_sec}, {eta} left";
    let style = ProgressStyle::with_template(template);
    ProgressBar::new(rows).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn print_summary(args: &WorkloadArguments, summary: &WorkloadSummary, elapsed: Duration) {
    let seconds = elapsed.as_secs_f64();
    let rows_per_second = summary.rows as f64 / seconds.max(1e-9);
    if args.json {
        let object = json!({
            "rows": summary.rows,
            "origins": summary.origins,
            "captures": summary.captures,
            "bodies": summary.bodies,
            "files": summary.files,
            "octets": summary.octets,
            "seconds": (seconds * 1000.0).round() / 1000.0,
            "rows_per_second": rows_per_second.round(),
        });
        show(format_args!("{object}"));
    } else if !args.quiet {
        show(format_args!("rows      {:>15} in {} of rows", summary.rows, counted(summary.files)));
        show(format_args!("origins   {:>15}", summary.origins));
        show(format_args!("captures  {:>15}", summary.captures));
        show(format_args!("bodies    {:>15} distinct", summary.bodies));
        show(format_args!("octets    {:>15}", summary.octets));
        show(format_args!("seconds   {seconds:>15.1}"));
        show(format_args!("rows/s    {rows_per_second:>15.0}"));
    }
}

fn counted(files: u32) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}
