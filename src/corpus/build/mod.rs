//! Captures → the tables of a corpus: in memory, or as a folder built out of core.
//!
//! ```text
//! RawCapture ─intake─▶ records ─sorter─▶ runs ─assemble─▶ origins, captures, index
//!                  └─▶ bodies ─▶ texts ─────programs────▶ programs, texts, rules
//! ```
//!
//! Enters: captures in any order, from several threads. Leaves: the same tables for the same captures in the same sources,
//! whatever the threads. Rows and columns are not known here.

mod archived;
mod assemble;
mod bodies;
mod filed;
mod finish;
mod folder;
mod home;
mod intake;
mod journal;
mod memory;
mod numbering;
mod out;
mod payloads;
mod programs;
mod rests;
mod rows;
mod rule_numbers;
mod rule_texts;
mod rules;
mod slots;
mod sorter;
mod stop;
mod texts;

pub use finish::BuildReport;
pub use folder::{FolderBuild, FolderIntake, FolderPlan};
pub use home::{Located, Target, locate};
pub use memory::CorpusBuilder;
pub(super) use out::MemoryTables;
pub(super) use rules::SCHEMA as RULES_SCHEMA;
pub use stop::BuildStop;
