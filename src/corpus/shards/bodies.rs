//! The numbers that bodies have in all shards together.
//!
//! Enters: rows of a shard's bodies, numbers of bodies. Leaves: each as the other. Cost: a read of a table each way. Must not know:
//! what bodies are.

use std::sync::Arc;

use crate::corpus::BodyId;
use crate::corpus::files::{FilesError, Numbers, Table};
use crate::corpus::format::{shard_body, shard_number};

/// The tables of all bodies.
#[derive(Debug)]
pub(in crate::corpus) struct ShardBodies {
    /// The bodies of one shard after those of the other, each with its number: the same one in several shards.
    numbers: Table,
    number: Numbers<i32>,
    /// By number.
    bodies: Table,
    place: Numbers<i32>,
    num_origins: Numbers<i32>,
    /// Where the bodies of each shard begin in the first table.
    firsts: Vec<u32>,
}

/// The numbers of the bodies of one shard.
#[derive(Clone, Debug)]
pub(in crate::corpus) struct PartBodies {
    pub(super) all: Arc<ShardBodies>,
    /// Where its bodies begin, and how many they are.
    pub(super) first: u32,
    pub(super) len: u32,
}

impl ShardBodies {
    pub(super) fn new(numbers: Table, bodies: Table, firsts: Vec<u32>) -> Result<Self, FilesError> {
        Ok(ShardBodies {
            number: numbers.numbers(shard_number::NUMBER)?,
            place: bodies.numbers(shard_body::PLACE)?,
            num_origins: bodies.numbers(shard_body::NUM_ORIGINS)?,
            numbers,
            bodies,
            firsts,
        })
    }

    /// How many there are.
    pub(in crate::corpus) fn len(&self) -> u64 {
        self.bodies.num_rows()
    }

    /// How many origins serve a body themselves, whichever shard they are in.
    pub(in crate::corpus) fn num_origins(&self, body: BodyId) -> Option<u64> {
        u64::try_from(self.bodies.number(self.num_origins, body.0.into())?).ok()
    }

    /// The number of the body that has this row in a shard, if that is the first shard that has it.
    pub(in crate::corpus) fn first_of_shard(&self, part: u32, row: u32) -> Option<BodyId> {
        let first = self.firsts.get(usize::try_from(part).ok()?)?;
        let at = self.numbers.number(self.number, u64::from(*first) + u64::from(row))?;
        let body = BodyId(u32::try_from(at).ok()?);
        (self.place(body)? == (part, row)).then_some(body)
    }

    /// Blocks of its files that were read so far.
    pub(in crate::corpus) fn num_blocks_read(&self) -> u64 {
        [&self.numbers, &self.bodies].map(|table| table.region().num_blocks_read()).iter().sum()
    }

    /// The first shard that has a body, and its row there.
    pub(super) fn place(&self, body: BodyId) -> Option<(u32, u32)> {
        let at = self.bodies.number(self.place, body.0.into())?;
        let Ok(at) = u32::try_from(at) else {
            self.bodies.note_damage(body.0.into(), "a place below 0");
            return None;
        };
        Some(place(&self.firsts, at))
    }
}

impl PartBodies {
    /// The number of the body that has this row in the shard.
    #[cold]
    #[inline(never)]
    pub(in crate::corpus) fn number(&self, row: u32) -> Option<BodyId> {
        let all = &self.all;
        let place = u64::from(self.first) + u64::from(row);
        if row >= self.len {
            all.numbers.note_damage(place, "a capture has a body that its shard has not");
            return None;
        }
        let number = all.numbers.number(all.number, place)?;
        let body = u32::try_from(number).ok().filter(|number| u64::from(*number) < all.len());
        if body.is_none() {
            all.numbers.note_damage(place, "the number of no body");
        }
        body.map(BodyId)
    }
}

/// The part that something with this number belongs to, where parts begin at `firsts`, and its number there.
pub(super) fn place(firsts: &[u32], number: u32) -> (u32, u32) {
    let part = firsts.partition_point(|first| *first <= number).saturating_sub(1);
    let first = firsts.get(part).copied().unwrap_or(0);
    (crate::compile::narrow(part), number.saturating_sub(first))
}
