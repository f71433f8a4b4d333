//! Distinct bodies, numbered as they come in.
//!
//! Enters: bodies from several threads. Leaves: a number for each, the same for the same octets, and the text and digest
//! of a number. Two bodies are one when their octets are, or their SHA-256 where the text of the first is no
//! longer at hand. Memory: some fifty octets for each distinct body, and the texts that were kept for comparison, until they
//! are compiled; with a folder all texts are compressed into a file. Must not know: captures.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasher;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use super::texts::Texts;
use crate::corpus::frames;

/// Maps that are locked each by itself, so that threads rarely wait for each other.
const NUM_SHARDS: usize = 64;

/// Octets that a text at hand takes besides its own, roughly: its place in a map and what allocating it adds.
const KEEPING: usize = 80;

/// SHA-256 of a body.
pub(super) type BodyDigest = [u8; 32];

/// Bodies seen so far.
#[derive(Debug)]
pub(super) struct Bodies {
    recent: Vec<Mutex<Recent>>,
    by_digest: Vec<Mutex<HashMap<[u8; 16], u32, RandomState>>>,
    texts: Mutex<Texts>,
    compressed: bool,
    hasher: RandomState,
    /// Octets of texts, with what keeping each costs, that each of `recent` may hold.
    most_recent: usize,
}

/// Bodies whose text is at hand.
#[derive(Debug, Default)]
struct Recent {
    bodies: HashMap<u64, (u32, Arc<[u8]>), RandomState>,
    octets: usize,
}

impl Bodies {
    /// With texts in `texts`, of which `memory` octets are kept for comparison.
    pub(super) fn new(texts: Texts, memory: usize) -> Self {
        Bodies {
            recent: (0..NUM_SHARDS).map(|_| Mutex::default()).collect(),
            by_digest: (0..NUM_SHARDS).map(|_| Mutex::default()).collect(),
            compressed: texts.are_compressed(),
            texts: Mutex::new(texts),
            hasher: RandomState::default(),
            most_recent: memory / NUM_SHARDS,
        }
    }

    /// The number of a body, a new one where it was not seen before.
    pub(super) fn number(&self, body: &[u8]) -> io::Result<u32> {
        let hash = self.hasher.hash_one(body);
        let recent = shard(&self.recent, hash);
        if let Some((number, text)) = lock(recent).bodies.get(&hash)
            && **text == *body
        {
            return Ok(*number);
        }
        let digest: BodyDigest = Sha256::digest(body).into();
        let text: Arc<[u8]> = body.into();
        let number = self.number_of(&digest, &text)?;
        let mut recent = lock(recent);
        let octets = recent.octets.saturating_add(text.len()).saturating_add(KEEPING);
        if octets <= self.most_recent {
            recent.octets = octets;
            recent.bodies.insert(hash, (number, text));
        }
        Ok(number)
    }

    fn number_of(&self, digest: &BodyDigest, text: &Arc<[u8]>) -> io::Result<u32> {
        let mut known = lock(shard(&self.by_digest, u64::from(digest[16])));
        match known.entry(key(digest)) {
            Entry::Occupied(known) => Ok(*known.get()),
            Entry::Vacant(new) => {
                // Compressing takes long; only the appending waits for all other threads.
                let push = |frame: &[u8]| lock(&self.texts).push(digest, text, frame);
                let number = match self.compressed {
                    true => frames::compressed(text, push)?,
                    false => push(&[])?,
                };
                Ok(*new.insert(number))
            }
        }
    }

    /// A body of an earlier build that is taken up again has this number.
    pub(super) fn restore(&self, digest: &BodyDigest, number: u32) {
        lock(shard(&self.by_digest, u64::from(digest[16]))).insert(key(digest), number);
    }

    /// All texts of numbers given so far survive the process; gives how many there are.
    pub(super) fn flush(&self) -> io::Result<u32> {
        let mut texts = lock(&self.texts);
        texts.flush()?;
        Ok(texts.len())
    }

    /// The texts, when no more bodies come. Those that were kept for comparison stay at hand: they are compiled next.
    pub(super) fn into_texts(self) -> io::Result<Texts> {
        let mut texts = self.texts.into_inner().unwrap_or_else(PoisonError::into_inner);
        drop(self.by_digest);
        texts.end()?;
        for recent in self.recent {
            let recent = recent.into_inner().unwrap_or_else(PoisonError::into_inner);
            for (number, text) in recent.bodies.into_values() {
                texts.put_at_hand(number, text);
            }
        }
        Ok(texts)
    }
}

/// Half of a digest: to make two bodies share it takes some 2⁶⁴ hashes of bodies that are then worth nothing elsewhere.
fn key(digest: &BodyDigest) -> [u8; 16] {
    digest.first_chunk().copied().unwrap_or_default()
}

fn shard<T>(shards: &[T], hash: u64) -> &T {
    // Never empty, and the remainder is below its length.
    &shards[usize::try_from(hash % NUM_SHARDS as u64).unwrap_or(0)]
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
