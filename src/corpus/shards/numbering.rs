//! Numbers bodies over all shards as one build of all captures would.
//!
//! Enters: shards in the order of their ranges. Leaves: a number for each body of each shard, the first place and the origins of each
//! number. Memory: an entry of 36 octets in a hash table and eight octets in a list for each distinct body, four for each body of a shard.
//! Must not know: files.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use crate::corpus::captures::Captures;
use crate::corpus::part::Part;
use crate::corpus::targets::Merged;
use crate::corpus::{BodyId, CorpusError};

/// No number yet.
const NONE: u32 = u32::MAX;

/// Numbers given so far.
#[derive(Default)]
pub(super) struct Numbering {
    /// By place: the bodies of one shard after those of the other.
    pub(super) numbers: Vec<u32>,
    /// By number: the place that it was given for, and how many origins serve it.
    pub(super) bodies: Vec<(u32, u32)>,
    /// Where the bodies of each shard begin.
    firsts: Vec<u32>,
    by_digest: HashMap<[u8; 32], u32, RandomState>,
}

/// Numbers the bodies of `parts`: those of origins in SURT order, then those that only other URLs have, in the order of these.
pub(super) fn numbered(parts: &[&Part]) -> Result<Numbering, CorpusError> {
    let mut numbering = Numbering::default();
    for part in parts {
        numbering.add_origins(part)?;
    }
    for target in Merged::new(parts.iter().copied()) {
        if let Some(part) = parts.get(target.part) {
            numbering.add_target(part, target.part, target.captures);
        }
    }
    // What shards hold of each other, where the other one is not there.
    for (at, part) in parts.iter().enumerate() {
        for row in rows(part) {
            numbering.number(part, at, row);
        }
    }
    numbering.by_digest = HashMap::default();
    Ok(numbering)
}

/// The rows of a shard's bodies.
fn rows(part: &Part) -> impl Iterator<Item = u32> + use<> {
    0..u32::try_from(part.bodies.len()).unwrap_or(u32::MAX)
}

impl Numbering {
    /// Numbers those bodies of a shard that origins serve: its first ones.
    fn add_origins(&mut self, part: &Part) -> Result<(), CorpusError> {
        let first = self.numbers.len();
        let len = usize::try_from(part.bodies.len()).unwrap_or(usize::MAX);
        let end = first.checked_add(len).filter(|end| i32::try_from(*end).is_ok());
        let too_many = || CorpusError::plain("the shards have more bodies than there are numbers");
        self.numbers.resize(end.ok_or_else(too_many)?, NONE);
        let at = self.firsts.len();
        self.firsts.push(crate::compile::narrow(first));
        for row in rows(part) {
            let num_origins = part.bodies.facts(row).map_or(0, |(_, num_origins)| num_origins);
            let number = if num_origins > 0 { self.number(part, at, row) } else { None };
            let body = number.and_then(|number| self.bodies.get_mut(usize::try_from(number).ok()?));
            if let Some((_, sum)) = body {
                *sum = sum.saturating_add(u32::try_from(num_origins).unwrap_or(u32::MAX));
            }
        }
        Ok(())
    }

    fn add_target(&mut self, part: &Part, at: usize, captures: Captures<'_>) {
        for BodyId(row) in captures.iter().filter_map(|capture| capture.body) {
            self.number(part, at, row);
        }
    }

    /// The number of a body of a shard, which gets one if it has none; `None` where the shard has no such body.
    fn number(&mut self, part: &Part, at: usize, row: u32) -> Option<u32> {
        let place = self.firsts.get(at)?.checked_add(row)?;
        (u64::from(row) < part.bodies.len()).then_some(())?;
        let number = self.numbers.get_mut(usize::try_from(place).ok()?)?;
        if *number == NONE {
            let next = crate::compile::narrow(self.bodies.len());
            *number = *self.by_digest.entry(*part.bodies.digest(row)?).or_insert(next);
            if *number == next {
                self.bodies.push((place, 0));
            }
        }
        Some(*number)
    }
}
