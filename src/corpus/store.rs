//! The corpus: origins in SURT order, their captures, and distinct bodies compiled once, in tables on the heap or mapped.
//!
//! Enters: tables as `format` says, of one folder or of several shards. Leaves: origins by name, programs by number. Cost of opening:
//! some octets for each batch of rows. What a mapped file gives may be damaged: reads then give nothing, and [`Corpus::check`] says
//! so. Must not know: rows.

use super::captures::Captures;
use super::files::Damage;
use super::index::{Lookups, NameHash};
use super::part::Part;
use super::shards::Shards;
use super::targets::Merged;
use super::{Capture, CorpusError, Facts};
use crate::compile::ProgramRef;

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

    /// Its place among all bodies.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Captures, compiled. See the module's head.
#[derive(Debug)]
pub struct Corpus {
    /// All of it, or its first shard.
    pub(super) head: Part,
    /// What there is besides where it has shards.
    pub(super) shards: Option<Box<Shards>>,
    pub(super) facts: Facts,
    pub(super) damage: Damage,
}

impl Corpus {
    /// What was written down about it when it was built.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// To be asked after reading and before what was read is used for good: whether all of it was as it had been written.
    ///
    /// # Errors
    /// The first damage that was met: file, offset.
    pub fn check(&self) -> Result<(), CorpusError> {
        self.damage.check().map_err(CorpusError::files)
    }

    /// The origin with this canonical name.
    #[must_use]
    #[inline]
    pub fn find(&self, origin: &[u8]) -> Option<OriginId> {
        self.find_hashed(self.hash(origin), origin)
    }

    /// As [`Corpus::find`] for each of `names`; what it gives is added to `found`. The processor waits
    /// for the memory of many names together, which is faster than for one after the other.
    pub fn find_all<'n>(
        &self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        lookups: &mut Lookups,
        found: &mut Vec<Option<OriginId>>,
    ) {
        lookups.find_all(self, names, found);
    }

    /// The first step of a look-up in three, for who takes each step for many names: then the
    /// processor waits for the memory of all of them together.
    #[must_use]
    #[inline]
    pub fn hash(&self, origin: &[u8]) -> NameHash {
        match &self.shards {
            None => self.head.index.hash(origin),
            Some(shards) => shards.hash(&self.head, origin),
        }
    }

    /// The second step: the origin whose name likely has this hash.
    #[must_use]
    #[inline]
    pub fn likely(&self, hash: NameHash) -> Option<OriginId> {
        match &self.shards {
            None => self.head.index.candidates(hash).next(),
            Some(shards) => shards.likely(&self.head, hash),
        }
    }

    /// The third step: as [`Corpus::find`] where `hash` is that of `origin`.
    #[must_use]
    #[inline]
    pub fn find_hashed(&self, hash: NameHash, origin: &[u8]) -> Option<OriginId> {
        match &self.shards {
            None => self.head.index.find_hashed(&self.head.origins, origin, hash),
            Some(shards) => shards.find_hashed(&self.head, hash, origin),
        }
    }

    /// All origins, in SURT order.
    pub fn origins(&self) -> impl Iterator<Item = OriginId> + use<> {
        (0..).take(self.num_origins()).map(OriginId)
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
        std::str::from_utf8(self.origin_octets(origin)).unwrap_or_default()
    }

    /// An origin's canonical name, as octets.
    #[must_use]
    #[inline]
    pub fn origin_octets(&self, origin: OriginId) -> &[u8] {
        self.name(origin).unwrap_or_default()
    }

    /// An origin's canonical name; `None` past the last one.
    #[inline]
    fn name(&self, origin: OriginId) -> Option<&[u8]> {
        let (part, row) = self.place_of(origin);
        part.origins.name(row)
    }

    /// The numbers of all distinct bodies.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..).take(self.num_bodies()).map(BodyId)
    }

    /// The compiled rules of a body, in the dialect that the corpus is asked in.
    #[must_use]
    #[inline]
    pub fn program(&self, body: BodyId) -> Option<ProgramRef<'_>> {
        let (part, row) = self.place_of_body(body)?;
        part.bodies.program(row)
    }

    /// The text of a body as it came, all of it.
    ///
    /// # Errors
    /// A corpus that was built without texts, and a damaged one.
    pub fn text(&self, body: BodyId) -> Result<Vec<u8>, CorpusError> {
        let text = self.place_of_body(body).map(|(part, row)| part.text(row));
        self.check()?;
        text.unwrap_or_else(|| Err(CorpusError::plain(format!("there is no body {}", body.0))))
    }

    /// Octets of a body's text, and how many origins serve it themselves: those that redirect to it are not counted.
    #[must_use]
    pub fn body_facts(&self, body: BodyId) -> Option<(u64, u64)> {
        let (part, row) = self.known_place_of_body(body)?;
        let (len, num_origins) = part.bodies.facts(row)?;
        let shards = self.shards.as_ref();
        Some((len, shards.map_or(Some(num_origins), |shards| shards.bodies.num_origins(body))?))
    }

    /// The names of the sources that captures came from, by number; none in memory.
    ///
    /// # Errors
    /// A damaged corpus.
    pub fn source_names(&self) -> Result<Vec<String>, CorpusError> {
        let mut names = Vec::new();
        for part in self.parts() {
            // Shards may all be of the same sources, or each of its own.
            let first = usize::try_from(part.capture_table.first_source()).unwrap_or(0);
            if first == names.len() {
                part.add_source_names(&mut names);
            }
        }
        self.check().map(|()| names)
    }

    /// The captures of an origin, oldest first.
    pub fn captures(&self, origin: OriginId) -> impl DoubleEndedIterator<Item = Capture<'_>> {
        self.captures_of(origin).iter()
    }

    /// Captured URLs other than `/robots.txt`, in the order of their octets, with their captures, oldest first. What a shard
    /// holds of others is left out.
    pub fn targets(
        &self,
    ) -> impl Iterator<Item = (&[u8], impl DoubleEndedIterator<Item = Capture<'_>>)> {
        Merged::new(self.parts()).map(|target| (target.url, target.captures.iter()))
    }

    /// SHA-256 of all octets of a body.
    #[must_use]
    pub fn digest(&self, body: BodyId) -> Option<&[u8; 32]> {
        let (part, row) = self.known_place_of_body(body)?;
        part.bodies.digest(row)
    }

    /// Number of distinct bodies.
    #[must_use]
    pub fn num_bodies(&self) -> usize {
        let shards = self.shards.as_ref();
        let num = shards.map_or_else(|| self.head.bodies.len(), |shards| shards.bodies.len());
        usize::try_from(num).unwrap_or(usize::MAX)
    }

    /// Origins with at least one capture of `/robots.txt`.
    #[must_use]
    pub fn num_origins(&self) -> usize {
        let num: u64 = self.parts().map(|part| part.origins.len()).sum();
        usize::try_from(num).unwrap_or(usize::MAX)
    }

    /// How many shards it has; `None` where it is one folder.
    #[must_use]
    pub fn num_shards(&self) -> Option<usize> {
        self.shards.as_ref().map(|_| self.parts().count())
    }

    /// Blocks of its files that were read so far, those of checksums too: what answering has cost. None in memory.
    ///
    /// # Complexity
    /// Linear in all blocks, a bit each.
    #[must_use]
    pub fn num_blocks_read(&self) -> u64 {
        let of_shards = self.shards.as_ref().map_or(0, |shards| shards.bodies.num_blocks_read());
        of_shards + self.parts().map(Part::num_blocks_read).sum::<u64>()
    }

    /// Its shards, or all of it.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        let others = self.shards.iter().flat_map(|shards| shards.others.iter());
        std::iter::once(&self.head).chain(others)
    }

    /// The number of the body that has this row in a shard, and how many origins serve it; `None` where an earlier shard has it too.
    pub(super) fn first_of_shard(&self, part: u32, row: u32) -> Option<(BodyId, u64)> {
        let bodies = &self.shards.as_ref()?.bodies;
        let body = bodies.first_of_shard(part, row)?;
        Some((body, bodies.num_origins(body)?))
    }

    /// The captures of an origin, oldest first.
    #[inline]
    pub(super) fn captures_of(&self, origin: OriginId) -> Captures<'_> {
        let (part, row) = self.place_of(origin);
        part.captures_of(row)
    }

    /// The captures of the canonical URL that `capture` redirects to; `None` where there are none.
    pub(super) fn captures_of_redirect(&self, capture: &Capture<'_>) -> Option<Captures<'_>> {
        let url = capture.redirect()?;
        match &self.shards {
            None => self.head.captures_of_url(url),
            Some(shards) => shards.captures_of_url(&self.head, url, capture.part()),
        }
    }

    /// The shard of an origin, and its row there.
    #[inline]
    fn place_of(&self, origin: OriginId) -> (&Part, u32) {
        match &self.shards {
            None => (&self.head, origin.0),
            Some(shards) => shards.place_of(&self.head, origin),
        }
    }

    /// The first shard that has a body, and its row there. That there is no such body is damage.
    #[inline]
    fn place_of_body(&self, body: BodyId) -> Option<(&Part, u32)> {
        match &self.shards {
            None => Some((&self.head, body.0)),
            Some(shards) => shards.place_of_body(&self.head, body),
        }
    }

    /// As [`Corpus::place_of_body`], where asking for one past the last is no damage.
    fn known_place_of_body(&self, body: BodyId) -> Option<(&Part, u32)> {
        (body.index() < self.num_bodies()).then(|| self.place_of_body(body))?
    }
}
