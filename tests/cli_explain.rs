//! `robosift explain`, the real binary: what it prints, JSON, pages, responses, sources, exit codes.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_explain/golden.rs"]
mod golden;
#[path = "cli_explain/json.rs"]
mod json;
#[path = "cli_explain/pages.rs"]
mod pages;
#[path = "cli_explain/responses.rs"]
mod responses;
#[path = "cli_explain/sources.rs"]
mod sources;
