//! What changed between two robots.txt files or two corpora: for whom which paths closed or opened.
//!
//! ```text
//! two bodies ─▶ agents ─evaluate─▶ two Sides ─compare─▶ Changes, each with a path that shows it
//! two Corpora ─in SURT order─▶ origins ─▶ pairs of bodies, each compared once ─▶ counts and rows
//! ```
//!
//! Enters: compiled bodies or [`Corpus`](crate::corpus::Corpus)es, agents, settings. Leaves: [`Comparison`]s as plain data, and a Parquet table of
//! origins that changed. Differences are found by walking the patterns of both sides together, so that what is said
//! to be unchanged is; where that would take too much work, it is said that it is not known. Must not know: how it is shown.

mod answers;
mod bodies;
mod budget;
mod compare;
mod corpora;
mod counts;
mod lazy;
mod pairs;
mod pattern;
mod ranked;
mod search;
mod side;
mod spelling;
mod table;

pub use bodies::{AgentsDiff, agents_named, diff_bodies};
pub use compare::{Change, Comparison, Detail, Extent, compare, extent};
pub use corpora::{AgentsAsked, CorporaDiff, diff_corpora};
pub use counts::{AgentCounts, SiteChange};
pub use side::{Decider, DecidingRule, Side};
pub use table::ChangeTable;
