//! Writes a folder of files.
//!
//! Enters: a path that does not exist yet, octets and record batches. Leaves: the files with their checksums, and last the
//! manifest: a folder without one is not whole. Every file is on disk before the manifest is. Whoever asks gives the folder
//! its final name. Must not know what the files are for.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::datatypes::Schema;

use super::FilesError;
use super::manifest::{FileEntry, MANIFEST_NAME, Manifest, is_plain_name};
use super::region::sums_path;
use super::summing::SummingWriter;
use super::table::{TableShape, TableWriter};

/// A folder being written. Files of it are written in any order, several at a time.
#[derive(Debug)]
pub struct FolderWriter {
    path: PathBuf,
    manifest: Manifest,
}

/// A file being written; it counts once [`FolderWriter::close_file`] has taken it.
#[derive(Debug)]
pub struct FolderFile {
    name: String,
    path: PathBuf,
    writer: SummingWriter<File, BufWriter<File>>,
}

/// A table being written; it counts once [`FolderWriter::close_table`] has taken it.
pub type FolderTable = TableWriter<FolderFile>;

impl FolderWriter {
    /// Makes the folder; `tool` names who writes, for people.
    ///
    /// # Errors
    /// A folder that is there already or cannot be made.
    pub fn create(path: &Path, tool: &str) -> Result<Self, FilesError> {
        fs::create_dir(path).map_err(|error| FilesError::io(path, "making the folder", error))?;
        Ok(FolderWriter::within(path, tool))
    }

    /// Writes into a folder that is there already, with what else it holds.
    #[must_use]
    pub fn within(path: &Path, tool: &str) -> Self {
        let manifest = Manifest {
            tool: tool.to_owned(),
            files: Default::default(),
            counts: Default::default(),
            settings: Default::default(),
        };
        FolderWriter { path: path.to_path_buf(), manifest }
    }

    /// Begins a file. Its name has letters, digits, `_`, `-` and inner dots only.
    ///
    /// # Errors
    /// Another name; a file that is there already or cannot be made.
    pub fn file(&self, name: &str) -> Result<FolderFile, FilesError> {
        let path = self.path.join(name);
        if !is_plain_name(name) {
            let path: Arc<str> = path.display().to_string().into();
            return Err(FilesError::unwritable(&path, "a name with other characters"));
        }
        let file = create_file(&path)?;
        let sums = BufWriter::new(create_file(&sums_path(&path))?);
        Ok(FolderFile { name: name.to_owned(), path, writer: SummingWriter::new(file, sums) })
    }

    /// Begins a table; see [`TableWriter::try_new`].
    ///
    /// # Errors
    /// Those of [`FolderWriter::file`] and [`TableWriter::try_new`].
    pub fn table(
        &self,
        name: &str,
        schema: &Schema,
        rows_per_batch: u32,
    ) -> Result<FolderTable, FilesError> {
        let file = self.file(name)?;
        let shown = file.path.display().to_string();
        TableWriter::try_new(&shown, file, schema, rows_per_batch)
    }

    /// Ends a file and brings it to the disk.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn close_file(&mut self, file: FolderFile) -> Result<(), FilesError> {
        self.close(file, None)
    }

    /// Ends a table and brings it to the disk.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn close_table(&mut self, table: FolderTable) -> Result<TableShape, FilesError> {
        let (file, shape) = table.finish()?;
        self.close(file, Some(shape))?;
        Ok(shape)
    }

    /// Sets a number of the manifest.
    pub fn count(&mut self, name: &str, number: u64) {
        self.manifest.counts.insert(name.to_owned(), number);
    }

    /// Sets what the owner was asked to build: whole numbers, texts, flags, and lists and maps of them.
    pub fn setting(&mut self, name: &str, value: impl Into<serde_json::Value>) {
        self.manifest.settings.insert(name.to_owned(), value.into());
    }

    /// Writes the manifest and makes the folder whole.
    ///
    /// # Errors
    /// Settings that JSON does not keep exactly; those of the disk.
    pub fn finish(self) -> Result<Manifest, FilesError> {
        let path = self.path.join(MANIFEST_NAME);
        let shown: Arc<str> = path.display().to_string().into();
        let text = self.manifest.to_json();
        let text = text.ok_or_else(|| {
            FilesError::unwritable(&shown, "a setting that JSON does not keep exactly")
        })?;
        let partial = self.path.join("manifest.partial");
        let write = || {
            let mut file = File::create_new(&partial)?;
            file.write_all(text.as_bytes())?;
            file.sync_all()?;
            fs::rename(&partial, &path)?;
            sync_folder(&self.path)
        };
        write().map_err(|error| FilesError::io(&path, "writing", error))?;
        Ok(self.manifest)
    }

    fn close(&mut self, file: FolderFile, table: Option<TableShape>) -> Result<(), FilesError> {
        let FolderFile { name, path, writer } = file;
        let io = |error| FilesError::io(&path, "writing", error);
        let summed = writer.finish().map_err(io)?;
        summed.file.sync_all().map_err(io)?;
        let sums = summed.sums.into_inner().map_err(|error| io(error.into_error()))?;
        sums.sync_all().map_err(io)?;
        let entry = FileEntry { len: summed.len, root: summed.root, table };
        self.manifest.files.insert(name, entry);
        Ok(())
    }
}

impl Write for FolderFile {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.writer.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn create_file(path: &Path) -> Result<File, FilesError> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    file.map_err(|error| FilesError::io(path, "making the file", error))
}

/// Brings the names in a folder to the disk, where the system lets a folder be opened.
pub(in crate::corpus) fn sync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// Brings the name `path` itself to the disk, as [`sync_folder`] those in its folder.
pub(in crate::corpus) fn sync_name(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    sync_folder(folder.unwrap_or(Path::new(".")))
}
