//! What ends a command early, as a person reads it.
#![allow(clippy::print_stderr, reason = "errors and notes go to the terminal from here")]

use std::fmt::Display;

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
    eprintln!("error: {}", error.message);
}

/// Prints something the user should know.
pub(crate) fn note(message: impl Display) {
    eprintln!("note: {message}");
}
