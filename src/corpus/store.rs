//! The corpus in memory: origins in SURT order, their captures, and distinct bodies compiled once.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::Capture;
use super::index::{Index, Lookups, NameHash};
use super::lists::Lists;
use crate::compile::{Program, Wanted};

/// An origin of a corpus: its place in SURT order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginId(pub(super) u32);

/// Origins that are compared by name before the index is asked.
const ORIGINS_AHEAD: usize = 2;

/// A distinct body, numbered in the order of the first origin that serves it. Below 2³¹.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl OriginId {
    /// Its number, from 0.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl BodyId {
    /// The body with this number.
    #[must_use]
    pub fn new(number: u32) -> Self {
        BodyId(number)
    }

    /// The number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    /// Its place among [`Corpus::bodies`].
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
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
    /// Canonical names of origins.
    pub(super) names: Lists<u8>,
    /// Captures of `/robots.txt` by origin, oldest first.
    pub(super) captures: Lists<Capture>,
    pub(super) index: Index,
    /// Captures of URLs other than `/robots.txt`: redirect targets, by canonical URL.
    pub(super) others: HashMap<Box<str>, Vec<Capture>, RandomState>,
    pub(super) bodies: Vec<Body>,
    pub(super) wanted: Wanted,
    pub(super) num_captures: u64,
    pub(super) num_captures_without_place: u64,
    pub(super) fingerprint: [u8; 32],
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
        self.index.find(&self.names, origin)
    }

    /// As [`Corpus::find`] for each of `names`; what it gives is added to `found`. The processor waits
    /// for the memory of many names together, which is faster than for one after the other.
    pub fn find_all<'n>(
        &self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        lookups: &mut Lookups,
        found: &mut Vec<Option<OriginId>>,
    ) {
        self.index.find_all(self, names, lookups, found);
    }

    /// The first step of a look-up in three, for who takes each step for many names: then the
    /// processor waits for the memory of all of them together.
    #[must_use]
    #[inline]
    pub fn hash(&self, origin: &[u8]) -> NameHash {
        self.index.hash(origin)
    }

    /// The second step: the origin whose name likely has this hash.
    #[must_use]
    #[inline]
    pub fn likely(&self, hash: NameHash) -> Option<OriginId> {
        self.index.candidates(hash).next()
    }

    /// The third step: as [`Corpus::find`] where `hash` is that of `origin`.
    #[must_use]
    #[inline]
    pub fn find_hashed(&self, hash: NameHash, origin: &[u8]) -> Option<OriginId> {
        self.index.find_hashed(&self.names, origin, hash)
    }

    /// All origins, in SURT order.
    pub fn origins(&self) -> impl Iterator<Item = OriginId> + use<> {
        (0..).take(self.names.len()).map(OriginId)
    }

    /// As [`Corpus::find`], where the origin likely stands soon after `last`: rows come sorted as
    /// crawl indexes are.
    #[must_use]
    #[inline]
    pub fn find_after(&self, last: Option<OriginId>, origin: &[u8]) -> Option<OriginId> {
        let next = last.map_or(0, |last| last.0.saturating_add(1));
        let mut soon = (next..).take(ORIGINS_AHEAD).map(OriginId);
        soon.find(|id| self.name(*id) == Some(origin)).or_else(|| self.find(origin))
    }

    /// An origin's canonical name.
    #[must_use]
    pub fn origin_name(&self, origin: OriginId) -> &str {
        self.name(origin).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default()
    }

    /// An origin's canonical name, as octets.
    #[must_use]
    #[inline]
    pub fn origin_octets(&self, origin: OriginId) -> &[u8] {
        self.name(origin).unwrap_or_default()
    }

    /// The numbers of all distinct bodies.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..).take(self.bodies.len()).map(BodyId)
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
        self.names.len()
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

    #[inline]
    fn name(&self, origin: OriginId) -> Option<&[u8]> {
        self.names.get(origin.index())
    }

    /// The captures of an origin, oldest first.
    #[inline]
    pub(super) fn captures(&self, origin: OriginId) -> &[Capture] {
        self.captures.get(origin.index()).unwrap_or_default()
    }

    /// The captures of a canonical URL.
    pub(super) fn captures_of_url(&self, url: &str) -> &[Capture] {
        match url.strip_suffix("/robots.txt").and_then(|origin| self.find(origin.as_bytes())) {
            Some(origin) => self.captures(origin),
            None => self.others.get(url).map_or(&[], Vec::as_slice),
        }
    }
}
