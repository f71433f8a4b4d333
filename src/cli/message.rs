//! What is printed: results on stdout, notes and what ends a command early on stderr.
//!
//! A reader that has gone away (`| head`) is no failure: what it did not want to read is dropped.

use std::fmt::Display;
use std::io::Write;

use super::Exit;

/// A sentence for the user, and how the process ends.
#[derive(Debug)]
pub(crate) struct CliError {
    exit: Exit,
    message: String,
}

impl CliError {
    /// The command line makes no sense.
    pub(crate) fn usage(message: impl Display) -> Self {
        CliError { exit: Exit::Usage, message: message.to_string() }
    }

    /// Something could not be done.
    pub(crate) fn failed(message: impl Display) -> Self {
        CliError { exit: Exit::Failed, message: message.to_string() }
    }

    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

/// Prints an error.
pub(crate) fn report(error: &CliError) {
    tell(format_args!("error: {}", error.message));
}

/// Prints something the user should know.
pub(crate) fn note(message: impl Display) {
    tell(format_args!("note: {message}"));
}

/// Prints a line on stderr.
pub(crate) fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints a result on stdout.
pub(crate) fn show(line: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
