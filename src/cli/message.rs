//! What is printed: results on stdout, notes and what ends a command early on stderr.
//!
//! A reader that has gone away (`| head`) is no failure: what it did not want to read is dropped.

use std::fmt::Display;
use std::io::Write;

use indicatif::HumanCount;
use robosift::corpus::Sentences;

use super::Exit;

/// Notes, and things that were skipped, that are shown unless more are asked for.
const MOST_NOTES: usize = 10;
const MOST_SKIPPED: usize = 10;

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

/// Prints notes, of which there may be one for each file.
pub(crate) fn notes(notes: &Sentences) {
    let shown = notes.kept().iter().take(MOST_NOTES);
    shown.for_each(note);
    let more = notes.count().saturating_sub(MOST_NOTES as u64);
    if more > 0 {
        note(format_args!("and {} more", HumanCount(more)));
    }
}

/// Says what was passed over of sources: the first of it, or all that was kept.
pub(crate) fn skipped(skipped: &[String], count: u64, verbose: bool) {
    let num_shown = if verbose { skipped.len() } else { skipped.len().min(MOST_SKIPPED) };
    let shown = skipped.iter().take(num_shown);
    shown.for_each(|sentence| tell(format_args!("skipped: {sentence}")));
    let more = count.saturating_sub(num_shown as u64);
    if more > 0 {
        let is_last = num_shown == skipped.len();
        let hint = if is_last { "" } else { "; --verbose names them" };
        tell(format_args!("skipped: and {} more{hint}", HumanCount(more)));
    }
}

/// Prints a line on stderr.
pub(crate) fn tell(line: impl Display) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Prints a result on stdout.
pub(crate) fn show(line: impl Display) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
