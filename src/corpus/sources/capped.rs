//! Bodies cut where archives' are, so that what a source gives does not depend on how it was stored.
//!
//! Enters: captures of tables and folders. Leaves: the same, long bodies cut and flagged. Cost: a comparison for each. Must not know: sources.

use super::SourceReport;
use super::warc::BodyCap;
use crate::corpus::{CaptureSink, CorpusError, RawCapture};

/// Octets that are kept of a body.
pub(super) const MOST_BODY: usize = BodyCap::DEFAULT.0;

/// Gives captures on, their bodies cut.
pub(super) struct Capped<'s> {
    sink: &'s mut dyn CaptureSink,
    num_cut: u64,
}

impl<'s> Capped<'s> {
    pub(super) fn new(sink: &'s mut dyn CaptureSink) -> Self {
        Capped { sink, num_cut: 0 }
    }

    /// Says how many bodies of `file` were cut.
    pub(super) fn note(&self, file: &std::path::Path, report: &mut SourceReport) {
        if self.num_cut > 0 {
            report.note(format!("{}: {} bodies were cut at 8 MiB", file.display(), self.num_cut));
        }
    }
}

impl CaptureSink for Capped<'_> {
    fn add(&mut self, mut capture: RawCapture) -> Result<(), CorpusError> {
        if let Some(body) = &mut capture.body
            && body.len() > MOST_BODY
        {
            body.truncate(MOST_BODY);
            capture.archived.truncated = true;
            self.num_cut += 1;
        }
        self.sink.add(capture)
    }

    fn is_of(&mut self, part: u32) {
        self.sink.is_of(part);
    }

    fn num_without_status(&self) -> u64 {
        self.sink.num_without_status()
    }
}
