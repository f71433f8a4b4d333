//! Does one pattern match whatever another one matches? Can both match the same path?
//!
//! Enters: normalised patterns. Leaves: exact answers about inclusion, and about meeting an answer that errs towards
//! yes. Cost: linear in both patterns, but for the repetition that matching any path has.
//!
//! Take the narrower pattern as text, its `*` a letter that no pattern has as a literal, with one more `*` at its end
//! where it is not anchored. If the wider pattern matches that text, its own stars have taken in those letters, and
//! will take in whatever stands for them. If it includes the narrower one, it must match the text, because
//! some octet that paths have stands in no pattern's literals (NUL), and might stand for the letters. All paths begin with `/`,
//! so a star at the beginning stands for something that begins so, or for nothing before a `/`.

use crate::matching::{Steps, pattern_matches};

/// A normalised pattern without its anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern<'p> {
    pub(super) text: &'p [u8],
    pub(super) anchored: bool,
}

/// Whether the pattern `wide` matches every path that the pattern `narrow` matches. Both are normalised
/// ([`RuleProgram::pattern`](crate::compile::RuleProgram)): a `$` at the end is the anchor.
///
/// # Complexity
/// That of matching a path as long as `narrow` with `wide`, twice at most.
///
/// # Examples
/// ```
/// use robosift::lint::includes;
/// assert!(includes(b"/a*", b"/a/*.gif$"));
/// assert!(includes(b"*.gif$", b"/a/*.gif$"));
/// assert!(!includes(b"/*.gif$", b"/a/*.gif"));
/// assert!(includes(b"/", b"*"), "all paths begin with a slash");
/// ```
#[must_use]
pub fn includes(wide: &[u8], narrow: &[u8]) -> bool {
    Pattern::of(wide).includes(&Pattern::of(narrow).texts(), &mut ())
}

impl<'p> Pattern<'p> {
    pub(super) fn of(normalised: &'p [u8]) -> Self {
        match normalised {
            [text @ .., b'$'] => Pattern { text, anchored: true },
            text => Pattern { text, anchored: false },
        }
    }

    /// What stands before its first star.
    pub(super) fn prefix(&self) -> &'p [u8] {
        self.text.split(|octet| *octet == b'*').next().unwrap_or_default()
    }

    /// What stands behind its last star.
    fn suffix(&self) -> &'p [u8] {
        self.text.rsplit(|octet| *octet == b'*').next().unwrap_or_default()
    }

    fn has_star(&self) -> bool {
        self.text.contains(&b'*')
    }

    /// The texts of which it includes whatever includes all of them; none where it matches no path.
    pub(super) fn texts(&self) -> Vec<Vec<u8>> {
        let stars = self.text.iter().take_while(|octet| **octet == b'*').count();
        let rest = self.text.get(stars..).unwrap_or_default();
        let end: &[u8] = if self.anchored { b"" } else { b"*" };
        let (open, plain) = ([b"/*", rest, end].concat(), [rest, end].concat());
        match (stars, rest.first()) {
            (0, Some(b'/')) => vec![plain],
            (0, _) => Vec::new(),
            // Whatever begins with a slash, anchored or not.
            (_, None) => vec![b"/*".to_vec()],
            (_, Some(b'/')) => vec![plain, open],
            (_, Some(_)) => vec![open],
        }
    }

    /// Whether it matches whatever stands for each of `texts`.
    pub(super) fn includes(&self, texts: &[Vec<u8>], steps: &mut impl Steps) -> bool {
        texts.iter().all(|text| {
            steps.add(text.len() + self.text.len());
            pattern_matches(self.text, self.anchored, text, steps)
        })
    }

    /// Whether a path may match both; may be wrong where it says yes.
    pub(super) fn may_meet(&self, other: &Pattern<'_>, steps: &mut impl Steps) -> bool {
        let (one, two) = (self.prefix(), other.prefix());
        let common = one.len().min(two.len());
        steps.add(common + 1);
        if one.get(..common) != two.get(..common) {
            return false;
        }
        if self.anchored && !self.has_star() {
            return pattern_matches(other.text, other.anchored, self.text, steps);
        }
        if other.anchored && !other.has_star() {
            return pattern_matches(self.text, self.anchored, other.text, steps);
        }
        let (one, two) = (self.suffix(), other.suffix());
        let common = one.len().min(two.len());
        let same_end = one.iter().rev().zip(two.iter().rev()).take(common).all(|(a, b)| a == b);
        !(self.anchored && other.anchored) || same_end
    }
}
