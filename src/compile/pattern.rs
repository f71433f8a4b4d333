//! A path pattern in the form in which it is compared.
//!
//! In the normalised text `*` is always the wildcard and a `$` that [`Shape::anchored`] speaks of is
//! the last octet; its length is the rule's specificity. Linear in the pattern; one that needs no
//! rewriting, as most, is copied.

use memchr::{memchr, memrchr};

use crate::parse::Normalisation;
use crate::text::percent;

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
    let traits = Traits::of(text);
    if traits.may_be_rewritten {
        return rewrite(text, anchored, how, out);
    }
    out.extend_from_slice(pattern);
    let possible = matches!(pattern, [b'/' | b'*', ..]);
    let stars = if traits.has_star { Stars::of(text, anchored) } else { Stars::Nowhere };
    (Shape { anchored, stars, possible }, traits.may_have_run)
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

/// What was found so far, in the highest bits of octets.
#[derive(Default)]
struct Marks {
    /// Stars of the last eight octets, and of all.
    last_stars: u64,
    stars: u64,
    runs: u64,
    rewritten: u64,
}

impl Marks {
    #[inline]
    fn add(&mut self, octets: &[u8; 8]) {
        let word = u64::from_le_bytes(*octets);
        let stars = high_bit_if_zero(word ^ repeated(b'*'));
        self.stars |= stars;
        self.runs |= stars & (stars << 8 | self.last_stars >> 56);
        self.last_stars = stars;
        // `%` and `$` differ in the lowest bit alone.
        self.rewritten |= high_bit_if_zero((word | repeated(1)) ^ repeated(b'%')) | word;
    }
}

impl Traits {
    /// Eight octets at a time: patterns are short.
    #[inline]
    fn of(text: &[u8]) -> Self {
        let mut marks = Marks::default();
        let (eights, rest) = text.as_chunks();
        eights.iter().for_each(|octets| marks.add(octets));
        match text.last_chunk() {
            _ if rest.is_empty() => {}
            Some(last) => marks.add(last),
            None => {
                let mut padded = [b'/'; 8];
                padded.iter_mut().zip(text).for_each(|(to, octet)| *to = *octet);
                marks.add(&padded);
            }
        }
        Traits {
            has_star: marks.stars != 0,
            may_have_run: marks.runs != 0,
            may_be_rewritten: marks.rewritten & repeated(0x80) != 0,
        }
    }
}

/// Eight times the same octet.
const fn repeated(octet: u8) -> u64 {
    u64::from_le_bytes([octet; 8])
}

/// The highest bits of the octets of `word` that are zero, and perhaps of others above one that is.
#[inline]
fn high_bit_if_zero(word: u64) -> u64 {
    word.wrapping_sub(repeated(1)) & !word & repeated(0x80)
}

/// The part of an allow rule for `…/index.htm*` that is the directory `…/`, which it stands for as
/// well (dialect `google`).
pub(super) fn directory_of_index(normalised: &[u8]) -> Option<&[u8]> {
    let slash = memrchr(b'/', normalised)?;
    let is_index = normalised.get(slash..)?.starts_with(b"/index.htm");
    is_index.then(|| normalised.get(..=slash)).flatten()
}
