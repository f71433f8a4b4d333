//! Rows of text tables as captures: fields by name, values as JSON has them.
//!
//! A value that is something else than its column holds is an error of its row: taken as missing, a status would count as
//! a 200 and a time as older than any.

use serde_json::{Map, Value};

use super::ColumnNames;
use super::table_columns::TableColumn;
use crate::corpus::{Place, RawCapture, Status};
use crate::text::timestamp;

/// One line or row as a capture.
pub(super) fn capture(
    fields: &Map<String, Value>,
    columns: &ColumnNames,
) -> Result<RawCapture, String> {
    let has = |column| present(fields, column, columns).is_some();
    let field = |column| find(fields, column, columns);
    let text = |column: TableColumn| match field(column) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{}` is not a string: {other}", column.names()[0])),
    };
    let place = match (text(TableColumn::Origin)?, text(TableColumn::Url)?) {
        (Some(origin), _) => Place::Origin(origin.into_bytes()),
        (None, Some(url)) => Place::Url(url.into_bytes()),
        (None, None) if has(TableColumn::Origin) || has(TableColumn::Url) => {
            Place::Origin(Vec::new())
        }
        (None, None) => return Err("has neither `origin` nor `url`".to_owned()),
    };
    Ok(RawCapture {
        place,
        body: text(TableColumn::Body)?.map(String::into_bytes),
        status: field(TableColumn::Status).map(status).transpose()?,
        time: field(TableColumn::Time).map(time).transpose()?,
        redirect: text(TableColumn::Redirect)?,
        content_type: text(TableColumn::ContentType)?,
        ..RawCapture::default()
    })
}

/// The value of a column, null and missing alike.
fn find<'v>(
    fields: &'v Map<String, Value>,
    column: TableColumn,
    columns: &ColumnNames,
) -> Option<&'v Value> {
    present(fields, column, columns).filter(|value| !value.is_null())
}

/// The value of a column that the line has, be it null.
pub(super) fn present<'v>(
    fields: &'v Map<String, Value>,
    column: TableColumn,
    columns: &ColumnNames,
) -> Option<&'v Value> {
    match columns.given(column) {
        Some(name) => at(fields, name),
        None => column.names().iter().find_map(|name| fields.get(*name)),
    }
}

/// A field by name, or by a dotted path through objects.
fn at<'v>(fields: &'v Map<String, Value>, name: &str) -> Option<&'v Value> {
    if let Some(value) = fields.get(name) {
        return Some(value);
    }
    let (head, tail) = name.split_once('.')?;
    at(fields.get(head)?.as_object()?, tail)
}

fn status(value: &Value) -> Result<Status, String> {
    let number = match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.map(Status::new).ok_or_else(|| format!("`status` is not a whole number: {value}"))
}

/// Whole numbers with nulls come as fractions from some writers.
#[expect(clippy::cast_possible_truncation, reason = "far outside, the nearest value is kept")]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0).then_some(number as i64)
}

fn time(value: &Value) -> Result<i64, String> {
    let micros = match value {
        Value::Number(number) => number.as_f64().and_then(timestamp::from_epoch_seconds),
        Value::String(text) => timestamp::parse(text),
        _ => None,
    };
    micros.ok_or_else(|| {
        format!("`fetch_time` is neither ISO 8601, a 14-digit date nor epoch seconds: {value}")
    })
}
