//! A dictionary of URLs: each value judged once, whatever the number of rows that have it.
//!
//! Enters: a batch whose URLs are a dictionary, agents that are the same for every row. Leaves: the
//! same columns and counts as row by row. Cost: the judging of all values, and of one row more for
//! rows without a URL, once as long as the same dictionary comes; a key to follow for each row and
//! column. A dictionary that has more values than rows came with it is judged row by row.

use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, UInt32Array};
use arrow::compute::take;
use arrow::error::ArrowError;

use super::counts::Counts;
use super::dictionary::Dictionary;
use super::verdicts::{Code, Verdicts};
use super::{Asked, Evaluator, Layout, RowColumns, Scratch, Tally, VerdictColumn};

/// The verdicts on the values of the dictionary that came last.
#[derive(Debug, Default)]
pub(super) struct ByValue {
    dictionary: Dictionary,
    /// The verdict columns, a row for each value and one for rows without; empty before it is judged.
    columns: Vec<ArrayRef>,
    /// Agent by agent.
    codes: Vec<Vec<Code>>,
    /// Recorded statuses.
    statuses: Vec<Option<i16>>,
    /// How many rows of the batch have each value.
    times: Vec<u64>,
}

impl ByValue {
    /// Whether the values of `rows` are to be judged rather than the rows.
    pub(super) fn pays(&mut self, rows: &RowColumns<'_>, values: &ArrayRef) -> bool {
        if self.dictionary.changes(values, rows.len()) {
            self.columns.clear();
        }
        self.dictionary.pays()
    }

    fn keep(&mut self, columns: Vec<ArrayRef>, verdicts: &[Verdicts], statuses: Vec<Option<i16>>) {
        self.columns = columns;
        self.codes = verdicts.iter().map(|verdicts| verdicts.codes().to_vec()).collect();
        self.statuses = statuses;
    }

    /// Which value each row has, counted.
    fn picks(&mut self, rows: &RowColumns<'_>) -> UInt32Array {
        self.times.clear();
        self.times.resize(self.statuses.len(), 0);
        let picks = (0..rows.len()).map(|row| {
            let value = rows.distinct(row).unwrap_or(0);
            if let Some(times) = self.times.get_mut(value) {
                *times += 1;
            }
            crate::compile::narrow(value)
        });
        picks.collect::<Vec<u32>>().into()
    }

    fn count(&self, counts: &mut Counts) {
        counts.start(self.codes.len());
        for (agent, codes) in self.codes.iter().enumerate() {
            let values = codes.iter().zip(&self.statuses).zip(&self.times);
            for ((code, status), times) in values.filter(|(_, times)| **times > 0) {
                counts.add(agent, *code, *status, *times);
            }
        }
    }
}

impl<'c> Evaluator<'c> {
    /// Whether a batch of rows can be judged value by value.
    pub(super) fn can_follow_values(&self) -> bool {
        matches!(self.asked, Asked::Agents(_)) && self.layout == Layout::Wide
    }

    /// The columns of a batch, made of those of its `distinct` URLs.
    pub(super) fn follow_values(
        &self,
        rows: &RowColumns<'_>,
        distinct: &RowColumns<'_>,
        first_row: u64,
        scratch: &mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Result<Vec<ArrayRef>, ArrowError> {
        if scratch.by_value.columns.is_empty() {
            scratch.keep_statuses();
            // Values are counted when rows follow them.
            let columns = self.judge_batch(distinct, 0, scratch, &mut Tally::default());
            let statuses = scratch.take_statuses();
            scratch.by_value.keep(columns?, &scratch.verdicts, statuses);
        }
        let Scratch { by_value, counts, .. } = scratch;
        let picks = by_value.picks(rows);
        by_value.count(counts);
        scratch.tell(rows.len(), &self.labels, tally);
        let columns = self.slots.iter().zip(&scratch.by_value.columns);
        let follow = columns.map(|(slot, column)| match slot.column {
            VerdictColumn::Row => Ok(row_numbers(first_row, rows.len())),
            _ => take(column, &picks, None),
        });
        follow.collect()
    }
}

/// The positions of so many rows.
fn row_numbers(first_row: u64, num_rows: usize) -> ArrayRef {
    let rows = (first_row..).take(num_rows).map(|row| i64::try_from(row).ok());
    Arc::new(rows.collect::<Int64Array>())
}
