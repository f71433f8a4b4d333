//! Captures as rows.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow::array::{
    ArrayRef, BooleanBuilder, Int16Builder, Int32Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::table::{ROWS_PER_GROUP, TableFile};
use crate::corpus::{Capture, CaptureFlags, Corpus, CorpusError, hex};

/// Octets of text that end a row group early.
const OCTETS_PER_GROUP: usize = 64 << 20;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let time = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("url", DataType::Utf8, false),
        Field::new("fetch_time", time, true),
        Field::new("status", DataType::Int16, true),
        Field::new("redirect", DataType::Utf8, true),
        Field::new("content_type", DataType::Utf8, true),
        Field::new("body_id", DataType::Int32, true),
        Field::new("digest", DataType::Utf8, true),
        Field::new("length", DataType::Int64, true),
        Field::new("truncated", DataType::Boolean, false),
        Field::new("revisit", DataType::Boolean, false),
        Field::new("page_or_binary_type", DataType::Boolean, false),
        Field::new("source", DataType::Utf8, true),
        Field::new("offset", DataType::Int64, true),
    ]))
});

#[derive(Default)]
struct Rows {
    url: StringBuilder,
    time: TimestampMicrosecondBuilder,
    status: Int16Builder,
    redirect: StringBuilder,
    content_type: StringBuilder,
    body: Int32Builder,
    digest: StringBuilder,
    len: Int64Builder,
    truncated: BooleanBuilder,
    revisit: BooleanBuilder,
    page_or_binary: BooleanBuilder,
    source: StringBuilder,
    offset: Int64Builder,
    num_rows: usize,
    octets: usize,
}

/// Writes a row for each capture of `corpus`: those of origins in SURT order, oldest first, then those of other URLs.
/// Returns the number of rows.
///
/// # Errors
/// A damaged corpus; those of the disk.
pub fn write_captures(corpus: &Corpus, path: &Path) -> Result<u64, CorpusError> {
    let sources = corpus.source_names()?;
    let mut table = TableFile::create(path, &SCHEMA)?;
    let mut rows = Rows::default();
    let mut add = |url: &str, capture: &Capture<'_>| {
        rows.push(corpus, &sources, url, capture);
        match rows.num_rows == ROWS_PER_GROUP || rows.octets > OCTETS_PER_GROUP {
            true => corpus.check().and_then(|()| table.write(rows.finish())),
            false => Ok(()),
        }
    };
    for origin in corpus.origins() {
        let url = format!("{}/robots.txt", corpus.origin_name(origin));
        corpus.captures(origin).try_for_each(|capture| add(&url, &capture))?;
    }
    for (url, captures) in corpus.targets() {
        let url = String::from_utf8_lossy(url);
        captures.into_iter().try_for_each(|capture| add(&url, &capture))?;
    }
    corpus.check()?;
    table.write(rows.finish())?;
    table.finish()
}

impl Rows {
    fn push(&mut self, corpus: &Corpus, sources: &[String], url: &str, capture: &Capture<'_>) {
        let facts = capture.body.and_then(|body| corpus.body_facts(body));
        let source = capture.source().and_then(|at| sources.get(usize::try_from(at).ok()?));
        let number = |number: u64| i64::try_from(number).ok();
        self.url.append_value(url);
        self.time.append_option(capture.time);
        self.status.append_option(capture.status.map(|status| status.0));
        self.redirect.append_option(capture.redirect());
        self.content_type.append_option(capture.content_type());
        self.body.append_option(capture.body.and_then(|body| i32::try_from(body.number()).ok()));
        self.digest.append_option(capture.body.and_then(|body| Some(hex(corpus.digest(body)?))));
        self.len.append_option(facts.and_then(|(len, _)| number(len)));
        self.truncated.append_value(capture.flags.contains(CaptureFlags::TRUNCATED));
        self.revisit.append_value(capture.flags.contains(CaptureFlags::REVISIT));
        let page_or_binary = capture.flags.contains(CaptureFlags::PAGE_OR_BINARY_TYPE);
        self.page_or_binary.append_value(page_or_binary);
        self.source.append_option(source);
        self.offset.append_option(capture.offset().and_then(number));
        self.num_rows += 1;
        self.octets += url.len()
            + capture.redirect().map_or(0, str::len)
            + capture.content_type().map_or(0, str::len)
            + source.map_or(0, String::len);
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        (self.num_rows, self.octets) = (0, 0);
        vec![
            Arc::new(self.url.finish()),
            Arc::new(self.time.finish().with_timezone("UTC")),
            Arc::new(self.status.finish()),
            Arc::new(self.redirect.finish()),
            Arc::new(self.content_type.finish()),
            Arc::new(self.body.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.len.finish()),
            Arc::new(self.truncated.finish()),
            Arc::new(self.revisit.finish()),
            Arc::new(self.page_or_binary.finish()),
            Arc::new(self.source.finish()),
            Arc::new(self.offset.finish()),
        ]
    }
}
