//! The values of a dictionary of origins, each looked for once.
//!
//! Enters: keys of rows. Leaves: what is known of an origin, kept until another dictionary comes. Cost:
//! one look-up and one copy of the canonical name a value. Must not know: agents, rules.

use arrow::array::ArrayRef;

use super::dictionary::PerValue;
use super::run::said;
use super::{RowColumns, Settings};
use crate::corpus::{Corpus, OriginId, Site};
use crate::text::origin::write_origin;

/// The origins of a dictionary.
#[derive(Debug, Default)]
pub(super) struct Origins {
    values: PerValue<KnownOrigin>,
    /// Canonical names, one after the other.
    names: Vec<u8>,
    name: Vec<u8>,
    /// The name of the origin that answers for it.
    answers: Vec<u8>,
    /// The last value that the corpus knew: dictionaries mostly have the order of the rows.
    last: Option<OriginId>,
}

/// A value of a dictionary of origins.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownOrigin {
    /// Where its canonical name stands.
    name: (usize, usize),
    pub(super) found: Option<OriginId>,
    /// What it said; `None` where it is no origin.
    pub(super) site: Option<Site>,
}

impl Origins {
    /// Begins a batch of so many rows whose origins are a dictionary of these `values`, if they are.
    pub(super) fn start(&mut self, values: Option<&ArrayRef>, num_rows: usize) {
        if self.values.start(values, num_rows) {
            self.names.clear();
        }
    }

    /// What is known of the value at `key`, looked for first if need be; `None` where nothing is kept of
    /// this dictionary.
    pub(super) fn known(
        &mut self,
        corpus: &Corpus,
        rows: &RowColumns<'_>,
        key: usize,
        settings: &Settings,
    ) -> Option<KnownOrigin> {
        let place = self.values.place(key)?;
        if place.is_none() {
            let (start, name) = (self.names.len(), &mut self.name);
            let is_origin =
                rows.parts_of_value(key).is_some_and(|parts| write_origin(&parts, name));
            let found = corpus.find_after(self.last, name).filter(|_| is_origin);
            self.last = found.or(self.last);
            let answers = &mut self.answers;
            let site = is_origin.then(|| said(corpus, settings, name, found, None, answers).site);
            self.names.extend_from_slice(if is_origin { answers } else { name });
            *place = Some(KnownOrigin { name: (start, self.names.len()), found, site });
        }
        *place
    }

    /// The canonical name of a value; of no use where it is no origin.
    pub(super) fn name(&self, known: &KnownOrigin) -> &[u8] {
        let (start, end) = known.name;
        self.names.get(start..end).unwrap_or_default()
    }
}
