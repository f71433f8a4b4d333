//! What is known of a corpus as a whole, and how a manifest says it.
//!
//! Enters: what building came to, or settings and counts of a manifest. Leaves: [`Facts`], or those settings and counts. Must not
//! know: files, tables.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::hex;
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
    /// Captures taken in, those of redirect targets included, imported ones not.
    pub captures: u64,
    /// Captures of other shards ([`Place::Imported`](super::Place::Imported)); the counts below leave them out.
    pub imported: u64,
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

impl Facts {
    /// As they stand in a manifest; `None` where something is missing.
    pub(super) fn of_settings(
        settings: &Map<String, Value>,
        counts: &BTreeMap<String, u64>,
    ) -> Option<Facts> {
        let text = |name: &str| settings.get(name)?.as_str();
        let dialects = settings.get("dialects")?.as_array()?.iter();
        let dialects =
            dialects.map(|name| Dialect::named(name.as_str()?)).collect::<Option<_>>()?;
        let limit = settings.get("body_limit")?.as_u64()?;
        let count = |name: &str| counts.get(name).copied();
        Some(Facts {
            dialects,
            limit: BodyLimit::new(usize::try_from(limit).ok()?),
            wanted: Wanted::All,
            has_texts: settings.get("texts")?.as_bool()?,
            seed: u64::from_str_radix(text("index_seed")?, 16).ok()?,
            fingerprint: read_fingerprint(text("fingerprint")?)?,
            counts: Counts {
                captures: count("captures")?,
                imported: count("captures_imported").unwrap_or(0),
                without_place: count("captures_without_place")?,
                without_status: count("captures_without_status")?,
                revisits: count("revisits")?,
                revisits_unresolved: count("revisits_unresolved")?,
            },
        })
    }

    /// The settings that [`Facts::of_settings`] reads.
    pub(super) fn settings(&self) -> Vec<(&'static str, Value)> {
        let dialects: Vec<&str> = self.dialects.iter().map(|dialect| dialect.name).collect();
        vec![
            ("dialects", json!(dialects)),
            ("body_limit", json!(self.limit.octets())),
            ("texts", json!(self.has_texts)),
            ("fingerprint", json!(hex(&self.fingerprint))),
            ("index_seed", json!(format!("{:016x}", self.seed))),
        ]
    }
}

/// A fingerprint from its hexadecimal digits, as many of them as there are.
pub(super) fn read_fingerprint(text: &str) -> Option<[u8; 32]> {
    let mut fingerprint = [0; 32];
    let digits = text.as_bytes().as_chunks::<2>().0;
    for (octet, digits) in fingerprint.iter_mut().zip(digits) {
        *octet = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(fingerprint)
}

impl Counts {
    /// Whether revisits may be among the captures: of imported ones it is not counted how many are.
    pub(super) fn may_have_revisits(&self) -> bool {
        self.revisits > 0 || self.imported > 0
    }

    /// The counts that [`Facts::of_settings`] reads.
    pub(super) fn named(&self) -> Vec<(&'static str, u64)> {
        let mut named = vec![
            ("captures", self.captures),
            ("captures_without_place", self.without_place),
            ("captures_without_status", self.without_status),
            ("revisits", self.revisits),
            ("revisits_unresolved", self.revisits_unresolved),
        ];
        // Only shards have some.
        if self.imported > 0 {
            named.push(("captures_imported", self.imported));
        }
        named
    }

    /// Adds those of another part.
    pub(super) fn add(&mut self, other: &Counts) {
        self.captures += other.captures;
        self.imported += other.imported;
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
