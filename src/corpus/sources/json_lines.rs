//! Robots tables as JSON lines, plain or compressed with gzip or zstd.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::table_columns::TableColumn;
use super::{ColumnNames, SourceOptions, SourceReport};
use crate::corpus::{CorpusBuilder, CorpusError, Place, RawCapture, Status};
use crate::text::timestamp;

/// Octets of decompressed input that one line may have: a body at any sensible limit, escaped.
const MAX_LINE: u64 = 1 << 30;

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    builder: &mut CorpusBuilder,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let mut lines = open(file)?;
    let mut line = Vec::new();
    let mut num_lines = 0_u64;
    // A column that no line has is a mistake, where one that some lines lack is none.
    let is_wanted = |column: &TableColumn| {
        *column == TableColumn::Body || options.columns.given(*column).is_some()
    };
    let mut unseen: Vec<TableColumn> = TableColumn::ALL.into_iter().filter(is_wanted).collect();
    for number in 1.. {
        line.clear();
        let read = (&mut lines).take(MAX_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| damaged(file, number, &error))? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let read = object(&line).and_then(|fields| {
            unseen.retain(|column| present(&fields, *column, &options.columns).is_none());
            capture(&fields, &options.columns)
        });
        num_lines += 1;
        match read {
            Ok(capture) => builder.add(capture),
            Err(message) => {
                let error = CorpusError::line(file, number, message);
                if !options.skip_damaged {
                    return Err(error);
                }
                report.skipped.push(error.to_string());
            }
        }
    }
    match unseen.first() {
        Some(column) if num_lines > 0 => {
            let name = options.columns.given(*column).unwrap_or(column.names()[0]);
            Err(CorpusError::message(
                file,
                format!("no line has `{name}`; map names with --robots-columns body=response.body"),
            ))
        }
        _ => Ok(()),
    }
}

fn open(file: &Path) -> Result<Box<dyn BufRead>, CorpusError> {
    let io = |error| CorpusError::io(file, error);
    let input = File::open(file).map_err(io)?;
    let name = file.to_string_lossy().to_ascii_lowercase();
    Ok(if name.ends_with(".gz") {
        Box::new(BufReader::new(flate2::read::MultiGzDecoder::new(BufReader::new(input))))
    } else if name.ends_with(".zst") {
        Box::new(BufReader::new(zstd::Decoder::new(input).map_err(io)?))
    } else {
        Box::new(BufReader::new(input))
    })
}

fn damaged(file: &Path, number: u64, error: &std::io::Error) -> CorpusError {
    CorpusError::line(file, number, format!("{error}; the file is damaged or cut off"))
}

/// One line as a capture.
fn capture(fields: &Map<String, Value>, columns: &ColumnNames) -> Result<RawCapture, String> {
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
fn present<'v>(
    fields: &'v Map<String, Value>,
    column: TableColumn,
    columns: &ColumnNames,
) -> Option<&'v Value> {
    match columns.given(column) {
        Some(name) => at(fields, name),
        None => column.names().iter().find_map(|name| fields.get(*name)),
    }
}

fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(error) => Err(format!("not a JSON object: {error}")),
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
