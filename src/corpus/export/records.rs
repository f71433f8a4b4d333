//! Records that are no rules (sitemaps, crawl delays and all other keys) as rows.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int32Builder, ListBuilder, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::table::{ROWS_PER_GROUP, TableFile};
use crate::corpus::{BodyId, Corpus, CorpusError, hex, shown};
use crate::parse::{Dialect, Robots, parse};

/// Octets of text that end a batch early.
const OCTETS_PER_GROUP: usize = 64 << 20;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let tokens = Field::new_list_field(DataType::Utf8, true);
    Arc::new(Schema::new(vec![
        Field::new("body_id", DataType::Int32, false),
        Field::new("digest", DataType::Utf8, false),
        Field::new("line", DataType::Int32, false),
        Field::new("key", DataType::Utf8, false),
        Field::new("key_as_written", DataType::Utf8, false),
        Field::new("value", DataType::Utf8, false),
        Field::new("tokens", DataType::List(Arc::new(tokens)), false),
        Field::new("num_origins", DataType::Int32, false),
    ]))
});

#[derive(Default)]
struct Rows {
    body: Int32Builder,
    digest: StringBuilder,
    line: Int32Builder,
    key: StringBuilder,
    key_as_written: StringBuilder,
    value: StringBuilder,
    tokens: ListBuilder<StringBuilder>,
    num_origins: Int32Builder,
    num_rows: usize,
    octets: usize,
}

/// Writes a row for each record of each distinct body that is neither a user-agent line nor a rule, in the order of body
/// numbers and lines. `tokens` are the names of the group it stands in; none where it stands in none. Returns the number
/// of rows.
///
/// # Errors
/// A corpus that was built without texts, a damaged one; those of the disk.
pub fn write_records(corpus: &Corpus, path: &Path) -> Result<u64, CorpusError> {
    let mut table = TableFile::create(path, &SCHEMA)?;
    let mut rows = Rows::default();
    for body in corpus.body_ids() {
        let text = corpus.text(body)?;
        let robots = parse(corpus.facts().limit.cut(&text), &Dialect::RFC9309);
        let digest = corpus.digest(body).map(|digest| hex(digest)).unwrap_or_default();
        let num_origins = corpus.body_facts(body).map_or(0, |(_, num_origins)| num_origins);
        for at in 0..robots.records.len() {
            rows.push(body, &digest, &robots, at, num_origins);
            if rows.num_rows == ROWS_PER_GROUP || rows.octets > OCTETS_PER_GROUP {
                table.write(rows.finish())?;
            }
        }
    }
    corpus.check()?;
    table.write(rows.finish())?;
    table.finish()
}

impl Rows {
    fn push(
        &mut self,
        body: BodyId,
        digest: &str,
        robots: &Robots<'_>,
        at: usize,
        num_origins: u64,
    ) {
        let Some(record) = robots.records.get(at) else { return };
        let (name, value) = (shown::text(record.name), shown::text(record.value));
        self.octets += name.len() * 2 + value.len() + digest.len();
        self.body.append_value(body.number().cast_signed());
        self.digest.append_value(digest);
        self.line.append_value(record.line.cast_signed());
        self.key.append_value(name.to_ascii_lowercase());
        self.key_as_written.append_value(name);
        self.value.append_value(value);
        let group = record.group.and_then(|group| robots.groups.get(group));
        let names = group.map(|group| robots.user_agents_of(group)).unwrap_or_default();
        for name in shown::names(names) {
            self.octets += name.len();
            self.tokens.values().append_value(name);
        }
        self.tokens.append(true);
        self.num_origins.append_value(i32::try_from(num_origins).unwrap_or(i32::MAX));
        self.num_rows += 1;
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        (self.num_rows, self.octets) = (0, 0);
        vec![
            Arc::new(self.body.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.key.finish()),
            Arc::new(self.key_as_written.finish()),
            Arc::new(self.value.finish()),
            Arc::new(self.tokens.finish()),
            Arc::new(self.num_origins.finish()),
        ]
    }
}
