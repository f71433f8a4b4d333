//! `robosift corpus build`, `info`, `show`, `rules`, `captures` and `records` on a small crawl: every line they print,
//! every value they write, exit codes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_corpus_commands/crawl.rs"]
mod crawl;
#[path = "cli_corpus_commands/info.rs"]
mod info;
#[path = "cli_corpus_commands/show.rs"]
mod show;
#[path = "cli_corpus_commands/tables.rs"]
mod tables;
