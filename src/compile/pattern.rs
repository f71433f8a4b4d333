//! A path pattern in the form in which it is compared.
//!
//! In the normalised text `*` is always the wildcard and a `$` that [`Shape::anchored`] speaks of is
//! the last octet; its length is the rule's specificity. Linear in the pattern; one that needs no
//! rewriting, as most, is copied.

use memchr::{memchr, memchr2, memrchr};

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

/// Appends the normalised form of `pattern` to `out`.
pub(super) fn normalise(pattern: &[u8], how: Normalisation, out: &mut Vec<u8>) -> Shape {
    let start = out.len();
    let (text, anchored) = match pattern {
        [text @ .., b'$'] => (text, true),
        text => (text, false),
    };
    match how {
        _ if memchr2(b'%', b'$', text).is_none() && text.is_ascii() => out.extend_from_slice(text),
        Normalisation::BothSides => percent::normalise(text, [b'$'; 2], out),
        Normalisation::RuleOnly => percent::escape_only(text, out),
    }
    let stars = Stars::of(&out[start..], anchored);
    if anchored {
        out.push(b'$');
    }
    Shape { anchored, stars, possible: matches!(out.get(start), Some(b'/' | b'*')) }
}

/// How much of an allow rule for `…/index.htm*` is the directory `…/`, which it stands for as well
/// (dialect `google`).
pub(super) fn directory_of_index(normalised: &[u8]) -> Option<usize> {
    let slash = memrchr(b'/', normalised)?;
    normalised[slash..].starts_with(b"/index.htm").then_some(slash + 1)
}
