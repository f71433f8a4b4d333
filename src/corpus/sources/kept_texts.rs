//! Texts of a corpus that were read last, so that a body of many captures is decompressed once, or nearly.
//!
//! Enters: numbers of bodies in the order of captures. Leaves: their texts. Memory: two generations of texts; those asked for since
//! the older one was begun are among them. Must not know: who asks.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use crate::corpus::{BodyId, Corpus, CorpusError};

/// Octets of texts that make a generation, unless one text alone has more: some thousands of usual ones.
const MOST_OCTETS: usize = 16 << 20;

/// Texts at hand.
pub(super) struct KeptTexts<'c> {
    corpus: &'c Corpus,
    young: HashMap<BodyId, Vec<u8>, RandomState>,
    old: HashMap<BodyId, Vec<u8>, RandomState>,
    /// Octets of the young ones.
    octets: usize,
}

impl<'c> KeptTexts<'c> {
    pub(super) fn new(corpus: &'c Corpus) -> Self {
        let (young, old) = (HashMap::default(), HashMap::default());
        KeptTexts { corpus, young, old, octets: 0 }
    }

    /// The text of a body.
    ///
    /// # Errors
    /// Those of [`Corpus::text`].
    pub(super) fn get(&mut self, body: BodyId) -> Result<&[u8], CorpusError> {
        if self.octets > MOST_OCTETS {
            self.old = std::mem::take(&mut self.young);
            self.octets = 0;
        }
        match self.young.entry(body) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let text = match self.old.remove(&body) {
                    Some(text) => text,
                    None => self.corpus.text(body)?,
                };
                self.octets = self.octets.saturating_add(text.len());
                Ok(place.insert(text))
            }
        }
    }
}
