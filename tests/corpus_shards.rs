//! Corpora of shards: that they answer, number and write what one build of all captures does, however they were cut; what is damaged or
//! mixed up.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "common/random.rs"]
mod random;

#[path = "corpus_shards/commands.rs"]
mod commands;
#[path = "corpus_shards/crawl.rs"]
mod crawl;
#[path = "corpus_shards/cut.rs"]
mod cut;
#[path = "corpus_shards/exports.rs"]
mod exports;
#[path = "corpus_shards/mixed_up.rs"]
mod mixed_up;
#[path = "corpus_shards/same_corpus.rs"]
mod same_corpus;
#[path = "corpus_shards/same_verdicts.rs"]
mod same_verdicts;
