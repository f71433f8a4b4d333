//! Opens a corpus: tables in memory, a folder of them, or a folder of shards.
//!
//! Enters: tables, or a path. Leaves: a [`Corpus`]. Cost: some reads of metadata, whatever the size. Must not know: rows.

use std::path::Path;

use super::archived::ArchivedTable;
use super::build::MemoryTables;
use super::captures::{CaptureTable, Places, Standing};
use super::files::{FilesError, Folder, MANIFEST_NAME, Manifest, Table, Texts};
use super::format;
use super::index::Index;
use super::part::{Bodies, Part};
use super::shards;
use super::{Corpus, CorpusError, Facts};
use crate::parse::Dialect;

/// The tables that every corpus has.
struct Tables {
    origins: Table,
    captures: Table,
    targets: Table,
    target_captures: Table,
    index: Table,
    programs: Table,
    texts: Option<Table>,
    sources: Option<Table>,
    archived: Option<Table>,
}

impl Corpus {
    /// Whether a built corpus stands at `path`.
    #[must_use]
    pub fn is_at(path: &Path) -> bool {
        path.join(MANIFEST_NAME).is_file()
    }

    /// Opens the corpus in the folder `path`, or the one whose shards it holds, to be asked in `dialect`.
    ///
    /// # Errors
    /// A folder that is no corpus, is damaged where this reads it, is of another version, or was not compiled for the dialect; shards
    /// that are not those that were settled.
    pub fn open(path: &Path, dialect: &Dialect) -> Result<Corpus, CorpusError> {
        if !Corpus::is_at(path) {
            let message = match shards::is_unsettled(path) {
                true => "holds shards of a corpus that were not settled".to_owned(),
                false => format!("is no built corpus: there is no {MANIFEST_NAME}"),
            };
            return Err(CorpusError::message(path, message));
        }
        let folder = Folder::open(path)?;
        let facts = Facts::of_manifest(path, folder.manifest())?;
        facts.check_dialect(path, dialect)?;
        if let Some(corpus) = shards::open(path, &folder, &facts, dialect)? {
            return Ok(corpus);
        }
        let head = Part::open(&folder, &facts, dialect, Standing::default())?;
        Ok(Corpus { head, shards: None, facts, damage: folder.damage().clone() })
    }

    /// As [`Corpus::open`], where no program is to be asked.
    ///
    /// # Errors
    /// Those of [`Corpus::open`].
    pub fn open_any(path: &Path) -> Result<Corpus, CorpusError> {
        Corpus::open(path, &Dialect::RFC9309)
    }

    /// A corpus of tables in memory, to be asked in the one dialect it was compiled for.
    pub(super) fn of_tables(mut tables: MemoryTables, facts: Facts) -> Result<Corpus, CorpusError> {
        let dialect = facts.dialects.first().copied().unwrap_or_default();
        let damage = tables.damage.clone();
        let tables = Tables {
            origins: tables.take(format::ORIGINS)?,
            captures: tables.take(format::CAPTURES)?,
            targets: tables.take(format::TARGETS)?,
            target_captures: tables.take(format::TARGET_CAPTURES)?,
            index: tables.take(format::INDEX)?,
            programs: tables.take(format::PROGRAMS)?,
            texts: match facts.has_texts {
                true => Some(tables.take(format::TEXTS)?),
                false => None,
            },
            sources: None,
            archived: None,
        };
        let head = Part::new(tables, facts.seed, &dialect, Standing::default())?;
        Ok(Corpus { head, shards: None, facts, damage })
    }
}

impl Part {
    /// Opens the tables of a folder.
    pub(super) fn open(
        folder: &Folder,
        facts: &Facts,
        dialect: &Dialect,
        standing: Standing,
    ) -> Result<Part, FilesError> {
        let has_archived = folder.manifest().files.contains_key(format::ARCHIVED);
        let table_if = |there: bool, name, schema| match there {
            true => folder.table(name, schema).map(Some),
            false => Ok(None),
        };
        let tables = Tables {
            origins: folder.table(format::ORIGINS, &format::ORIGINS_SCHEMA)?,
            captures: folder.table(format::CAPTURES, &format::CAPTURES_SCHEMA)?,
            targets: folder.table(format::TARGETS, &format::TARGETS_SCHEMA)?,
            target_captures: folder
                .table(format::TARGET_CAPTURES, &format::TARGET_CAPTURES_SCHEMA)?,
            index: folder.table(format::INDEX, &format::INDEX_SCHEMA)?,
            programs: folder.table(format::PROGRAMS, &format::PROGRAMS_SCHEMA)?,
            texts: table_if(facts.has_texts, format::TEXTS, &format::TEXTS_SCHEMA)?,
            sources: Some(folder.table(format::SOURCES, &format::SOURCES_SCHEMA)?),
            archived: table_if(has_archived, format::ARCHIVED, &format::ARCHIVED_SCHEMA)?,
        };
        Part::new(tables, facts.seed, dialect, standing)
    }

    fn new(
        tables: Tables,
        seed: u64,
        dialect: &Dialect,
        standing: Standing,
    ) -> Result<Part, FilesError> {
        let origins = Places::new(tables.origins)?;
        let before = tables.captures.num_rows();
        Ok(Part {
            index: Index::new(tables.index, seed, origins.len())?,
            origins,
            capture_table: CaptureTable::new(tables.captures, standing.clone())?,
            targets: Places::new(tables.targets)?,
            target_captures: CaptureTable::new(
                tables.target_captures,
                Standing { before, ..standing },
            )?,
            texts: texts_of(tables.texts)?,
            sources: texts_of(tables.sources)?,
            archived: tables.archived.map(ArchivedTable::new).transpose()?,
            bodies: Bodies::new(tables.programs, dialect.name == Dialect::GOOGLE.name)?,
        })
    }
}

impl Facts {
    /// As the manifest of the corpus at `path` tells them.
    pub(super) fn of_manifest(path: &Path, manifest: &Manifest) -> Result<Facts, CorpusError> {
        Facts::of_settings(&manifest.settings, &manifest.counts).ok_or_else(|| {
            CorpusError::message(path, "the manifest lacks what every corpus says of itself")
        })
    }

    /// Whether the corpus at `path` was compiled for `dialect`.
    pub(super) fn check_dialect(&self, path: &Path, dialect: &Dialect) -> Result<(), CorpusError> {
        if self.dialects.iter().any(|known| known.name == dialect.name) {
            return Ok(());
        }
        let known: Vec<_> = self.dialects.iter().map(|dialect| dialect.name).collect();
        let message = format!(
            "compiled for dialect {}, not for {}; build it again",
            known.join(" and "),
            dialect.name
        );
        Err(CorpusError::message(path, message))
    }
}

/// A table of one column of texts.
fn texts_of(table: Option<Table>) -> Result<Option<(Table, Texts)>, FilesError> {
    table.map(|table| table.texts(0).map(|texts| (table, texts))).transpose()
}
