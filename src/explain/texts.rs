//! Texts of bodies, for corpora that keep none: what a caller has at hand, or reads again.
//!
//! Enters: captures on their way into a corpus in memory. Leaves: texts by digest. Cost: one SHA-256 and one copy for each
//! body that is kept. Must not know: which of them will be asked for.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::corpus::{CaptureSink, CorpusBuilder, CorpusError, Place, RawCapture};
use crate::text::origin::Origin;

/// Texts by their SHA-256.
#[derive(Clone, Debug, Default)]
pub struct KnownTexts(HashMap<[u8; 32], Vec<u8>>);

impl KnownTexts {
    /// Keeps a text.
    pub fn add(&mut self, text: Vec<u8>) {
        self.0.insert(Sha256::digest(&text).into(), text);
    }

    /// The text with this digest.
    #[must_use]
    pub fn get(&self, digest: &[u8; 32]) -> Option<&[u8]> {
        self.0.get(digest).map(Vec::as_slice)
    }
}

/// Hands captures on to a builder and keeps the bodies that some origins served.
#[derive(Debug)]
pub struct Keeping<'b> {
    builder: &'b mut CorpusBuilder,
    origins: Vec<String>,
    texts: KnownTexts,
}

impl<'b> Keeping<'b> {
    /// Keeps what these canonical `origins` served.
    #[must_use]
    pub fn new(builder: &'b mut CorpusBuilder, origins: Vec<String>) -> Self {
        Keeping { builder, origins, texts: KnownTexts::default() }
    }

    /// What was kept.
    #[must_use]
    pub fn into_texts(self) -> KnownTexts {
        self.texts
    }
}

impl CaptureSink for Keeping<'_> {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        let (Place::Origin(place) | Place::Url(place) | Place::Imported(place)) = &capture.place;
        let origin = Origin::parse(place);
        let is_wanted =
            origin.is_some_and(|o| self.origins.iter().any(|known| known == o.as_str()));
        if let Some(body) = capture.body.as_ref().filter(|_| is_wanted) {
            self.texts.add(body.clone());
        }
        self.builder.add(capture)
    }

    fn num_without_status(&self) -> u64 {
        self.builder.num_without_status()
    }
}

/// Looks for the one body with a digest, whoever served it: a redirect may have led anywhere.
#[derive(Clone, Debug)]
pub struct Finding {
    digest: [u8; 32],
    len: u64,
    found: Option<Vec<u8>>,
}

impl Finding {
    /// Looks for the body of `len` octets with this SHA-256.
    #[must_use]
    pub fn new(digest: [u8; 32], len: u64) -> Self {
        Finding { digest, len, found: None }
    }

    /// What was found.
    #[must_use]
    pub fn into_found(self) -> Option<Vec<u8>> {
        self.found
    }
}

impl CaptureSink for Finding {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        let body =
            capture.body.filter(|body| self.found.is_none() && body.len() as u64 == self.len);
        self.found = self
            .found
            .take()
            .or(body.filter(|body| <[u8; 32]>::from(Sha256::digest(body)) == self.digest));
        Ok(())
    }

    fn num_without_status(&self) -> u64 {
        0
    }
}
