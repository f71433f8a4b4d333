//! The verdicts of a batch for one agent, nine octets a row, and the columns made of them.
//!
//! A row's basis, verdict and kind of group are one code; with the rule id that is all the standard
//! columns say. Columns are built from the codes when the batch is done, a few octets at a time.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, DictionaryArray, Int64Array, StringArray, UInt8Array};
use arrow::buffer::{BooleanBuffer, NullBuffer};
use arrow::datatypes::{DataType, UInt8Type};
use arrow::error::ArrowError;

use super::columns::VerdictColumn as Column;
use super::{Basis, GroupKind};

/// Basis (bits 0 to 3), verdict (4 and 5), kind of group (6 and 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Code(u8);

const REFUSED: u8 = 1;
const ALLOWED: u8 = 2;
const NAMED: u8 = 1;
const WILDCARD: u8 = 2;

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
        };
        Code(basis.code() | verdict << 4 | group << 6)
    }

    /// Index of the basis in [`Basis::ALL`].
    #[inline]
    pub(super) fn basis(self) -> u8 {
        self.0 & 15
    }

    /// 0 unknown, 1 refused, 2 allowed.
    #[inline]
    pub(super) fn verdict(self) -> u8 {
        self.0 >> 4 & 3
    }

    /// 0 none, 1 named, 2 wildcard.
    #[inline]
    fn group(self) -> u8 {
        self.0 >> 6
    }
}

/// The verdicts of a batch for one agent.
#[derive(Debug, Default)]
pub(super) struct Verdicts {
    pub(super) codes: Vec<Code>,
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

    /// A standard column; text as `data_type` asks, plain or as a dictionary.
    pub(super) fn column(
        &self,
        column: Column,
        data_type: &DataType,
    ) -> Result<ArrayRef, ArrowError> {
        match column {
            Column::Allowed => Ok(self.allowed()),
            Column::RuleId => Ok(self.rule_id()),
            Column::Group => self.text(Code::group, &["", "named", "wildcard"], true, data_type),
            _ => self.text(Code::basis, &Basis::ALL.map(Basis::name), false, data_type),
        }
    }

    fn allowed(&self) -> ArrayRef {
        let bits = |wanted: fn(u8) -> bool| {
            BooleanBuffer::collect_bool(self.codes.len(), |row| wanted(self.codes[row].verdict()))
        };
        let known = NullBuffer::new(bits(|verdict| verdict != 0));
        Arc::new(BooleanArray::new(bits(|verdict| verdict == ALLOWED), some_null(known)))
    }

    fn rule_id(&self) -> ArrayRef {
        let known = BooleanBuffer::collect_bool(self.rule_ids.len(), |row| self.rule_ids[row] != 0);
        let known = some_null(NullBuffer::new(known));
        Arc::new(Int64Array::new(self.rule_ids.clone().into(), known))
    }

    /// A column of few words: the one that `word_of` says, null for word 0 where that is `nullable`.
    fn text(
        &self,
        word_of: fn(Code) -> u8,
        words: &[&str],
        nullable: bool,
        data_type: &DataType,
    ) -> Result<ArrayRef, ArrowError> {
        let nulls = nullable.then(|| {
            BooleanBuffer::collect_bool(self.codes.len(), |row| word_of(self.codes[row]) != 0)
        });
        let nulls = nulls.and_then(|known| some_null(NullBuffer::new(known)));
        let keys: Vec<u8> = self.codes.iter().map(|code| word_of(*code)).collect();
        if matches!(data_type, DataType::Dictionary(..)) {
            let values = Arc::new(StringArray::from(words.to_vec()));
            let keys = UInt8Array::new(keys.into(), nulls);
            return Ok(Arc::new(DictionaryArray::<UInt8Type>::try_new(keys, values)?));
        }
        let word = |(row, key): (usize, &u8)| {
            let known = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
            known.then(|| words.get(usize::from(*key)).copied()).flatten()
        };
        Ok(Arc::new(keys.iter().enumerate().map(word).collect::<StringArray>()))
    }
}

/// `None` where nothing is null, as Arrow prefers it.
fn some_null(nulls: NullBuffer) -> Option<NullBuffer> {
    (nulls.null_count() > 0).then_some(nulls)
}
