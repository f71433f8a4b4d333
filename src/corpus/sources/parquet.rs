//! Robots tables in Parquet.

use std::path::Path;

use arrow::array::Array;

use super::rows;
use super::table_columns::TableColumn;
use super::{SourceOptions, SourceReport};
use crate::corpus::{CaptureSink, CorpusError};
use crate::table::{BatchLimits, Column, ParquetFile, TableError};

/// Rows and octets of a batch: bodies of half a megabyte are common enough to bound the octets.
const BATCH: BatchLimits = BatchLimits { rows: 8_192, octets: 64 << 20 };

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    builder: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let wrap = |error| CorpusError::table(file, error);
    let table = ParquetFile::open(file).map_err(wrap)?;
    let columns = TableColumns::find(&table, options).map_err(|problem| problem.at(file))?;
    let limits =
        BatchLimits { octets: options.batch_octets.unwrap_or(BATCH.octets), rows: BATCH.rows };
    for group in 0..table.num_row_groups() {
        let mut first_row = 0;
        for batch in table.read(group, &columns.found, limits).map_err(wrap)? {
            let batch = batch.map_err(wrap)?;
            for (row, capture) in rows::captures(&columns.kinds, &batch).enumerate() {
                let problem = match capture {
                    Ok(capture) => {
                        builder.add(capture)?;
                        continue;
                    }
                    Err(problem) => problem,
                };
                let place = format!("row group {group}, row {}", first_row + row);
                let error = CorpusError::row(file, &place, problem);
                if !options.skip_damaged {
                    return Err(error);
                }
                report.skipped.push(&error);
            }
            first_row += batch.first().map_or(0, |array| array.len());
        }
    }
    Ok(())
}

/// The columns that were found, and which is which.
struct TableColumns {
    found: Vec<Column>,
    kinds: Vec<TableColumn>,
}

enum Problem {
    Table(TableError),
    Message(String),
}

impl Problem {
    fn at(self, file: &Path) -> CorpusError {
        match self {
            Problem::Table(error) => CorpusError::table(file, error),
            Problem::Message(message) => CorpusError::message(file, message),
        }
    }
}

impl TableColumns {
    fn find(table: &ParquetFile, options: &SourceOptions) -> Result<Self, Problem> {
        let mut columns = TableColumns { found: Vec::new(), kinds: Vec::new() };
        for kind in TableColumn::ALL {
            let column = match options.columns.given(kind) {
                Some(name) => Some(table.column(name).map_err(Problem::Table)?),
                None => find_known(table, kind)?,
            };
            if let Some(column) = column {
                rows::check_type(kind, column.name(), column.data_type())
                    .map_err(Problem::Message)?;
                columns.found.push(column);
                columns.kinds.push(kind);
            }
        }
        rows::check_all(&columns.kinds, &table.column_names()).map_err(|message| {
            Problem::Message(format!(
                "{message}. Map names with --robots-columns body=response.body,url=robots_url"
            ))
        })?;
        Ok(columns)
    }
}

fn find_known(table: &ParquetFile, kind: TableColumn) -> Result<Option<Column>, Problem> {
    for name in kind.names() {
        if let Some(column) = table.find(name).map_err(Problem::Table)? {
            return Ok(Some(column));
        }
    }
    Ok(None)
}
