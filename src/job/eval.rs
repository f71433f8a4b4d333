//! Row columns of a file → verdict columns.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;

use super::columns::{FilePlan, Needs, RowNames};
use super::error::EvalError;
use crate::evaluate::{Asked, Evaluator, Scratch, Tally};
use crate::stream::Judge;
use crate::table::{Column, ParquetFile};

/// Takes rows of files to an evaluator.
#[derive(Debug)]
pub struct EvalJob<'c> {
    evaluator: Evaluator<'c>,
    names: RowNames,
}

impl<'c> EvalJob<'c> {
    /// A job that reads the columns in `names`.
    #[must_use]
    pub fn new(evaluator: Evaluator<'c>, names: RowNames) -> Self {
        EvalJob { evaluator: evaluator.with_dictionaries(), names }
    }
}

impl<'c> Judge for EvalJob<'c> {
    type Tally = Tally;
    type Plan = FilePlan;
    type State = Scratch<'c>;
    type Error = EvalError;

    fn schema(&self) -> SchemaRef {
        self.evaluator.schema()
    }

    fn plan(&self, file: &ParquetFile) -> Result<(FilePlan, Vec<Column>), EvalError> {
        let needs = Needs {
            agent: matches!(self.evaluator.asked(), Asked::Column),
            uses_times: self.evaluator.uses_times(),
            needs_times: self.evaluator.needs_times(),
        };
        self.names.plan(file, needs)
    }

    fn state(&self) -> Scratch<'c> {
        Scratch::default()
    }

    fn judge(
        &self,
        plan: &FilePlan,
        state: &mut Scratch<'c>,
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Tally,
    ) -> Result<RecordBatch, EvalError> {
        let rows = plan.rows(columns, num_rows)?;
        Ok(self.evaluator.evaluate(&rows, first_row, state, tally)?)
    }
}
