//! Robots tables in Parquet.

use std::path::Path;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, TimeUnit, TimestampMicrosecondType};

use super::table_columns::TableColumn;
use super::{SourceOptions, SourceReport};
use crate::corpus::{CorpusBuilder, CorpusError, Place, RawCapture, Status};
use crate::table::{BatchLimits, Column, Octets, ParquetFile, TableError};
use crate::text::timestamp;

/// Rows and octets of a batch: bodies of half a megabyte are common enough to bound the octets.
const BATCH: BatchLimits = BatchLimits { rows: 8_192, octets: 64 << 20 };

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    builder: &mut CorpusBuilder,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let wrap = |error| CorpusError::table(file, error);
    let table = ParquetFile::open(file).map_err(wrap)?;
    let columns = TableColumns::find(&table, options).map_err(|problem| problem.at(file))?;
    let limits =
        BatchLimits { octets: options.batch_octets.unwrap_or(BATCH.octets), rows: BATCH.rows };
    for group in 0..table.num_row_groups() {
        for batch in table.read(group, &columns.found, limits).map_err(wrap)? {
            let batch = batch.map_err(wrap)?;
            columns.add_batch(&batch, builder).map_err(|message| {
                CorpusError::message(file, format!("row group {group}: {message}"))
            })?;
        }
    }
    if builder.num_without_status() > 0 {
        report.note(super::without_status(file));
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

    fn add_batch(&self, batch: &[ArrayRef], builder: &mut CorpusBuilder) -> Result<(), String> {
        let num_rows = batch.first().map_or(0, |array| array.len());
        let array = |kind| {
            let at = self.kinds.iter().position(|known| *known == kind)?;
            batch.get(at)
        };
        let octets = |kind| array(kind).and_then(|array| Octets::try_new(array.as_ref()));
        let (origins, urls) = (octets(TableColumn::Origin), octets(TableColumn::Url));
        let bodies = octets(TableColumn::Body);
        let redirects = octets(TableColumn::Redirect);
        let content_types = octets(TableColumn::ContentType);
        let statuses = array(TableColumn::Status).map(statuses).transpose()?;
        let times = array(TableColumn::Time).map(times).transpose()?;
        for row in 0..num_rows {
            let text = |column| value(column, row).map(|t| String::from_utf8_lossy(t).into_owned());
            let place = match (value(&origins, row), value(&urls, row)) {
                (Some(origin), _) => Place::Origin(origin.to_vec()),
                (None, url) => Place::Url(url.unwrap_or_default().to_vec()),
            };
            builder.add(RawCapture {
                place,
                body: value(&bodies, row).map(<[u8]>::to_vec),
                status: statuses.as_ref().and_then(|s| *s.get(row)?),
                time: times.as_ref().and_then(|t| *t.get(row)?),
                redirect: text(&redirects),
                content_type: text(&content_types),
            });
        }
        Ok(())
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
            (found.is_integer() || Octets::accepts(found), "whole numbers or strings of digits")
        }
        TableColumn::Time => (
            found.is_integer()
                || found.is_floating()
                || matches!(found, DataType::Timestamp(..) | DataType::Date32)
                || Octets::accepts(found),
            "timestamps, ISO 8601 strings, 14-digit dates or epoch seconds",
        ),
        _ => (Octets::accepts(found), "strings or binary"),
    };
    fits.then_some(()).ok_or_else(|| {
        Problem::Message(format!(
            "column `{}` is {found}; a robots table holds {accepted} there",
            column.name()
        ))
    })
}

fn statuses(array: &ArrayRef) -> Result<Vec<Option<Status>>, String> {
    if let Some(texts) = Octets::try_new(array.as_ref()) {
        let read = |row| {
            let text = std::str::from_utf8(texts.value(row)?).ok()?;
            text.trim().parse().ok().map(Status::new)
        };
        return Ok((0..texts.len()).map(read).collect());
    }
    let numbers = cast(array, &DataType::Int64).map_err(|error| error.to_string())?;
    let numbers = numbers.as_primitive::<Int64Type>();
    Ok(numbers.iter().map(|number| number.map(Status::new)).collect())
}

/// Times in microseconds; what cannot be read as one is null.
fn times(array: &ArrayRef) -> Result<Vec<Option<i64>>, String> {
    if let Some(texts) = Octets::try_new(array.as_ref()) {
        let read = |row| timestamp::parse(std::str::from_utf8(texts.value(row)?).ok()?);
        return Ok((0..texts.len()).map(read).collect());
    }
    let micros = DataType::Timestamp(TimeUnit::Microsecond, None);
    let converted = match array.data_type() {
        DataType::Timestamp(..) | DataType::Date32 => cast(array, &micros),
        _ => {
            let numbers = cast(array, &DataType::Float64).map_err(|error| error.to_string())?;
            let numbers = numbers.as_primitive::<arrow::datatypes::Float64Type>();
            let read = |seconds: Option<f64>| seconds.and_then(timestamp::from_epoch_seconds);
            return Ok(numbers.iter().map(read).collect());
        }
    };
    let converted = converted.map_err(|error| error.to_string())?;
    Ok(converted.as_primitive::<TimestampMicrosecondType>().iter().collect())
}
