//! `lint` of files: each read whole, linted, its findings printed.

use std::io::Read;
use std::path::Path;

use robosift::lint::{Options, Report, Severity, lint};
use serde_json::{Map, Value, json};

use super::arguments::{Format, LintArguments};
use super::{json, sarif, text};
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, report, show};
use crate::cli::quantity::counted;

/// A file and what was found in it.
pub(super) struct Linted {
    /// As given; `<stdin>` for standard input.
    pub(super) name: String,
    pub(super) body: Vec<u8>,
    pub(super) report: Report,
}

/// Runs `lint` on files.
pub(super) fn run(arguments: &LintArguments, options: &Options) -> Result<Exit, CliError> {
    let (mut files, mut unread) = (Vec::new(), Vec::new());
    for path in &arguments.files {
        match read(path) {
            Ok((name, body)) => {
                let report = lint(&body, options);
                files.push(Linted { name, body, report });
            }
            // The others are linted all the same.
            Err(error) => unread.push(error),
        }
    }
    match arguments.format() {
        Format::Text => print_text(arguments, &files),
        Format::Json => show(object(&files)),
        Format::Sarif => show(sarif::log(&files)),
    }
    unread.iter().for_each(report);
    if let Some(error) = unread.first() {
        return Ok(error.exit());
    }
    let worst = files.iter().filter_map(|file| file.report.worst()).max();
    Ok(if arguments.fails_on(worst) { Exit::No } else { Exit::Done })
}

fn read(path: &Path) -> Result<(String, Vec<u8>), CliError> {
    let failed = |error| CliError::failed(format!("{}: {error}", path.display()));
    if path == Path::new("-") {
        let mut body = Vec::new();
        std::io::stdin().lock().read_to_end(&mut body).map_err(failed)?;
        return Ok(("<stdin>".to_owned(), body));
    }
    if path.is_dir() {
        let path = path.display();
        return Err(CliError::usage(format!(
            "{path} is a folder; a corpus is given as --corpus {path}"
        )));
    }
    let body = std::fs::read(path).map_err(failed)?;
    Ok((path.display().to_string(), body))
}

fn print_text(arguments: &LintArguments, files: &[Linted]) {
    let renderer = text::renderer(arguments.color);
    for file in files {
        text::print(&renderer, file);
        if !arguments.quiet {
            show(counts(file));
        }
    }
}

fn counts(file: &Linted) -> String {
    let count = |severity| counted(file.report.num_of(severity), severity.name());
    if file.report.worst().is_none() {
        return format!("{}: nothing found", file.name);
    }
    let [error, warning] = [Severity::Error, Severity::Warning].map(count);
    let infos = file.report.num_of(Severity::Info);
    format!("{}: {error}, {warning}, {infos} for information", file.name)
}

/// All files as one JSON object.
fn object(files: &[Linted]) -> Value {
    let sum = |severity| files.iter().map(|file| file.report.num_of(severity)).sum::<u64>();
    let mut counts = Map::new();
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        counts.insert(severity.name().to_owned(), sum(severity).into());
    }
    json!({
        "schema_version": json::SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "files": files.iter().map(json::file).collect::<Vec<_>>(),
        "counts": counts,
    })
}
