//! How many rows each origin gets.
//!
//! Enters: rows, origins, seed. Leaves: a count for each origin, at least 1, in origin order, with a sum of exactly
//! `rows` and a long tail: half the origins have under a quarter of the mean, a few two hundred times it.
//! Cost: one pass over the origins to sum their weights, nothing kept. Must not know: names, URLs.

use super::random::{Quantiles, Random, Stream};

/// Weights of origins. The mean is about 96.
const WEIGHTS: Quantiles = Quantiles(&[
    (0, 1),
    (500_000, 20),
    (750_000, 50),
    (900_000, 130),
    (990_000, 700),
    (999_000, 3_000),
    (999_900, 10_000),
    (1_000_000, 40_000),
]);

/// The counts, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Quotas {
    seed: u64,
    origins: u64,
    /// Rows beyond the one that every origin has.
    spare_rows: u64,
    total_weight: u64,
    next_origin: u64,
    weight_so_far: u64,
    spare_so_far: u64,
}

impl Quotas {
    /// `rows` must be at least `origins`.
    pub(crate) fn new(seed: u64, rows: u64, origins: u64) -> Self {
        let spare_rows = rows - origins;
        let total_weight =
            if spare_rows == 0 { 0 } else { (0..origins).map(|origin| weight(seed, origin)).sum() };
        Self {
            seed,
            origins,
            spare_rows,
            total_weight,
            next_origin: 0,
            weight_so_far: 0,
            spare_so_far: 0,
        }
    }

    /// The spare rows due to all origins whose weights sum to `weight_so_far`.
    fn spare_due(&self) -> u64 {
        let due = u128::from(self.weight_so_far) * u128::from(self.spare_rows);
        u64::try_from(due / u128::from(self.total_weight)).unwrap_or(self.spare_rows)
    }
}

fn weight(seed: u64, origin: u64) -> u64 {
    Random::new(seed, Stream::Weight, origin).quantile(&WEIGHTS)
}

impl Iterator for Quotas {
    /// The origin and its count of rows.
    type Item = (u64, u64);

    fn next(&mut self) -> Option<Self::Item> {
        if self.next_origin == self.origins {
            return None;
        }
        let origin = self.next_origin;
        self.next_origin += 1;
        if self.total_weight == 0 {
            return Some((origin, 1));
        }
        self.weight_so_far += weight(self.seed, origin);
        let before = self.spare_so_far;
        self.spare_so_far = self.spare_due();
        Some((origin, 1 + self.spare_so_far - before))
    }
}
