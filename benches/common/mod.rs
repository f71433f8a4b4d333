//! What the benches share: real bodies, and questions about them that are the same on every run.

pub(crate) mod real_files;
pub(crate) mod w1;
