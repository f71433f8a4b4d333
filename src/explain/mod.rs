//! One URL, and why its verdict is what it is.
//!
//! ```text
//! URL, agents, Corpus ─evaluate─▶ verdict, group, rule ─┐
//! text of the body    ─parse────▶ groups, records ──────┴─▶ Explanation
//! ```
//!
//! Enters: a [`Corpus`](crate::corpus::Corpus) of any size, a URL, agents; where the corpus keeps no texts, what the caller
//! has kept. A saved HTTP [`Exchange`] becomes a corpus of one origin. Leaves: an [`Explanation`], one plain data structure
//! from which a terminal, JSON or a page can be made. Cost: of the corpus the look-up of one origin and one body are
//! read; a body is parsed once, however many agents are asked for, and compiled once for each mixture of the dialects that is
//! tried where they disagree.
//! Must not know: how it is shown.
//!
//! Two [`Way`]s of judging may be compared as well: [`Causes`] tells which of the settings in which they differ makes a
//! verdict another one.

mod cause;
mod clause;
mod exchange;
mod explainer;
mod groups;
mod json;
mod notes;
mod of_body;
mod operator;
mod other;
mod programs;
mod read_body;
mod reason;
mod records;
mod rules;
mod story;
mod texts;
mod ways;

pub use cause::{Asked, Cause, Causes, Differing};
pub use clause::{CLAUSES, Clause, decisive};
pub use exchange::{Exchange, ExchangeError, Response};
pub use explainer::Explainer;
pub use of_body::records_of;
pub use operator::Operator;
pub use story::{
    AgentStory, AgentVerdict, AppliedStory, BodyStory, CaptureStory, Explanation, GroupLines,
    GroupStory, Hop, OtherDialect, PassedOver, RecordKind, RecordStory, RuleStanding, RuleStory,
};
pub use texts::{Finding, Keeping, KnownTexts};
pub use ways::Way;
