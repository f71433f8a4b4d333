//! A corpus of shards: folders that each hold the origins of one range of the SURT order, asked as one.
//!
//! ```text
//! ROOT/shard-00000, shard-00001 …  ─settle─▶ ROOT/numbers.arrow, bodies.arrow, manifest.json
//! ROOT                             ─open───▶ Shards, beside the first shard's tables
//! ```
//!
//! Enters: shards. Leaves: which of them has an origin or a body, and the numbers that bodies have in all of them together. Cost: a
//! search among the bounds of the shards for a name, a read or two more for a body. Must not know: policies, rows.

mod bodies;
mod entries;
mod numbering;
mod open;
mod ranges;
mod settle;
mod tables;

use std::sync::Arc;

pub(super) use bodies::PartBodies;
use bodies::ShardBodies;
pub(super) use entries::is_unsettled;
pub(super) use open::{folders, open};
use ranges::Ranges;
pub use settle::{ShardsReport, settle_shards};

use super::captures::Captures;
use super::index::NameHash;
use super::part::Part;
use super::{BodyId, OriginId};
use crate::text::origin;

/// What a corpus of shards has besides its first one.
#[derive(Debug)]
pub(super) struct Shards {
    pub(super) others: Vec<Part>,
    pub(super) bodies: Arc<ShardBodies>,
    /// The number of the first origin of each shard, or of the one that would be.
    first_origins: Vec<u32>,
    ranges: Ranges,
}

// Kept out of the way of a corpus that is one folder, which asks whether there are shards for every row.
impl Shards {
    /// As [`Corpus::hash`](super::Corpus::hash).
    #[cold]
    #[inline(never)]
    pub(super) fn hash(&self, head: &Part, origin: &[u8]) -> NameHash {
        let part = self.ranges.of_origin(origin);
        NameHash { part, ..self.part(head, part).index.hash(origin) }
    }

    /// As [`Corpus::likely`](super::Corpus::likely).
    #[cold]
    #[inline(never)]
    pub(super) fn likely(&self, head: &Part, hash: NameHash) -> Option<OriginId> {
        let row = self.part(head, hash.part).index.candidates(hash).next()?;
        self.origin(hash.part, row)
    }

    /// As [`Corpus::find_hashed`](super::Corpus::find_hashed).
    #[cold]
    #[inline(never)]
    pub(super) fn find_hashed(
        &self,
        head: &Part,
        hash: NameHash,
        origin: &[u8],
    ) -> Option<OriginId> {
        let part = self.part(head, hash.part);
        let row = part.index.find_hashed(&part.origins, origin, hash)?;
        self.origin(hash.part, row)
    }

    /// The captures of a canonical URL, of the shard whose range it lies in, or else those that shard `own` holds of it. A shard that
    /// is asked alone has only its own; asked together, what one of them lacks is no matter.
    pub(super) fn captures_of_url<'c>(
        &'c self,
        head: &'c Part,
        url: &str,
        own: u32,
    ) -> Option<Captures<'c>> {
        let rest = origin::split(url.as_bytes()).map_or(0, |parts| parts.rest.len());
        let name = url.len().checked_sub(rest).and_then(|len| url.get(..len));
        let home = self.ranges.of_origin(name.unwrap_or_default().as_bytes());
        let found = self.part(head, home).captures_of_url(url);
        found.or_else(|| self.part(head, own).captures_of_url(url))
    }

    /// The shard of an origin, and its row there.
    #[cold]
    #[inline(never)]
    pub(super) fn place_of<'c>(&'c self, head: &'c Part, origin: OriginId) -> (&'c Part, u32) {
        let (part, row) = bodies::place(&self.first_origins, origin.0);
        (self.part(head, part), row)
    }

    /// The first shard that has a body, and its row there.
    #[cold]
    #[inline(never)]
    pub(super) fn place_of_body<'c>(
        &'c self,
        head: &'c Part,
        body: BodyId,
    ) -> Option<(&'c Part, u32)> {
        let (part, row) = self.bodies.place(body)?;
        Some((self.part(head, part), row))
    }

    /// The shard with this number.
    fn part<'c>(&'c self, head: &'c Part, part: u32) -> &'c Part {
        let other = usize::try_from(part).ok().and_then(|part| part.checked_sub(1));
        other.and_then(|other| self.others.get(other)).unwrap_or(head)
    }

    /// The number of the origin that has this row in a shard.
    fn origin(&self, part: u32, row: OriginId) -> Option<OriginId> {
        let first = self.first_origins.get(usize::try_from(part).ok()?)?;
        first.checked_add(row.0).map(OriginId)
    }
}
