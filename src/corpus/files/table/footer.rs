//! The end of an Arrow IPC file: its schema, where its batches stand, and the shape that the writer left.
//!
//! Enters: the region of a file and the schema wanted. Leaves: the shape and the blocks of the batches, which agree in number. Cost:
//! the footer, some 24 octets for each batch. What a batch holds is not read here.

use arrow::datatypes::Schema;
use arrow::ipc;

use super::batch::Block;
use super::schema::check_same;
use super::{FilesError, Region, TableShape};

/// Opens and closes an Arrow IPC file.
const MAGIC: &[u8] = b"ARROW1";

/// Octets behind the footer: its length, and the magic.
const TAIL_LEN: u64 = 10;

/// Keys of the shape in the footer's metadata.
pub(super) const NUM_ROWS_KEY: &str = "robosift.num_rows";
pub(super) const ROWS_PER_BATCH_KEY: &str = "robosift.rows_per_batch";

/// Reads the footer.
pub(super) fn read(
    region: &Region,
    wanted: &Schema,
) -> Result<(TableShape, Vec<Block>), FilesError> {
    let (start, octets) = footer_octets(region)?;
    let malformed = |what: &str| region.malformed(start, what.to_owned());
    let footer = ipc::root_as_footer(octets).map_err(|_| malformed("no Arrow footer"))?;
    let mismatch = |what: String| FilesError::mismatch(region.name(), what);
    if footer.version() != ipc::MetadataVersion::V5 {
        return Err(mismatch("another version of the Arrow format".to_owned()));
    }
    let schema = footer.schema().ok_or_else(|| malformed("no schema"))?;
    check_same(schema, wanted).map_err(mismatch)?;
    let shape = read_shape(footer).ok_or_else(|| malformed("no number of rows"))?;
    let blocks: Option<Vec<Block>> =
        footer.recordBatches().into_iter().flatten().map(Block::new).collect();
    let blocks = blocks.ok_or_else(|| malformed("a batch at a negative place"))?;
    if u64::try_from(blocks.len()).ok() != Some(shape.num_batches()) {
        return Err(malformed("the number of batches does not fit the number of rows"));
    }
    Ok((shape, blocks))
}

/// The octets of the footer and where they start.
fn footer_octets(region: &Region) -> Result<(u64, &[u8]), FilesError> {
    let malformed = |offset, what: &'static str| region.malformed(offset, what);
    if region.try_get(0, 6)? != MAGIC {
        return Err(malformed(0, "no Arrow IPC file"));
    }
    let tail_start = region.len().saturating_sub(TAIL_LEN);
    let tail = region.try_get(tail_start, TAIL_LEN)?;
    let no_end = || malformed(tail_start, "the Arrow IPC file has no end");
    let (len, magic) = tail.split_first_chunk().ok_or_else(no_end)?;
    let len = u64::try_from(i32::from_le_bytes(*len)).map_err(|_| no_end())?;
    let start = tail_start.checked_sub(len).filter(|_| magic == MAGIC).ok_or_else(no_end)?;
    Ok((start, region.try_get(start, len)?))
}

/// The shape in the footer's metadata.
fn read_shape(footer: ipc::Footer<'_>) -> Option<TableShape> {
    let number = |key: &str| -> Option<u64> {
        let mut pairs = footer.custom_metadata().into_iter().flatten();
        pairs.find(|pair| pair.key() == Some(key))?.value()?.parse().ok()
    };
    let rows_per_batch = u32::try_from(number(ROWS_PER_BATCH_KEY)?).ok()?;
    let shape = TableShape { num_rows: number(NUM_ROWS_KEY)?, rows_per_batch };
    rows_per_batch.is_power_of_two().then_some(shape)
}
