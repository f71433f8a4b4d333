//! `lint`: the page of codes, what is proven of rules, hostile bodies, real ones.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;
#[path = "common/shared_data.rs"]
mod shared_data;

#[path = "lint/cases.rs"]
mod cases;
#[path = "lint/conflicts.rs"]
mod conflicts;
#[path = "lint/hostile.rs"]
mod hostile;
#[path = "lint/inclusion.rs"]
mod inclusion;
#[path = "lint/page.rs"]
mod page;
#[path = "lint/paths.rs"]
mod paths;
#[path = "lint/real.rs"]
mod real;
