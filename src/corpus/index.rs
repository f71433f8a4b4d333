//! Origins by name: where one stands, or where many stand at once.
//!
//! Enters: canonical names. Leaves: places in SURT order. Cost: one hash and some two reads far apart for
//! one; for many at once the reads overlap, so that a wait for memory is shared. Size: eight octets for
//! each slot, two slots an origin. Must not know: captures' meaning.
//!
//! Origins stand in the order of their hashes, each at the slot that its hash points to or behind it, so that the
//! table is written from one end to the other. The hash is seeded with a number that follows from the digests of all
//! bodies: who serves one robots.txt cannot foresee which names will share a slot.

use twox_hash::XxHash3_64;

use super::captures::Places;
use super::files::{FilesError, Numbers, Table};
use super::{Corpus, OriginId};

/// Slots for each origin.
const SLOTS_PER_ORIGIN: u64 = 2;

/// A hash table from names to origins; the names themselves stand with the origins.
#[derive(Debug)]
pub(super) struct Index {
    /// Upper half: of the hash. Lower half: the origin's number and one; 0 is a free slot.
    table: Table,
    slot: Numbers<u64>,
    seed: u64,
    num_homes: u64,
}

/// The hash of a name in one corpus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameHash {
    pub(super) bits: u64,
    /// The shard whose range the name lies in.
    pub(super) part: u32,
}

/// What is kept from call to call when many names are looked up at once.
#[derive(Debug, Default)]
pub struct Lookups {
    hashes: Vec<NameHash>,
}

impl NameHash {
    /// The hash of `name` under `seed`.
    #[inline]
    pub(super) fn new(name: &[u8], seed: u64) -> Self {
        NameHash::from_bits(XxHash3_64::oneshot_with_seed(seed, name))
    }

    /// What names are sorted by in an index.
    pub(super) fn to_bits(self) -> u64 {
        self.bits
    }

    pub(super) fn from_bits(bits: u64) -> Self {
        NameHash { bits, part: 0 }
    }

    /// The slot where a name is looked for first, of `num_homes`.
    #[inline]
    pub(super) fn home(self, num_homes: u64) -> u64 {
        let product = u128::from(self.bits) * u128::from(num_homes);
        u64::try_from(product >> 64).unwrap_or(0)
    }

    /// A slot for the origin with this number.
    pub(super) fn slot(self, origin: u32) -> u64 {
        u64::from(self.tag()) << 32 | u64::from(origin.saturating_add(1))
    }

    /// The part of a hash that the home of a name does not follow from.
    #[inline]
    fn tag(self) -> u32 {
        u32::try_from(self.bits & u64::from(u32::MAX)).unwrap_or(0)
    }
}

/// Slots that an index of so many origins has homes for.
pub(super) fn num_homes(num_origins: u64) -> u64 {
    num_origins.saturating_mul(SLOTS_PER_ORIGIN)
}

impl Index {
    /// The table it is.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn new(table: Table, seed: u64, num_origins: u64) -> Result<Self, FilesError> {
        let slot = table.numbers(0)?;
        Ok(Index { table, slot, seed, num_homes: num_homes(num_origins) })
    }

    #[inline]
    pub(super) fn hash(&self, name: &[u8]) -> NameHash {
        NameHash::new(name, self.seed)
    }

    /// Origins whose names have this hash, or nearly; one as a rule.
    #[inline]
    pub(super) fn candidates(&self, hash: NameHash) -> impl Iterator<Item = OriginId> {
        let slots = hash.home(self.num_homes)..self.table.num_rows();
        let taken = slots.map_while(|slot| self.table.number(self.slot, slot));
        let taken = taken.take_while(|slot| *slot != 0);
        taken.filter(move |slot| slot >> 32 == u64::from(hash.tag())).filter_map(|slot| {
            let number = u32::try_from(slot & u64::from(u32::MAX)).ok()?;
            number.checked_sub(1).map(OriginId)
        })
    }

    #[inline]
    pub(super) fn find_hashed(
        &self,
        origins: &Places,
        name: &[u8],
        hash: NameHash,
    ) -> Option<OriginId> {
        self.candidates(hash).find(|id| origins.name(id.0) == Some(name))
    }
}

impl Lookups {
    /// The origins with the names that `names` gives, one for each, added to `found`.
    pub(super) fn find_all<'n>(
        &mut self,
        corpus: &Corpus,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        found: &mut Vec<Option<OriginId>>,
    ) {
        self.hashes.clear();
        self.hashes.extend(names.clone().map(|name| corpus.hash(name)));
        // What the next step reads is read here for all names before it is needed for the first.
        let hashes = self.hashes.iter();
        let likely = hashes.clone().map(|hash| corpus.likely(*hash));
        let first = found.len();
        found.extend(likely);
        let likely = found.get(first..).unwrap_or_default().iter().flatten();
        let fetched = likely.clone().map(|id| {
            let name = corpus.origin_octets(*id);
            name.first().map_or(0, |octet| usize::from(*octet)) ^ corpus.captures_of(*id).len()
        });
        std::hint::black_box(fetched.fold(0, |all, read| all ^ read));
        let fetched = likely.map(|id| corpus.captures_of(*id).last().is_some());
        std::hint::black_box(fetched.fold(false, |all, read| all ^ read));
        let found = found.get_mut(first..).unwrap_or_default();
        for ((found, name), hash) in found.iter_mut().zip(names).zip(hashes) {
            *found = corpus.find_hashed(*hash, name);
        }
    }
}
