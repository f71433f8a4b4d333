//! The robots table of a workload as record batches.
//!
//! Enters: seed, origins, bodies. Leaves: batches of `origin`, `body`, `status`, `fetch_time`, `content_type`,
//! `redirect`, in SURT order of origins, oldest capture first.
//! Cost: about 4 µs a capture; memory for one batch. Must not know: files.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, BinaryBuilder, Int16Builder, RecordBatch, StringBuilder, StructArray,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

use super::bodies::Bodies;
use super::captures::{Capture, Payload, captures};
use super::origins::Origins;
use super::schedule::timestamp;

/// A batch ends with the origin that brings it to so many captures …
const BATCH_CAPTURES: usize = 8_192;
/// … or so many octets of bodies.
const BATCH_OCTETS: usize = 16 << 20;

const ERROR_PAGE: &[u8] = b"<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n\
    <h1>Not Found</h1>\r\n</body>\r\n</html>\r\n";

/// The columns of the robots table.
pub(crate) fn robots_schema() -> SchemaRef {
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("origin", DataType::Utf8, false),
        Field::new("body", DataType::Binary, true),
        Field::new("status", DataType::Int16, false),
        Field::new("fetch_time", time, false),
        Field::new("content_type", DataType::Utf8, true),
        Field::new("redirect", DataType::Utf8, true),
    ]))
}

/// Batches of captures, in order.
pub(crate) struct RobotsBatches {
    seed: u64,
    origins: Origins,
    bodies: Bodies,
    fields: Fields,
    next_origin: u64,
    /// Which bodies of the pool some capture had.
    served: Vec<bool>,
    name: String,
    body: Vec<u8>,
}

/// The columns of a batch being filled.
#[derive(Default)]
struct Columns {
    origin: StringBuilder,
    body: BinaryBuilder,
    status: Int16Builder,
    fetch_time: TimestampMicrosecondBuilder,
    content_type: StringBuilder,
    redirect: StringBuilder,
    num_captures: usize,
    body_octets: usize,
}

impl RobotsBatches {
    pub(crate) fn new(seed: u64, origins: Origins) -> Self {
        let bodies = Bodies::new(seed, origins.count());
        let served = vec![false; usize::try_from(bodies.len()).unwrap_or(0)];
        let fields = robots_schema().fields().clone();
        Self {
            seed,
            origins,
            bodies,
            fields,
            next_origin: 0,
            served,
            name: String::new(),
            body: Vec::new(),
        }
    }

    /// How many bodies of the pool the batches so far hold.
    pub(crate) fn num_bodies(&self) -> u64 {
        self.served.iter().map(|&served| u64::from(served)).sum()
    }

    /// Makes the octets that came with a capture; false where none are known.
    fn fill_body(&mut self, payload: Payload) -> bool {
        match payload {
            Payload::Absent => return false,
            Payload::ErrorPage => {
                self.body.clear();
                self.body.extend_from_slice(ERROR_PAGE);
            }
            Payload::Body(number) => {
                self.bodies.write(number, &mut self.body);
                let place = usize::try_from(number).ok();
                if let Some(served) = place.and_then(|place| self.served.get_mut(place)) {
                    *served = true;
                }
            }
        }
        true
    }
}

impl Columns {
    fn push(&mut self, origin: &str, capture: &Capture, body: Option<&[u8]>) {
        self.origin.append_value(origin);
        self.body.append_option(body);
        self.status.append_value(capture.status);
        self.fetch_time.append_value(timestamp(capture.fetch_time));
        self.content_type.append_option(capture.content_type);
        self.redirect.append_option(capture.redirect.as_deref());
        self.num_captures += 1;
        self.body_octets += body.map_or(0, <[u8]>::len);
    }

    fn is_full(&self) -> bool {
        self.num_captures >= BATCH_CAPTURES || self.body_octets >= BATCH_OCTETS
    }

    fn finish(mut self, fields: Fields) -> RecordBatch {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.origin.finish()),
            Arc::new(self.body.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.fetch_time.finish().with_timezone("UTC")),
            Arc::new(self.content_type.finish()),
            Arc::new(self.redirect.finish()),
        ];
        RecordBatch::from(StructArray::new(fields, columns, None))
    }
}

impl Iterator for RobotsBatches {
    type Item = RecordBatch;

    fn next(&mut self) -> Option<RecordBatch> {
        let mut columns = Columns::default();
        while !columns.is_full() && self.next_origin < self.origins.count() {
            let origin = self.next_origin;
            self.next_origin += 1;
            self.name.clear();
            self.origins.write_name(origin, &mut self.name);
            for capture in captures(self.seed, &self.origins, &self.bodies, origin) {
                let known = self.fill_body(capture.payload);
                columns.push(&self.name, &capture, known.then_some(self.body.as_slice()));
            }
        }
        (columns.num_captures > 0).then(|| columns.finish(self.fields.clone()))
    }
}
