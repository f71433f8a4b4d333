//! Rules as they stand in a program, one record each.

use super::ids::widen;
use super::layout;
use super::program::word_of;
use crate::parse::Kind;

/// One rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleProgram<'p> {
    /// The normalised pattern, its `$` included, a run of stars as one.
    pub pattern: &'p [u8],
    specificity: u32,
    /// The line it stands on.
    pub line: u32,
    /// Allow or disallow.
    pub kind: Kind,
    /// The pattern's last octet is the anchor.
    pub anchored: bool,
    /// Two octets that stand next to each other in every path that matches, behind the wildcard.
    pub(crate) pair: Option<[u8; 2]>,
}

impl RuleProgram<'_> {
    /// Octets of the normalised pattern, `*` and `$` counted (RFC 9309 section 2.2.2).
    #[must_use]
    pub fn specificity(&self) -> u32 {
        self.specificity
    }

    /// Rules sort by it: more octets, then allow, then the earlier line.
    #[must_use]
    #[inline]
    pub fn rank(&self) -> (std::cmp::Reverse<u32>, bool, u32) {
        (std::cmp::Reverse(self.specificity), self.kind == Kind::Disallow, self.line)
    }
}

/// The records of a group's rules: literal rules by rank, then wildcard rules by rank.
///
/// Rank is: more octets first, allow before disallow, earlier line before later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records<'p> {
    pub(super) rules: &'p [[u8; layout::RULE_LEN]],
    pub(super) texts: &'p [u8],
}

impl<'p> Records<'p> {
    #[inline]
    pub(super) fn rule(&self, at: usize) -> Option<RuleProgram<'p>> {
        let record = self.rules.get(at)?;
        let flags = word_of(record, 12);
        let at = widen(word_of(record, 0));
        let specificity = word_of(record, 4);
        let len = match flags & layout::RULE_SHORTENED {
            0 => widen(specificity),
            _ => widen(word_of(self.texts, at.saturating_sub(4))),
        };
        Some(RuleProgram {
            specificity,
            pattern: self.texts.get(at..at.saturating_add(len)).unwrap_or_default(),
            line: word_of(record, 8),
            kind: if flags & layout::RULE_ALLOW != 0 { Kind::Allow } else { Kind::Disallow },
            anchored: flags & layout::RULE_ANCHORED != 0,
            pair: (flags & layout::RULE_PAIR != 0).then(|| [record[14], record[15]]),
        })
    }
}
