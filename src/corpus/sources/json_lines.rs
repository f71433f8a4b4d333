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
    for number in 1.. {
        line.clear();
        let read = (&mut lines).take(MAX_LINE).read_until(b'\n', &mut line);
        if read.map_err(|error| damaged(file, number, &error))? == 0 {
            break;
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match capture(&line, &options.columns) {
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
    Ok(())
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
fn capture(line: &[u8], columns: &ColumnNames) -> Result<RawCapture, String> {
    let value: Value =
        serde_json::from_slice(line).map_err(|error| format!("not a JSON object: {error}"))?;
    let Value::Object(fields) = value else { return Err("not a JSON object".to_owned()) };
    let field = |column| find(&fields, column, columns);
    let text = |column: TableColumn| match field(column) {
        None => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{}` is not a string: {other}", column.names()[0])),
    };
    let place = match (text(TableColumn::Origin)?, text(TableColumn::Url)?) {
        (Some(origin), _) => Place::Origin(origin.into_bytes()),
        (None, Some(url)) => Place::Url(url.into_bytes()),
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
    let value = match columns.given(column) {
        Some(name) => at(fields, name),
        None => column.names().iter().find_map(|name| fields.get(*name)),
    };
    value.filter(|value| !value.is_null())
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
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.map(Status::new).ok_or_else(|| format!("`status` is not a whole number: {value}"))
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
