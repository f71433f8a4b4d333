//! How far the captures that decided are from the rows in time: quantiles.
//!
//! Enters: a gap in microseconds for each row. Leaves: quantiles, exact to a thirtieth. Memory: fixed. Must not know: what the
//! gaps are of.

use std::ops::AddAssign;

/// Buckets for each doubling: a gap is known to one part in so many.
const PARTS: u64 = 32;

/// Doublings of a second that are told apart: 2³⁵ seconds are a thousand years.
const DOUBLINGS: usize = 36;

/// Gaps counted by their size; those before and after the row's time apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gaps {
    /// Captures at or before the row's time.
    before: Vec<u64>,
    /// Captures after it.
    after: Vec<u64>,
}

impl Gaps {
    /// Counts a gap: the row's time minus the capture's, in microseconds.
    #[inline]
    pub(super) fn add(&mut self, gap: i64) {
        let counts = if gap < 0 { &mut self.after } else { &mut self.before };
        if counts.is_empty() {
            counts.resize(bucket(u64::MAX) + 1, 0);
        }
        if let Some(count) = counts.get_mut(bucket(gap.unsigned_abs() / 1_000_000)) {
            *count += 1;
        }
    }

    /// Number of gaps: of captures at or before the row's time, and after it.
    #[must_use]
    pub fn counts(&self) -> [u64; 2] {
        [self.before.iter().sum(), self.after.iter().sum()]
    }

    /// The gap, in seconds, that `share` of all gaps do not exceed (negative: the capture is later); `None` where
    /// there is none.
    #[must_use]
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let all: u64 = self.counts().iter().sum();
        let wanted = (all as f64 * share.clamp(0.0, 1.0)).ceil().max(1.0);
        let later = self.after.iter().enumerate().rev().map(|(at, count)| (-middle(at), count));
        let earlier = self.before.iter().enumerate().map(|(at, count)| (middle(at), count));
        let mut sum = 0.0;
        later.chain(earlier).find_map(|(gap, count)| {
            sum += *count as f64;
            (*count > 0 && sum >= wanted).then_some(gap)
        })
    }
}

impl AddAssign<&Gaps> for Gaps {
    fn add_assign(&mut self, other: &Gaps) {
        let pairs = [(&mut self.before, &other.before), (&mut self.after, &other.after)];
        for (sums, counts) in pairs {
            if sums.len() < counts.len() {
                sums.resize(counts.len(), 0);
            }
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    }
}

/// The bucket of a number of seconds: exact below twice [`PARTS`], then so many for each doubling.
#[inline]
fn bucket(seconds: u64) -> usize {
    let seconds = seconds.min((1 << DOUBLINGS) - 1);
    let shift = seconds.checked_ilog2().unwrap_or(0).saturating_sub(PARTS.ilog2());
    let bucket = u64::from(shift) * PARTS + (seconds >> shift);
    usize::try_from(bucket).unwrap_or(0)
}

/// A number of seconds in the middle of a bucket.
fn middle(bucket: usize) -> i64 {
    let bucket = bucket as u64;
    let shift = (bucket / PARTS).saturating_sub(1);
    let least = (bucket - shift * PARTS) << shift;
    i64::try_from(least + (1 << shift) / 2).unwrap_or(i64::MAX)
}
