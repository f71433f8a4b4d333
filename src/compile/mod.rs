//! Groups → [`Program`]: one flat, position-independent byte slice that answers for one body.
//!
//! ```text
//! Robots ─pattern─▶ normalised patterns ─build─▶ Program (names → groups → rules in order of rank)
//! ```
//!
//! Enters: a parsed body and its dialect. Leaves: the program, the same in memory and on disk. The
//! build is linear in the body, but for sorting each group's rules. URLs and files are not known
//! here.

mod build;
mod choose;
mod features;
mod grams;
mod ids;
mod layout;
mod names;
mod pattern;
mod program;
mod rules;
mod scan;

pub use build::{BodyLimit, compile};
pub use grams::PathGrams;
pub use ids::narrow;
pub use program::{BodyFlags, Compound, GroupId, GroupProgram, NameKind, Program};
pub use scan::{RuleProgram, Scan};
