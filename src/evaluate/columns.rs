//! The verdict columns: names, types, order.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::{Asked, AskedError};
use crate::corpus::AsOf;

/// A column of verdicts.
///
/// | column | type | holds |
/// | --- | --- | --- |
/// | `robots_allowed` | boolean | the verdict; null where it is unknown |
/// | `robots_basis` | string | what decided: the name of a [`Basis`](super::Basis) |
/// | `robots_rule_id` | int64 | body number in the upper 32 bits, line number in the lower; null where no rule decided |
/// | `robots_group` | string | `named` or `wildcard`; null where no group applied |
/// | `robots_row` | int64 | position of the row in the input file, from 0 |
/// | `robots_agent` | string | the agent as asked for; null where a row's own is not UTF-8 |
/// | `robots_token` | string | the name by which the body knows it, `*` for the wildcard group; null where no group applied |
/// | `robots_line` | int32 | line number of the deciding rule, from 1 |
/// | `robots_rule` | string | `allow` or `disallow`, of the deciding rule |
/// | `robots_pattern` | string | the deciding rule's pattern, normalised, a run of stars as one |
/// | `robots_specificity` | int32 | its octets, each star counted |
/// | `robots_origin` | string | the origin whose rules were asked; null where the URL has none |
/// | `robots_capture_time` | timestamp, µs, UTC | when its robots.txt was captured |
/// | `robots_capture_gap_s` | int64 | seconds from that capture to the row's time; negative for a later capture; null where one of them has no time |
/// | `robots_status` | int16 | the status recorded with the capture that decided |
/// | `robots_stale` | boolean | whether an older capture stands in for an unreachable one; null without a capture |
/// | `robots_flags` | int32 | a set of [`VerdictFlags`]; null without a capture |
/// | `robots_digest` | string | SHA-256 of the body, hexadecimal; null without a body |
///
/// Texts are cut at 4,096 octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table above says what each column holds")]
pub enum VerdictColumn {
    Row,
    Agent,
    Allowed,
    Basis,
    RuleId,
    Group,
    Token,
    Line,
    Rule,
    Pattern,
    Specificity,
    Origin,
    CaptureTime,
    CaptureGap,
    Status,
    Stale,
    Flags,
    Digest,
}

use VerdictColumn as Column;

impl VerdictColumn {
    /// All columns, in the order in which they are written.
    pub const ALL: [Column; 18] = [
        Column::Row,
        Column::Agent,
        Column::Allowed,
        Column::Basis,
        Column::RuleId,
        Column::Group,
        Column::Token,
        Column::Line,
        Column::Rule,
        Column::Pattern,
        Column::Specificity,
        Column::Origin,
        Column::CaptureTime,
        Column::CaptureGap,
        Column::Status,
        Column::Stale,
        Column::Flags,
        Column::Digest,
    ];

    /// What is written when nothing else is asked for.
    pub const STANDARD: [Column; 4] =
        [Column::Allowed, Column::Basis, Column::RuleId, Column::Group];

    /// The name, without a suffix.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Column::Row => "robots_row",
            Column::Agent => "robots_agent",
            Column::Allowed => "robots_allowed",
            Column::Basis => "robots_basis",
            Column::RuleId => "robots_rule_id",
            Column::Group => "robots_group",
            Column::Token => "robots_token",
            Column::Line => "robots_line",
            Column::Rule => "robots_rule",
            Column::Pattern => "robots_pattern",
            Column::Specificity => "robots_specificity",
            Column::Origin => "robots_origin",
            Column::CaptureTime => "robots_capture_time",
            Column::CaptureGap => "robots_capture_gap_s",
            Column::Status => "robots_status",
            Column::Stale => "robots_stale",
            Column::Flags => "robots_flags",
            Column::Digest => "robots_digest",
        }
    }

    /// The Arrow type.
    #[must_use]
    pub fn data_type(self) -> DataType {
        match self {
            Column::Allowed | Column::Stale => DataType::Boolean,
            Column::RuleId | Column::Row | Column::CaptureGap => DataType::Int64,
            Column::Line | Column::Specificity | Column::Flags => DataType::Int32,
            Column::Status => DataType::Int16,
            Column::CaptureTime => DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())),
            Column::Basis
            | Column::Group
            | Column::Agent
            | Column::Token
            | Column::Rule
            | Column::Pattern
            | Column::Origin
            | Column::Digest => DataType::Utf8,
        }
    }

    /// Whether it is the same whichever agent is asked for. As of [`AsOf::Ever`] that does not hold for columns that tell of
    /// the capture: there are then as many of these as agents.
    #[must_use]
    pub fn is_of_row(self) -> bool {
        matches!(
            self,
            Column::Row
                | Column::Origin
                | Column::CaptureTime
                | Column::CaptureGap
                | Column::Status
                | Column::Stale
                | Column::Flags
                | Column::Digest
        )
    }

    /// Whether it tells of the capture that decided.
    fn is_of_capture(self) -> bool {
        self.is_of_row() && !matches!(self, Column::Row | Column::Origin)
    }

    fn is_nullable(self) -> bool {
        !matches!(self, Column::Row | Column::Basis)
    }

    /// Reads `standard`, `full`, or a comma list of names, with or without `robots_`.
    ///
    /// # Errors
    /// A sentence that names the unknown column and all known ones.
    pub fn parse_list(text: &str) -> Result<Vec<Column>, String> {
        let mut chosen = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word {
                "standard" => chosen.extend(Column::STANDARD),
                "full" => chosen.extend(Column::ALL),
                name => chosen.push(Column::parse(name)?),
            }
        }
        let in_order = Column::ALL.into_iter().filter(|column| chosen.contains(column));
        let chosen: Vec<Column> = in_order.collect();
        if chosen.is_empty() {
            Err("no verdict column is asked for".to_owned())
        } else {
            Ok(chosen)
        }
    }

    fn parse(name: &str) -> Result<Column, String> {
        let bare = |column: &Column| column.name().trim_start_matches("robots_");
        let known = Column::ALL.into_iter().find(|c| c.name() == name || bare(c) == name);
        known.ok_or_else(|| {
            let all: Vec<&str> = Column::ALL.iter().map(|column| column.name()).collect();
            format!(
                "`{name}` is not a verdict column; there are: standard, full, {}",
                all.join(", ")
            )
        })
    }
}

/// Bits of `robots_flags`.
///
/// | bit | value | means |
/// | --- | --- | --- |
/// | 0 | 1 | octets past the body limit were ignored |
/// | 1 | 2 | the body begins like a web page |
/// | 2 | 4 | the body holds octets that no text has |
/// | 3 | 8 | a line is longer than 16,663 octets |
/// | 4 | 16 | the body is not UTF-8 |
/// | 5 | 32 | the body begins with a byte order mark |
/// | 6 | 64 | the body is blank |
/// | 8 | 256 | a redirect was followed |
/// | 9 | 512 | the declared type is that of a web page or of no text |
/// | 10 | 1024 | the body is not whole: the archive says so, or it was longer than what is kept |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerdictFlags;

impl VerdictFlags {
    /// A redirect was followed.
    pub const REDIRECTED: u32 = 1 << 8;
    /// The declared type is that of a web page or of something that is no text.
    pub const PAGE_OR_BINARY_TYPE: u32 = 1 << 9;
    /// The body is not whole.
    pub const TRUNCATED: u32 = 1 << 10;
}

/// How the verdicts of several agents are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// One column family per agent, a row per row.
    #[default]
    Wide,
    /// A row per row and agent, with `robots_row` and `robots_agent`.
    Long,
}

/// When column names carry the agent's suffix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Suffix {
    /// In the wide layout with several agents.
    #[default]
    Auto,
    /// In the wide layout always.
    Always,
}

/// One output column: what it holds, and for which agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) column: Column,
    /// Index of the agent; `None` for the row itself, or for whichever agent a long row is about.
    pub(super) agent: Option<usize>,
}

/// The output columns in order, and their schema.
pub(super) fn slots(
    columns: &[Column],
    asked: &Asked,
    layout: Layout,
    suffix: Suffix,
    as_of: AsOf,
) -> (Vec<Slot>, SchemaRef) {
    let agents = asked.agents();
    let is_wide = layout == Layout::Wide && !agents.is_empty();
    let with_suffix = is_wide && (agents.len() > 1 || suffix == Suffix::Always);
    let columns: Vec<Column> =
        Column::ALL.into_iter().filter(|column| columns.contains(column)).collect();
    let mut slots = Vec::new();
    // Another visit may refuse another agent.
    let of_row =
        |column: &Column| column.is_of_row() && !(as_of == AsOf::Ever && column.is_of_capture());
    slots.extend(
        columns.iter().filter(|column| of_row(column)).map(|&column| Slot { column, agent: None }),
    );
    let of_agent: Vec<Column> = columns.iter().copied().filter(|column| !of_row(column)).collect();
    let families = if is_wide { agents.len() } else { 1 };
    for agent in 0..families {
        slots.extend(of_agent.iter().map(|&column| Slot { column, agent: Some(agent) }));
    }
    if !with_suffix {
        slots.sort_by_key(|slot| Column::ALL.iter().position(|known| *known == slot.column));
    }
    let name = |slot: &Slot| match slot.agent.and_then(|agent| agents.get(agent)) {
        Some(agent) if with_suffix => ColumnName(slot.column, Some(agent.suffix())).to_string(),
        _ => slot.column.name().to_owned(),
    };
    let fields: Vec<Field> = slots
        .iter()
        .map(|slot| Field::new(name(slot), slot.column.data_type(), slot.column.is_nullable()))
        .collect();
    (slots, Arc::new(Schema::new(fields)))
}

/// Checks that no two columns have one name: a suffix may end another column's name.
pub(super) fn check_names(schema: &Schema) -> Result<(), AskedError> {
    let mut names = HashSet::new();
    match schema.fields().iter().find(|field| !names.insert(field.name())) {
        None => Ok(()),
        Some(twin) => Err(AskedError::new(format!(
            "two columns would be named `{}`; ask for the agents in separate runs or with --layout \
             long",
            twin.name()
        ))),
    }
}

/// How columns of few words are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextForm {
    Plain,
    /// As a dictionary with keys of one octet.
    Dictionary,
}

/// The schema with `robots_basis` and `robots_group` in `form`.
pub(super) fn with_text_form(schema: &Schema, slots: &[Slot], form: TextForm) -> SchemaRef {
    let fields = schema.fields().iter().zip(slots).map(|(field, slot)| {
        let is_of_words = matches!(slot.column, Column::Basis | Column::Group);
        let data_type = match form {
            TextForm::Dictionary if is_of_words => {
                DataType::Dictionary(Box::new(DataType::UInt8), Box::new(DataType::Utf8))
            }
            _ => slot.column.data_type(),
        };
        field.as_ref().clone().with_data_type(data_type)
    });
    Arc::new(Schema::new(fields.collect::<Vec<Field>>()))
}

/// A column's name with an agent's suffix.
struct ColumnName(Column, Option<String>);

impl fmt::Display for ColumnName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.1 {
            Some(suffix) => write!(f, "{}_{suffix}", self.0.name()),
            None => f.write_str(self.0.name()),
        }
    }
}
