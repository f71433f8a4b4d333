//! Exit codes: promises to scripts.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Finished, and the answer is no.
    No,
    /// The command line makes no sense.
    Usage,
    /// Finished, but something was skipped.
    Skipped,
    /// Failed.
    Failed,
    /// Finished, but what was asked is not known.
    Unknown,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::No => 1,
            Exit::Usage => 2,
            Exit::Skipped => 3,
            Exit::Failed => 4,
            Exit::Unknown => 5,
        })
    }
}
