//! Opens a corpus: tables in memory, or a folder of them.
//!
//! Enters: tables, or a path. Leaves: a [`Corpus`]. Cost: some reads of metadata, whatever the size. Must not know: rows.

use std::path::Path;

use serde_json::{Map, Value};

use super::archived::ArchivedTable;
use super::build::MemoryTables;
use super::captures::{CaptureTable, Places};
use super::files::{Damage, FilesError, Folder, MANIFEST_NAME, Table, Texts};
use super::format;
use super::index::Index;
use super::store::Bodies;
use super::{Corpus, CorpusError, Counts, Facts};
use crate::compile::{BodyLimit, Wanted};
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

    /// Opens the corpus in the folder `path`, to be asked in `dialect`.
    ///
    /// # Errors
    /// A folder that is no corpus, is damaged where this reads it, is of another version, or was not compiled for the dialect.
    pub fn open(path: &Path, dialect: &Dialect) -> Result<Corpus, CorpusError> {
        if !Corpus::is_at(path) {
            let message = format!("is no built corpus: there is no {MANIFEST_NAME}");
            return Err(CorpusError::message(path, message));
        }
        let folder = Folder::open(path)?;
        let facts = Facts::of_settings(&folder.manifest().settings, &folder.manifest().counts);
        let facts = facts.ok_or_else(|| {
            CorpusError::message(path, "the manifest lacks what every corpus says of itself")
        })?;
        if !facts.dialects.iter().any(|known| known.name == dialect.name) {
            let known: Vec<_> = facts.dialects.iter().map(|dialect| dialect.name).collect();
            let message = format!(
                "compiled for dialect {}, not for {}; build it again",
                known.join(" and "),
                dialect.name
            );
            return Err(CorpusError::message(path, message));
        }
        let tables = Tables {
            origins: folder.table(format::ORIGINS, &format::ORIGINS_SCHEMA)?,
            captures: folder.table(format::CAPTURES, &format::CAPTURES_SCHEMA)?,
            targets: folder.table(format::TARGETS, &format::TARGETS_SCHEMA)?,
            target_captures: folder
                .table(format::TARGET_CAPTURES, &format::TARGET_CAPTURES_SCHEMA)?,
            index: folder.table(format::INDEX, &format::INDEX_SCHEMA)?,
            programs: folder.table(format::PROGRAMS, &format::PROGRAMS_SCHEMA)?,
            texts: match facts.has_texts {
                true => Some(folder.table(format::TEXTS, &format::TEXTS_SCHEMA)?),
                false => None,
            },
            sources: Some(folder.table(format::SOURCES, &format::SOURCES_SCHEMA)?),
            archived: match folder.manifest().files.contains_key(format::ARCHIVED) {
                true => Some(folder.table(format::ARCHIVED, &format::ARCHIVED_SCHEMA)?),
                false => None,
            },
        };
        Ok(Corpus::new(tables, facts, folder.damage().clone(), dialect)?)
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
        Ok(Corpus::new(tables, facts, damage, &dialect)?)
    }

    fn new(
        tables: Tables,
        facts: Facts,
        damage: Damage,
        dialect: &Dialect,
    ) -> Result<Corpus, FilesError> {
        let origins = Places::new(tables.origins)?;
        Ok(Corpus {
            index: Index::new(tables.index, facts.seed, origins.len())?,
            origins,
            capture_table: CaptureTable::new(tables.captures)?,
            targets: Places::new(tables.targets)?,
            target_captures: CaptureTable::new(tables.target_captures)?,
            texts: texts_of(tables.texts)?,
            sources: texts_of(tables.sources)?,
            archived: tables.archived.map(ArchivedTable::new).transpose()?,
            bodies: Bodies::new(tables.programs, dialect.name == Dialect::GOOGLE.name)?,
            facts,
            damage,
        })
    }
}

/// A table of one column of texts.
fn texts_of(table: Option<Table>) -> Result<Option<(Table, Texts)>, FilesError> {
    table.map(|table| table.texts(0).map(|texts| (table, texts))).transpose()
}

type Numbers = std::collections::BTreeMap<String, u64>;

impl Facts {
    /// As they stand in a manifest; `None` where something is missing.
    fn of_settings(settings: &Map<String, Value>, counts: &Numbers) -> Option<Facts> {
        let text = |name: &str| settings.get(name)?.as_str();
        let dialects = settings.get("dialects")?.as_array()?.iter();
        let dialects =
            dialects.map(|name| Dialect::named(name.as_str()?)).collect::<Option<_>>()?;
        let mut fingerprint = [0; 32];
        let digits = text("fingerprint")?.as_bytes().as_chunks::<2>().0;
        for (octet, digits) in fingerprint.iter_mut().zip(digits) {
            *octet = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        let limit = settings.get("body_limit")?.as_u64()?;
        let count = |name: &str| counts.get(name).copied();
        Some(Facts {
            dialects,
            limit: BodyLimit::new(usize::try_from(limit).ok()?),
            wanted: Wanted::All,
            has_texts: settings.get("texts")?.as_bool()?,
            seed: u64::from_str_radix(text("index_seed")?, 16).ok()?,
            fingerprint,
            counts: Counts {
                captures: count("captures")?,
                without_place: count("captures_without_place")?,
                without_status: count("captures_without_status")?,
                revisits: count("revisits")?,
                revisits_unresolved: count("revisits_unresolved")?,
            },
        })
    }
}
