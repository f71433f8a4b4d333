//! The same rows judged in two ways: the rows that differ, in which way, and why.
//!
//! Enters: two evaluators and the names of the row columns. Leaves: a [`Judge`](crate::stream::Judge) whose answers are the
//! rows that differ, for [`run_gathered`](crate::stream::run_gathered), and a [`CompareTally`] of all rows. Cost: both evaluations;
//! for each row that differs what [`Causes`](crate::explain::Causes) says.

mod judge;
mod table;
mod tally;

pub use judge::{CompareFile, CompareJob, CompareState};
pub use tally::{CompareTally, Pairs};
