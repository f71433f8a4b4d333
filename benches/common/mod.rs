//! What the benches share: bodies, questions about them that are the same on every run, and how one is answered.
#![allow(dead_code, reason = "each bench uses a part of it")]

pub(crate) mod asked;
pub(crate) mod crawl;
pub(crate) mod matcher;
pub(crate) mod median;
pub(crate) mod real_files;
pub(crate) mod scale;
pub(crate) mod w1;
