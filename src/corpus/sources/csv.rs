//! Robots tables as CSV, plain or compressed with gzip or zstd: a header of names, an empty cell for what is not known.

use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::fields::capture;
use super::guarded::{Guarded, Watch};
use super::json_lines::open;
use super::table_columns::TableColumn;
use super::{SourceOptions, SourceReport};
use crate::corpus::{CaptureSink, CorpusError};

/// Octets that a header may have.
const MAX_HEADER: usize = 1 << 20;

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    sink: &mut dyn CaptureSink,
    report: &mut SourceReport,
) -> Result<(), CorpusError> {
    let watch = Rc::new(Watch::default());
    let input = Guarded { inner: open(file)?, watch: Rc::clone(&watch) };
    let mut rows = ::csv::ReaderBuilder::new().flexible(false).from_reader(input);
    let names = header(file, &mut rows)?;
    check(file, &names, options)?;
    let mut row = ::csv::ByteRecord::new();
    // A file that was cut off shows only at its end: the last row waits for it.
    let mut held = None;
    loop {
        let read = rows.read_byte_record(&mut row);
        let line = row.position().map_or_else(|| rows.position().line(), ::csv::Position::line);
        watch.record_ended();
        let outcome = match read {
            Ok(false) if watch.is_open() => {
                let message = "a quote is not closed; the file is damaged or cut off";
                return Err(CorpusError::line(file, line, message));
            }
            Ok(false) => return held.map_or(Ok(()), |last| sink.add(last)),
            Ok(true) => captured(&names, &row, options),
            Err(error) if matches!(error.kind(), ::csv::ErrorKind::Io(_)) => {
                let message = format!("{error}; the file is damaged or cut off");
                return Err(CorpusError::line(file, line, message));
            }
            Err(error) => Err(error.to_string()),
        };
        match outcome {
            Ok(capture) => {
                if let Some(before) = held.replace(capture) {
                    sink.add(before)?;
                }
            }
            Err(message) => {
                let error = CorpusError::line(file, line, message);
                if !options.skip_damaged {
                    return Err(error);
                }
                report.skipped.push(&error);
            }
        }
    }
}

fn header(file: &Path, rows: &mut ::csv::Reader<impl Read>) -> Result<Vec<String>, CorpusError> {
    let names = rows.byte_headers();
    let names = names.map_err(|error| CorpusError::line(file, 1, error.to_string()))?;
    if names.as_slice().len() > MAX_HEADER {
        return Err(CorpusError::line(file, 1, "the header is longer than a table's can be"));
    }
    let name = |name: &[u8]| String::from_utf8_lossy(name).trim().to_owned();
    let names: Vec<String> = names.iter().map(name).collect();
    // Some spreadsheets begin a file with a byte order mark.
    Ok(names.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect())
}

/// A column that is not there is a mistake of the caller.
fn check(file: &Path, names: &[String], options: &SourceOptions) -> Result<(), CorpusError> {
    let has = |column: TableColumn| match options.columns.given(column) {
        Some(given) => names.iter().any(|name| name == given),
        None => names.iter().any(|name| column.names().contains(&name.as_str())),
    };
    let given = TableColumn::ALL.into_iter().filter(|c| options.columns.given(*c).is_some());
    let missing = match given.chain([TableColumn::Body]).find(|column| !has(*column)) {
        Some(column) => options.columns.given(column).unwrap_or(column.names()[0]),
        None if !has(TableColumn::Origin) && !has(TableColumn::Url) => "origin` nor `url",
        None => return Ok(()),
    };
    let message = format!(
        "the table has no `{missing}`; it has: {}. Map names with --robots-columns \
         body=response.body,url=robots_url",
        names.join(", ")
    );
    Err(CorpusError::message(file, message))
}

fn captured(
    names: &[String],
    row: &::csv::ByteRecord,
    options: &SourceOptions,
) -> Result<crate::corpus::RawCapture, String> {
    let mut fields = Map::new();
    for (name, cell) in names.iter().zip(row) {
        let value = match cell {
            [] => Value::Null,
            cell => Value::String(String::from_utf8_lossy(cell).into_owned()),
        };
        fields.insert(name.clone(), value);
    }
    let mut capture = capture(&fields, &options.columns)?;
    // Bodies are octets, whatever their encoding.
    let is_body = |name: &String| match options.columns.given(TableColumn::Body) {
        Some(given) => name == given,
        None => TableColumn::Body.names().contains(&name.as_str()),
    };
    let body = names.iter().position(is_body).and_then(|at| row.get(at));
    capture.body = body.filter(|body| !body.is_empty()).map(<[u8]>::to_vec);
    Ok(capture)
}
