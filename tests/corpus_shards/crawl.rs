//! Made-up captures: redirects across origins, chains of them, bodies that many have or that only other URLs have, captures of one time.

use robosift::corpus::{Archived, Place, RawCapture, Revisit, Status};

use crate::cli::HOUR;
use crate::random::Random;

/// The sources that captures come from.
pub(crate) const SOURCES: [&str; 3] = ["crawl-a", "crawl-b", "crawl-c"];

/// Chains of 0 to this many redirects.
const LONGEST_CHAIN: usize = 7;

/// A capture, and the number of its source.
pub(crate) type Sourced = (usize, RawCapture);

/// Origins whose SURT order is not that of their octets: other domains, schemes, ports, parents and children, addresses.
pub(crate) fn origin(number: usize) -> String {
    let host = format!("h{}", number / 8);
    match number % 8 {
        0 => format!("https://{host}.com"),
        1 => format!("https://www.{host}.com"),
        2 => format!("http://{host}.com"),
        3 => format!("https://{host}.example"),
        4 => format!("https://{host}.com:8443"),
        5 => format!("https://a.b.{host}.org"),
        6 => format!("https://10.0.{}.7", number / 8 % 256),
        _ => format!("https://{host}-x.org"),
    }
}

/// Captures of so many origins in an order of their own.
pub(crate) fn captures(seed: u64, origins: usize) -> Vec<Sourced> {
    let random = &mut Random::new(seed);
    let mut all: Vec<Sourced> = Vec::new();
    for _ in 0..origins * 3 {
        let capture = one(random, origins);
        all.push((random.below(SOURCES.len()), capture));
    }
    for chain in 0..origins / 4 {
        chain_of(random, chain % (LONGEST_CHAIN + 1), chain, origins, &mut all);
    }
    let mut mixed = Vec::new();
    while !all.is_empty() {
        mixed.push(all.swap_remove(random.below(all.len())));
    }
    mixed
}

fn one(random: &mut Random, origins: usize) -> RawCapture {
    let origin = origin(random.below(origins));
    let place = match random.below(6) {
        0 => Place::Url(format!("{origin}/moved{}.txt", random.below(2)).into_bytes()),
        1 => Place::Url(format!("{origin}/robots.txt").into_bytes()),
        _ => Place::Origin(origin.into_bytes()),
    };
    // Few hours, so that several captures have one time.
    let time = (!random.one_in(12)).then(|| 400_000 * HOUR + random.below(40) as i64 * HOUR);
    let mut capture = RawCapture {
        body: Some(body(random, matches!(place, Place::Url(_)))),
        place,
        status: Some(Status(200)),
        time,
        ..RawCapture::default()
    };
    match random.below(10) {
        0 => capture.status = Some(Status(404)),
        1 => capture.status = Some(Status(503)),
        2 | 3 => {
            capture.status = Some(Status(301));
            capture.redirect = Some(target(random, origins));
        }
        4 => capture.status = None,
        5 => {
            let unmodified = random.one_in(2);
            let revisit = Revisit { time: Some(400_000 * HOUR), unmodified };
            capture.archived = Archived { revisit: Some(revisit), ..Archived::default() };
            capture.body = None;
        }
        6 => capture.content_type = Some("text/html".to_owned()),
        _ => {}
    }
    capture
}

/// Where a redirect leads: another robots.txt, another URL, a place of its own origin, or what nobody captured.
fn target(random: &mut Random, origins: usize) -> String {
    let other = origin(random.below(origins));
    match random.below(5) {
        0 => "/moved1.txt".to_owned(),
        1 | 2 => format!("{other}/robots.txt"),
        3 => format!("{other}/moved{}.txt", random.below(2)),
        _ => format!("https://nobody{}.net/robots.txt", random.below(3)),
    }
}

/// A chain of `hops` redirects from origin to origin, which ends in a body that nothing else has.
fn chain_of(
    random: &mut Random,
    hops: usize,
    chain: usize,
    origins: usize,
    all: &mut Vec<Sourced>,
) {
    let at = |hop: usize| {
        let name = origin((chain * 31 + hop * 17) % origins + origins);
        // The last is no robots.txt in every other chain.
        if hop == hops && chain.is_multiple_of(2) && hops > 0 {
            format!("{name}/chain{chain}.txt")
        } else {
            format!("{name}/robots.txt")
        }
    };
    for hop in 0..=hops {
        let is_last = hop == hops;
        all.push((
            random.below(SOURCES.len()),
            RawCapture {
                place: Place::Url(at(hop).into_bytes()),
                status: Some(Status(if is_last { 200 } else { 302 })),
                time: Some(400_000 * HOUR + hop as i64),
                redirect: (!is_last).then(|| at(hop + 1)),
                body: is_last
                    .then(|| format!("User-agent: *\nDisallow: /chain{chain}/\n").into_bytes()),
                ..RawCapture::default()
            },
        ));
    }
}

/// A body; many are one of a few, and some of those are only served at other URLs.
fn body(random: &mut Random, is_url: bool) -> Vec<u8> {
    let number = match (random.below(3), is_url) {
        (0, _) => random.below(6),
        (1, true) => 100 + random.below(6),
        _ => 1_000 + random.below(1 << 20),
    };
    let odd = if number % 5 == 0 { "Disallow: /*.pdf$\nCrawl-delay: 3\n" } else { "" };
    let text = format!(
        "User-agent: GPTBot\nDisallow: /p{}/\n{odd}\nUser-agent: *\nAllow: /p1\nDisallow: /p\n\
         Sitemap: https://h.example/{number}.xml\n",
        number % 4
    );
    text.into_bytes()
}
