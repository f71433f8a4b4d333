//! `robosift lint`: what it prints, in each format, and how it ends; findings of a corpus as a table.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_lint/corpus.rs"]
mod corpus;
#[path = "cli_lint/files.rs"]
mod files;
#[path = "cli_lint/golden.rs"]
mod golden;
