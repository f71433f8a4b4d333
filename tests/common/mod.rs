//! What several test programs share.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a case that cannot be read fails its test")]

pub mod cases;
