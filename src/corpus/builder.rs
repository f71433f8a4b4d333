//! Raw captures → [`Corpus`]: origins in SURT order, bodies deduplicated, numbered and compiled.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use foldhash::fast::RandomState;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::index::Index;
use super::lists::Lists;
use super::store::{Body, BodyId, Corpus};
use super::{Capture, CaptureFlags, Place, RawCapture, Status, redirect};
use crate::compile::{BodyLimit, Compiler, Wanted, narrow};
use crate::parse::Dialect;
use crate::text::origin::{self, Origin as OriginName};
use crate::text::sniff;

/// Takes captures in and makes a corpus of them.
///
/// # Examples
/// ```
/// use robosift::compile::BodyLimit;
/// use robosift::corpus::{CorpusBuilder, Place, RawCapture};
/// use robosift::parse::Dialect;
/// let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
/// builder.add(RawCapture {
///     place: Place::Origin(b"https://example.com".to_vec()),
///     body: Some(b"User-agent: *\nDisallow: /x\n".to_vec()),
///     ..RawCapture::default()
/// });
/// let corpus = builder.finish();
/// assert!(corpus.find(b"https://example.com").is_some());
/// ```
#[derive(Debug)]
pub struct CorpusBuilder {
    dialect: Dialect,
    limit: BodyLimit,
    wanted: Wanted,
    origins: HashMap<Arc<str>, Vec<Capture>, RandomState>,
    others: HashMap<Box<str>, Vec<Capture>, RandomState>,
    /// Bodies with the number they came in with.
    bodies: HashMap<Vec<u8>, u32, RandomState>,
    num_captures: u64,
    num_captures_without_place: u64,
    num_without_status: u64,
}

/// Which map a capture goes to.
enum Home {
    Origin(OriginName),
    Other(Box<str>),
}

impl CorpusBuilder {
    /// For programs of `dialect` that read bodies up to `limit`.
    #[must_use]
    pub fn new(dialect: Dialect, limit: BodyLimit) -> Self {
        CorpusBuilder {
            dialect,
            limit,
            wanted: Wanted::All,
            origins: HashMap::default(),
            others: HashMap::default(),
            bodies: HashMap::default(),
            num_captures: 0,
            num_captures_without_place: 0,
            num_without_status: 0,
        }
    }

    /// Compiles for these names alone: the corpus then answers no other agent.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.wanted = wanted;
        self
    }

    /// Captures taken in so far that have no status, and so count as 200 where they have a body.
    #[must_use]
    pub fn num_without_status(&self) -> u64 {
        self.num_without_status
    }

    /// Takes one capture in. One whose place is not an absolute http(s) origin or URL is counted
    /// and left out.
    pub fn add(&mut self, raw: RawCapture) {
        let Some(home) = home(&raw.place) else {
            self.num_captures_without_place += 1;
            return;
        };
        self.num_captures += 1;
        self.num_without_status += u64::from(raw.status.is_none());
        let base = match &home {
            Home::Origin(origin) => format!("{}/robots.txt", origin.as_str()),
            Home::Other(url) => url.to_string(),
        };
        // The bodies of error pages and redirects are never read as rules: not kept, not numbered.
        let body = raw.body.filter(|_| raw.status.is_none_or(Status::may_have_rules));
        let capture = Capture {
            time: raw.time,
            status: raw.status,
            redirect: raw.redirect.and_then(|target| redirect::absolute(&base, &target)),
            flags: CaptureFlags {
                page_or_binary_type: raw
                    .content_type
                    .is_some_and(|declared| sniff::is_page_or_binary_type(&declared)),
            },
            body: body.map(|body| self.body_number(body)),
        };
        match home {
            Home::Origin(origin) => {
                self.origins.entry(origin.as_str().into()).or_default().push(capture);
            }
            Home::Other(url) => self.others.entry(url).or_default().push(capture),
        }
    }

    fn body_number(&mut self, body: Vec<u8>) -> BodyId {
        let next = narrow(self.bodies.len());
        match self.bodies.entry(body) {
            Entry::Occupied(known) => BodyId(*known.get()),
            Entry::Vacant(new) => BodyId(*new.insert(next)),
        }
    }

    /// Sorts, numbers and compiles, on all threads of the current pool.
    ///
    /// # Complexity
    /// Linear in the octets of the distinct bodies, `n log n` in origins.
    #[must_use]
    pub fn finish(self) -> Corpus {
        let (names, mut captures) = sorted_origins(self.origins);
        let mut others = self.others;
        others.values_mut().for_each(|captures| captures.sort_by_key(|c| c.time));
        let mut other_captures: Vec<_> = others.iter_mut().collect();
        other_captures.sort_unstable_by(|one, other| one.0.cmp(other.0));
        let in_order = captures.items_mut().iter_mut();
        let order = renumber(in_order.chain(other_captures.into_iter().flat_map(|(_, c)| c)));
        let new_compiler =
            || Compiler::new(self.dialect, self.limit).with_wanted(self.wanted.clone());
        let bodies = compile_bodies(self.bodies, &order, new_compiler);
        let index = Index::new(&names);
        let fingerprint = fingerprint(&names, &captures, &others, &bodies);
        Corpus {
            names,
            captures,
            index,
            others,
            bodies,
            wanted: self.wanted,
            num_captures: self.num_captures,
            num_captures_without_place: self.num_captures_without_place,
            fingerprint,
        }
    }
}

fn home(place: &Place) -> Option<Home> {
    match place {
        Place::Origin(text) => OriginName::parse(text).map(Home::Origin),
        Place::Url(url) => match origin::split(url)?.rest {
            b"/robots.txt" => OriginName::parse(url).map(Home::Origin),
            _ => redirect::canonical_url(url).map(Home::Other),
        },
    }
}

/// The names of origins in SURT order, and the captures of each from the oldest to the newest.
fn sorted_origins(
    origins: HashMap<Arc<str>, Vec<Capture>, RandomState>,
) -> (Lists<u8>, Lists<Capture>) {
    let mut keyed: Vec<(String, Arc<str>, Vec<Capture>)> = origins
        .into_par_iter()
        .map(|(name, mut captures)| {
            captures.sort_by_key(|capture| capture.time);
            let key = OriginName::parse(name.as_bytes()).map_or_else(String::new, |o| o.surt());
            (key, name, captures)
        })
        .collect();
    keyed.par_sort_unstable_by(|one, other| (&one.0, &one.1).cmp(&(&other.0, &other.1)));
    let (num_octets, num_captures) = keyed.iter().fold((0, 0), |(octets, captures), origin| {
        (octets + origin.1.len(), captures + origin.2.len())
    });
    let mut names = Lists::with_capacity(keyed.len(), num_octets);
    let mut captures = Lists::with_capacity(keyed.len(), num_captures);
    for (_, name, of_origin) in keyed {
        names.push(name.bytes());
        captures.push(of_origin);
    }
    (names, captures)
}

/// Gives bodies the numbers of their first appearance in `captures`; returns the new number of each
/// old one.
fn renumber<'c>(captures: impl Iterator<Item = &'c mut Capture>) -> HashMap<u32, u32, RandomState> {
    let mut order: HashMap<u32, u32, RandomState> = HashMap::default();
    for body in captures.filter_map(|capture| capture.body.as_mut()) {
        let next = narrow(order.len());
        *body = BodyId(*order.entry(body.number()).or_insert(next));
    }
    order
}

/// Compiles each distinct body and drops its text.
fn compile_bodies(
    bodies: HashMap<Vec<u8>, u32, RandomState>,
    order: &HashMap<u32, u32, RandomState>,
    new_compiler: impl Fn() -> Compiler + Sync + Send,
) -> Vec<Body> {
    let mut numbered: Vec<(u32, Body)> = bodies
        .into_par_iter()
        .map_init(new_compiler, |compiler, (text, number)| {
            let program = compiler.compile(&text);
            let body = Body { program, digest: Sha256::digest(&text).into() };
            Some((*order.get(&number)?, body))
        })
        .flatten()
        .collect();
    numbered.par_sort_unstable_by_key(|(number, _)| *number);
    // Programs anew, so that those of neighbours lie next to each other in memory.
    numbered.into_iter().map(|(_, body)| body.clone()).collect()
}

fn fingerprint(
    names: &Lists<u8>,
    captures: &Lists<Capture>,
    others: &HashMap<Box<str>, Vec<Capture>, RandomState>,
    bodies: &[Body],
) -> [u8; 32] {
    let mut hash = Sha256::new();
    let mut places: Vec<(&str, &[Capture])> =
        others.iter().map(|(url, captures)| (&**url, captures.as_slice())).collect();
    places.sort_unstable_by_key(|(url, _)| *url);
    let names = names.iter().map(|name| std::str::from_utf8(name).unwrap_or_default());
    let all = names.zip(captures.iter()).chain(places);
    for (place, captures) in all {
        for capture in captures {
            let digest = capture.body.and_then(|body| bodies.get(body.index())).map(|b| b.digest);
            let facts = (capture.time, capture.status, &capture.redirect, capture.flags);
            hash.update(format!("{place}\n{facts:?}\n{digest:?}\n"));
        }
    }
    hash.finalize().into()
}
