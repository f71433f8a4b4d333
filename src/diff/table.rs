//! A row for each origin that changed for an agent, as Parquet.
//!
//! Enters: rows in SURT order. Leaves: the file, under its name when it is whole. Memory for some thousand rows. Must not know: how changes were found.

use std::path::Path;
use std::sync::{Arc, LazyLock};

use arrow::array::{ArrayRef, Int16Builder, Int64Builder, StringBuilder};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};

use super::compare::Change;
use super::counts::SiteChange;
use super::pairs::Shown;
use super::side::Decider;
use crate::corpus::export::TableFile;
use crate::corpus::{Access, Corpus, CorpusError, Site, hex};

/// Rows that are held before they are written.
const ROWS_HELD: usize = 1 << 13;

static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let words = [
        "origin",
        "agent",
        "change",
        "closed_path",
        "opened_path",
        "old_allows",
        "new_allows",
        "old_basis",
        "new_basis",
        "old_pattern",
        "new_pattern",
        "old_digest",
        "new_digest",
    ];
    let mut fields: Vec<Field> =
        words.iter().map(|name| Field::new(*name, DataType::Utf8, true)).collect();
    fields.extend(["old_line", "new_line"].map(|name| Field::new(name, DataType::Int64, true)));
    fields.extend(["old_status", "new_status"].map(|name| Field::new(name, DataType::Int16, true)));
    Arc::new(Schema::new(fields))
});

/// One origin that changed for one agent.
pub(super) struct Row<'r> {
    pub(super) origin: &'r str,
    pub(super) agent: &'r str,
    pub(super) change: SiteChange,
    pub(super) shown: &'r Shown,
    pub(super) old: (&'r Corpus, &'r Site),
    pub(super) new: (&'r Corpus, &'r Site),
}

/// The table being written.
pub struct ChangeTable<'p> {
    file: TableFile<'p>,
    texts: [StringBuilder; 13],
    lines: [Int64Builder; 2],
    statuses: [Int16Builder; 2],
    num_held: usize,
}

impl<'p> ChangeTable<'p> {
    /// Begins the file at `path`.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn create(path: &'p Path) -> Result<Self, CorpusError> {
        Ok(ChangeTable {
            file: TableFile::create(path, &SCHEMA)?,
            texts: Default::default(),
            lines: Default::default(),
            statuses: Default::default(),
            num_held: 0,
        })
    }

    /// Gives the file its name; returns its rows.
    ///
    /// # Errors
    /// Those of the file system.
    pub fn finish(mut self) -> Result<u64, CorpusError> {
        self.write()?;
        self.file.finish()
    }

    pub(super) fn add(&mut self, row: &Row<'_>) -> Result<(), CorpusError> {
        let Shown { closed, opened, old_allows, new_allows } = row.shown;
        let path = |change: &Option<Change>| {
            change.as_ref().map(|change| String::from_utf8_lossy(&change.path).into_owned())
        };
        let chief = closed.as_ref().or(opened.as_ref());
        let deciders = [chief.map(|chief| &chief.old), chief.map(|chief| &chief.new)];
        let [old_basis, new_basis] = deciders.map(|by| by.map(|by| by.basis.name().to_owned()));
        let [old_pattern, new_pattern] = deciders.map(pattern);
        let texts = [
            Some(row.origin.to_owned()),
            Some(row.agent.to_owned()),
            Some(row.change.name().to_owned()),
            path(closed),
            path(opened),
            Some(old_allows.name().to_owned()),
            Some(new_allows.name().to_owned()),
            old_basis,
            new_basis,
            old_pattern,
            new_pattern,
            digest(row.old),
            digest(row.new),
        ];
        for (builder, text) in self.texts.iter_mut().zip(texts) {
            builder.append_option(text);
        }
        for (builder, by) in self.lines.iter_mut().zip(deciders) {
            builder.append_option(by.and_then(|by| by.rule.as_ref()).map(|rule| rule.line.into()));
        }
        for (builder, (_, site)) in self.statuses.iter_mut().zip([row.old, row.new]) {
            builder.append_option(site.status.map(|status| status.0));
        }
        self.num_held += 1;
        if self.num_held >= ROWS_HELD { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), CorpusError> {
        let texts = self.texts.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let lines = self.lines.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let statuses = self.statuses.iter_mut().map(|column| Arc::new(column.finish()) as ArrayRef);
        let columns = texts.chain(lines).chain(statuses).collect();
        self.num_held = 0;
        self.file.write(columns)
    }
}

fn pattern(by: Option<&Decider>) -> Option<String> {
    by.and_then(|by| by.rule.as_ref()).map(|rule| rule.pattern.clone())
}

/// Of the body whose rules apply.
fn digest((corpus, site): (&Corpus, &Site)) -> Option<String> {
    match site.access {
        Access::Rules(body) => corpus.digest(body).map(|digest| hex(digest)),
        _ => None,
    }
}
