//! A judge for tests: the length of a string column and the row number.
#![allow(dead_code)]

use arrow::array::{ArrayRef, Int64Array, RecordBatch};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use robosift::stream::Judge;
use robosift::table::{Column, Octets, ParquetFile, TableError};
use std::ops::AddAssign;
use std::sync::Arc;

/// Rows seen and octets seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) rows: u64,
    pub(crate) octets: u64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.rows += other.rows;
        self.octets += other.octets;
    }
}

/// Answers each row `times` times.
pub(crate) struct Lengths {
    pub(crate) column: &'static str,
    pub(crate) times: usize,
}

pub(crate) const ONCE: Lengths = Lengths { column: "url", times: 1 };

impl Judge for Lengths {
    type Tally = Counts;
    type Plan = ();
    type State = ();
    type Error = TableError;

    fn schema(&self) -> SchemaRef {
        Arc::new(Schema::new(vec![
            Field::new("len", DataType::Int64, true),
            Field::new("row", DataType::Int64, false),
        ]))
    }

    fn plan(&self, file: &ParquetFile) -> Result<((), Vec<Column>), TableError> {
        Ok(((), vec![file.column(self.column)?]))
    }

    fn state(&self) {}

    fn judge(
        &self,
        (): &(),
        (): &mut (),
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Counts,
    ) -> Result<RecordBatch, TableError> {
        let octets = Octets::try_new(columns[0].as_ref()).unwrap();
        assert_eq!(octets.len(), num_rows);
        let rows = || (0..num_rows).flat_map(|row| std::iter::repeat_n(row, self.times));
        let lens: Int64Array =
            rows().map(|row| octets.value(row).map(|v| v.len() as i64)).collect();
        let numbers: Int64Array = rows().map(|row| Some(first_row as i64 + row as i64)).collect();
        tally.rows += num_rows as u64;
        tally.octets +=
            (0..num_rows).filter_map(|r| octets.value(r)).map(|v| v.len() as u64).sum::<u64>();
        Ok(RecordBatch::try_new(self.schema(), vec![Arc::new(lens), Arc::new(numbers)]).unwrap())
    }
}
