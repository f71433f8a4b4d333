//! Origins by name: where one stands, or where many stand at once.
//!
//! Enters: canonical names. Leaves: places in SURT order. Cost: one hash and some two reads far apart for
//! one; for many at once the reads overlap, so that a wait for memory is shared. Memory: eight octets for
//! each place of a table at most half full. Must not know: captures' meaning.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

use super::OriginId;
use super::store::Origin;

/// A hash table from names to origins; the names themselves stand with the origins.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Upper half of the hash, and the origin's number and one; 0 is a free place. A power of two.
    places: Vec<(u32, u32)>,
    hasher: RandomState,
}

/// What is kept from call to call when many names are looked up at once.
#[derive(Debug, Default)]
pub struct Lookups {
    hashes: Vec<u64>,
}

impl Index {
    pub(super) fn new(origins: &[Origin]) -> Self {
        let len = (origins.len() * 2).next_power_of_two();
        let mut index = Index { places: vec![(0, 0); len], hasher: RandomState::default() };
        for (number, origin) in (1..).zip(origins) {
            let hash = index.hash(origin.name.as_bytes());
            let mut at = index.start(hash);
            while index.places.get(at).is_some_and(|place| place.1 != 0) {
                at = (at + 1) & (len - 1);
            }
            if let Some(place) = index.places.get_mut(at) {
                *place = (tag(hash), number);
            }
        }
        index
    }

    #[inline]
    fn hash(&self, name: &[u8]) -> u64 {
        self.hasher.hash_one(name)
    }

    #[inline]
    fn start(&self, hash: u64) -> usize {
        usize::try_from(hash & (self.places.len() as u64).wrapping_sub(1)).unwrap_or(0)
    }

    /// Origins whose names have this hash, or nearly; one as a rule.
    #[inline]
    fn candidates(&self, hash: u64) -> impl Iterator<Item = OriginId> {
        let start = self.start(hash);
        let (front, back) = self.places.split_at_checked(start).unwrap_or_default();
        let taken =
            back.iter().chain(front).map_while(|(tag, id)| Some((*tag, id.checked_sub(1)?)));
        taken.filter(move |(known, _)| *known == tag(hash)).map(|(_, id)| OriginId(id))
    }

    /// The origin named `name`.
    #[inline]
    pub(super) fn find(&self, origins: &[Origin], name: &[u8]) -> Option<OriginId> {
        self.find_hashed(origins, name, self.hash(name))
    }

    #[inline]
    fn find_hashed(&self, origins: &[Origin], name: &[u8], hash: u64) -> Option<OriginId> {
        self.candidates(hash)
            .find(|id| origin(origins, *id).is_some_and(|origin| origin.name.as_bytes() == name))
    }

    /// The origins with the names that `names` gives, one for each, added to `found`.
    pub(super) fn find_all<'n>(
        &self,
        origins: &[Origin],
        names: impl Iterator<Item = &'n [u8]> + Clone,
        lookups: &mut Lookups,
        found: &mut Vec<Option<OriginId>>,
    ) {
        lookups.hashes.clear();
        lookups.hashes.extend(names.clone().map(|name| self.hash(name)));
        // What the next step reads is read here for all names before it is needed for the first.
        let hashes = lookups.hashes.iter();
        let likely = hashes.clone().map(|hash| self.candidates(*hash).next());
        let first = found.len();
        found.extend(likely);
        let likely = found.get(first..).unwrap_or_default().iter().flatten();
        let likely = likely.filter_map(|id| origin(origins, *id));
        let fetched = likely.clone().map(|origin| origin.name.len() ^ origin.captures.len());
        std::hint::black_box(fetched.fold(0, |all, len| all ^ len));
        let fetched = likely.map(|origin| {
            let name = origin.name.as_bytes().first().copied().unwrap_or(0);
            name ^ u8::from(origin.captures.last().is_some_and(|last| last.body.is_some()))
        });
        std::hint::black_box(fetched.fold(0, |all, octet| all ^ octet));
        let found = found.get_mut(first..).unwrap_or_default();
        for ((found, name), hash) in found.iter_mut().zip(names).zip(hashes) {
            *found = self.find_hashed(origins, name, *hash);
        }
    }
}

#[inline]
fn origin(origins: &[Origin], id: OriginId) -> Option<&Origin> {
    origins.get(usize::try_from(id.0).ok()?)
}

/// The part of a hash that the place of a name does not follow from.
#[inline]
fn tag(hash: u64) -> u32 {
    u32::try_from(hash >> 32).unwrap_or(0)
}
