//! The table of rows that differ.
//!
//! | column | type | holds |
//! | --- | --- | --- |
//! | `robots_file` | string | the input file |
//! | `robots_row` | int64 | position of the row in it, from 0 |
//! | `robots_url` | string | the URL; null where it is null |
//! | `robots_agent` | string | the agent as asked for; null where the row names none |
//! | `robots_difference` | string | the first thing that differs: `verdict`, `rule`, `basis` or `group` |
//! | `robots_clause` | string | the settings that make it: of those parted by commas each alone, those parted by `+` together; null where that is not known |
//!
//! and then, with `_left` and `_right` behind their names, `robots_allowed`, `robots_basis`, `robots_rule_id` and `robots_group`
//! as verdict columns have them, and `robots_digest`, the SHA-256 of the body whose rule decided.

use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, BooleanBuilder, Int64Builder, RecordBatch, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::error::ArrowError;

use crate::corpus::{BodyId, Corpus, hex};
use crate::evaluate::Code;

/// The table's schema.
static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let field = |name: &str, data_type: DataType| Field::new(name, data_type, true);
    let mut fields = vec![
        Field::new("robots_file", DataType::Utf8, false),
        Field::new("robots_row", DataType::Int64, false),
        field("robots_url", DataType::Utf8),
        field("robots_agent", DataType::Utf8),
        Field::new("robots_difference", DataType::Utf8, false),
        field("robots_clause", DataType::Utf8),
    ];
    for side in ["left", "right"] {
        fields.extend([
            field(&format!("robots_allowed_{side}"), DataType::Boolean),
            Field::new(format!("robots_basis_{side}"), DataType::Utf8, false),
            field(&format!("robots_rule_id_{side}"), DataType::Int64),
            field(&format!("robots_group_{side}"), DataType::Utf8),
            field(&format!("robots_digest_{side}"), DataType::Utf8),
        ]);
    }
    Arc::new(Schema::new(fields))
});

/// See the module's head.
pub(super) fn schema() -> SchemaRef {
    SchemaRef::clone(&SCHEMA)
}

/// What one way says of a row.
#[derive(Clone, Copy)]
pub(super) struct Said {
    pub(super) code: Code,
    /// 0 where no rule decided.
    pub(super) rule_id: i64,
}

impl Said {
    /// The body and line of the rule that decided.
    pub(super) fn rule(&self) -> Option<(BodyId, u32)> {
        let body = u32::try_from(self.rule_id >> 32).ok()?;
        let line = u32::try_from(self.rule_id & i64::from(u32::MAX)).ok()?;
        (self.rule_id != 0).then_some((BodyId::new(body), line))
    }
}

/// A row that differs.
pub(super) struct Difference<'d> {
    pub(super) file: &'d str,
    pub(super) row: u64,
    pub(super) url: Option<&'d [u8]>,
    pub(super) agent: Option<&'d [u8]>,
    pub(super) kind: &'static str,
    pub(super) clause: Option<&'d str>,
    pub(super) sides: [Said; 2],
}

/// The columns that tell of one way.
#[derive(Default)]
struct SideColumns {
    allowed: BooleanBuilder,
    basis: StringBuilder,
    rule_id: Int64Builder,
    group: StringBuilder,
    digest: StringBuilder,
}

/// Rows of the table in the making.
#[derive(Default)]
pub(super) struct Differences {
    file: StringBuilder,
    row: Int64Builder,
    url: StringBuilder,
    agent: StringBuilder,
    kind: StringBuilder,
    clause: StringBuilder,
    sides: [SideColumns; 2],
}

impl Differences {
    /// Adds a row; `corpora` are those of both ways.
    pub(super) fn push(&mut self, row: &Difference<'_>, corpora: [&Corpus; 2]) {
        self.file.append_value(row.file);
        self.row.append_value(i64::try_from(row.row).unwrap_or(i64::MAX));
        self.url.append_option(row.url.map(String::from_utf8_lossy));
        self.agent.append_option(row.agent.map(String::from_utf8_lossy));
        self.kind.append_value(row.kind);
        self.clause.append_option(row.clause);
        for ((side, said), corpus) in self.sides.iter_mut().zip(row.sides).zip(corpora) {
            side.push(said, corpus);
        }
    }

    /// The batch of all rows added.
    pub(super) fn finish(self) -> Result<RecordBatch, ArrowError> {
        let Differences { mut file, mut row, mut url, mut agent, mut kind, mut clause, sides } =
            self;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(file.finish()),
            Arc::new(row.finish()),
            Arc::new(url.finish()),
            Arc::new(agent.finish()),
            Arc::new(kind.finish()),
            Arc::new(clause.finish()),
        ];
        sides.into_iter().for_each(|side| columns.extend(side.finish()));
        RecordBatch::try_new(schema(), columns)
    }
}

impl SideColumns {
    fn push(&mut self, said: Said, corpus: &Corpus) {
        let rule = said.rule();
        self.allowed.append_option(said.code.allowed());
        self.basis.append_value(said.code.decided_by().name());
        self.rule_id.append_option(rule.map(|_| said.rule_id));
        self.group.append_option(said.code.kind_of_group().map(|kind| kind.name()));
        let digest = rule.and_then(|(body, _)| corpus.digest(body));
        self.digest.append_option(digest.map(|digest| hex(digest)));
    }

    fn finish(mut self) -> [ArrayRef; 5] {
        [
            Arc::new(self.allowed.finish()),
            Arc::new(self.basis.finish()),
            Arc::new(self.rule_id.finish()),
            Arc::new(self.group.finish()),
            Arc::new(self.digest.finish()),
        ]
    }
}
