//! The verdicts of a batch as they are, without columns: for who compares or counts them.
//!
//! Enters: a batch of rows. Leaves: a [`Code`] and a rule id for each agent and row, borrowed. Cost: that of judging. Must
//! not know: what becomes of them.

use arrow::error::ArrowError;

use super::verdicts::Verdicts;
use super::{Code, Evaluator, RowColumns, Scratch, Tally};
use crate::corpus::Corpus;

/// The verdicts of one batch, agent by agent.
#[derive(Clone, Copy, Debug)]
pub struct BatchVerdicts<'s> {
    verdicts: &'s [Verdicts],
}

impl<'s> BatchVerdicts<'s> {
    /// For each row, verdict, basis and group for the agent at this place among those asked; 0 where each row names its own.
    #[must_use]
    pub fn codes(&self, agent: usize) -> &'s [Code] {
        self.verdicts.get(agent).map(Verdicts::codes).unwrap_or_default()
    }

    /// For each row, the id of the rule that decided, as in column `robots_rule_id`; 0 where none did.
    #[must_use]
    pub fn rule_ids(&self, agent: usize) -> &'s [i64] {
        self.verdicts.get(agent).map(Verdicts::rule_ids).unwrap_or_default()
    }
}

impl<'c> Evaluator<'c> {
    /// The corpus that it judges by.
    #[must_use]
    pub fn corpus(&self) -> &'c Corpus {
        self.corpus
    }

    /// Judges all rows of a batch and makes no columns. For evaluators that were made without any.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`]; an evaluator with columns, which take the rule ids.
    ///
    /// # Complexity
    /// As [`Evaluator::evaluate`], each row by itself.
    pub fn verdicts<'s>(
        &self,
        rows: &RowColumns<'_>,
        scratch: &'s mut Scratch<'c>,
        tally: &mut Tally,
    ) -> Result<BatchVerdicts<'s>, ArrowError> {
        if !self.slots.is_empty() {
            let message = "verdicts are given by evaluators without columns";
            return Err(ArrowError::InvalidArgumentError(message.to_owned()));
        }
        self.judge_batch(rows, 0, scratch, tally)?;
        // What damaged files gave must not leave as verdicts.
        self.corpus.check().map_err(|error| ArrowError::ExternalError(Box::new(error)))?;
        Ok(BatchVerdicts { verdicts: &scratch.verdicts })
    }
}
