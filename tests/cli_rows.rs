//! What `eval` takes as rows: column types, nested and missing columns, folders, damaged files; and that row N of
//! the output belongs to row N of the input. Tests named `brN_…` hold a publicly reported failure of other tools.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "forged_files/mod.rs"]
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "its numbers are small")]
mod forged_files;

#[path = "cli_rows/columns.rs"]
mod columns;
#[path = "cli_rows/damage.rs"]
mod damage;
#[path = "cli_rows/memory.rs"]
mod memory;
#[path = "cli_rows/places.rs"]
mod places;
#[path = "cli_rows/shapes.rs"]
mod shapes;
#[path = "cli_rows/threads.rs"]
mod threads;

use cli::{Bench, robots};

/// Refuses `/x` on https://a.example.
fn bench() -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[robots("https://a.example", "User-agent: *\nDisallow: /x\n")]);
    bench
}

/// The corpus of [`bench`] and an agent.
const FIXED: &str = "--corpus robots.parquet --agent GPTBot";
