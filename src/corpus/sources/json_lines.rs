//! Robots tables as JSON lines, plain or compressed with gzip or zstd.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::fields::{capture, present};
use super::table_columns::TableColumn;
use super::{SourceOptions, SourceReport};
use crate::corpus::{CaptureSink, CorpusError};

/// Octets of decompressed input that one line may have: far more than a body that is kept whole, even with each octet escaped.
const MAX_LINE: u64 = 1 << 30;

pub(super) fn load(
    file: &Path,
    options: &SourceOptions,
    builder: &mut dyn CaptureSink,
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
            Ok(capture) => builder.add(capture)?,
            Err(message) => {
                let error = CorpusError::line(file, number, message);
                if !options.skip_damaged {
                    return Err(error);
                }
                report.skipped.push(&error);
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

/// A table as text, unpacked where its name says so.
pub(super) fn open(file: &Path) -> Result<Box<dyn BufRead>, CorpusError> {
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

fn object(line: &[u8]) -> Result<Map<String, Value>, String> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err("not a JSON object".to_owned()),
        Err(error) => Err(format!("not a JSON object: {error}")),
    }
}
