//! Groups → [`Program`]: one flat, position-independent byte slice that answers for one body.
//!
//! ```text
//! Robots ─pattern─▶ normalised patterns ─build─▶ Program (names → groups → rules in order of rank)
//! ```
//!
//! Enters: a parsed body and its dialect. Leaves: the program, the same in memory and on disk. The
//! build is linear in the body, but for sorting each group's rules. URLs and files are not known
//! here.

mod alike;
mod build;
mod choose;
mod compiler;
mod features;
mod gram_index;
mod grams;
mod ids;
mod keys;
mod layout;
mod names;
mod owned;
mod pattern;
mod program;
mod records;
mod rule_set;
mod rules;
mod text_order;
mod trie;
mod trie_build;
mod wanted;
mod words;

pub(crate) use alike::is_alike;
pub use choose::FormChoice;
pub use compiler::{BodyLimit, Compiler, compile, compile_in_form};
pub(crate) use features::{Features, features_of};
pub use gram_index::GramIndex;
pub(crate) use grams::{LongGrams, PathGrams, ShortGrams};
pub use ids::narrow;
pub use owned::Program;
pub use pattern::specificity;
pub use program::{BodyFlags, Compound, GroupId, GroupPlace, GroupProgram, NameKind, ProgramRef};
pub use records::RuleProgram;
pub use rule_set::{Literals, RuleSet, Wildcards};
pub use trie::{Leaf, Trie};
pub use wanted::{Wanted, WantedNames};
pub(crate) use words::PathWord;
pub use words::Words;
