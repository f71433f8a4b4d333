//! How commands run: the arguments that `eval`, `corpus build` and `corpus merge` have in common.

use clap::{Args, ValueEnum};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::message::CliError;
use super::quantity;

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub(super) struct RunningArguments {
    /// Threads [default: one a core]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = threads)]
    pub(super) threads: usize,

    /// Octets of memory to stay within [default: 256MiB for rows and verdicts in flight, beside the corpus; 2GiB to build one, which sorts on disk what does not fit]
    #[arg(long, value_name = "SIZE", value_parser = quantity::octets)]
    pub(super) memory: Option<usize>,

    /// Go on where the same command was cut off: what is whole stays, unless what it was made of was written to since; what another command made is an error
    #[arg(long)]
    pub(super) resume: bool,

    /// Show no progress, notes or summary (a summary asked for with --json is still printed)
    #[arg(short, long)]
    pub(super) quiet: bool,

    /// Name every input and output, and everything that was skipped
    #[arg(short, long)]
    pub(super) verbose: bool,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub(super) json: bool,
}

/// No machine has more cores, and a number with too many digits is soon typed.
const MOST_THREADS: usize = 1024;

fn threads(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number <= MOST_THREADS);
    number.ok_or_else(|| format!("`{text}` is not a number of threads, at most {MOST_THREADS}"))
}

#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Running")]
pub(super) struct DamageArguments {
    /// What to do about a damaged file: stop, or pass over what is damaged, count it and end with exit code 3
    #[arg(long, value_name = "WHAT", default_value = "fail")]
    on_error: OnErrorArgument,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lowercase")]
enum OnErrorArgument {
    Fail,
    Skip,
}

impl RunningArguments {
    /// The threads that were asked for.
    pub(super) fn pool(&self) -> Result<ThreadPool, CliError> {
        let threads = ThreadPoolBuilder::new().num_threads(self.threads).build();
        threads.map_err(|error| CliError::failed(format!("cannot start threads: {error}")))
    }
}

impl DamageArguments {
    /// Whether what is damaged is to be passed over.
    pub(super) fn skip(&self) -> bool {
        self.on_error == OnErrorArgument::Skip
    }
}
