//! A path pattern in the form in which it is compared.
//!
//! In the normalised text `*` is always the wildcard and a `$` that [`Shape::anchored`] speaks of is
//! the last octet; its length is the rule's specificity. Linear in the pattern; one that needs no
//! rewriting, as most, is copied.

use memchr::{memchr, memrchr};

use crate::parse::{Dialect, Normalisation};
use crate::text::lanes::{LANES, Lanes, for_each_chunk};
use crate::text::percent;
use crate::text::short::short;

/// What a normalised pattern asks of a matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    /// It ends in the `$` that anchors.
    pub(super) anchored: bool,
    /// Where it holds a `*`.
    pub(super) stars: Stars,
    /// It can match a path at all: it begins with `/` or `*`.
    pub(super) possible: bool,
}

/// Where a pattern holds a `*`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stars {
    Nowhere,
    /// At its end only, without an anchor behind: it matches what begins with the rest.
    AtEnd,
    /// Elsewhere.
    Inside,
}

impl Stars {
    /// Of a normalised pattern without its anchor.
    pub(super) fn of(text: &[u8], anchored: bool) -> Self {
        match memchr(b'*', text) {
            None => Stars::Nowhere,
            Some(at) if !anchored && text[at..].iter().all(|octet| *octet == b'*') => Stars::AtEnd,
            Some(_) => Stars::Inside,
        }
    }
}

impl Shape {
    /// One comparison tells whether a path matches.
    pub(super) fn is_literal(self) -> bool {
        self.stars != Stars::Inside
    }
}

/// Appends the normalised form of `pattern` to `out`; also whether it may hold two stars next to each
/// other.
#[inline]
pub(super) fn normalise(pattern: &[u8], how: Normalisation, out: &mut Vec<u8>) -> (Shape, bool) {
    let (text, anchored) = match pattern {
        [text @ .., b'$'] => (text, true),
        text => (text, false),
    };
    let start = out.len();
    let traits = copy(text, out);
    if traits.may_be_rewritten {
        out.truncate(start);
        return rewrite(text, anchored, how, out);
    }
    if anchored {
        out.push(b'$');
    }
    let possible = matches!(pattern, [b'/' | b'*', ..]);
    let stars = if traits.has_star { Stars::of(text, anchored) } else { Stars::Nowhere };
    (Shape { anchored, stars, possible }, traits.may_have_run)
}

/// The specificity of a path pattern: octets of its normalised form (RFC 9309 section 2.2.2).
#[must_use]
pub fn specificity(pattern: &[u8], dialect: &Dialect) -> u32 {
    if is_plain(pattern) {
        return super::narrow(pattern.len());
    }
    let mut normalised = Vec::with_capacity(pattern.len());
    let _ = normalise(pattern, dialect.normalisation, &mut normalised);
    super::narrow(normalised.len())
}

/// Whether `pattern` is its own normalised form in every dialect: nothing but an anchor at its end is ever written
/// otherwise.
pub(super) fn is_plain(pattern: &[u8]) -> bool {
    let text = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let mut rewritten = Lanes::all(0);
    for_each_chunk(text, 0, |octets| rewritten = rewritten.or(may_be_rewritten(octets)));
    rewritten.high_bits() == 0
}

/// High bits at octets that may be written otherwise.
#[inline]
fn may_be_rewritten(octets: Lanes) -> Lanes {
    // `%` and `$` differ in the lowest bit alone; those outside ASCII have the bit themselves.
    octets.or(Lanes::all(1)).is(b'%').or(octets)
}

/// [`normalise`] for a `text` that may have another form.
#[cold]
fn rewrite(text: &[u8], anchored: bool, how: Normalisation, out: &mut Vec<u8>) -> (Shape, bool) {
    let start = out.len();
    match how {
        Normalisation::BothSides => percent::normalise(text, [b'$'; 2], out),
        Normalisation::RuleOnly => percent::escape_only(text, out),
    }
    let stars = Stars::of(&out[start..], anchored);
    if anchored {
        out.push(b'$');
    }
    let possible = matches!(out.get(start), Some(b'/' | b'*'));
    (Shape { anchored, stars, possible }, stars != Stars::Nowhere)
}

/// What one pass over a pattern tells.
#[derive(Clone, Copy)]
struct Traits {
    /// It holds a `*`.
    has_star: bool,
    /// It may hold two stars next to each other.
    may_have_run: bool,
    /// It holds a `%`, a `$` or an octet outside ASCII.
    may_be_rewritten: bool,
}

/// What was found so far.
struct Marks {
    /// Places of stars among the last sixteen octets, and among any.
    last_stars: u32,
    stars: u32,
    runs: u32,
    /// High bits at octets that may be written otherwise.
    rewritten: Lanes,
}

impl Marks {
    #[inline]
    fn add(&mut self, octets: &[u8; LANES]) {
        let octets = Lanes::new(octets);
        let stars = octets.is(b'*').high_bits();
        self.runs |= stars & (stars << 1 | self.last_stars >> (LANES - 1));
        (self.last_stars, self.stars) = (stars, self.stars | stars);
        self.rewritten = self.rewritten.or(may_be_rewritten(octets));
    }
}

/// Appends `text` and looks at it, sixteen octets at a time.
#[inline]
fn copy(text: &[u8], out: &mut Vec<u8>) -> Traits {
    let mut marks = Marks { last_stars: 0, stars: 0, runs: 0, rewritten: Lanes::all(0) };
    let end = out.len() + text.len();
    let mut add = |octets: &[u8; LANES], out: &mut Vec<u8>| {
        marks.add(octets);
        out.extend_from_slice(octets);
    };
    match text.last_chunk() {
        // Patterns are short; a call that copies one would cost as much as all else.
        None => add(&short(text), out),
        Some(last) => {
            let (chunks, rest) = text.as_chunks();
            chunks.iter().for_each(|chunk| add(chunk, out));
            if !rest.is_empty() {
                out.truncate(end - LANES);
                add(last, out);
            }
        }
    }
    out.truncate(end);
    Traits {
        has_star: marks.stars != 0,
        may_have_run: marks.runs != 0,
        may_be_rewritten: marks.rewritten.high_bits() != 0,
    }
}

/// Calls `visit` with the place of each `*` of `text`, in order.
#[inline]
pub(super) fn for_each_star(text: &[u8], mut visit: impl FnMut(usize)) {
    let (chunks, rest) = text.as_chunks();
    for (at, chunk) in chunks.iter().chain([&short(rest)]).enumerate() {
        let mut stars = Lanes::new(chunk).is(b'*').high_bits();
        while stars != 0 {
            // A place within a chunk fits.
            visit(at * LANES + usize::try_from(stars.trailing_zeros()).unwrap_or(0));
            stars &= stars - 1;
        }
    }
}

/// The part of an allow rule for `…/index.htm*` that is the directory `…/`, which it stands for as
/// well (dialect `google`).
pub(super) fn directory_of_index(normalised: &[u8]) -> Option<&[u8]> {
    let slash = memrchr(b'/', normalised)?;
    let is_index = normalised.get(slash..)?.starts_with(b"/index.htm");
    is_index.then(|| normalised.get(..=slash)).flatten()
}
