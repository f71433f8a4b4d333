//! The real binary in a fresh folder: makes its inputs, runs it, reads its outputs as Rust values.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "each test binary uses some of it; a test reports by failing"
)]

use arrow::array::{
    Array, ArrayRef, AsArray, BinaryArray, Int16Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{
    DataType, Field, Int16Type, Int32Type, Int64Type, Schema, TimeUnit, TimestampMicrosecondType,
};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// Microseconds of an hour, the unit in which tests tell when a capture was made.
pub(crate) const HOUR: i64 = 3_600_000_000;

/// How a run ended and what it said.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The summary printed by `--json`.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Ended with this exit code.
    #[track_caller]
    pub(crate) fn ends_with(self, code: i32) -> Run {
        assert_eq!(self.code, code, "{}{}", self.stdout, self.stderr);
        self
    }

    /// Every one of these words stands in what was said on stderr, and no panic does.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Run {
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "`{word}` is not in: {}", self.stderr);
        }
        self
    }
}

/// A fresh folder in which the binary runs; all names are relative to it.
pub(crate) struct Bench {
    folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn exists(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn write(&self, name: &str, octets: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    }

    /// Names of everything below the folder `name`, hidden files too.
    pub(crate) fn listing(&self, name: &str) -> Vec<String> {
        let mut names = Vec::new();
        list(&self.path(name), "", &mut names);
        names.sort();
        names
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_with(arguments, b"")
    }

    /// As `run`, with this on standard input.
    pub(crate) fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_robosift"))
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Who reads none of it, or not all, closes it.
        let _ = child.stdin.take().unwrap().write_all(input);
        let done = child.wait_with_output().unwrap();
        Run {
            code: done.status.code().expect("ended by a signal"),
            stdout: String::from_utf8(done.stdout).unwrap(),
            stderr: String::from_utf8(done.stderr).unwrap(),
        }
    }

    /// `robosift eval` with these arguments, split at blanks.
    pub(crate) fn eval(&self, arguments: &str) -> Run {
        let words: Vec<&str> = ["eval"].into_iter().chain(arguments.split_whitespace()).collect();
        self.run(&words)
    }

    /// `robosift eval` that succeeds, and the table it wrote to `out.parquet`.
    #[track_caller]
    pub(crate) fn verdicts(&self, arguments: &str) -> Table {
        self.eval(&format!("{arguments} -o out.parquet")).ends_with(0);
        self.table("out.parquet")
    }

    pub(crate) fn table(&self, name: &str) -> Table {
        Table::read(&self.path(name))
    }

    /// A Parquet file with these columns in one row group.
    pub(crate) fn parquet(&self, name: &str, columns: Vec<(&str, ArrayRef)>) {
        self.parquet_with(name, columns, WriterProperties::builder());
    }

    pub(crate) fn parquet_with(
        &self,
        name: &str,
        columns: Vec<(&str, ArrayRef)>,
        properties: WriterPropertiesBuilder,
    ) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let batch = batch(columns);
        let file = File::create(path).unwrap();
        let properties = Some(properties.build());
        let mut writer = ArrowWriter::try_new(file, batch.schema(), properties).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }

    /// Rows: a Parquet file with one column, `url`.
    pub(crate) fn urls(&self, name: &str, urls: &[&str]) {
        self.parquet(name, vec![("url", strings(urls))]);
    }

    /// A robots table in Parquet with columns origin (or url), body, status, time, redirect, type.
    pub(crate) fn robots(&self, name: &str, captures: &[Robots]) {
        self.parquet(name, robots_columns("origin", captures));
    }
}

fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => list(&entry.path(), &format!("{name}/"), names),
            false => names.push(name),
        }
    }
}

/// One capture of a robots table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Robots {
    place: String,
    body: Option<Vec<u8>>,
    status: Option<i16>,
    time: Option<i64>,
    redirect: Option<String>,
    content_type: Option<String>,
}

/// A capture of `place` (an origin, or a URL) without anything else.
pub(crate) fn capture(place: &str) -> Robots {
    Robots { place: place.to_owned(), ..Robots::default() }
}

/// A 200 with this body.
pub(crate) fn robots(place: &str, body: impl AsRef<[u8]>) -> Robots {
    capture(place).body(body).status(200)
}

impl Robots {
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    pub(crate) fn body(self, body: impl AsRef<[u8]>) -> Robots {
        Robots { body: Some(body.as_ref().to_vec()), ..self }
    }

    pub(crate) fn status(self, status: i16) -> Robots {
        Robots { status: Some(status), ..self }
    }

    /// Fetched so many hours after 1970.
    pub(crate) fn hour(self, hour: i64) -> Robots {
        Robots { time: Some(hour * HOUR), ..self }
    }

    pub(crate) fn redirect(self, target: &str) -> Robots {
        Robots { redirect: Some(target.to_owned()), ..self }
    }

    pub(crate) fn content_type(self, content_type: &str) -> Robots {
        Robots { content_type: Some(content_type.to_owned()), ..self }
    }
}

/// The columns of a robots table; `place` is `origin` or `url`.
pub(crate) fn robots_columns<'n>(place: &'n str, captures: &[Robots]) -> Vec<(&'n str, ArrayRef)> {
    let places: StringArray = captures.iter().map(|c| Some(c.place.as_str())).collect();
    let bodies: BinaryArray = captures.iter().map(|c| c.body.as_deref()).collect();
    let statuses: Int16Array = captures.iter().map(|c| c.status).collect();
    let times: TimestampMicrosecondArray = captures.iter().map(|c| c.time).collect();
    let redirects: StringArray = captures.iter().map(|c| c.redirect.as_deref()).collect();
    let types: StringArray = captures.iter().map(|c| c.content_type.as_deref()).collect();
    vec![
        (place, Arc::new(places)),
        ("body", Arc::new(bodies)),
        ("status", Arc::new(statuses)),
        ("fetch_time", Arc::new(times.with_timezone("UTC"))),
        ("redirect", Arc::new(redirects)),
        ("content_type", Arc::new(types)),
    ]
}

/// A string column without nulls.
pub(crate) fn strings(values: &[&str]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// A string column.
pub(crate) fn optional(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    let field =
        |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Vec<Field> = columns.iter().map(field).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).unwrap()
}

/// A Parquet file as read by the Parquet crate.
pub(crate) struct Table {
    pub(crate) batch: RecordBatch,
    /// Rows of each row group.
    pub(crate) row_groups: Vec<usize>,
    /// Key-value metadata, without Arrow's schema.
    pub(crate) metadata: Vec<(String, String)>,
}

impl Table {
    pub(crate) fn read(path: &Path) -> Table {
        let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        let (schema, footer) = (builder.schema().clone(), builder.metadata().clone());
        let groups = footer.row_groups().iter().map(|g| usize::try_from(g.num_rows()).unwrap());
        let pairs = footer.file_metadata().key_value_metadata().cloned().unwrap_or_default();
        let metadata = pairs.into_iter().map(|pair| (pair.key, pair.value.unwrap_or_default()));
        let batches: Vec<_> = builder.build().unwrap().map(Result::unwrap).collect();
        Table {
            row_groups: groups.collect(),
            metadata: metadata.filter(|(key, _)| key != "ARROW:schema").collect(),
            batch: concat_batches(&schema, &batches).unwrap(),
        }
    }

    pub(crate) fn num_rows(&self) -> usize {
        self.batch.num_rows()
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.batch.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn column(&self, name: &str) -> &ArrayRef {
        let column = self.batch.column_by_name(name);
        column.unwrap_or_else(|| panic!("no column {name} among {:?}", self.names()))
    }

    pub(crate) fn bools(&self, name: &str) -> Vec<Option<bool>> {
        self.column(name).as_boolean().iter().collect()
    }

    pub(crate) fn texts(&self, name: &str) -> Vec<Option<String>> {
        self.column(name).as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    /// Numbers of any width; timestamps as microseconds.
    pub(crate) fn ints(&self, name: &str) -> Vec<Option<i64>> {
        let column = self.column(name);
        match column.data_type() {
            DataType::Int16 => wide(column.as_primitive::<Int16Type>().iter()),
            DataType::Int32 => wide(column.as_primitive::<Int32Type>().iter()),
            DataType::Int64 => wide(column.as_primitive::<Int64Type>().iter()),
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                wide(column.as_primitive::<TimestampMicrosecondType>().iter())
            }
            other => panic!("{name} is {other}"),
        }
    }

    /// `robots_allowed`.
    pub(crate) fn allowed(&self) -> Vec<Option<bool>> {
        self.bools("robots_allowed")
    }

    /// `robots_basis`, never null.
    pub(crate) fn bases(&self) -> Vec<String> {
        self.texts("robots_basis").into_iter().map(Option::unwrap).collect()
    }

    /// Bodies and lines of the rule ids.
    pub(crate) fn rules(&self) -> Vec<Option<(i64, i64)>> {
        let apart = |id: Option<i64>| id.map(|id| (id >> 32, id & 0xFFFF_FFFF));
        self.ints("robots_rule_id").into_iter().map(apart).collect()
    }
}

fn wide<N: Into<i64>>(values: impl Iterator<Item = Option<N>>) -> Vec<Option<i64>> {
    values.map(|value| value.map(Into::into)).collect()
}
