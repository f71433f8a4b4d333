//! Rules as they stand in a program, one record each.

use super::ids::{narrow, widen};
use super::layout;
use super::program::word_of;
use crate::parse::Kind;
use crate::text::compare::Head;

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

/// What a path is compared with for a rule without a wildcard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralText<'p> {
    /// The pattern without an anchor or a star at its end, and all that follows it in the program.
    tail: &'p [u8],
    /// Octets of it.
    pub(crate) len: usize,
    anchored: bool,
}

impl LiteralText<'_> {
    /// Whether `path`, which begins with `head`, matches.
    #[inline]
    pub(crate) fn matches(&self, path: &[u8], head: Head) -> bool {
        head.begins_with(path, self.tail, self.len) && (!self.anchored || path.len() == self.len)
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
        self.rules.get(at).map(|record| self.read(record))
    }

    /// The rule of one of the records.
    #[inline]
    pub(super) fn read(&self, record: &'p [u8; layout::RULE_LEN]) -> RuleProgram<'p> {
        let flags = word_of(record, 12);
        let at = widen(word_of(record, 0));
        let specificity = word_of(record, 4);
        let len = match flags & layout::RULE_SHORTENED {
            0 => widen(specificity),
            _ => widen(word_of(self.texts, at.saturating_sub(4))),
        };
        RuleProgram {
            specificity,
            pattern: self.texts.get(at..at.saturating_add(len)).unwrap_or_default(),
            line: word_of(record, 8),
            kind: if flags & layout::RULE_ALLOW != 0 { Kind::Allow } else { Kind::Disallow },
            anchored: flags & layout::RULE_ANCHORED != 0,
            pair: (flags & layout::RULE_PAIR != 0).then(|| [record[14], record[15]]),
        }
    }

    /// How many wildcard rules have better rank than the rule at `at`, which has no wildcard; `None`
    /// where they are too many for its record.
    #[inline]
    pub(super) fn num_better_wildcards(&self, at: usize) -> Option<usize> {
        let better = word_of(self.rules.get(at)?, 12) >> layout::BETTER_SHIFT;
        (better < layout::MAX_BETTER).then(|| widen(better))
    }

    /// What is compared of the rule at `at`, which has no wildcard.
    #[inline]
    pub(super) fn literal(&self, at: usize) -> Option<LiteralText<'p>> {
        let record = self.rules.get(at)?;
        let flags = word_of(record, 12);
        let cut = flags >> layout::CUT_SHIFT & layout::MAX_CUT;
        if cut == layout::MAX_CUT {
            return self.rule(at).map(literal_by_pattern);
        }
        Some(LiteralText {
            tail: self.texts.get(widen(word_of(record, 0))..).unwrap_or_default(),
            len: widen(word_of(record, 4).saturating_sub(cut)),
            anchored: flags & layout::RULE_ANCHORED != 0,
        })
    }
}

/// Of a rule that ends with hundreds of stars, which were made one.
#[cold]
fn literal_by_pattern(rule: RuleProgram<'_>) -> LiteralText<'_> {
    let len = rule.pattern.len().saturating_sub(1);
    LiteralText { tail: rule.pattern, len, anchored: rule.anchored }
}

/// The flags of a rule without a wildcard that tell how many octets at its end are not compared, and how
/// many wildcard rules have better rank.
#[inline]
pub(super) fn literal_flags(cut: u32, better: usize) -> u32 {
    let better = narrow(better).min(layout::MAX_BETTER);
    cut.min(layout::MAX_CUT) << layout::CUT_SHIFT | better << layout::BETTER_SHIFT
}

/// The flags of a wildcard rule that tell of its pair.
#[inline]
pub(super) fn pair_flags(pair: [u8; 2]) -> u32 {
    u32::from(u16::from_le_bytes(pair)) << layout::PAIR_SHIFT | layout::RULE_PAIR
}
