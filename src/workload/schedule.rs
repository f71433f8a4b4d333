//! When an origin is crawled.
//!
//! Enters: a seed and an origin. Leaves: the second of its first capture, between 12 and 31 January 2026.
//! Neighbours (64 in a stretch) are crawled within six hours, so that a redirect and its target are captures of one
//! day. Must not know: statuses, rows.

use super::random::{Random, Stream};

/// 2026-01-12T00:00:00Z in seconds of the epoch.
const FIRST_DAY: u64 = 1_768_176_000;
/// Seconds over which stretches of origins start.
const CRAWL_LEN: u64 = 18 * 86_400;
/// Seconds over which the origins of a stretch start.
const STRETCH_LEN: u64 = 6 * 3_600;
/// Origins in a stretch.
const STRETCH_ORIGINS: u64 = 64;

/// Seconds of the epoch at which the crawl of an origin starts, with its first capture of robots.txt.
pub(crate) fn start_of_crawl(seed: u64, origin: u64) -> u64 {
    let stretch = origin / STRETCH_ORIGINS;
    let stretch_start = Random::new(seed, Stream::Schedule, stretch).below(CRAWL_LEN);
    // Streams differ by index here: stretches use small indices, origins the upper half of all indices.
    let within = Random::new(seed, Stream::Schedule, origin | (1 << 63)).below(STRETCH_LEN);
    FIRST_DAY + stretch_start + within
}

/// A time of the epoch as Arrow takes it.
pub(crate) fn timestamp(units: u64) -> i64 {
    i64::try_from(units).unwrap_or(i64::MAX)
}
