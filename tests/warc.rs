//! WARC files as sources of captures: every kind of record, every way of compressing the file and the
//! payload, damage of all sorts. Files are made by hand; those of a real writer stand in tests/python.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test reports by failing"
)]

#[path = "common/cli.rs"]
mod cli;
#[path = "common/random.rs"]
mod random;

#[path = "warc/bodies.rs"]
mod bodies;
#[path = "warc/containers.rs"]
mod containers;
#[path = "warc/damage.rs"]
mod damage;
#[path = "warc/heads.rs"]
mod heads;
#[path = "warc/made.rs"]
mod made;
#[path = "warc/records.rs"]
mod records;
#[path = "warc/sources.rs"]
mod sources;
