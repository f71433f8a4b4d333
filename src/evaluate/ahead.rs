//! Rows that jump from origin to origin: what they will need, fetched some rows ahead.
//!
//! Such a row finds nothing of its origin in the processor's caches, and each step on the way to its
//! rules waits for the one before. Here the steps are taken for many rows side by side, so that their
//! waits overlap; when the rows are judged, all is at hand. Verdicts do not depend on it.
//!
//! Enters: a batch's rows, a corpus. Leaves: origins looked up. Cost: per row one split and one look-up,
//! which judging then need not repeat, and some reads; memory for a window of rows.

use super::origins::Origins;
use super::{RowColumns, Settings};
use crate::corpus::{Access, Corpus, Lookups, OriginId, Site};
use crate::text::origin::write_origin;

/// Rows looked ahead: what they need has to stay in the cache until they are judged.
pub(super) const WINDOW: usize = 64;

/// Pairs of neighbouring rows by which a batch is called scattered.
const SAMPLES: usize = 32;

/// Octets that the processor fetches at a time.
pub(super) const CACHE_LINE: usize = 64;

/// Octets of a program that are fetched: the whole of most, the start of others.
pub(super) const MAX_FETCHED: usize = 1_024;

/// Whether most rows of a batch have another origin than the row before.
pub(super) fn is_scattered(rows: &RowColumns<'_>) -> bool {
    let step = rows.len().saturating_sub(1) / SAMPLES;
    if step == 0 {
        return false;
    }
    let origin = |row: usize| rows.parts(row).map(|parts| (parts.https, parts.host_port));
    let others = (0..SAMPLES).filter(|at| origin(at * step) != origin(at * step + 1)).count();
    others * 2 > SAMPLES
}

/// The origins of a window of rows.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The first row of the window.
    from: usize,
    /// Canonical origins, one after the other.
    names: Vec<u8>,
    /// Where the name of each row is in there; `None` where it has none.
    places: Vec<Option<(usize, usize)>>,
    found: Vec<Option<OriginId>>,
    /// What the origins said that are values of a dictionary.
    known: Vec<Option<Site>>,
    sites: Vec<Site>,
    name: Vec<u8>,
    lookups: Lookups,
}

impl Ahead {
    /// Looks at the rows from `from` on.
    pub(super) fn look(
        &mut self,
        corpus: &Corpus,
        rows: &RowColumns<'_>,
        origins: &mut Origins,
        from: usize,
        settings: &Settings,
    ) {
        self.forget();
        self.from = from;
        for row in from..rows.len().min(from + WINDOW) {
            let value = rows.origin_key(row);
            let known = value.and_then(|value| origins.known(corpus, rows, value, settings));
            self.known.push(known.and_then(|known| known.site));
            if known.is_some() {
                self.places.push(None);
                continue;
            }
            let parts = rows.parts(row);
            let is_valid = parts.is_some_and(|parts| write_origin(&parts, &mut self.name));
            let start = self.names.len();
            self.names.extend_from_slice(if is_valid { &self.name } else { &[] });
            self.places.push(is_valid.then_some((start, self.names.len())));
        }
        let names = self.places.iter().map(|place| {
            place.and_then(|(start, end)| self.names.get(start..end)).unwrap_or_default()
        });
        corpus.find_all(names, &mut self.lookups, &mut self.found);
        let latest = |found: &Option<OriginId>| {
            found.map_or(Site::UNKNOWN, |origin| {
                let Settings { policy, moment, .. } = settings;
                corpus.answer(origin, policy, moment, None).site.unwrap_or(Site::UNKNOWN)
            })
        };
        let sites = self.found.iter().zip(&self.known);
        let sites = sites.map(|(found, known)| known.unwrap_or_else(|| latest(found)));
        self.sites.extend(sites);
        self.fetch_programs(corpus);
    }

    /// Reads where the programs are, then the programs, so that neither is waited for one by one.
    fn fetch_programs(&self, corpus: &Corpus) {
        let programs = self.sites.iter().filter_map(|site| match site.access {
            Access::Rules(body) => Some(corpus.program(body)?.octets()),
            Access::RedirectUnresolved | Access::Closed(_) => None,
        });
        std::hint::black_box(programs.clone().fold(0, |all, octets| all ^ octets.len()));
        let lines = programs.flat_map(|octets| octets.iter().take(MAX_FETCHED).step_by(CACHE_LINE));
        std::hint::black_box(lines.fold(0, |all, octet| all ^ octet));
    }

    /// The canonical origin of a row and what it said, where both were looked up.
    #[inline]
    pub(super) fn of_row(&self, row: usize) -> Option<(&[u8], Site)> {
        let at = row.checked_sub(self.from)?;
        let (start, end) = (*self.places.get(at)?)?;
        Some((self.names.get(start..end)?, *self.sites.get(at)?))
    }

    /// Nothing is known ahead.
    pub(super) fn forget(&mut self) {
        self.names.clear();
        self.places.clear();
        self.found.clear();
        self.known.clear();
        self.sites.clear();
    }
}
