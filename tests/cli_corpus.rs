//! What `--corpus` takes: tables of every type, JSON lines, folders, single files; and what the captures
//! in them mean: origins, redirects, visits.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_corpus/damage.rs"]
mod damage;
#[path = "cli_corpus/files.rs"]
mod files;
#[path = "cli_corpus/lines.rs"]
mod lines;
#[path = "cli_corpus/origins.rs"]
mod origins;
#[path = "cli_corpus/redirects.rs"]
mod redirects;
#[path = "cli_corpus/sentences.rs"]
mod sentences;
#[path = "cli_corpus/tables.rs"]
mod tables;
#[path = "cli_corpus/visits.rs"]
mod visits;
