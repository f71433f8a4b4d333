//! The verdicts of a batch for one agent, nine octets a row, and the columns made of them.
//!
//! A row's basis, verdict and kind of group are one code; with the rule id that is all the standard
//! columns say. Columns are built from the codes when the batch is done, a few octets at a time.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, DictionaryArray, Int64Array, StringArray, UInt8Array};
use arrow::buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow::compute::cast;
use arrow::datatypes::{DataType, UInt8Type};
use arrow::error::ArrowError;

use super::columns::VerdictColumn as Column;
use super::{Basis, GroupKind};
use crate::corpus::BodyId;
use crate::matching::Match;
use crate::parse::Kind;

/// A verdict without its rule, in an octet: basis (bits 0 to 3), verdict (4 and 5), kind of group (6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(u8);

const REFUSED: u8 = 1;
const ALLOWED: u8 = 2;
const NAMED: u8 = 1;
const WILDCARD: u8 = 2;
const FALLBACK: u8 = 3;

impl Code {
    pub(super) fn new(allowed: Option<bool>, basis: Basis, group: Option<GroupKind>) -> Self {
        let verdict = match allowed {
            None => 0,
            Some(false) => REFUSED,
            Some(true) => ALLOWED,
        };
        let group = match group {
            None => 0,
            Some(GroupKind::Named) => NAMED,
            Some(GroupKind::Wildcard) => WILDCARD,
            Some(GroupKind::Fallback) => FALLBACK,
        };
        Code(basis.code() | verdict << 4 | group << 6)
    }

    /// Whether the URL may be crawled; `None` where that is unknown.
    #[must_use]
    pub fn allowed(self) -> Option<bool> {
        match self.verdict() {
            REFUSED => Some(false),
            ALLOWED => Some(true),
            _ => None,
        }
    }

    /// What decided.
    #[must_use]
    pub fn decided_by(self) -> Basis {
        Basis::ALL.get(usize::from(self.basis())).copied().unwrap_or(Basis::BadUrl)
    }

    /// Which group applied.
    #[must_use]
    pub fn kind_of_group(self) -> Option<GroupKind> {
        match self.group() {
            NAMED => Some(GroupKind::Named),
            WILDCARD => Some(GroupKind::Wildcard),
            FALLBACK => Some(GroupKind::Fallback),
            _ => None,
        }
    }

    /// Index of the basis in [`Basis::ALL`].
    #[inline]
    pub(super) fn basis(self) -> u8 {
        self.0 & 15
    }

    /// Whether the verdict is no.
    #[inline]
    pub(super) fn is_refused(self) -> bool {
        self.verdict() == REFUSED
    }

    /// 0 unknown, 1 refused, 2 allowed.
    #[inline]
    pub(super) fn verdict(self) -> u8 {
        self.0 >> 4 & 3
    }

    /// 0 none, 1 named, 2 wildcard, 3 fallback.
    #[inline]
    fn group(self) -> u8 {
        self.0 >> 6
    }

    /// Where it stands in a table of all codes.
    #[inline]
    pub(super) fn index(self) -> u8 {
        self.0
    }

    /// The code that stands there.
    #[inline]
    pub(super) fn of_index(index: u8) -> Self {
        Code(index)
    }
}

/// The verdicts that an answer can lead to.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupCodes {
    /// Where no rule matches, or none is asked.
    without_rule: Code,
    /// Where a disallow or an allow rule decides.
    with_rule: [Code; 2],
}

impl GroupCodes {
    /// The same whatever decides.
    pub(super) fn fixed(code: Code) -> Self {
        GroupCodes { without_rule: code, with_rule: [code; 2] }
    }

    /// Those of a group.
    pub(super) fn of_group(kind: GroupKind) -> Self {
        let code = |allowed, basis| Code::new(Some(allowed), basis, Some(kind));
        GroupCodes {
            without_rule: code(true, Basis::NoRule),
            with_rule: [code(false, Basis::Rule), code(true, Basis::Rule)],
        }
    }

    /// The verdict where `rule` of `body` decides, and its id.
    #[inline]
    pub(super) fn verdict(self, body: BodyId, rule: Option<&Match<'_>>) -> (Code, i64) {
        match rule {
            None => (self.without_rule, 0),
            Some(rule) => {
                let code = self.with_rule[usize::from(rule.kind == Kind::Allow)];
                (code, i64::from(body.number()) << 32 | i64::from(rule.line))
            }
        }
    }
}

/// A bit of each of eight codes, one code an octet: the lowest of its octet.
type BitOfEight = fn(u64) -> u64;

/// Verdict known: one of bits 4 and 5.
const KNOWN: BitOfEight = |codes| codes >> 4 | codes >> 5;
const IS_ALLOWED: BitOfEight = |codes| codes >> 5;
/// A group applied: one of bits 6 and 7.
const HAS_GROUP: BitOfEight = |codes| codes >> 6 | codes >> 7;
/// A rule decided: the only basis with bits 2 and 3.
const HAS_RULE: BitOfEight = |codes| codes >> 2 & codes >> 3;

const _: () = {
    let mut at = 0;
    while at < Basis::COUNT {
        let is_rule = matches!(Basis::ALL[at], Basis::Rule);
        assert!((at & 12 == 12) == is_rule, "HAS_RULE tells the basis `rule` from all others");
        at += 1;
    }
};

/// The words of the text columns, made once so that all batches share them.
#[derive(Debug)]
pub(super) struct Vocabulary {
    bases: ArrayRef,
    groups: ArrayRef,
}

const GROUP_WORDS: [&str; 4] = ["", "named", "wildcard", "fallback"];

impl Default for Vocabulary {
    fn default() -> Self {
        let array = |words: &[&str]| Arc::new(StringArray::from(words.to_vec()));
        Vocabulary { bases: array(&Basis::ALL.map(Basis::name)), groups: array(&GROUP_WORDS) }
    }
}

/// The verdicts of a batch for one agent.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    codes: Vec<Code>,
    /// 0 where no rule decided: lines count from 1.
    rule_ids: Vec<i64>,
}

impl Verdicts {
    /// Makes room for `num_rows` rows and forgets those of the last batch.
    pub(super) fn start(&mut self, num_rows: usize) {
        self.codes.clear();
        self.rule_ids.clear();
        self.codes.reserve(num_rows);
        self.rule_ids.reserve(num_rows);
    }

    #[inline]
    pub(super) fn push(&mut self, code: Code, rule_id: i64) {
        self.codes.push(code);
        self.rule_ids.push(rule_id);
    }

    /// Rows so far.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }

    /// All codes.
    pub(super) fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// The ids of the deciding rules; 0 where none decided. Empty once their column was asked for.
    pub(super) fn rule_ids(&self) -> &[i64] {
        &self.rule_ids
    }

    /// The codes from `from` on.
    pub(super) fn codes_from(&self, from: usize) -> &[Code] {
        self.codes.get(from..).unwrap_or_default()
    }

    /// A standard column, to be asked for once a batch; text as `data_type` asks, plain or as a
    /// dictionary.
    pub(super) fn column(
        &mut self,
        column: Column,
        data_type: &DataType,
        vocabulary: &Vocabulary,
    ) -> Result<ArrayRef, ArrowError> {
        match column {
            Column::Allowed => {
                Ok(Arc::new(BooleanArray::new(self.bits(IS_ALLOWED), self.nulls(KNOWN))))
            }
            Column::RuleId => {
                let ids = std::mem::take(&mut self.rule_ids);
                Ok(Arc::new(Int64Array::new(ids.into(), self.nulls(HAS_RULE))))
            }
            Column::Group => {
                let nulls = self.nulls(HAS_GROUP);
                self.text(Code::group, &vocabulary.groups, nulls, data_type)
            }
            _ => self.text(Code::basis, &vocabulary.bases, None, data_type),
        }
    }

    fn nulls(&self, known: BitOfEight) -> Option<NullBuffer> {
        some_null(NullBuffer::new(self.bits(known)))
    }

    /// One bit a row, eight rows at a time.
    fn bits(&self, bit: BitOfEight) -> BooleanBuffer {
        const LOWEST: u64 = 0x0101_0101_0101_0101;
        // The bit of octet n of the product's factor comes to stand at 56 + n.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let gather = |codes: [u8; 8]| {
            let product = (bit(u64::from_le_bytes(codes)) & LOWEST).wrapping_mul(GATHER);
            product.to_le_bytes()[7]
        };
        let (eights, rest) = self.codes.as_chunks::<8>();
        let mut bits: Vec<u8> = Vec::with_capacity(eights.len() + 1);
        bits.extend(eights.iter().map(|eight| gather(eight.map(|code| code.0))));
        if !rest.is_empty() {
            let mut eight = [0; 8];
            eight.iter_mut().zip(rest).for_each(|(to, code)| *to = code.0);
            bits.push(gather(eight));
        }
        BooleanBuffer::new(Buffer::from_vec(bits), 0, self.codes.len())
    }

    /// A column of few words: the one that `word_of` says.
    fn text(
        &self,
        word_of: fn(Code) -> u8,
        words: &ArrayRef,
        nulls: Option<NullBuffer>,
        data_type: &DataType,
    ) -> Result<ArrayRef, ArrowError> {
        let keys: Vec<u8> = self.codes.iter().map(|code| word_of(*code)).collect();
        let keys = UInt8Array::new(keys.into(), nulls);
        let text = DictionaryArray::<UInt8Type>::try_new(keys, Arc::clone(words))?;
        match data_type {
            DataType::Dictionary(..) => Ok(Arc::new(text)),
            plain => cast(&text, plain),
        }
    }
}

/// The same verdict, by no rule, for all agents.
#[inline]
pub(super) fn push_all(verdicts: &mut [Verdicts], code: Code) {
    verdicts.iter_mut().for_each(|verdicts| verdicts.push(code, 0));
}

/// `None` where nothing is null, as Arrow prefers it.
fn some_null(nulls: NullBuffer) -> Option<NullBuffer> {
    (nulls.null_count() > 0).then_some(nulls)
}
