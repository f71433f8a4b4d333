//! Findings as rows of a Parquet file.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int32Builder, Int64Builder, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::Linted;
use crate::corpus::export::{ROWS_PER_GROUP, TableFile};
use crate::corpus::{CorpusError, hex};
use crate::lint::Finding;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new("body_id", DataType::Int32, true),
        Field::new("digest", DataType::Utf8, false),
        Field::new("rule_id", DataType::Int64, true),
        Field::new("line", DataType::Int32, true),
        Field::new("related_line", DataType::Int32, true),
        Field::new("code", DataType::Utf8, false),
        Field::new("name", DataType::Utf8, false),
        Field::new("severity", DataType::Utf8, false),
        Field::new("message", DataType::Utf8, false),
        Field::new("remedy", DataType::Utf8, false),
        Field::new("num_in_body", DataType::Int64, false),
        Field::new("num_origins", DataType::Int64, false),
    ]))
});

/// The file being written.
pub(super) struct FindingTable<'p> {
    file: TableFile<'p>,
    rows: Rows,
}

#[derive(Default)]
struct Rows {
    body: Int32Builder,
    digest: StringBuilder,
    rule: Int64Builder,
    line: Int32Builder,
    related: Int32Builder,
    code: StringBuilder,
    name: StringBuilder,
    severity: StringBuilder,
    message: StringBuilder,
    remedy: StringBuilder,
    num_in_body: Int64Builder,
    num_origins: Int64Builder,
    num_rows: usize,
}

impl<'p> FindingTable<'p> {
    pub(super) fn create(path: &'p Path) -> Result<Self, CorpusError> {
        Ok(FindingTable { file: TableFile::create(path, &SCHEMA)?, rows: Rows::default() })
    }

    /// Adds a row for each finding that the body's report keeps.
    pub(super) fn add(&mut self, body: &Linted) -> Result<(), CorpusError> {
        let digest = hex(&body.digest);
        for finding in &body.report.findings {
            self.rows.push(body, &digest, finding);
            if self.rows.num_rows == ROWS_PER_GROUP {
                self.file.write(self.rows.finish())?;
            }
        }
        Ok(())
    }

    /// Gives the file its name; returns its rows.
    pub(super) fn finish(mut self) -> Result<u64, CorpusError> {
        self.file.write(self.rows.finish())?;
        self.file.finish()
    }
}

impl Rows {
    fn push(&mut self, body: &Linted, digest: &str, finding: &Finding) {
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let line = Some(finding.line).filter(|line| *line > 0);
        let rule = body.body.zip(line);
        let rule = rule.map(|(body, line)| i64::from(body.number()) << 32 | i64::from(line));
        self.body.append_option(body.body.map(|body| body.number().cast_signed()));
        self.digest.append_value(digest);
        self.rule.append_option(rule);
        self.line.append_option(line.map(u32::cast_signed));
        self.related.append_option(finding.related.as_ref().map(|r| r.line.cast_signed()));
        self.code.append_value(finding.code.id());
        self.name.append_value(finding.code.name());
        self.severity.append_value(finding.code.severity().name());
        self.message.append_value(&finding.message);
        self.remedy.append_value(&finding.remedy);
        self.num_in_body.append_value(number(body.report.count(finding.code)));
        self.num_origins.append_value(number(body.num_origins));
        self.num_rows += 1;
    }

    fn finish(&mut self) -> Vec<ArrayRef> {
        self.num_rows = 0;
        vec![
            Arc::new(self.body.finish()),
            Arc::new(self.digest.finish()),
            Arc::new(self.rule.finish()),
            Arc::new(self.line.finish()),
            Arc::new(self.related.finish()),
            Arc::new(self.code.finish()),
            Arc::new(self.name.finish()),
            Arc::new(self.severity.finish()),
            Arc::new(self.message.finish()),
            Arc::new(self.remedy.finish()),
            Arc::new(self.num_in_body.finish()),
            Arc::new(self.num_origins.finish()),
        ]
    }
}
