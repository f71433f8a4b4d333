//! Origins by name: where one stands, or where many stand at once.
//!
//! Enters: canonical names. Leaves: places in SURT order. Cost: one hash and some two reads far apart for
//! one; for many at once the reads overlap, so that a wait for memory is shared. Memory: eight octets for
//! each place of a table at most half full. Must not know: captures' meaning.

use foldhash::fast::RandomState;
use std::hash::BuildHasher;

use super::lists::Lists;
use super::{Corpus, OriginId};

/// A hash table from names to origins; the names themselves stand with the origins.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// Upper half of the hash, and the origin's number and one; 0 is a free place. A power of two.
    places: Vec<(u32, u32)>,
    hasher: RandomState,
}

/// The hash of a name in one corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameHash(u64);

/// What is kept from call to call when many names are looked up at once.
#[derive(Debug, Default)]
pub struct Lookups {
    hashes: Vec<NameHash>,
}

impl Index {
    pub(super) fn new(names: &Lists<u8>) -> Self {
        let len = (names.len() * 2).next_power_of_two();
        let mut index = Index { places: vec![(0, 0); len], hasher: RandomState::default() };
        for (number, name) in (1..).zip(names.iter()) {
            let hash = index.hash(name);
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
    pub(super) fn hash(&self, name: &[u8]) -> NameHash {
        NameHash(self.hasher.hash_one(name))
    }

    #[inline]
    fn start(&self, hash: NameHash) -> usize {
        usize::try_from(hash.0 & (self.places.len() as u64).wrapping_sub(1)).unwrap_or(0)
    }

    /// Origins whose names have this hash, or nearly; one as a rule.
    #[inline]
    pub(super) fn candidates(&self, hash: NameHash) -> impl Iterator<Item = OriginId> {
        let start = self.start(hash);
        let (front, back) = self.places.split_at_checked(start).unwrap_or_default();
        let taken =
            back.iter().chain(front).map_while(|(tag, id)| Some((*tag, id.checked_sub(1)?)));
        taken.filter(move |(known, _)| *known == tag(hash)).map(|(_, id)| OriginId(id))
    }

    /// The origin named `name`.
    #[inline]
    pub(super) fn find(&self, names: &Lists<u8>, name: &[u8]) -> Option<OriginId> {
        self.find_hashed(names, name, self.hash(name))
    }

    #[inline]
    pub(super) fn find_hashed(
        &self,
        names: &Lists<u8>,
        name: &[u8],
        hash: NameHash,
    ) -> Option<OriginId> {
        self.candidates(hash).find(|id| names.get(id.index()) == Some(name))
    }

    /// The origins with the names that `names` gives, one for each, added to `found`.
    pub(super) fn find_all<'n>(
        &self,
        corpus: &Corpus,
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
        let likely = likely.map(|id| (corpus.names.get(id.index()), corpus.captures(*id)));
        let fetched =
            likely.clone().map(|(name, captures)| name.map_or(0, <[u8]>::len) ^ captures.len());
        std::hint::black_box(fetched.fold(0, |all, len| all ^ len));
        let fetched = likely.map(|(name, captures)| {
            let name = name.and_then(|name| name.first()).copied().unwrap_or(0);
            name ^ u8::from(captures.last().is_some_and(|last| last.body.is_some()))
        });
        std::hint::black_box(fetched.fold(0, |all, octet| all ^ octet));
        let found = found.get_mut(first..).unwrap_or_default();
        for ((found, name), hash) in found.iter_mut().zip(names).zip(hashes) {
            *found = self.find_hashed(&corpus.names, name, *hash);
        }
    }
}

/// The part of a hash that the place of a name does not follow from.
#[inline]
fn tag(hash: NameHash) -> u32 {
    u32::try_from(hash.0 >> 32).unwrap_or(0)
}
