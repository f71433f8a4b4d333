//! Numbers drawn from a key: the same (seed, stream, index) always gives the same sequence.
//!
//! Enters: a seed, a stream (what the numbers are for) and an index (an origin, a body). Leaves: whole numbers.
//! Only integer arithmetic is used, so sequences do not depend on the machine. Cost: about 1 ns a number.
//! Must not know: what the numbers stand for. Not fit for anything secret.

/// What a sequence is drawn for, so that two uses of one index do not share numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stream {
    /// The name of a registered domain.
    Name = 1,
    /// The shape of a block of neighbouring origins.
    Block = 2,
    /// How many rows an origin gets.
    Weight = 3,
    /// Statuses, times and bodies of an origin's captures.
    Capture = 4,
    /// When a stretch of origins was crawled.
    Schedule = 5,
    /// The text of a body.
    Body = 6,
    /// URLs, agents and times of an origin's rows.
    Rows = 7,
}

/// A splitmix64 sequence.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Spreads the bits of `value` over the whole word (the finalizer of splitmix64).
fn spread(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

impl Random {
    /// The sequence that belongs to the key.
    pub(crate) fn new(seed: u64, stream: Stream, index: u64) -> Self {
        let key = spread(seed.wrapping_add(STEP)) ^ (stream as u64).wrapping_mul(STEP);
        Self { state: spread(spread(key).wrapping_add(index.wrapping_mul(STEP))) }
    }

    /// The next 64 bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(STEP);
        spread(self.state)
    }

    /// A number from 0 up to, not including, `limit`; 0 where `limit` is 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// A number from `low` to `high`, both included; `low` must not exceed `high`.
    pub(crate) fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.below(high - low + 1)
    }

    /// True in `parts` of ten thousand draws.
    pub(crate) fn chance(&mut self, parts: u64) -> bool {
        self.below(10_000) < parts
    }

    /// An index below `len`, each as likely; 0 where `len` is 0.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        usize::try_from(self.below(len as u64)).unwrap_or(0)
    }

    /// One of `choices`, each as likely. `choices` must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// One of `choices`, the early ones far more often (as 1/rank). `choices` must not be empty.
    pub(crate) fn pick_early<T: Copy>(&mut self, choices: &[T]) -> T {
        let bound = self.index(choices.len()) + 1;
        choices[self.index(bound)]
    }

    /// One value of a weighted list. Weights are parts of their own sum; the list must not be empty.
    pub(crate) fn weighted<T: Copy>(&mut self, choices: &[(u64, T)]) -> T {
        let total = choices.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for &(weight, value) in choices {
            if left < weight {
                return value;
            }
            left -= weight;
        }
        choices[0].1
    }

    /// A value of the distribution that `quantiles` describes.
    pub(crate) fn quantile(&mut self, quantiles: &Quantiles) -> u64 {
        quantiles.at(self.below(1_000_000))
    }
}

/// A distribution given by some of its quantiles: (millionths, value), both ascending, from 0 to 1,000,000;
/// linear between them.
#[derive(Debug)]
pub(crate) struct Quantiles(pub(crate) &'static [(u64, u64)]);

impl Quantiles {
    /// The value below which `millionths` of all draws lie. Cost: one walk over the table.
    fn at(&self, millionths: u64) -> u64 {
        for pair in self.0.windows(2) {
            let [(low, low_value), (high, high_value)] = *pair else { continue };
            if millionths < high {
                return low_value + (high_value - low_value) * (millionths - low) / (high - low);
            }
        }
        self.0.last().map_or(0, |last| last.1)
    }
}
