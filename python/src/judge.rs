//! An evaluator together with the corpus that it borrows.
//!
//! Enters: batches with the columns that rows are read from. Leaves: batches of verdicts. Judging the batches of one stream one after
//! the other or side by side keeps what was found out about origins and agents. Must not know: Python.

use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::RecordBatch;
use arrow::error::ArrowError;
use robosift::corpus::Corpus;
use robosift::evaluate::{Asked, AskedError, Evaluator, RowColumns, Scratch, Settings, Tally};
use self_cell::self_cell;

use crate::options::Options;

/// An evaluator, and scratch of those that are not judging just now.
pub(crate) struct Judging<'c> {
    evaluator: Evaluator<'c>,
    idle: Mutex<Vec<Scratch<'c>>>,
}

self_cell! {
    /// Judges batches; shared by threads.
    pub(crate) struct Judge {
        owner: Arc<Corpus>,
        #[not_covariant]
        dependent: Judging,
    }
}

impl Judge {
    /// For these agents, with the columns and the layout of `options`.
    pub(crate) fn with_options(
        corpus: Arc<Corpus>,
        settings: Settings,
        asked: Asked,
        options: &Options,
    ) -> Result<Judge, AskedError> {
        Judge::try_new(corpus, |corpus| {
            let Options { columns, layout, suffix, .. } = options;
            let evaluator = Evaluator::try_new(corpus, settings, asked, columns, *layout, *suffix)?;
            Ok(Judging { evaluator, idle: Mutex::default() })
        })
    }

    /// What is told of the evaluator.
    pub(crate) fn tell<T>(&self, what: impl FnOnce(&Evaluator<'_>) -> T) -> T {
        self.with_dependent(|_, judging| what(&judging.evaluator))
    }

    /// The verdicts on some rows, the first of which is number `first_row`.
    pub(crate) fn judge(
        &self,
        rows: &RowColumns<'_>,
        first_row: u64,
    ) -> Result<RecordBatch, ArrowError> {
        self.with_dependent(|_, judging| {
            let lock = || judging.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let mut scratch = lock().pop().unwrap_or_default();
            let mut tally = Tally::default();
            let verdicts = judging.evaluator.evaluate(rows, first_row, &mut scratch, &mut tally);
            lock().push(scratch);
            verdicts
        })
    }
}
