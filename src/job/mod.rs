//! A whole run: rows in files, judged by a corpus, verdicts in files.
//!
//! Enters: an [`Evaluator`] and the names of the row columns. Leaves: a
//! [`Judge`](crate::stream::Judge) that the stream takes rows through, and the key-value metadata
//! that says how an output came about. Likewise the bodies of a corpus, linted, as a table of findings. The place where `evaluate`, which knows no files, and
//! `stream`, which knows no robots, meet. Cost: none of its own.
//! Two evaluators, [`CompareJob`], give the rows that they judge differently instead.

mod columns;
mod compare;
mod error;
mod eval;
mod lint;
mod metadata;

pub use columns::{FilePlan, RowNames, TIME_COLUMNS, URL_COLUMNS, known_time_column};
pub use compare::{CompareFile, CompareJob, CompareState, CompareTally, Pairs};
pub use error::EvalError;
pub use eval::EvalJob;
pub use lint::{CodeCount, LintSource, LintSummary, Texts, lint_bodies};
pub use metadata::{Provenance, provenance};

#[cfg(doc)]
use crate::evaluate::Evaluator;
