//! Sources of captures: tables, WARC files, folders of files named by host, one file.
//!
//! Enters: a path as given to `--corpus`. Leaves: captures, handed to a [`CaptureSink`] one by
//! one in the order in which they stand, so that the same sources make the same corpus. Tables are
//! read in batches of bounded octets.

mod built;
mod capped;
mod cells;
mod csv;
mod feed;
mod fields;
mod folder;
mod guarded;
mod json_lines;
mod kept_texts;
mod list;
mod parquet;
mod rows;
mod table_columns;
pub mod warc;

use std::path::Path;

use super::{CaptureSink, CorpusError, Sentences};

use capped::Capped;
pub use feed::{BuildWatch, feed, number, state};
pub use list::{SourceFile, list};
pub use rows::CaptureColumns;
pub use table_columns::ColumnNames;

/// What is to be read, and how.
#[derive(Clone, Debug, Default)]
pub struct SourceOptions {
    /// Columns of tables that go by other names.
    pub columns: ColumnNames,
    /// Whose robots.txt a single file is.
    pub origin: Option<String>,
    /// Pass over damaged files and lines instead of stopping.
    pub skip_damaged: bool,
    /// Octets of a table's columns that a batch may hold, from the sizes in the file's footer.
    pub batch_octets: Option<usize>,
}

/// What a source gave besides captures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceReport {
    /// What was passed over, one sentence each.
    pub skipped: Sentences,
    /// Things a user should know, once each among those that are kept.
    pub notes: Sentences,
}

impl SourceReport {
    fn note(&mut self, note: String) {
        let kept = self.notes.kept();
        if kept.len() == Sentences::MOST || !kept.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Whether `path` is one robots.txt, and not captures of many origins.
#[must_use]
pub fn is_body(path: &Path) -> bool {
    let is_one = path.exists() && !path.is_dir() && !list::is_list(path);
    // A pipe is not looked into: what is read of it is gone.
    is_one && matches!(Format::of(path), Format::Body) && !(path.is_file() && warc::is_warc(path))
}

/// Reads the source at `path` into `sink`.
///
/// # Errors
/// A path that does not exist or cannot be read, a table without the columns it needs, a single file
/// without [`SourceOptions::origin`], and, unless they are to be skipped, damaged files and lines.
pub fn load(
    path: &Path,
    options: &SourceOptions,
    sink: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    list(path)?.iter().try_for_each(|file| load_file_or_skip(file, options, sink, report))
}

/// Reads one file; a damaged one is passed over where that was asked for.
fn load_file_or_skip(
    file: &SourceFile,
    options: &SourceOptions,
    sink: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let was_noted = sink.num_without_status() > 0;
    let outcome = match file.is_built() {
        true => built::load(&file.path, sink),
        false => load_file(&file.path, file.in_folder, options, sink, report),
    };
    if !was_noted && sink.num_without_status() > 0 {
        report.note(without_status(&file.path));
    }
    match outcome {
        Err(error) if options.skip_damaged && error.is_damage() => {
            report.skipped.push(&error);
            Ok(())
        }
        other => other,
    }
}

fn load_file(
    file: &Path,
    in_folder: bool,
    options: &SourceOptions,
    sink: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let format = Format::of(file);
    let may_be_warc = matches!(format, Format::Body) && !in_folder;
    if matches!(format, Format::Warc) || may_be_warc && warc::is_warc(file) {
        return warc::load(file, options, sink, report);
    }
    let sink = &mut Capped::new(sink);
    let outcome = match format {
        Format::Parquet => parquet::load(file, options, sink, report),
        Format::JsonLines => json_lines::load(file, options, sink, report),
        Format::Csv => csv::load(file, options, sink, report),
        Format::Body if in_folder => folder::load_named(file, sink, report),
        Format::Body | Format::Warc => folder::load_single(file, options.origin.as_deref(), sink),
    };
    sink.note(file, report);
    outcome
}

/// What a file is, by its name; a WARC file of any other name is known by its octets.
enum Format {
    Parquet,
    JsonLines,
    Csv,
    Warc,
    Body,
}

impl Format {
    fn of(file: &Path) -> Format {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
        if name.ends_with(".parquet") {
            Format::Parquet
        } else if [".jsonl", ".ndjson", ".json"].iter().any(|ending| plain.ends_with(ending)) {
            Format::JsonLines
        } else if plain.ends_with(".csv") {
            Format::Csv
        } else if plain.ends_with(".warc") {
            Format::Warc
        } else {
            Format::Body
        }
    }
}

/// Said once where statuses are missing.
fn without_status(file: &Path) -> String {
    format!("{}: captures without a status count as 200 where they have a body", file.display())
}
