//! Corpora built into folders: what they answer, that nothing but the sources decides their octets, merging, builds
//! that were cut off, damage, revisits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "common/random.rs"]
mod random;
#[path = "common/shared_data.rs"]
mod shared_data;

#[path = "corpus_build/cut_off.rs"]
mod cut_off;
#[path = "corpus_build/damage.rs"]
mod damage;
#[path = "corpus_build/forged.rs"]
mod forged;
#[path = "corpus_build/made.rs"]
mod made;
#[path = "corpus_build/merge.rs"]
mod merge;
#[path = "corpus_build/revisits.rs"]
mod revisits;
#[path = "corpus_build/rule_tables.rs"]
mod rule_tables;
#[path = "corpus_build/same_octets.rs"]
mod same_octets;
#[path = "corpus_build/same_verdicts.rs"]
mod same_verdicts;
