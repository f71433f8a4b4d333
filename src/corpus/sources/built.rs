//! A built corpus as a source: for merging, and for asking it otherwise than it was built for.
//!
//! Enters: a corpus folder with its texts. Leaves: all its captures, as they once came in. Must not know: who takes them.

use std::path::Path;

use super::kept_texts::KeptTexts;
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
    let mut texts = KeptTexts::new(&corpus);
    for origin in corpus.origins() {
        let name = corpus.origin_octets(origin);
        for capture in corpus.captures(origin) {
            give(&corpus, &mut texts, Place::Origin(name.to_vec()), &capture, sink)?;
        }
    }
    for (url, captures) in corpus.targets() {
        for capture in captures {
            give(&corpus, &mut texts, Place::Url(url.to_vec()), &capture, sink)?;
        }
    }
    corpus.check()
}

fn give(
    corpus: &Corpus,
    texts: &mut KeptTexts<'_>,
    place: Place,
    capture: &Capture<'_>,
    sink: &mut dyn CaptureSink,
) -> Result<(), CorpusError> {
    let is_revisit = capture.flags.contains(CaptureFlags::REVISIT);
    let raw = RawCapture {
        place,
        body: capture.body.map(|body| texts.get(body).map(<[u8]>::to_vec)).transpose()?,
        status: capture.status,
        time: capture.time,
        redirect: capture.redirect().map(str::to_owned),
        content_type: capture.content_type().map(str::to_owned),
        archived: Archived {
            truncated: capture.flags.contains(CaptureFlags::TRUNCATED),
            offset: capture.offset(),
            payload_digest: None,
            revisit: is_revisit.then(|| Revisit {
                time: None,
                unmodified: capture.flags.contains(CaptureFlags::UNMODIFIED),
            }),
        },
    };
    // What was read of a damaged corpus must not be taken in.
    corpus.check()?;
    sink.is_of(capture.source().unwrap_or(0));
    sink.add(raw)
}
