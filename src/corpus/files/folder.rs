//! Opens a folder of files.
//!
//! Enters: a path. Leaves: regions and tables, all with one [`Damage`]. Opening reads the manifest and asks the length
//! of each file, nothing else, so it costs the same at any size. Must not know what the files are for.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::Schema;

use super::manifest::{MANIFEST_NAME, Manifest};
use super::region::{check_len, sums_path};
use super::sums::side_len;
use super::table::Table;
use super::{Damage, FileEntry, FilesError, Region};

/// A longer manifest is not ours: it names some ten files.
const MAX_MANIFEST_LEN: u64 = 16 * 1024 * 1024;

/// An open folder.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    damage: Damage,
}

impl Folder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// A manifest that is missing, damaged or of another version; a file that is missing or of another length.
    pub fn open(path: &Path) -> Result<Self, FilesError> {
        Folder::open_noting(path, &Damage::default())
    }

    /// As [`Folder::open`], of one folder among several whose damage is noted in one place.
    ///
    /// # Errors
    /// Those of [`Folder::open`].
    pub fn open_noting(path: &Path, damage: &Damage) -> Result<Self, FilesError> {
        let manifest = read_manifest(&path.join(MANIFEST_NAME))?;
        for (name, entry) in &manifest.files {
            let path = path.join(name);
            check_len(&path, entry.len)?;
            check_len(&sums_path(&path), side_len(entry.len))?;
        }
        Ok(Folder { path: path.to_path_buf(), manifest, damage: damage.clone() })
    }

    /// What the folder holds.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where the damage of all its files is noted.
    #[must_use]
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Where a file of it stands.
    #[must_use]
    pub fn path_of(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Maps a file.
    ///
    /// # Errors
    /// A name that is not in the manifest; a file that changed since the folder was opened.
    pub fn region(&self, name: &str) -> Result<Region, FilesError> {
        let entry = self.entry(name)?;
        Region::open(&self.path.join(name), entry.len, entry.root, &self.damage)
    }

    /// Opens a table, which must have the columns of `schema`.
    ///
    /// # Errors
    /// Those of [`Folder::region`] and [`Table::open`]; a table of another shape than the manifest says.
    pub fn table(&self, name: &str, schema: &Schema) -> Result<Table, FilesError> {
        let table = Table::open(self.region(name)?, schema)?;
        if self.entry(name)?.table == Some(table.shape()) {
            return Ok(table);
        }
        Err(table.region().malformed(0, "another number of rows than the manifest says"))
    }

    /// Verifies every octet of every file. Cost: reads them all.
    ///
    /// # Errors
    /// The first damage.
    pub fn verify(&self) -> Result<(), FilesError> {
        self.manifest.files.keys().try_for_each(|name| self.region(name)?.verify())
    }

    fn entry(&self, name: &str) -> Result<&FileEntry, FilesError> {
        let path: Arc<str> = self.path.display().to_string().into();
        let missing = || FilesError::mismatch(&path, format!("the manifest has no `{name}`"));
        self.manifest.files.get(name).ok_or_else(missing)
    }
}

fn read_manifest(path: &Path) -> Result<Manifest, FilesError> {
    let io = |error| FilesError::io(path, "opening", error);
    let name: Arc<str> = path.display().to_string().into();
    if !path.metadata().map_err(io)?.is_file() {
        return Err(FilesError::damaged(&name, 0, "no plain file"));
    }
    let mut text = Vec::new();
    let mut file = File::open(path).map_err(io)?.take(MAX_MANIFEST_LEN);
    file.read_to_end(&mut text).map_err(|error| FilesError::io(path, "reading", error))?;
    Manifest::from_json(&name, &text)
}
