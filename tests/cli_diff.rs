//! `robosift diff`, the real binary: what it prints of two files and of two corpora, JSON, the table, exit codes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_diff/corpora.rs"]
mod corpora;
#[path = "cli_diff/files.rs"]
mod files;
#[path = "cli_diff/unknown.rs"]
mod unknown;
