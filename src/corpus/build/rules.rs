//! The rules of all bodies as a table for SQL.
//!
//! Enters: bodies with their numbers. Leaves: a row for each allow or disallow line that stands in a group: rule id,
//! digest, line, kind, pattern, specificity, names of the group, number of origins. Memory: one row group. Must
//! not know: who is judged by them.

use std::io::Write;
use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnDescPtr;

use super::bodies::BodyDigest;
use super::rule_numbers::NumberColumn;
use super::rule_texts::RuleTexts;
use crate::compile::specificity;
use crate::corpus::files::FolderFile;
use crate::corpus::{CorpusError, hex, shown};
use crate::parse::{Dialect, Kind, Robots};

/// Rows that go into one batch, and one row group.
const ROWS_PER_GROUP: usize = 1 << 17;
/// Octets of text that end a batch early.
const OCTETS_PER_GROUP: usize = 64 << 20;

pub(in crate::corpus) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
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
    /// The patterns of the rules, end to end, in UTF-8.
    patterns: Vec<u8>,
}

#[derive(Debug)]
struct RuleRow {
    group: usize,
    line: u32,
    kind: Kind,
    /// Where its pattern ends.
    pattern_end: usize,
    specificity: u32,
}

impl BodyRules {
    /// Of a body as `dialect` reads it.
    pub(super) fn new(
        body: u32,
        robots: &Robots<'_>,
        dialect: &Dialect,
        digest: &BodyDigest,
    ) -> Self {
        let mut of_body = BodyRules {
            body,
            digest: hex(digest),
            groups: Vec::with_capacity(robots.groups.len()),
            rules: Vec::with_capacity(robots.rules.len()),
            patterns: Vec::with_capacity(robots.rules.iter().map(|rule| rule.pattern.len()).sum()),
        };
        for group in &robots.groups {
            for rule in robots.rules_of(group) {
                shown::append(rule.pattern, robots.is_plain_text, &mut of_body.patterns);
                of_body.rules.push(RuleRow {
                    group: of_body.groups.len(),
                    line: rule.line,
                    kind: rule.kind,
                    pattern_end: of_body.patterns.len(),
                    specificity: specificity(rule.pattern, dialect),
                });
            }
            of_body.groups.push(shown::names(robots.user_agents_of(group)));
        }
        of_body
    }
}

/// Writes `rules.parquet`.
pub(super) struct RuleTable {
    writer: SerializedFileWriter<FolderFile>,
    columns: Vec<ColumnDescPtr>,
    texts: RuleTexts,
    numbers: Numbers,
    /// Octets of the texts, roughly.
    octets: usize,
}

/// The columns of numbers.
struct Numbers {
    rule_id: NumberColumn,
    line: NumberColumn,
    specificity: NumberColumn,
    num_origins: NumberColumn,
    len: usize,
}

impl RuleTable {
    pub(super) fn new(file: FolderFile) -> Result<Self, CorpusError> {
        RuleTable::begin(file).map_err(|error| failed(&error))
    }

    fn begin(file: FolderFile) -> parquet::errors::Result<Self> {
        let converted = ArrowSchemaConverter::new().convert(&SCHEMA)?;
        // All columns are encoded here: what the writer is told of encodings it never uses.
        let properties = WriterProperties::builder().set_offset_index_disabled(true).build();
        let schema = converted.root_schema_ptr();
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties))?;
        let columns = converted.columns().to_vec();
        let (texts, numbers) = begin_group(&columns)?;
        Ok(RuleTable { writer, columns, texts, numbers, octets: 0 })
    }

    /// Adds the rules of a body.
    pub(super) fn push(&mut self, body: &BodyRules, num_origins: u32) -> Result<(), CorpusError> {
        self.push_body(body, num_origins).map_err(|error| failed(&error))
    }

    fn push_body(&mut self, body: &BodyRules, num_origins: u32) -> parquet::errors::Result<()> {
        let (mut start, mut group) = (0, None);
        for rule in &body.rules {
            if group != Some(rule.group) {
                if group.is_none() {
                    self.texts.begin_body(&body.digest);
                }
                let names = body.groups.get(rule.group).map(Vec::as_slice);
                self.texts.begin_group(names.unwrap_or_default());
                group = Some(rule.group);
            }
            let pattern = body.patterns.get(start..rule.pattern_end).unwrap_or_default();
            start = rule.pattern_end;
            self.octets += self.texts.push(rule.kind, pattern)?;
            self.numbers.push(body.body, rule, num_origins);
            if self.numbers.len == ROWS_PER_GROUP || self.octets > OCTETS_PER_GROUP {
                self.write()?;
                group = None;
            }
        }
        Ok(())
    }

    /// Writes what is left and gives the file back.
    pub(super) fn finish(mut self) -> Result<FolderFile, CorpusError> {
        self.write().map_err(|error| failed(&error))?;
        let mut file = self.writer.into_inner().map_err(|error| failed(&error))?;
        file.flush().map_err(|error| failed(&error.into()))?;
        Ok(file)
    }

    /// Writes a row group, if there is any of it.
    fn write(&mut self) -> parquet::errors::Result<()> {
        if self.numbers.len == 0 {
            return Ok(());
        }
        let (texts, numbers) = begin_group(&self.columns)?;
        let texts = std::mem::replace(&mut self.texts, texts).close()?;
        let numbers = std::mem::replace(&mut self.numbers, numbers);
        let mut row_group = self.writer.next_row_group()?;
        for chunk in [
            numbers.rule_id.close()?,
            texts.digest,
            numbers.line.close()?,
            texts.kind,
            texts.pattern,
            numbers.specificity.close()?,
            texts.tokens,
            numbers.num_origins.close()?,
        ] {
            chunk.append(&mut row_group)?;
        }
        row_group.close()?;
        self.octets = 0;
        Ok(())
    }
}

/// The columns of another row group.
fn begin_group(columns: &[ColumnDescPtr]) -> parquet::errors::Result<(RuleTexts, Numbers)> {
    let [rule_id, digest, line, kind, pattern, specificity, tokens, num_origins] = columns else {
        return Err(ParquetError::General("rules have eight columns".to_owned()));
    };
    let compression = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let numbers = |column| NumberColumn::new(column, compression);
    let numbers = Numbers {
        rule_id: numbers(rule_id)?,
        line: numbers(line)?,
        specificity: numbers(specificity)?,
        num_origins: numbers(num_origins)?,
        len: 0,
    };
    Ok((RuleTexts::new([digest, kind, pattern, tokens], compression)?, numbers))
}

fn failed(error: &ParquetError) -> CorpusError {
    CorpusError::message(std::path::Path::new(crate::corpus::format::RULES), error.to_string())
}

impl Numbers {
    fn push(&mut self, body: u32, rule: &RuleRow, num_origins: u32) {
        self.rule_id.push_wide(i64::from(body) << 32 | i64::from(rule.line));
        self.line.push(rule.line);
        self.specificity.push(rule.specificity);
        self.num_origins.push(num_origins);
        self.len += 1;
    }
}
