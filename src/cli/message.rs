//! What is printed: results on stdout, notes and what ends a command early on stderr.
//!
//! A reader that has gone away (`| head`) is no failure: what it did not want to read is dropped.

use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::HumanCount;
use robosift::corpus::Sentences;

use super::Exit;

/// Notes, and things that were skipped, that are shown unless more are asked for.
const MOST_NOTES: usize = 10;
const MOST_SKIPPED: usize = 10;

/// A result could not be printed.
static NOT_PRINTED: AtomicBool = AtomicBool::new(false);

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

/// Prints a line on stderr; it may quote what stands in a file.
pub(crate) fn tell(line: impl Display) {
    let mut stderr = std::io::stderr().lock();
    let _ = match stderr.is_terminal() {
        true => stderr.write_all(for_terminal(line.to_string().as_bytes()).as_bytes()),
        false => writeln!(stderr, "{line}"),
    };
}

/// Prints a text that somebody else wrote on stdout: as it came, but for a terminal, which would obey some of it.
pub(crate) fn show_text(text: &[u8]) {
    let mut stdout = std::io::stdout().lock();
    let written = match stdout.is_terminal() {
        true => stdout.write_all(for_terminal(text).as_bytes()),
        false => stdout.write_all(text),
    };
    remember(written.and_then(|()| stdout.flush()));
}

/// Lines as a terminal may have them: line ends and tabs are obeyed, all else that it would obey is written out.
fn for_terminal(text: &[u8]) -> String {
    let lines = String::from_utf8_lossy(text).replace("\r\n", "\n");
    let mut shown = String::with_capacity(lines.len());
    for c in lines.chars() {
        match c {
            '\n' | '\t' => shown.push(c),
            c => push_printable(&mut shown, c),
        }
    }
    if !shown.ends_with('\n') {
        shown.push('\n');
    }
    shown
}

/// Adds a character; one that a terminal would obey is written out.
pub(crate) fn push_printable(text: &mut String, c: char) {
    match c.is_control() {
        true => text.extend(c.escape_default()),
        false => text.push(c),
    }
}

/// Prints a result on stdout.
pub(crate) fn show(line: impl Display) {
    remember(writeln!(std::io::stdout().lock(), "{line}"));
}

/// Remembers that a result could not be printed, but for a reader that has gone away.
fn remember(printed: std::io::Result<()>) {
    if printed.is_err_and(|error| error.kind() != ErrorKind::BrokenPipe) {
        NOT_PRINTED.store(true, Ordering::Relaxed);
    }
}

/// Whether a result could not be printed: what there is of it may look whole.
pub(crate) fn is_output_cut_off() -> bool {
    remember(std::io::stdout().lock().flush());
    NOT_PRINTED.load(Ordering::Relaxed)
}
