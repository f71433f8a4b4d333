//! Sources of captures: tables, folders of files named by host, one file.
//!
//! Enters: a path as given to `--corpus`. Leaves: captures, handed to a [`CorpusBuilder`] one by
//! one in the order in which they stand, so that the same sources make the same corpus. Tables are
//! read in batches of bounded octets.

mod cells;
mod folder;
mod json_lines;
mod parquet;
mod table_columns;

use std::path::Path;

use super::{CorpusBuilder, CorpusError};

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
    pub skipped: Vec<String>,
    /// Things a user should know, once each.
    pub notes: Vec<String>,
}

impl SourceReport {
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// Reads the source at `path` into `builder`.
///
/// # Errors
/// A path that does not exist or cannot be read, a table without the columns it needs, a single file
/// without [`SourceOptions::origin`], and, unless they are to be skipped, damaged files and lines.
pub fn load(
    path: &Path,
    options: &SourceOptions,
    builder: &mut CorpusBuilder,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let files = match path.is_dir() {
        true => folder::files(path)?,
        false => vec![path.to_path_buf()],
    };
    for file in &files {
        let was_noted = builder.num_without_status() > 0;
        let outcome = load_file(file, path.is_dir(), options, builder, report);
        if !was_noted && builder.num_without_status() > 0 {
            report.note(without_status(file));
        }
        match outcome {
            Err(error) if options.skip_damaged && error.is_damage() => {
                report.skipped.push(error.to_string());
            }
            other => other?,
        }
    }
    Ok(())
}

fn load_file(
    file: &Path,
    in_folder: bool,
    options: &SourceOptions,
    builder: &mut CorpusBuilder,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    match Format::of(file) {
        Format::Parquet => parquet::load(file, options, builder, report),
        Format::JsonLines => json_lines::load(file, options, builder, report),
        Format::Warc => Err(CorpusError::message(
            file,
            "WARC files cannot be read; give a table of captures (Parquet, JSONL), a folder of \
             files named by host, or one robots.txt",
        )),
        Format::Body if in_folder => folder::load_named(file, builder, report),
        Format::Body => folder::load_single(file, options.origin.as_deref(), builder),
    }
}

/// What a file is, by its name.
enum Format {
    Parquet,
    JsonLines,
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
