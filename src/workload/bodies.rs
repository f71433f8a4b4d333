//! The pool of robots bodies that origins share.
//!
//! Enters: a seed and the number of origins. Leaves: the number of the body an origin serves (early numbers are far
//! more popular, as the defaults of common systems are on the web), and the octets of body *n*, made from (seed, *n*)
//! alone. The first few are plain defaults (`defaults`), one in a hundred is a web page and fewer are
//! hostile in other ways (`hostile`), the rest follows measured counts of rules and groups (`rules`).
//! Cost: a few µs a body. Must not know: origins' names, columns.

use super::defaults::DEFAULTS;
use super::hostile::{HOSTILE_SHARE, write_hostile, write_page};
use super::random::{Random, Stream};
use super::rules::write_rules_file;

/// The most bodies a pool holds.
const LARGEST_POOL: u64 = 200_000;
/// Origins for each body of a pool below that size.
const ORIGINS_PER_BODY: u64 = 6;

/// A pool of bodies.
#[derive(Clone, Debug)]
pub(crate) struct Bodies {
    seed: u64,
    len: u64,
}

impl Bodies {
    /// The pool for so many origins.
    pub(crate) fn new(seed: u64, origins: u64) -> Self {
        Self { seed, len: (origins / ORIGINS_PER_BODY).clamp(1, LARGEST_POOL) }
    }

    /// The number of bodies in the pool.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Draws a body: half the time by rank (body *n* about as often as 1/*n*), half the time any.
    pub(crate) fn choose(&self, random: &mut Random) -> u64 {
        if random.chance(5_000) {
            return random.below(self.len);
        }
        let octave = random.below(u64::from(self.len.ilog2()) + 1);
        ((1 << octave) + random.below(1 << octave) - 1) % self.len
    }

    /// Whether a body is a web page by design. Independent of the seed.
    pub(crate) fn is_page(number: u64) -> bool {
        number >= DEFAULTS.len() as u64 && number % 97 == 41
    }

    /// Replaces `out` by the octets of a body.
    pub(crate) fn write(&self, number: u64, out: &mut Vec<u8>) {
        out.clear();
        let default = usize::try_from(number).ok().and_then(|number| DEFAULTS.get(number));
        let mut random = Random::new(self.seed, Stream::Body, number);
        if let Some(default) = default {
            out.extend_from_slice(default.as_bytes());
        } else if Self::is_page(number) {
            write_page(&mut random, out);
        } else if random.chance(HOSTILE_SHARE) {
            write_hostile(&mut random, out);
        } else {
            write_rules_file(&mut random, out);
        }
    }
}
