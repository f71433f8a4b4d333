//! The tables of a corpus: their files, columns and types, the same in memory and on disk.
//!
//! Enters: nothing. Leaves: names, schemas and the numbers of columns. `docs/CORPUS.md` tells readers of the
//! files what they mean. Must not know: who writes or reads them.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

/// Rows of a batch, in all tables but those of bodies.
pub(super) const ROWS_PER_BATCH: u32 = 1 << 16;

/// Rows of a batch of bodies, which are far larger.
pub(super) const BODIES_PER_BATCH: u32 = 1 << 7;

/// File names.
pub(super) const ORIGINS: &str = "origins.arrow";
pub(super) const CAPTURES: &str = "captures.arrow";
pub(super) const TARGETS: &str = "targets.arrow";
pub(super) const TARGET_CAPTURES: &str = "target_captures.arrow";
pub(super) const INDEX: &str = "index.arrow";
pub(super) const PROGRAMS: &str = "programs.arrow";
pub(super) const TEXTS: &str = "texts.arrow";
pub(super) const SOURCES: &str = "sources.arrow";
pub(super) const ARCHIVED: &str = "archived.arrow";
pub(super) const RULES: &str = "rules.parquet";
/// Those of a root, beside its shards.
pub(super) const SHARD_NUMBERS: &str = "numbers.arrow";
pub(super) const SHARD_BODIES: &str = "bodies.arrow";

/// Origins in SURT order, and URLs other than `/robots.txt` in the order of their octets.
pub(super) mod place {
    pub(in crate::corpus) const NAME: usize = 0;
    pub(in crate::corpus) const FIRST_CAPTURE: usize = 1;
    pub(in crate::corpus) const NUM_CAPTURES: usize = 2;
}

/// Captures by place, oldest first.
pub(super) mod capture {
    pub(in crate::corpus) const TIME: usize = 1;
    pub(in crate::corpus) const STATUS: usize = 2;
    pub(in crate::corpus) const BODY: usize = 3;
    pub(in crate::corpus) const FLAGS: usize = 4;
    pub(in crate::corpus) const REDIRECT: usize = 5;
    pub(in crate::corpus) const CONTENT_TYPE: usize = 6;
    pub(in crate::corpus) const SOURCE: usize = 7;
    pub(in crate::corpus) const OFFSET: usize = 8;
}

/// What archives told of captures, in the order of captures, then of those of targets.
pub(super) mod archived {
    pub(in crate::corpus) const CAPTURE: usize = 0;
    pub(in crate::corpus) const PAYLOAD: usize = 1;
    pub(in crate::corpus) const REFERS_TO: usize = 2;
}

/// Distinct bodies by number.
pub(super) mod program {
    pub(in crate::corpus) const DIGEST: usize = 0;
    pub(in crate::corpus) const LEN: usize = 1;
    pub(in crate::corpus) const NUM_ORIGINS: usize = 2;
    pub(in crate::corpus) const RFC9309: usize = 3;
    pub(in crate::corpus) const GOOGLE: usize = 4;
}

/// The bodies of each shard, one shard after the other.
pub(super) mod shard_number {
    pub(in crate::corpus) const NUMBER: usize = 0;
}

/// Distinct bodies of all shards by number.
pub(super) mod shard_body {
    pub(in crate::corpus) const PLACE: usize = 0;
    pub(in crate::corpus) const NUM_ORIGINS: usize = 1;
}

fn field(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, false)
}

fn nullable(name: &str, kind: DataType) -> Field {
    Field::new(name, kind, true)
}

fn schema(fields: Vec<Field>) -> SchemaRef {
    Arc::new(Schema::new(fields))
}

fn places(name: &str) -> SchemaRef {
    schema(vec![
        field(name, DataType::LargeUtf8),
        field("first_capture", DataType::Int64),
        field("num_captures", DataType::Int32),
    ])
}

fn time() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

fn captures(place: &str) -> SchemaRef {
    schema(vec![
        field(place, DataType::Int32),
        nullable("time", time()),
        nullable("status", DataType::Int16),
        nullable("body", DataType::Int32),
        field("flags", DataType::Int16),
        nullable("redirect", DataType::LargeUtf8),
        nullable("content_type", DataType::LargeUtf8),
        nullable("source", DataType::Int32),
        nullable("offset", DataType::Int64),
    ])
}

/// `origins.arrow`
pub(super) static ORIGINS_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| places("origin"));
/// `captures.arrow`
pub(super) static CAPTURES_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| captures("origin"));
/// `targets.arrow`
pub(super) static TARGETS_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| places("url"));
/// `target_captures.arrow`
pub(super) static TARGET_CAPTURES_SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| captures("target"));
/// `index.arrow`: upper half a part of the name's hash, lower half the origin's number and one.
pub(super) static INDEX_SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(vec![field("slot", DataType::UInt64)]));
/// `programs.arrow`
pub(super) static PROGRAMS_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema(vec![
        field("digest", DataType::FixedSizeBinary(32)),
        field("length", DataType::Int64),
        field("num_origins", DataType::Int32),
        nullable("rfc9309", DataType::LargeBinary),
        nullable("google", DataType::LargeBinary),
    ])
});
/// `texts.arrow`
pub(super) static TEXTS_SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(vec![field("text_zstd", DataType::LargeBinary)]));
/// `archived.arrow`: captures of targets are numbered on from the last of `captures.arrow`.
pub(super) static ARCHIVED_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema(vec![
        field("capture", DataType::Int64),
        nullable("payload_digest", DataType::FixedSizeBinary(16)),
        nullable("refers_to", time()),
    ])
});
/// `sources.arrow`
pub(super) static SOURCES_SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(vec![field("source", DataType::LargeUtf8)]));
/// `numbers.arrow`
pub(super) static SHARD_NUMBERS_SCHEMA: LazyLock<SchemaRef> =
    LazyLock::new(|| schema(vec![field("number", DataType::Int32)]));
/// `bodies.arrow`: the place is a row of `numbers.arrow`.
pub(super) static SHARD_BODIES_SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema(vec![field("place", DataType::Int32), field("num_origins", DataType::Int32)])
});
