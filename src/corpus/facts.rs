//! What is known of a corpus as a whole.

use crate::compile::{BodyLimit, Wanted};
use crate::parse::Dialect;

/// Written down when a corpus is built.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The dialects that bodies were compiled for.
    pub dialects: Vec<Dialect>,
    /// How many octets of a body were read.
    pub limit: BodyLimit,
    /// The names that programs answer for.
    pub wanted: Wanted,
    /// Whether the texts of bodies were kept.
    pub has_texts: bool,
    /// What the hashes of its index are seeded with.
    pub(super) seed: u64,
    /// SHA-256 over all captures and bodies: the same for the same captures.
    pub fingerprint: [u8; 32],
    /// What came in and what became of it.
    pub counts: Counts,
}

/// What came into a corpus and what became of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Captures taken in, those of redirect targets included.
    pub captures: u64,
    /// Captures left out because their origin or URL is not an absolute http(s) one.
    pub without_place: u64,
    /// Captures without a status: they count as 200 where they have a body.
    pub without_status: u64,
    /// Records that refer to another one for their body …
    pub revisits: u64,
    /// … and those among them whose other one is not there.
    pub revisits_unresolved: u64,
}

impl Facts {
    /// Of a corpus just built.
    pub(super) fn new(
        dialects: Vec<Dialect>,
        limit: BodyLimit,
        wanted: Wanted,
        has_texts: bool,
        built: Built,
    ) -> Self {
        let Built { seed, fingerprint, counts } = built;
        Facts { dialects, limit, wanted, has_texts, seed, fingerprint, counts }
    }
}

impl Counts {
    /// Adds those of another part.
    pub(super) fn add(&mut self, other: &Counts) {
        self.captures += other.captures;
        self.without_place += other.without_place;
        self.without_status += other.without_status;
        self.revisits += other.revisits;
        self.revisits_unresolved += other.revisits_unresolved;
    }
}

/// What building came to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Built {
    pub(super) seed: u64,
    pub(super) fingerprint: [u8; 32],
    pub(super) counts: Counts,
}
