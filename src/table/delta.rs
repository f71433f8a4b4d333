//! The delta encodings' own counts, checked before the Parquet reader allocates for them.
//!
//! **Purpose.** `DELTA_LENGTH_BYTE_ARRAY` and `DELTA_BYTE_ARRAY` pages start with lists of lengths that carry their own number of values,
//! and prefixes can make few octets into very many. The reader allocates for both on the page's word.
//! **Enters**: the values of one page. **Leaves**: nothing, or why the page is refused. **Cost**: one pass over the packed lengths.
//! **Must not know**: files. Source: "Delta Encoding" in Parquet's format description.

use super::thrift::Cursor;

/// Octets that the values of one page may become when prefixes are written out.
const MAX_EXPANDED: u64 = 256 << 20;

/// Checks the values of a `DELTA_LENGTH_BYTE_ARRAY` page of at most `num_values` values.
///
/// # Errors
/// A sentence.
pub(crate) fn check_delta_length(values: &[u8], num_values: u32) -> Result<(), String> {
    Lengths::read(values, num_values, |_| ()).map(drop)
}

/// Checks the values of a `DELTA_BYTE_ARRAY` page of at most `num_values` values.
///
/// # Errors
/// A sentence; also where the values written out would exceed 256 MiB.
pub(crate) fn check_delta_prefixed(values: &[u8], num_values: u32) -> Result<(), String> {
    let mut expanded = 0_u64;
    let mut add = |len: i32| expanded = expanded.saturating_add(u64::try_from(len).unwrap_or(0));
    let prefixes = Lengths::read(values, num_values, &mut add)?;
    let rest = values.get(prefixes.end..).unwrap_or_default();
    let suffixes = Lengths::read(rest, num_values, &mut add)?;
    if prefixes.count != suffixes.count {
        return Err("a page has unequal numbers of prefixes and suffixes".to_owned());
    }
    if expanded > MAX_EXPANDED {
        return Err(format!("the values of one page would take {expanded} octets"));
    }
    Ok(())
}

/// One list of 32-bit lengths in `DELTA_BINARY_PACKED`.
struct Lengths {
    count: u64,
    end: usize,
}

struct Shape {
    miniblocks: usize,
    per_miniblock: u64,
    count: u64,
    first: i64,
}

impl Lengths {
    fn read(octets: &[u8], most: u32, mut each: impl FnMut(i32)) -> Result<Self, String> {
        let cut = |_| "a page ends inside its lengths".to_owned();
        let mut cursor = Cursor::new(octets);
        let shape = Shape::read(&mut cursor, most)?;
        let mut value = wrap(shape.first);
        let mut left = shape.count;
        if left > 0 {
            each(value);
            left -= 1;
        }
        let mut end = cursor.position();
        while left > 0 {
            let mut block = Cursor::new(octets.get(end..).unwrap_or_default());
            let min_delta = wrap(block.zigzag().map_err(cut)?);
            let widths_at = end + block.position();
            end = widths_at.saturating_add(shape.miniblocks);
            let widths = octets.get(widths_at..end).ok_or("a page ends inside its lengths")?;
            for width in widths {
                if left == 0 {
                    break;
                }
                let here = left.min(shape.per_miniblock);
                let packed = octets.get(end..).unwrap_or_default();
                unpack(packed, *width, here, |delta| {
                    value = value.wrapping_add(min_delta).wrapping_add(delta);
                    each(value);
                })?;
                left -= here;
                let len = u64::from(*width) * shape.per_miniblock / 8;
                end = end.saturating_add(usize::try_from(len).map_err(|error| error.to_string())?);
            }
        }
        Ok(Self { count: shape.count, end: end.min(octets.len()) })
    }
}

impl Shape {
    fn read(cursor: &mut Cursor<'_>, most: u32) -> Result<Self, String> {
        let mut number =
            || cursor.varint().map_err(|_| "a page ends inside its lengths".to_owned());
        let (per_block, miniblocks, count) = (number()?, number()?, number()?);
        let first = cursor.zigzag().map_err(|_| "a page ends inside its lengths".to_owned())?;
        if count > u64::from(most) {
            return Err(format!("a page of {most} values claims {count} lengths"));
        }
        let fits = miniblocks > 0
            && per_block <= 1 << 24
            && per_block.is_multiple_of(128)
            && per_block.is_multiple_of(miniblocks)
            && (per_block / miniblocks).is_multiple_of(32);
        let per_miniblock = per_block.checked_div(miniblocks).unwrap_or(0);
        if !fits || per_miniblock == 0 {
            return Err(format!("a page has blocks of {per_block} in {miniblocks} parts"));
        }
        let miniblocks = usize::try_from(miniblocks).map_err(|error| error.to_string())?;
        Ok(Self { miniblocks, per_miniblock, count, first })
    }
}

/// Hands out `count` numbers of `width` bits, least significant bit first.
fn unpack(packed: &[u8], width: u8, count: u64, mut each: impl FnMut(i32)) -> Result<(), String> {
    if width > 32 {
        return Err(format!("a page packs lengths into {width} bits"));
    }
    let mut octets = packed.iter();
    let (mut held, mut bits) = (0_u64, 0_u8);
    let mask = (1_u64 << width) - 1;
    for _ in 0..count {
        while bits < width {
            let octet = octets.next().ok_or("a page ends inside its lengths")?;
            held |= u64::from(*octet) << bits;
            bits += 8;
        }
        each(wrap((held & mask).cast_signed()));
        held >>= width;
        bits -= width;
    }
    Ok(())
}

/// The low 32 bits as a signed number: deltas wrap around by definition.
fn wrap(value: i64) -> i32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}
