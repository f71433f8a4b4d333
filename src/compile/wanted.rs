//! Which names a program has to answer for.

use super::NameKind;
use super::layout::name_hash;

/// The names that will be asked for, and always `*`.
///
/// Groups that none of them stands over are left out of a program, which then answers for no other
/// name: one that is not wanted may not be found although the body has it.
///
/// # Examples
/// ```
/// use robosift::compile::{NameKind, Wanted};
/// let wanted = Wanted::only([(NameKind::Token, b"ExampleBot")]);
/// assert!(wanted.contains(NameKind::Token, b"examplebot"));
/// assert!(!wanted.contains(NameKind::Token, b"OtherBot"));
/// assert!(Wanted::All.contains(NameKind::Token, b"OtherBot"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Wanted {
    /// Any name.
    #[default]
    All,
    /// These names alone.
    Only(WantedNames),
}

/// A set of names, compared in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedNames {
    /// By hash.
    names: Vec<(u32, NameKind, Box<[u8]>)>,
    /// What names begin with: a bit for each octet, which shares it with others.
    beginnings: u64,
}

impl Wanted {
    /// No names but these, and `*`.
    #[must_use]
    pub fn only<Text: AsRef<[u8]>>(names: impl IntoIterator<Item = (NameKind, Text)>) -> Self {
        let names = names.into_iter().map(|(kind, text)| {
            let text = text.as_ref().to_ascii_lowercase().into_boxed_slice();
            (name_hash(kind, &text), kind, text)
        });
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.dedup();
        let beginnings = names.iter().fold(0, |bits, name| bits | beginning_bits(&name.2));
        Wanted::Only(WantedNames { names, beginnings })
    }

    /// Whether a name that begins as `text` does may be wanted: most that are not are told by that.
    #[inline]
    pub(super) fn may_begin(&self, text: &[u8]) -> bool {
        match self {
            Wanted::All => true,
            Wanted::Only(names) => names.beginnings & beginning_bits(text) != 0,
        }
    }

    /// Whether a program answers for this name.
    ///
    /// # Complexity
    /// Linear in the name, logarithmic in the names wanted.
    #[must_use]
    pub fn contains(&self, kind: NameKind, text: &[u8]) -> bool {
        self.has(name_hash(kind, text), kind, text)
    }

    /// As [`Wanted::contains`], of a name whose hash is known.
    #[inline]
    pub(super) fn has(&self, hash: u32, kind: NameKind, text: &[u8]) -> bool {
        let Wanted::Only(WantedNames { names, .. }) = self else { return true };
        let first = names.partition_point(|name| name.0 < hash);
        let same_hash = names.iter().skip(first).take_while(|name| name.0 == hash);
        same_hash.into_iter().any(|name| name.1 == kind && name.2.eq_ignore_ascii_case(text))
    }
}

/// The bit of the octet that `text` begins with; all bits for an empty name, which stands in any line.
#[inline]
fn beginning_bits(text: &[u8]) -> u64 {
    text.first().map_or(u64::MAX, |first| 1 << (first.to_ascii_lowercase() % 64))
}
