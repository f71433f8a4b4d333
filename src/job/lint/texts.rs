//! The distinct texts of captures, gathered in memory.
//!
//! Enters: captures from any source. Leaves: each distinct body that is read as rules, in the order in which it came
//! first, and how many origins serve it. Cost: the texts, and some octets a capture. Must not know: what is done with them.

use std::collections::{HashMap, HashSet};

use sha2::{Digest, Sha256};

use crate::corpus::{CaptureSink, CorpusError, Place, RawCapture, Status};
use crate::text::origin::Origin;

/// See the module's head.
#[derive(Debug, Default)]
pub struct Texts {
    /// Each with the number of origins that serve it.
    texts: Vec<(Vec<u8>, u64)>,
    by_digest: HashMap<[u8; 32], usize>,
    /// Which origins serve which text.
    served: HashSet<(String, usize)>,
    without_status: u64,
}

impl Texts {
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    pub(super) fn get(&self, at: usize) -> Option<(&[u8], u64)> {
        self.texts.get(at).map(|(text, num_origins)| (text.as_slice(), *num_origins))
    }
}

impl CaptureSink for Texts {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        let Some(origin) = origin(&capture.place) else { return Ok(()) };
        self.without_status += u64::from(capture.status.is_none());
        let has_rules = capture.status.is_none_or(Status::may_have_rules);
        let Some(body) = capture.body.filter(|_| has_rules) else { return Ok(()) };
        let next = self.texts.len();
        let at = *self.by_digest.entry(Sha256::digest(&body).into()).or_insert(next);
        if at == next {
            self.texts.push((body, 0));
        }
        if self.served.insert((origin, at))
            && let Some((_, num_origins)) = self.texts.get_mut(at)
        {
            *num_origins += 1;
        }
        Ok(())
    }

    fn num_without_status(&self) -> u64 {
        self.without_status
    }
}

/// The origin whose `/robots.txt` a place is.
fn origin(place: &Place) -> Option<String> {
    let origin = match place {
        Place::Origin(origin) => origin.as_slice(),
        Place::Url(url) => url.strip_suffix(b"/robots.txt")?,
        Place::Imported(_) => return None,
    };
    Origin::parse(origin).map(|origin| origin.as_str().to_owned())
}
