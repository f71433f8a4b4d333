//! `robosift eval`, the real binary: the demo, verdict columns, agents, policies, outputs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;

#[path = "cli_eval/agents.rs"]
mod agents;
#[path = "cli_eval/columns.rs"]
mod columns;
#[path = "cli_eval/demo.rs"]
mod demo;
#[path = "cli_eval/outputs.rs"]
mod outputs;
#[path = "cli_eval/policies.rs"]
mod policies;
#[path = "cli_eval/summary.rs"]
mod summary;
#[path = "cli_eval/widths.rs"]
mod widths;
