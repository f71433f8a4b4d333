//! One batch of rows × corpus → verdict columns: the only place where rows meet rules.
//!
//! ```text
//! Rows (url, agent, origin) ─rows─▶ Target (origin, path) ─run─▶ answers per agent ─▶ Outcome
//!                                                                    ─build─▶ verdict columns
//! ```
//!
//! Enters: Arrow arrays, a read-only [`Corpus`](crate::corpus::Corpus) and [`Settings`]. Leaves: a
//! record batch of `robots_*` columns and a [`Tally`]. Rows of the same origin in a row are resolved
//! once; several agents share the split URL, its normalised path and one walk of each distinct
//! group. Files are not known here.

mod ahead;
mod append;
mod asked;
mod basis;
mod batch;
mod briefs;
mod build;
mod by_value;
mod columns;
mod counts;
mod dictionary;
mod evaluator;
mod gaps;
mod later;
mod origins;
mod outcome;
mod question;
mod resolved;
mod rows;
mod run;
mod scattered;
mod scratch;
mod settings;
mod single;
mod tally;
mod target;
mod verdicts;

pub use asked::{Asked, AskedError};
pub use basis::Basis;
pub use batch::BatchVerdicts;
pub use columns::{Layout, Suffix, VerdictColumn, VerdictFlags};
pub use evaluator::Evaluator;
pub use gaps::Gaps;
pub use outcome::GroupKind;
pub use question::{AskedUrl, Heard, Judged, JudgedBy, hear, judge_by_program, judge_by_site};
pub use rows::{RowColumns, RowsError};
pub use scratch::Scratch;
pub use settings::{Fallback, NoCapture, Scope, Settings};
pub use single::{Verdict, judge, judge_compiled};
pub(crate) use tally::of_agent;
pub use tally::{AgentTally, Tally};
pub use verdicts::Code;
