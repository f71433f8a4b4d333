//! What an origin answered when its robots.txt was fetched.
//!
//! Enters: a seed, the origins, the pool of bodies. Leaves: the captures of origin *i*, made from (seed, *i*) alone:
//! none for 1 in 100, two or three for 1 in 100, else one. Statuses follow what large crawls report.
//! Cost: small beside the body's. Must not know: the text of bodies, columns.

use super::bodies::Bodies;
use super::origins::Origins;
use super::random::{Random, Stream};
use super::schedule::start_of_crawl;

/// What came with a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Payload {
    /// Nothing was kept.
    Absent,
    /// A body of the pool.
    Body(u64),
    /// The page that a server sends when there is no such file.
    ErrorPage,
}

/// One fetch of one robots.txt.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    /// Microseconds of the epoch.
    pub(crate) fetch_time: u64,
    /// 0 where no answer came.
    pub(crate) status: i16,
    pub(crate) payload: Payload,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) redirect: Option<String>,
}

/// Statuses in parts of ten thousand.
const STATUSES: &[(u64, i16)] = &[
    (7_220, 200),
    (2_000, 404),
    (160, 403),
    (30, 401),
    (60, 410),
    (30, 429),
    (60, 503),
    (50, 500),
    (25, 502),
    (15, 520),
    (190, 301),
    (80, 302),
    (30, 308),
    (50, 0),
];
/// Origins in ten thousand that were never captured.
const NEVER: u64 = 100;
/// Origins in ten thousand with more than one capture.
const SEVERAL: u64 = 100;
/// Captures with status 200 in ten thousand whose body was lost.
const LOST_BODY: u64 = 28;

/// The captures of an origin, oldest first.
pub(crate) fn captures(seed: u64, origins: &Origins, bodies: &Bodies, origin: u64) -> Vec<Capture> {
    let mut random = Random::new(seed, Stream::Capture, origin);
    if random.chance(NEVER) && origins.count() > 1 {
        return Vec::new();
    }
    let num_captures = if random.chance(SEVERAL) { random.between(2, 3) } else { 1 };
    let mut fetch_time = start_of_crawl(seed, origin) * 1_000_000 + random.below(1_000_000);
    let mut status = random.weighted(STATUSES);
    let mut body = bodies.choose(&mut random);
    let mut captures = Vec::with_capacity(1);
    for _ in 0..num_captures {
        captures.push(capture(&mut random, origins, origin, fetch_time, status, body));
        fetch_time += random.between(2 * 3_600, 20 * 3_600) * 1_000_000;
        if random.chance(2_000) {
            status = random.weighted(STATUSES);
            body = bodies.choose(&mut random);
        }
    }
    captures
}

fn capture(
    random: &mut Random,
    origins: &Origins,
    origin: u64,
    fetch_time: u64,
    status: i16,
    body: u64,
) -> Capture {
    let payload = match status {
        200 if random.chance(LOST_BODY) => Payload::Absent,
        200 => Payload::Body(body),
        404 if random.chance(4_000) => Payload::ErrorPage,
        _ => Payload::Absent,
    };
    let redirect = matches!(status, 301 | 302 | 308).then(|| redirect(random, origins, origin));
    Capture { fetch_time, status, payload, content_type: content_type(random, payload), redirect }
}

fn content_type(random: &mut Random, payload: Payload) -> Option<&'static str> {
    match payload {
        Payload::Absent => None,
        Payload::ErrorPage => Some("text/html; charset=utf-8"),
        Payload::Body(body) if Bodies::is_page(body) => Some("text/html"),
        Payload::Body(_) => random.weighted(&[
            (62, Some("text/plain")),
            (28, Some("text/plain; charset=utf-8")),
            (2, Some("text/html")),
            (1, Some("application/octet-stream")),
            (7, None),
        ]),
    }
}

/// The value of a Location line: mostly a neighbour's robots.txt, sometimes a page, sometimes a place nobody fetched.
fn redirect(random: &mut Random, origins: &Origins, origin: u64) -> String {
    let mut target = String::with_capacity(48);
    match random.below(100) {
        0..6 => target.push_str("/en/robots.txt"),
        6..13 => {
            origins.write_name(origin, &mut target);
            target.push_str("/404.html");
        }
        13..18 => target.push_str("https://parked.example/robots.txt"),
        _ => {
            origins.write_name(neighbour(random, origins.count(), origin), &mut target);
            target.push_str("/robots.txt");
        }
    }
    target
}

/// Another origin nearby: mostly the next one, which often is the same host under https or with `www.`.
fn neighbour(random: &mut Random, count: u64, origin: u64) -> u64 {
    let step = if random.chance(7_000) { 1 } else { random.between(1, 20) };
    if origin + step < count { origin + step } else { origin.saturating_sub(step) }
}
