//! A file's footer, read once and checked against the file.
//!
//! **Purpose.** Establish what the rest of this folder may rely on. **Enters**: an open file. **Leaves**: the footer, or a damaged-file
//! error. **Cost**: one or two reads; memory linear in the footer. **Must not know**: column names that matter.
//!
//! Relied on afterwards: row counts are not negative and add up; every column chunk lies inside the file; a column that is not a list
//! has as many values as its row group has rows.

use super::error::TableError;
use super::guard::guard;
use super::header::check_schema_depth;
use super::source::Source;
use parquet::file::metadata::{
    ColumnChunkMetaData, FooterTail, ParquetMetaData, ParquetMetaDataOptions,
    ParquetMetaDataReader, ParquetStatisticsPolicy, RowGroupMetaData,
};
use parquet::file::reader::Length;
use std::path::Path;

/// Magic, footer length, magic.
const SMALLEST_FILE: u64 = 12;
const FOOTER_TAIL: u64 = 8;

/// Reads and checks the footer of `source`.
///
/// # Errors
/// `is_damaged` where the file is no Parquet file or contradicts itself, `is_io` where it cannot be read.
pub(crate) fn read_footer(path: &Path, source: &Source) -> Result<ParquetMetaData, TableError> {
    let octets = guard(|| footer_octets(source)).and_then(|read| read);
    let refuse = |what: String| match source.take_failure() {
        Some(failure) => TableError::io(path, failure),
        None => TableError::reader(path, &what),
    };
    let metadata = octets.and_then(|octets| decode(&octets)).map_err(refuse)?;
    check(&metadata, source.len()).map_err(|what| TableError::damaged(path, what))?;
    Ok(metadata)
}

fn footer_octets(source: &Source) -> Result<bytes::Bytes, String> {
    let len = source.len();
    if len < SMALLEST_FILE {
        return Err(format!("not a Parquet file: {len} octets are fewer than the smallest has"));
    }
    let text = |error: parquet::errors::ParquetError| error.to_string();
    let tail = source.read(len - FOOTER_TAIL, 8).map_err(text)?;
    let tail: [u8; 8] = tail.as_ref().try_into().map_err(|_| "the file ends early".to_owned())?;
    let tail = FooterTail::try_new(&tail).map_err(|error| {
        format!("not a whole Parquet file (its end is missing or foreign): {error}")
    })?;
    let footer_len = tail.metadata_length();
    let start = (len - FOOTER_TAIL).checked_sub(footer_len as u64).filter(|start| *start >= 4);
    let start = start
        .ok_or_else(|| format!("the footer claims {footer_len} octets, the file has {len}"))?;
    source.read(start, footer_len).map_err(text)
}

fn decode(octets: &[u8]) -> Result<ParquetMetaData, String> {
    check_schema_depth(octets)?;
    let mut options = ParquetMetaDataOptions::new();
    // Statistics of values are never used and are most of a large footer.
    options.set_column_stats_policy(ParquetStatisticsPolicy::SkipAll);
    options.set_size_stats_policy(ParquetStatisticsPolicy::SkipAll);
    guard(|| ParquetMetaDataReader::decode_metadata_with_options(octets, Some(&options)))?
        .map_err(|error| error.to_string())
}

fn check(metadata: &ParquetMetaData, file_len: u64) -> Result<(), String> {
    let mut total = 0_u64;
    for (index, row_group) in metadata.row_groups().iter().enumerate() {
        let rows = u64::try_from(row_group.num_rows())
            .map_err(|_| format!("row group {index} claims {} rows", row_group.num_rows()))?;
        total = total.checked_add(rows).ok_or("the row groups claim too many rows")?;
        check_row_group(row_group, file_len)
            .map_err(|what| format!("row group {index}: {what}"))?;
    }
    if i64::try_from(total) != Ok(metadata.file_metadata().num_rows()) {
        let claimed = metadata.file_metadata().num_rows();
        return Err(format!("the footer claims {claimed} rows, its row groups have {total}"));
    }
    Ok(())
}

fn check_row_group(row_group: &RowGroupMetaData, file_len: u64) -> Result<(), String> {
    for chunk in row_group.columns() {
        check_chunk(chunk, row_group.num_rows(), file_len)
            .map_err(|what| format!("column {:?} {what}", chunk.column_path().string()))?;
    }
    Ok(())
}

fn check_chunk(chunk: &ColumnChunkMetaData, num_rows: i64, file_len: u64) -> Result<(), String> {
    let flat = chunk.column_descr().max_rep_level() == 0;
    if chunk.num_values() < 0 || (flat && chunk.num_values() != num_rows) {
        return Err(format!("claims {} values for {num_rows} rows", chunk.num_values()));
    }
    if chunk.file_path().is_some() {
        return Err("lies in another file".to_owned());
    }
    let (compressed, uncompressed) = (chunk.compressed_size(), chunk.uncompressed_size());
    let data = chunk.data_page_offset();
    let start = chunk.dictionary_page_offset().filter(|at| (4..data).contains(at)).unwrap_or(data);
    let inside = start >= 0
        && compressed >= 0
        && uncompressed >= 0
        && start
            .checked_add(compressed)
            .and_then(|end| u64::try_from(end).ok())
            .is_some_and(|end| end <= file_len.saturating_sub(FOOTER_TAIL));
    if !inside {
        return Err(format!(
            "claims {compressed} octets at {start} (unpacked {uncompressed}), the file has {file_len}"
        ));
    }
    Ok(())
}
