//! WARC files: records of web archives, plain or compressed.
//!
//! ```text
//! octets ─input─▶ members (gzip, zst, plain) ─▶ records ─reader─▶ responses (http, payload) ─▶ captures
//! ```
//!
//! Enters: the octets of one file from any [`Read`], front to back. Leaves: a [`WarcCapture`] for each
//! `response` and `revisit` record of HTTP and each `resource` record of a robots.txt, and
//! [`WarcCounts`] that say what became of every record. How the file is compressed is told by its
//! octets. Memory is bounded whatever they say. What a capture means for its origin is not known here.

mod capture;
mod chunked;
mod counts;
mod error;
mod fields;
mod gzip;
mod http;
mod input;
mod marks;
mod members;
mod payload;
mod reader;
mod record;
mod response;
mod zst;

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{SourceOptions, SourceReport};
use crate::corpus::{CaptureSink, CorpusError};

pub use capture::{Refers, RevisitProfile, WarcCapture};
pub use counts::WarcCounts;
pub use error::WarcError;
pub use reader::{BodyCap, WarcReader};

/// Whether a file begins with a WARC record, decompressed where it is compressed. One that cannot be
/// read does not; a pipe is not looked at, its octets are there once.
pub(super) fn is_warc(file: &Path) -> bool {
    let reader = || File::open(file).and_then(WarcReader::new);
    file.is_file() && reader().is_ok_and(|mut reader| reader.is_warc())
}

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    sink: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let io = |error| CorpusError::io(file, error);
    let mut reader = File::open(file).and_then(WarcReader::new).map_err(io)?;
    loop {
        let error = match reader.next_capture() {
            None => break,
            Some(Ok(capture)) => {
                sink.add_lent(capture.without_body(), capture.body)?;
                continue;
            }
            Some(Err(error)) => error,
        };
        let error = of_file(file, error);
        if !options.skip_damaged || !error.is_damage() {
            return Err(error);
        }
        report.skipped.push(&error);
        reader.skip_damage().map_err(io)?;
    }
    note(file, &reader, report);
    Ok(())
}

fn of_file(file: &Path, error: WarcError) -> CorpusError {
    let place = format!("offset {}", error.offset());
    let what = error.what();
    match error.into_io() {
        Ok(error) => CorpusError::io(file, error),
        Err(_) => CorpusError::row(file, &place, what),
    }
}

/// Says what a user should know about the captures of a file.
fn note<R: Read>(file: &Path, reader: &WarcReader<R>, report: &mut SourceReport) {
    let counts = reader.counts();
    let facts = [
        (counts.unreadable_heads, "responses with an unreadable head count as no answer"),
        (counts.truncated, "bodies are truncated in the archive"),
        (counts.over_cap, "bodies were cut at 8 MiB"),
    ];
    for (number, fact) in facts.into_iter().filter(|(number, _)| *number > 0) {
        report.note(format!("{}: {number} {fact}", file.display()));
    }
}
