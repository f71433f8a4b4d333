//! Captures as sources give them → captures as the corpus files them.
//!
//! Enters: a capture with its place and times as recorded. Leaves: a record for the sorter, its place canonical, its redirect
//! absolute, its body numbered; what has no place is counted and left out. One for each thread. Must not know: files.

use super::bodies::Bodies;
use super::filed::Filed;
use super::home::{home, redirect_of};
use super::sorter::Sorter;
use crate::corpus::{CaptureFlags, CorpusError, Counts, Place, RawCapture, Status};
use crate::text::sniff;

/// Octets of a media type that are kept: no server means longer ones.
const MOST_CONTENT_TYPE: usize = 512;

/// Takes captures of one source after the other.
#[derive(Debug, Default)]
pub(super) struct Intake {
    pub(super) sorter: Sorter,
    pub(super) counts: Counts,
    /// The number of the source at hand, and how many captures it gave.
    source: u32,
    part: u32,
    index: u64,
    record: Vec<u8>,
}

impl Intake {
    /// What comes from now on is of this source.
    pub(super) fn begin(&mut self, source: u32) {
        (self.source, self.part, self.index) = (source, 0, 0);
    }

    /// What comes from now on is of this part of the source.
    pub(super) fn is_of(&mut self, part: u32) {
        self.part = part;
    }

    /// Takes one capture in, with this body and not its own. One whose place is not an absolute http(s) origin or URL is
    /// counted and left out.
    pub(super) fn add(
        &mut self,
        raw: &RawCapture,
        body: Option<&[u8]>,
        bodies: &Bodies,
    ) -> Result<(), CorpusError> {
        let index = self.index;
        self.index += 1;
        let is_imported = matches!(raw.place, Place::Imported(_));
        let Some(home) = home(&raw.place) else {
            self.counts.without_place += u64::from(!is_imported);
            return Ok(());
        };
        let is_revisit = raw.archived.revisit.is_some();
        let is_unmodified = raw.archived.revisit.is_some_and(|revisit| revisit.unmodified);
        self.count(is_imported, raw.status.is_none(), is_revisit);
        let redirect = redirect_of(raw, &home);
        // The bodies of error pages and redirects are never read as rules: not kept, not numbered.
        let body = body.filter(|_| raw.status.is_none_or(Status::may_have_rules));
        // Not modified: what it has not is no body, but the one it refers to.
        let body = body.filter(|body| !body.is_empty() || raw.status != Some(Status(304)));
        let number = |body: &[u8]| bodies.number(body).map_err(|error| CorpusError::spill(&error));
        let declared = raw.content_type.as_deref();
        let type_tells = declared.is_some_and(sniff::is_page_or_binary_type);
        let content_type =
            declared.and_then(|text| text.get(..text.floor_char_boundary(MOST_CONTENT_TYPE)));
        let filed = Filed {
            place: home.place(),
            time: raw.time,
            source: self.source.saturating_add(self.part),
            index,
            status: raw.status,
            body: body.map(number).transpose()?,
            flags: CaptureFlags::default()
                .with(CaptureFlags::PAGE_OR_BINARY_TYPE, type_tells)
                .with(CaptureFlags::TRUNCATED, raw.archived.truncated)
                .with(CaptureFlags::REVISIT, is_revisit)
                .with(CaptureFlags::UNMODIFIED, is_unmodified)
                .with(CaptureFlags::IMPORTED, is_imported),
            offset: raw.archived.offset,
            redirect: redirect.as_deref(),
            content_type,
            payload: raw.archived.payload_digest.map(|digest| digest.0),
            refers_to: raw.archived.revisit.and_then(|revisit| revisit.time),
        };
        filed.write(&mut self.record);
        self.sorter.push(&self.record);
        Ok(())
    }

    fn count(&mut self, is_imported: bool, without_status: bool, is_revisit: bool) {
        if is_imported {
            self.counts.imported += 1;
            return;
        }
        self.counts.captures += 1;
        self.counts.without_status += u64::from(without_status);
        self.counts.revisits += u64::from(is_revisit);
    }
}
