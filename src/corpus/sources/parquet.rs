//! Robots tables in Parquet.

use std::path::Path;

use arrow::array::{Array, ArrayRef};

use super::cells;
use super::table_columns::TableColumn;
use super::{SourceOptions, SourceReport};
use crate::corpus::{CaptureSink, CorpusError, Place, RawCapture};
use crate::table::{
    BatchLimits, Column, Octets, ParquetFile, TIME_TYPES, TableError, Times, may_hold_times,
};

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
            for (row, capture) in columns.captures(&batch).enumerate() {
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
                check_type(kind, &column)?;
                columns.found.push(column);
                columns.kinds.push(kind);
            }
        }
        let has = |kind| columns.kinds.contains(&kind);
        let missing = match () {
            () if !has(TableColumn::Origin) && !has(TableColumn::Url) => "`origin` nor `url`",
            () if !has(TableColumn::Body) => "`body`",
            () => return Ok(columns),
        };
        Err(Problem::Message(format!(
            "a robots table has `origin` or `url`, and `body`; this one has no {missing}. It has: \
             {}. Map names with --robots-columns body=response.body,url=robots_url",
            table.column_names().join(", ")
        )))
    }

    /// The captures of a batch, row by row.
    fn captures<'b>(
        &self,
        batch: &'b [ArrayRef],
    ) -> impl Iterator<Item = Result<RawCapture, String>> + use<'b> {
        let array = |kind| {
            let at = self.kinds.iter().position(|known| *known == kind)?;
            batch.get(at)
        };
        let octets = |kind| array(kind).and_then(|array| Octets::try_new(array.as_ref()));
        let (origins, urls) = (octets(TableColumn::Origin), octets(TableColumn::Url));
        let bodies = octets(TableColumn::Body);
        let redirects = octets(TableColumn::Redirect);
        let content_types = octets(TableColumn::ContentType);
        let statuses = array(TableColumn::Status).map(cells::statuses).unwrap_or_default();
        let times = array(TableColumn::Time).and_then(Times::try_new);
        let num_rows = batch.first().map_or(0, |array| array.len());
        (0..num_rows).map(move |row| {
            let text = |column| value(column, row).map(|t| String::from_utf8_lossy(t).into_owned());
            let place = match (value(&origins, row), value(&urls, row)) {
                (Some(origin), _) => Place::Origin(origin.to_vec()),
                (None, url) => Place::Url(url.unwrap_or_default().to_vec()),
            };
            Ok(RawCapture {
                place,
                body: value(&bodies, row).map(<[u8]>::to_vec),
                status: statuses.get(row).cloned().unwrap_or(Ok(None))?,
                time: times.as_ref().map_or(Ok(None), |times| times.read(row))?,
                redirect: text(&redirects),
                content_type: text(&content_types),
                ..RawCapture::default()
            })
        })
    }
}

fn value<'a>(column: &Option<Octets<'a>>, row: usize) -> Option<&'a [u8]> {
    column.as_ref()?.value(row)
}

fn find_known(table: &ParquetFile, kind: TableColumn) -> Result<Option<Column>, Problem> {
    for name in kind.names() {
        if let Some(column) = table.find(name).map_err(Problem::Table)? {
            return Ok(Some(column));
        }
    }
    Ok(None)
}

fn check_type(kind: TableColumn, column: &Column) -> Result<(), Problem> {
    let found = column.data_type();
    let (fits, accepted) = match kind {
        TableColumn::Status => {
            (found.is_numeric() || Octets::accepts(found), "whole numbers or strings of digits")
        }
        TableColumn::Time => (may_hold_times(found), TIME_TYPES),
        _ => (Octets::accepts(found), "strings or binary"),
    };
    fits.then_some(()).ok_or_else(|| {
        Problem::Message(format!(
            "column `{}` is {found}; a robots table holds {accepted} there",
            column.name()
        ))
    })
}
