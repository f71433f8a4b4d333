//! What a page header and a footer claim, checked before the Parquet reader allocates for it.
//!
//! **Purpose.** Refuse sizes that the file cannot hold, and schemas so deep that walking them would exhaust the stack.
//! **Enters**: the octets of a page header or of a footer, what is known of the column chunk. **Leaves**: the sizes, or why not.
//! **Cost**: linear in the header. **Must not know**: values.
//! Source: `PageHeader`, `FileMetaData`, `SchemaElement` of Parquet's format description.

use super::thrift::{Cursor, Stop, kind};
use parquet::basic::Compression;

/// Largest page accepted on the word of its header alone; beyond it the footer's total must allow for it.
///
/// Writers aim at 1 MiB a page; single values of tens of MiB exist.
const UNQUESTIONED_PAGE: u64 = 64 << 20;

/// Groups inside groups in a schema. Real schemas stay below 20; the Parquet reader recurses once a level.
const MAX_SCHEMA_DEPTH: usize = 100;

/// The sizes of one page.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PageSizes {
    /// Octets of the header itself.
    pub(crate) header_len: usize,
    /// Octets of the page as stored.
    pub(crate) compressed: u64,
    /// Octets of the page when unpacked.
    pub(crate) uncompressed: u64,
    /// Leading octets of the page that are stored as they are (levels of a V2 page).
    pub(crate) plain_len: u64,
    /// Whether the octets after those are compressed (V2 pages may say no).
    pub(crate) is_compressed: bool,
}

impl PageSizes {
    /// Reads the header at the start of `octets`.
    ///
    /// # Errors
    /// [`Stop::Cut`] when more octets are needed, [`Stop::Invalid`] when none would help.
    pub(crate) fn read(octets: &[u8]) -> Result<Self, Stop> {
        let mut cursor = Cursor::new(octets);
        let mut sizes = Self { is_compressed: true, ..Self::default() };
        let mut last = 0;
        while let Some((id, value)) = cursor.field(last)? {
            match (id, value) {
                (2, kind::I32) => sizes.uncompressed = size(cursor.zigzag()?)?,
                (3, kind::I32) => sizes.compressed = size(cursor.zigzag()?)?,
                (8, kind::STRUCT) => sizes.read_v2(&mut cursor)?,
                _ => cursor.skip(value)?,
            }
            last = id;
        }
        sizes.header_len = cursor.position();
        Ok(sizes)
    }

    fn read_v2(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Stop> {
        let mut last = 0;
        while let Some((id, value)) = cursor.field(last)? {
            match (id, value) {
                (5 | 6, kind::I32) => self.plain_len += size(cursor.zigzag()?)?,
                (7, kind::FALSE) => self.is_compressed = false,
                _ => cursor.skip(value)?,
            }
            last = id;
        }
        Ok(())
    }

    /// Checks the sizes against what the codec can do and against the column chunk's total in the footer.
    ///
    /// # Errors
    /// A sentence that says which claim is impossible.
    pub(crate) fn check(&self, codec: Compression, chunk_uncompressed: u64) -> Result<(), String> {
        let Self { compressed, uncompressed, .. } = *self;
        if self.plain_len > uncompressed || self.plain_len > compressed {
            return Err(format!(
                "a page of {compressed} octets claims {} of levels",
                self.plain_len
            ));
        }
        let most = largest_ratio(codec).map(|ratio| compressed.saturating_mul(ratio) + 4096);
        if most.is_some_and(|most| uncompressed > most) {
            return Err(format!(
                "a page of {compressed} octets claims to unpack to {uncompressed}, more than its codec can do"
            ));
        }
        if uncompressed > UNQUESTIONED_PAGE && uncompressed > chunk_uncompressed {
            return Err(format!(
                "a page claims to unpack to {uncompressed} octets, its whole column chunk to {chunk_uncompressed}"
            ));
        }
        Ok(())
    }
}

fn size(value: i64) -> Result<u64, Stop> {
    u64::try_from(value).map_err(|_| Stop::Invalid)
}

/// Octets out per octet in that a codec can reach at most, rounded up; `None` where nothing is allocated for the claim.
///
/// Snappy: a 3-octet copy of 64. LZ4: a length octet adds 255. DEFLATE: 258 octets in 2 bits. Zstandard: a block of 128 KiB in 4 octets.
fn largest_ratio(codec: Compression) -> Option<u64> {
    match codec {
        Compression::UNCOMPRESSED => None,
        Compression::SNAPPY => Some(32),
        Compression::LZ4 | Compression::LZ4_RAW => Some(256),
        Compression::GZIP(_) => Some(1040),
        _ => Some(40_000),
    }
}

/// Checks that the schema in a footer is no deeper than the Parquet reader can walk without exhausting the stack.
///
/// # Errors
/// A sentence; also when the octets are no footer at all.
pub(crate) fn check_schema_depth(footer: &[u8]) -> Result<(), String> {
    let depth = schema_depth(footer).map_err(|_| "the footer is not readable".to_owned())?;
    if depth > MAX_SCHEMA_DEPTH {
        return Err(format!("the schema nests more than {MAX_SCHEMA_DEPTH} groups"));
    }
    Ok(())
}

/// The deepest of all schemas in the footer: a field may be repeated, and the last one counts.
fn schema_depth(footer: &[u8]) -> Result<usize, Stop> {
    let mut cursor = Cursor::new(footer);
    let mut deepest = 0;
    let mut last = 0;
    while let Some((id, value)) = cursor.field(last)? {
        if (id, value) == (2, kind::LIST) {
            let (size, _) = cursor.list()?;
            deepest = deepest.max(elements_depth(&mut cursor, size)?);
            if deepest > MAX_SCHEMA_DEPTH {
                break;
            }
        } else {
            cursor.skip(value)?;
        }
        last = id;
    }
    Ok(deepest)
}

/// The schema is a list in depth-first order; the stack holds how many children each open group still awaits.
fn elements_depth(cursor: &mut Cursor<'_>, size: u64) -> Result<usize, Stop> {
    let mut open: Vec<i64> = Vec::new();
    let mut deepest = 0;
    for _ in 0..size {
        let children = element_children(cursor)?;
        if let Some(awaited) = open.last_mut() {
            *awaited -= 1;
        }
        if children > 0 {
            open.push(children);
        }
        deepest = deepest.max(open.len());
        if deepest > MAX_SCHEMA_DEPTH {
            break;
        }
        while open.last().is_some_and(|awaited| *awaited <= 0) {
            open.pop();
        }
    }
    Ok(deepest)
}

fn element_children(cursor: &mut Cursor<'_>) -> Result<i64, Stop> {
    let mut children = 0;
    let mut last = 0;
    while let Some((id, value)) = cursor.field(last)? {
        match (id, value) {
            (5, kind::I32) => children = cursor.zigzag()?,
            _ => cursor.skip(value)?,
        }
        last = id;
    }
    Ok(children)
}
