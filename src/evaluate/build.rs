//! Outcomes → Arrow arrays, one builder a column.

use arrow::array::{
    ArrayRef, BooleanBuilder, Int16Builder, Int32Builder, Int64Builder, StringBuilder,
    TimestampMicrosecondBuilder,
};
use arrow::datatypes::DataType;
use std::sync::Arc;

use super::VerdictFlags;
use super::columns::{Slot, VerdictColumn as Column};
use super::outcome::Outcome;
use crate::agents::Agent;
use crate::corpus::{Access, BodyId, CaptureFlags, Corpus, Site, hex};
use crate::parse::Kind;

/// What a row's columns may need besides the outcome.
#[derive(Clone, Copy)]
pub(super) struct RowFacts<'r> {
    /// Position in the input file.
    pub(super) row: u64,
    /// Its canonical origin; `None` for a bad URL.
    pub(super) origin: Option<&'r [u8]>,
    pub(super) site: Option<&'r Site>,
    /// Its time, in microseconds since 1970 UTC.
    pub(super) time: Option<i64>,
    /// The agent asked for, as read and as given.
    pub(super) agent: Option<&'r Agent>,
    pub(super) agent_text: Option<&'r str>,
}

impl RowFacts<'_> {
    /// Microseconds from the capture to the row.
    fn gap(&self) -> Option<i64> {
        Some(self.time?.saturating_sub(self.site?.time?))
    }
}

/// A column under construction.
pub(super) struct ColumnBuilder {
    column: Column,
    values: Values,
}

enum Values {
    Boolean(BooleanBuilder),
    Text(StringBuilder),
    Int64(Int64Builder),
    Int32(Int32Builder),
    Int16(Int16Builder),
    Time(TimestampMicrosecondBuilder),
}

impl ColumnBuilder {
    pub(super) fn new(slot: &Slot, num_rows: usize) -> Self {
        let values = match slot.column.data_type() {
            DataType::Boolean => Values::Boolean(BooleanBuilder::with_capacity(num_rows)),
            DataType::Int64 => Values::Int64(Int64Builder::with_capacity(num_rows)),
            DataType::Int32 => Values::Int32(Int32Builder::with_capacity(num_rows)),
            DataType::Int16 => Values::Int16(Int16Builder::with_capacity(num_rows)),
            DataType::Timestamp(..) => Values::Time(
                TimestampMicrosecondBuilder::with_capacity(num_rows).with_timezone("UTC"),
            ),
            _ => Values::Text(StringBuilder::with_capacity(num_rows, num_rows * 8)),
        };
        ColumnBuilder { column: slot.column, values }
    }

    pub(super) fn append(&mut self, corpus: &Corpus, outcome: &Outcome<'_>, row: &RowFacts<'_>) {
        match &mut self.values {
            Values::Boolean(values) => values.append_option(boolean(self.column, outcome, row)),
            Values::Int64(values) => values.append_option(match self.column {
                Column::RuleId => outcome.rule_id(),
                Column::CaptureGap => row.gap().map(|gap| gap / 1_000_000),
                _ => i64::try_from(row.row).ok(),
            }),
            Values::Int32(values) => values.append_option(int32(self.column, corpus, outcome, row)),
            Values::Int16(values) => values.append_option(row.site.and_then(|s| Some(s.status?.0))),
            Values::Time(values) => values.append_option(row.site.and_then(|site| site.time)),
            Values::Text(values) => append_text(values, self.column, corpus, outcome, row),
        }
    }

    pub(super) fn finish(self) -> ArrayRef {
        match self.values {
            Values::Boolean(mut values) => Arc::new(values.finish()),
            Values::Text(mut values) => Arc::new(values.finish()),
            Values::Int64(mut values) => Arc::new(values.finish()),
            Values::Int32(mut values) => Arc::new(values.finish()),
            Values::Int16(mut values) => Arc::new(values.finish()),
            Values::Time(mut values) => Arc::new(values.finish()),
        }
    }
}

fn boolean(column: Column, outcome: &Outcome<'_>, row: &RowFacts<'_>) -> Option<bool> {
    match column {
        Column::Allowed => outcome.allowed,
        _ => row.site.filter(|site| **site != Site::UNKNOWN).map(|site| site.stale),
    }
}

fn int32(
    column: Column,
    corpus: &Corpus,
    outcome: &Outcome<'_>,
    row: &RowFacts<'_>,
) -> Option<i32> {
    let value = match column {
        Column::Line => outcome.rule?.line,
        Column::Specificity => outcome.rule?.specificity(),
        _ => flags(corpus, row.site.filter(|site| **site != Site::UNKNOWN)?),
    };
    i32::try_from(value).ok()
}

fn flags(corpus: &Corpus, site: &Site) -> u32 {
    let of_body = body(site)
        .and_then(|body| corpus.program(body))
        .map_or(0, |program| program.flags().bits());
    let redirected = if site.redirected { VerdictFlags::REDIRECTED } else { 0 };
    let typed = if site.flags.contains(CaptureFlags::PAGE_OR_BINARY_TYPE) {
        VerdictFlags::PAGE_OR_BINARY_TYPE
    } else {
        0
    };
    let is_truncated = site.flags.contains(CaptureFlags::TRUNCATED);
    let truncated = if is_truncated { VerdictFlags::TRUNCATED } else { 0 };
    of_body | redirected | typed | truncated
}

fn body(site: &Site) -> Option<BodyId> {
    match site.access {
        Access::Rules(body) => Some(body),
        Access::RedirectUnresolved | Access::Closed(_) => None,
    }
}

fn append_text(
    values: &mut StringBuilder,
    column: Column,
    corpus: &Corpus,
    outcome: &Outcome<'_>,
    row: &RowFacts<'_>,
) {
    match column {
        Column::Basis => values.append_value(outcome.basis.name()),
        Column::Group => values.append_option(outcome.applied.map(|group| group.kind.name())),
        Column::Agent => values.append_option(row.agent_text.map(short)),
        Column::Token => values.append_option(token(outcome, row.agent).map(short)),
        Column::Rule => values.append_option(outcome.rule.map(|rule| match rule.kind {
            Kind::Allow => "allow",
            Kind::Disallow => "disallow",
        })),
        Column::Pattern => values.append_option(outcome.rule.map(|rule| text(rule.pattern))),
        Column::Origin => values.append_option(row.origin.map(text)),
        _ => values.append_option(row.site.and_then(|site| Some(hex(corpus.digest(body(site)?)?)))),
    }
}

/// Octets of a text that a column takes: a pattern may have as many as a body, a host as a URL, and
/// each row would carry them all.
const MAX_TEXT: usize = 4_096;

/// The beginning of a text, in whole characters.
fn short(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT)]
}

/// Normalised patterns and canonical origins are ASCII.
fn text(octets: &[u8]) -> &str {
    std::str::from_utf8(octets).map_or("", short)
}

fn token<'a>(outcome: &Outcome<'_>, agent: Option<&'a Agent>) -> Option<&'a str> {
    match outcome.applied?.name {
        None => Some("*"),
        Some(name) => std::str::from_utf8(agent?.lookup_names().nth(name)?.as_bytes()).ok(),
    }
}
