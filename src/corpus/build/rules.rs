//! The rules of all bodies as a table for SQL.
//!
//! Enters: bodies with their numbers. Leaves: a row for each allow or disallow line that stands in a group: rule id,
//! digest, line, kind, pattern, specificity, names of the group, number of origins. Memory: one row group. Must
//! not know: who is judged by them.

use std::io::Write;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int32Builder, Int64Builder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{
    ArrowColumnChunk, ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves,
};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::ColumnDescPtr;

use super::bodies::BodyDigest;
use super::rule_texts::RuleTexts;
use crate::compile::specificity;
use crate::corpus::files::FolderFile;
use crate::corpus::{CorpusError, hex, shown};
use crate::parse::{Dialect, Kind, Robots};
use crate::table::encode::Chunk;

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
    /// Makes the writers of the columns of numbers.
    factory: ArrowRowGroupWriterFactory,
    columns: Vec<ColumnDescPtr>,
    num_groups: usize,
    texts: RuleTexts,
    numbers: Numbers,
    /// Octets of the texts, roughly.
    octets: usize,
}

/// The columns of numbers.
#[derive(Default)]
struct Numbers {
    rule_id: Int64Builder,
    line: Int32Builder,
    specificity: Int32Builder,
    num_origins: Int32Builder,
    len: usize,
}

/// A column of the row group that is written.
enum Column {
    Text(Chunk),
    Numbers(ArrayRef),
}

impl RuleTable {
    pub(super) fn new(file: FolderFile) -> Result<Self, CorpusError> {
        RuleTable::begin(file).map_err(|error| failed(&error))
    }

    fn begin(file: FolderFile) -> parquet::errors::Result<Self> {
        let converted = ArrowSchemaConverter::new().convert(&SCHEMA)?;
        let properties = Arc::new(properties()?);
        let writer = SerializedFileWriter::new(file, converted.root_schema_ptr(), properties)?;
        let factory = ArrowRowGroupWriterFactory::new(&writer, SchemaRef::clone(&SCHEMA));
        let columns = converted.columns().to_vec();
        Ok(RuleTable {
            writer,
            factory,
            num_groups: 0,
            texts: texts(&columns)?,
            columns,
            numbers: Numbers::default(),
            octets: 0,
        })
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
        let texts = std::mem::replace(&mut self.texts, texts(&self.columns)?).close()?;
        let [rule_id, line, specificity, num_origins] = self.numbers.finish().map(Column::Numbers);
        let columns = [
            rule_id,
            Column::Text(texts.digest),
            line,
            Column::Text(texts.kind),
            Column::Text(texts.pattern),
            specificity,
            Column::Text(texts.tokens),
            num_origins,
        ];
        let writers = self.factory.create_column_writers(self.num_groups)?;
        let mut row_group = self.writer.next_row_group()?;
        for ((column, writer), field) in columns.into_iter().zip(writers).zip(SCHEMA.fields()) {
            match column {
                Column::Text(chunk) => chunk.append(&mut row_group)?,
                Column::Numbers(array) => {
                    write_numbers(field, &array, writer)?.append_to_row_group(&mut row_group)?;
                }
            }
        }
        row_group.close()?;
        (self.num_groups, self.octets) = (self.num_groups + 1, 0);
        Ok(())
    }
}

fn write_numbers(
    field: &Field,
    array: &ArrayRef,
    mut writer: ArrowColumnWriter,
) -> parquet::errors::Result<ArrowColumnChunk> {
    compute_leaves(field, array)?.iter().try_for_each(|leaf| writer.write(leaf))?;
    writer.close()
}

fn texts(columns: &[ColumnDescPtr]) -> parquet::errors::Result<RuleTexts> {
    let [_, digest, _, kind, pattern, _, tokens, _] = columns else {
        return Err(ParquetError::General("rules have eight columns".to_owned()));
    };
    RuleTexts::new([digest, kind, pattern, tokens], compression()?)
}

fn compression() -> parquet::errors::Result<Compression> {
    Ok(Compression::ZSTD(ZstdLevel::try_new(1)?))
}

/// How the columns of numbers are encoded: they seldom stand twice, so that they are not looked up in a dictionary.
fn properties() -> parquet::errors::Result<WriterProperties> {
    let mut properties = WriterProperties::builder()
        .set_compression(compression()?)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_dictionary_enabled(false);
    for name in ["rule_id", "line", "specificity", "num_origins"] {
        properties = properties.set_column_encoding(name.into(), Encoding::DELTA_BINARY_PACKED);
    }
    Ok(properties.build())
}

fn failed(error: &ParquetError) -> CorpusError {
    CorpusError::message(std::path::Path::new(crate::corpus::format::RULES), error.to_string())
}

impl Numbers {
    fn push(&mut self, body: u32, rule: &RuleRow, num_origins: u32) {
        self.rule_id.append_value(i64::from(body) << 32 | i64::from(rule.line));
        self.line.append_value(rule.line.cast_signed());
        self.specificity.append_value(rule.specificity.cast_signed());
        self.num_origins.append_value(num_origins.cast_signed());
        self.len += 1;
    }

    fn finish(&mut self) -> [ArrayRef; 4] {
        self.len = 0;
        [
            Arc::new(self.rule_id.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.specificity.finish()),
            Arc::new(self.num_origins.finish()),
        ]
    }
}
