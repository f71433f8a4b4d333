//! Rows of Arrow columns as captures.
//!
//! Enters: columns, and what each of them is. Leaves: captures row by row, or a sentence on what is wrong with one. Nothing is kept from batch
//! to batch. Must not know: files.

use arrow::array::{Array, ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Schema};

use super::table_columns::TableColumn;
use super::{ColumnNames, cells};
use crate::corpus::{Place, RawCapture};
use crate::table::{Octets, TIME_TYPES, Times, may_hold_times};

/// The columns of batches that hold captures, for who has them in memory: a robots table as
/// [`load`](super::load) reads it from files.
#[derive(Clone, Debug)]
pub struct CaptureColumns {
    kinds: Vec<TableColumn>,
    /// Where each stands.
    places: Vec<usize>,
}

impl CaptureColumns {
    /// Finds the columns in a schema, by the names that files have them under or those in `names`.
    ///
    /// # Errors
    /// A sentence that names the column that is missing or of another type, and the columns there are.
    pub fn find(schema: &Schema, names: &ColumnNames) -> Result<Self, String> {
        let mut columns = CaptureColumns { kinds: Vec::new(), places: Vec::new() };
        for kind in TableColumn::ALL {
            let place = match names.given(kind) {
                Some(name) => Some(schema.index_of(name).map_err(|error| error.to_string())?),
                None => kind.names().iter().find_map(|name| schema.index_of(name).ok()),
            };
            if let Some(place) = place {
                let field = schema.field(place);
                check_type(kind, field.name(), field.data_type())?;
                columns.kinds.push(kind);
                columns.places.push(place);
            }
        }
        let all: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        check_all(&columns.kinds, &all).map(|()| columns)
    }

    /// The captures of a batch, row by row; a row that is none is a sentence.
    #[must_use]
    pub fn captures(&self, batch: &RecordBatch) -> Vec<Result<RawCapture, String>> {
        let columns = self.places.iter().filter_map(|place| batch.columns().get(*place));
        let columns: Vec<ArrayRef> = columns.cloned().collect();
        captures(&self.kinds, &columns).collect()
    }
}

/// The captures of a batch whose columns are of these kinds, row by row.
pub(super) fn captures<'b>(
    kinds: &[TableColumn],
    batch: &'b [ArrayRef],
) -> impl Iterator<Item = Result<RawCapture, String>> + use<'b> {
    let array = |kind| {
        let at = kinds.iter().position(|known| *known == kind)?;
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

fn value<'a>(column: &Option<Octets<'a>>, row: usize) -> Option<&'a [u8]> {
    column.as_ref()?.value(row)
}

/// Whether a robots table can be read of these columns.
pub(super) fn check_all(
    kinds: &[TableColumn],
    names: &[impl std::borrow::Borrow<str>],
) -> Result<(), String> {
    let has = |kind| kinds.contains(&kind);
    let missing = match () {
        () if !has(TableColumn::Origin) && !has(TableColumn::Url) => "`origin` nor `url`",
        () if !has(TableColumn::Body) => "`body`",
        () => return Ok(()),
    };
    Err(format!(
        "a robots table has `origin` or `url`, and `body`; this one has no {missing}. It has: {}",
        names.join(", ")
    ))
}

/// Whether a column of this kind may have this type.
pub(super) fn check_type(kind: TableColumn, name: &str, found: &DataType) -> Result<(), String> {
    let (fits, accepted) = match kind {
        TableColumn::Status => {
            (found.is_numeric() || Octets::accepts(found), "whole numbers or strings of digits")
        }
        TableColumn::Time => (may_hold_times(found), TIME_TYPES),
        _ => (Octets::accepts(found), "strings or binary"),
    };
    let message = || format!("column `{name}` is {found}; a robots table holds {accepted} there");
    fits.then_some(()).ok_or_else(message)
}
