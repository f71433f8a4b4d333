//! A built corpus as a source: for merging, and for asking it otherwise than it was built for.
//!
//! Enters: a corpus folder with its texts. Leaves: all its captures, as they once came in: revisits without the bodies that they were
//! found to refer to, which may be found better where there are more captures. Captures that a shard holds of others are left out.
//! Must not know: who takes them.

use std::path::Path;

use super::kept_texts::KeptTexts;
use crate::corpus::archived::ToldInOrder;
use crate::corpus::{
    Archived, Capture, CaptureFlags, CaptureSink, Corpus, CorpusError, Place, RawCapture, Revisit,
};

/// The names of the sources of the corpus at `path`.
pub(super) fn names(path: &Path) -> Result<Vec<String>, CorpusError> {
    Corpus::open_any(path)?.source_names()
}

/// Gives all captures of the corpus at `path` to `sink`.
pub(super) fn load(path: &Path, sink: &mut dyn CaptureSink) -> Result<(), CorpusError> {
    let corpus = Corpus::open_any(path)?;
    if !corpus.facts().has_texts {
        let message = "was built with --no-bodies: without the texts of its bodies it can be neither \
                       merged nor read with another body limit";
        return Err(CorpusError::message(path, message));
    }
    let (told, texts) = (ToldInOrder::new(&corpus), KeptTexts::new(&corpus));
    let mut giver = Giver { corpus: &corpus, told, texts, sink };
    for origin in corpus.origins() {
        let name = corpus.origin_octets(origin);
        for capture in corpus.captures(origin) {
            giver.give(Place::Origin(name.to_vec()), &capture)?;
        }
    }
    for (url, captures) in corpus.targets() {
        for capture in captures {
            giver.give(Place::Url(url.to_vec()), &capture)?;
        }
    }
    corpus.check()
}

/// Gives captures of a corpus, which come in the order of its tables.
struct Giver<'c, 's> {
    corpus: &'c Corpus,
    told: ToldInOrder<'c>,
    texts: KeptTexts<'c>,
    sink: &'s mut dyn CaptureSink,
}

impl Giver<'_, '_> {
    fn give(&mut self, place: Place, capture: &Capture<'_>) -> Result<(), CorpusError> {
        let is_revisit = capture.flags.contains(CaptureFlags::REVISIT);
        let told = self.told.of(capture);
        // A revisit of which nothing was kept has what it was found to have.
        let body = capture.body.filter(|_| !is_revisit || told.is_none());
        let told = told.unwrap_or_default();
        let raw = RawCapture {
            place,
            body: body.map(|body| self.texts.get(body).map(<[u8]>::to_vec)).transpose()?,
            status: capture.status,
            time: capture.time,
            redirect: capture.redirect().map(str::to_owned),
            content_type: capture.content_type().map(str::to_owned),
            archived: Archived {
                truncated: capture.flags.contains(CaptureFlags::TRUNCATED),
                offset: capture.offset(),
                payload_digest: told.payload,
                revisit: is_revisit.then(|| Revisit {
                    time: told.refers_to,
                    unmodified: capture.flags.contains(CaptureFlags::UNMODIFIED),
                }),
            },
        };
        // What was read of a damaged corpus must not be taken in.
        self.corpus.check()?;
        self.sink.is_of(capture.source().unwrap_or(0));
        self.sink.add(raw)
    }
}
