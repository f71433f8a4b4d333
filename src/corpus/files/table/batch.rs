//! The metadata of one record batch: where the buffers of its columns stand in the file.
//!
//! Enters: a block of the footer, the schema, how many rows the batch must have. Leaves: the places of every column, each
//! checked to lie in the file and to be long enough for these rows, so that a read has only its own value to check.
//! Cost: once for each batch that is read. No value is looked at.

use std::num::NonZeroU64;

use arrow::datatypes::{Field, Schema};
use arrow::ipc;

use super::schema::{offset_len, value_len};
use super::{FilesError, Region};

/// Where a batch stands: its metadata, and behind it its buffers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    start: u64,
    metadata_len: u64,
    body_len: u64,
}

impl Block {
    /// `None` where the file says something negative.
    pub(super) fn new(block: &ipc::Block) -> Option<Self> {
        Some(Block {
            start: u64::try_from(block.offset()).ok()?,
            metadata_len: u64::try_from(block.metaDataLength()).ok()?,
            body_len: u64::try_from(block.bodyLength()).ok()?,
        })
    }
}

/// A range of octets of the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    pub(super) start: u64,
    pub(super) len: u64,
}

/// Where one column of one batch stands.
#[derive(Debug)]
pub(super) struct Places {
    /// The bitmap of rows that are not null; none when no row is.
    pub(super) validity: Option<NonZeroU64>,
    /// Values of a fixed size, or offsets.
    pub(super) first: Span,
    /// The octets that the offsets divide.
    pub(super) second: Span,
}

/// Reads the places of all columns of a batch of `num_rows` rows.
pub(super) fn read(
    region: &Region,
    schema: &Schema,
    block: Block,
    num_rows: u64,
) -> Result<Box<[Places]>, FilesError> {
    let octets = region.try_get(block.start, block.metadata_len)?;
    let malformed = |what: &'static str| region.malformed(block.start, what);
    let message = message(octets).ok_or_else(|| malformed("no Arrow message"))?;
    let is_fitting = message.version() == ipc::MetadataVersion::V5;
    let batch = message.header_as_record_batch().filter(|_| is_fitting);
    let batch = batch.ok_or_else(|| malformed("no record batch"))?;
    if u64::try_from(batch.length()) != Ok(num_rows) || batch.compression().is_some() {
        return Err(malformed("a record batch of another length, or compressed"));
    }
    let body = body(region, block).ok_or_else(|| malformed("a batch past the end of the file"))?;
    let mut buffers = Buffers { batch, body, next_node: 0, next_buffer: 0 };
    let places = schema.fields().iter().map(|field| buffers.places(field, num_rows));
    let places: Option<Box<[Places]>> = places.collect();
    places.ok_or_else(|| malformed("buffers that do not hold the batch's rows"))
}

/// The flatbuffer behind the marker of a message and its length.
fn message(octets: &[u8]) -> Option<ipc::Message<'_>> {
    let (marker, rest) = octets.split_first_chunk::<4>()?;
    let (len, rest) = rest.split_first_chunk::<4>()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let flatbuffer = rest.get(..len).filter(|_| *marker == [0xFF; 4])?;
    ipc::root_as_message(flatbuffer).ok()
}

/// The buffers of a batch, when they lie in the file.
fn body(region: &Region, block: Block) -> Option<Span> {
    let start = block.start.checked_add(block.metadata_len)?;
    let end = start.checked_add(block.body_len)?;
    (end <= region.len()).then_some(Span { start, len: block.body_len })
}

/// Walks the buffers of a batch, column after column.
struct Buffers<'a> {
    batch: ipc::RecordBatch<'a>,
    body: Span,
    next_node: usize,
    next_buffer: usize,
}

impl Buffers<'_> {
    /// The places of the next column; `None` where they do not hold its rows, or have nulls it may not have.
    fn places(&mut self, field: &Field, num_rows: u64) -> Option<Places> {
        let stored = field.data_type();
        let null_count = self.null_count(num_rows)?;
        if null_count > 0 && !field.is_nullable() {
            return None;
        }
        let validity = self.buffer(if null_count == 0 { 0 } else { num_rows.div_ceil(8) })?;
        let validity = NonZeroU64::new(validity.start).filter(|_| null_count > 0);
        if let Some(len) = value_len(stored) {
            let first = self.buffer(num_rows.checked_mul(len)?)?;
            return Some(Places { validity, first, second: Span { start: 0, len: 0 } });
        }
        let len = u64::from(offset_len(stored)?);
        // A batch without rows may have no offsets at all.
        let offsets = if num_rows == 0 { 0 } else { num_rows.checked_add(1)? };
        let first = self.buffer(offsets.checked_mul(len)?)?;
        Some(Places { validity, first, second: self.buffer(0)? })
    }

    /// How many rows of the next column are null.
    fn null_count(&mut self, num_rows: u64) -> Option<u64> {
        let nodes = self.batch.nodes()?;
        let node = (self.next_node < nodes.len()).then(|| nodes.get(self.next_node))?;
        self.next_node += 1;
        let null_count = u64::try_from(node.null_count()).ok()?;
        (u64::try_from(node.length()) == Ok(num_rows)).then_some(null_count)
    }

    /// The next buffer, of at least `len` octets, as a place in the file.
    fn buffer(&mut self, len: u64) -> Option<Span> {
        let buffers = self.batch.buffers()?;
        // Asked first: `get` would panic.
        let buffer = (self.next_buffer < buffers.len()).then(|| buffers.get(self.next_buffer))?;
        self.next_buffer += 1;
        let (start, found) = (buffer.offset(), buffer.length());
        let (start, found) = (u64::try_from(start).ok()?, u64::try_from(found).ok()?);
        let is_inside = start.checked_add(found)? <= self.body.len && found >= len;
        is_inside.then_some(Span { start: self.body.start + start, len: found })
    }
}
