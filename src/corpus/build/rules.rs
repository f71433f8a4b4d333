//! The rules of all bodies as a table for SQL.
//!
//! Enters: bodies with their numbers. Leaves: a row for each allow or disallow line that stands in a group: rule id,
//! digest, line, kind, pattern, specificity, names of the group, number of origins. Memory: one row group. Must
//! not know: who is judged by them.

use std::io::Write;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int32Builder, Int64Builder, ListBuilder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;

use super::bodies::BodyDigest;
use crate::compile::{BodyLimit, specificity};
use crate::corpus::files::FolderFile;
use crate::corpus::{CorpusError, hex, shown};
use crate::parse::{Dialect, Kind, parse_groups};

/// Rows that go into one batch, and one row group.
const ROWS_PER_GROUP: usize = 1 << 17;
/// Octets of text that end a batch early.
const OCTETS_PER_GROUP: usize = 64 << 20;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let tokens = Field::new_list_field(DataType::Utf8, true);
    Arc::new(Schema::new(vec![
        Field::new("rule_id", DataType::Int64, false),
        Field::new("digest", DataType::Utf8, false),
        Field::new("line", DataType::Int32, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("pattern", DataType::Utf8, false),
        Field::new("specificity", DataType::Int32, false),
        Field::new("tokens", DataType::List(Arc::new(tokens)), false),
        Field::new("num_origins", DataType::Int32, false),
    ]))
});

/// The rules of one body.
#[derive(Debug)]
pub(super) struct BodyRules {
    body: u32,
    digest: String,
    /// The names of its groups, group by group.
    groups: Vec<Vec<String>>,
    rules: Vec<RuleRow>,
}

#[derive(Debug)]
struct RuleRow {
    group: usize,
    line: u32,
    kind: &'static str,
    pattern: String,
    specificity: u32,
}

impl BodyRules {
    /// Of a body, as dialect `rfc9309` reads it.
    pub(super) fn new(body: u32, text: &[u8], limit: BodyLimit, digest: &BodyDigest) -> Self {
        let dialect = Dialect::RFC9309;
        let robots = parse_groups(limit.cut(text), &dialect);
        let mut groups = Vec::with_capacity(robots.groups.len());
        let mut rules = Vec::with_capacity(robots.rules.len());
        for group in &robots.groups {
            for rule in robots.rules_of(group) {
                rules.push(RuleRow {
                    group: groups.len(),
                    line: rule.line,
                    kind: if rule.kind == Kind::Allow { "allow" } else { "disallow" },
                    pattern: shown::text(rule.pattern),
                    specificity: specificity(rule.pattern, &dialect),
                });
            }
            groups.push(shown::names(robots.user_agents_of(group)));
        }
        BodyRules { body, digest: hex(digest), groups, rules }
    }
}

/// Writes `rules.parquet`.
pub(super) struct RuleTable {
    writer: ArrowWriter<FolderFile>,
    columns: Columns,
}

#[derive(Default)]
struct Columns {
    rule_id: Int64Builder,
    digest: StringBuilder,
    line: Int32Builder,
    kind: StringBuilder,
    pattern: StringBuilder,
    specificity: Int32Builder,
    tokens: ListBuilder<StringBuilder>,
    num_origins: Int32Builder,
    len: usize,
    octets: usize,
}

impl RuleTable {
    pub(super) fn new(file: FolderFile) -> Result<Self, CorpusError> {
        let level = ZstdLevel::try_new(3).unwrap_or_default();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(level))
            .set_max_row_group_row_count(Some(ROWS_PER_GROUP))
            .build();
        let writer = ArrowWriter::try_new(file, SchemaRef::clone(&SCHEMA), Some(properties));
        Ok(RuleTable {
            writer: writer.map_err(|error| failed(&error))?,
            columns: Columns::default(),
        })
    }

    pub(super) fn push(&mut self, body: &BodyRules, num_origins: u32) -> Result<(), CorpusError> {
        for rule in &body.rules {
            self.columns.push(body, rule, num_origins);
            if self.columns.len == ROWS_PER_GROUP || self.columns.octets > OCTETS_PER_GROUP {
                self.write()?;
            }
        }
        Ok(())
    }

    /// Writes what is left and gives the file back.
    pub(super) fn finish(mut self) -> Result<FolderFile, CorpusError> {
        self.write()?;
        let mut file = self.writer.into_inner().map_err(|error| failed(&error))?;
        file.flush().map_err(|error| failed(&error.into()))?;
        Ok(file)
    }

    fn write(&mut self) -> Result<(), CorpusError> {
        let batch = self.columns.finish().map_err(|error| failed(&error.into()))?;
        self.writer.write(&batch).map_err(|error| failed(&error))?;
        // A row group ends here, so that no more than this is held.
        self.writer.flush().map_err(|error| failed(&error))
    }
}

fn failed(error: &parquet::errors::ParquetError) -> CorpusError {
    CorpusError::message(std::path::Path::new(crate::corpus::format::RULES), error.to_string())
}

impl Columns {
    fn push(&mut self, body: &BodyRules, rule: &RuleRow, num_origins: u32) {
        self.rule_id.append_value(i64::from(body.body) << 32 | i64::from(rule.line));
        self.digest.append_value(&body.digest);
        self.line.append_value(rule.line.cast_signed());
        self.kind.append_value(rule.kind);
        self.pattern.append_value(&rule.pattern);
        self.specificity.append_value(rule.specificity.cast_signed());
        let tokens = body.groups.get(rule.group).map(Vec::as_slice).unwrap_or_default();
        for token in tokens {
            self.tokens.values().append_value(token);
            self.octets += token.len();
        }
        self.tokens.append(true);
        self.num_origins.append_value(num_origins.cast_signed());
        self.len += 1;
        self.octets += rule.pattern.len() + body.digest.len();
    }

    fn finish(&mut self) -> Result<RecordBatch, arrow::error::ArrowError> {
        (self.len, self.octets) = (0, 0);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.rule_id.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.kind.finish()),
            Arc::new(self.pattern.finish()),
            Arc::new(self.specificity.finish()),
            Arc::new(self.tokens.finish()),
            Arc::new(self.num_origins.finish()),
        ];
        RecordBatch::try_new(SchemaRef::clone(&SCHEMA), columns)
    }
}
