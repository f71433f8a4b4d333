//! The corpus in memory: origins in SURT order, their captures, and distinct bodies compiled once.

use std::collections::HashMap;
use std::sync::Arc;

use foldhash::fast::RandomState;

use super::Capture;
use super::index::{Index, Lookups};
use crate::compile::{Program, Wanted};

/// An origin of a corpus: its place in SURT order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginId(pub(super) u32);

/// Origins that are compared by name before the index is asked.
const ORIGINS_AHEAD: usize = 2;

/// A distinct body, numbered in the order of the first origin that serves it. Below 2³¹.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    pub(super) fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A distinct body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its rules, compiled.
    pub program: Program,
    /// SHA-256 of all its octets.
    pub digest: [u8; 32],
}

/// Captures, compiled. See the module's head.
#[derive(Debug)]
pub struct Corpus {
    pub(super) origins: Vec<Origin>,
    pub(super) index: Index,
    /// Captures of URLs other than `/robots.txt`: redirect targets, by canonical URL.
    pub(super) others: HashMap<Box<str>, Vec<Capture>, RandomState>,
    pub(super) bodies: Vec<Body>,
    pub(super) wanted: Wanted,
    pub(super) num_captures: u64,
    pub(super) num_captures_without_place: u64,
    pub(super) fingerprint: [u8; 32],
}

/// An origin with its captures, oldest first.
#[derive(Debug)]
pub(super) struct Origin {
    pub(super) name: Arc<str>,
    pub(super) captures: Vec<Capture>,
}

impl Corpus {
    /// The names that its programs answer for.
    #[must_use]
    pub fn wanted(&self) -> &Wanted {
        &self.wanted
    }

    /// The origin with this canonical name.
    #[must_use]
    #[inline]
    pub fn find(&self, origin: &[u8]) -> Option<OriginId> {
        self.index.find(&self.origins, origin)
    }

    /// As [`Corpus::find`] for each of `names`; what it gives is added to `found`. The processor waits
    /// for the memory of many names together, which is faster than for one after the other.
    pub fn find_all<'n>(
        &self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        lookups: &mut Lookups,
        found: &mut Vec<Option<OriginId>>,
    ) {
        self.index.find_all(&self.origins, names, lookups, found);
    }

    /// As [`Corpus::find`], where the origin likely stands soon after `last`: rows come sorted as
    /// crawl indexes are.
    #[must_use]
    #[inline]
    pub fn find_after(&self, last: Option<OriginId>, origin: &[u8]) -> Option<OriginId> {
        let next = last.map_or(0, |last| last.0.saturating_add(1));
        let from = usize::try_from(next).unwrap_or(usize::MAX);
        let soon = self.origins.get(from..).unwrap_or_default().iter().take(ORIGINS_AHEAD);
        match soon.zip(next..).find(|(known, _)| known.name.as_bytes() == origin) {
            Some((_, id)) => Some(OriginId(id)),
            None => self.find(origin),
        }
    }

    /// An origin's canonical name.
    #[must_use]
    pub fn origin_name(&self, origin: OriginId) -> &str {
        self.origin(origin).map_or("", |origin| &origin.name)
    }

    /// A distinct body.
    #[must_use]
    #[inline]
    pub fn body(&self, body: BodyId) -> Option<&Body> {
        self.bodies.get(body.index())
    }

    /// All distinct bodies, in the order of their numbers.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Origins with at least one capture of `/robots.txt`.
    #[must_use]
    pub fn num_origins(&self) -> usize {
        self.origins.len()
    }

    /// Captures taken in, those of redirect targets included.
    #[must_use]
    pub fn num_captures(&self) -> u64 {
        self.num_captures
    }

    /// Captures left out because their origin or URL is not an absolute http(s) one.
    #[must_use]
    pub fn num_captures_without_place(&self) -> u64 {
        self.num_captures_without_place
    }

    /// SHA-256 over all captures and bodies: the same for the same captures.
    #[must_use]
    pub fn fingerprint(&self) -> &[u8; 32] {
        &self.fingerprint
    }

    pub(super) fn origin(&self, origin: OriginId) -> Option<&Origin> {
        self.origins.get(usize::try_from(origin.0).ok()?)
    }

    /// The captures of a canonical URL.
    pub(super) fn captures_of_url(&self, url: &str) -> &[Capture] {
        match url.strip_suffix("/robots.txt").and_then(|origin| self.find(origin.as_bytes())) {
            Some(origin) => self.origin(origin).map_or(&[], |origin| &origin.captures),
            None => self.others.get(url).map_or(&[], Vec::as_slice),
        }
    }
}
