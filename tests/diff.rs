//! What closed and opened between two bodies or two corpora, against cases written by hand and against brute force.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/shared_data.rs"]
mod shared_data;

#[path = "diff/asking.rs"]
mod asking;
#[path = "diff/brute_force.rs"]
mod brute_force;
#[path = "diff/cases.rs"]
mod cases;
#[path = "diff/hostile.rs"]
mod hostile;
#[path = "diff/real_files.rs"]
mod real_files;
