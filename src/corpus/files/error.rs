//! What can go wrong with the files of a corpus; each message says where, and what to do.
//!
//! Enters: a file and what was found. Leaves: an error that is cheap to clone, as several threads may
//! meet the same one. Knows no format.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow::error::ArrowError;

/// A file of a corpus that cannot be read, written or understood.
#[derive(Debug, Clone)]
pub struct FilesError {
    file: Arc<str>,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    /// The operating system refused.
    Io { doing: &'static str, error: Arc<io::Error> },
    /// Octets that no writer of ours leaves.
    Damaged { offset: u64, what: Arc<str> },
    /// A whole file that means something else than the reader expects.
    Mismatch { what: Arc<str> },
    /// A format of another version.
    Version { found: u64, known: u32 },
    /// What was to be written cannot be.
    Unwritable { what: Arc<str> },
}

impl FilesError {
    pub(super) fn io(file: &Path, doing: &'static str, error: io::Error) -> Self {
        let file = file.display().to_string().into();
        FilesError { file, kind: Kind::Io { doing, error: Arc::new(error) } }
    }

    pub(super) fn damaged(file: &Arc<str>, offset: u64, what: impl Into<Arc<str>>) -> Self {
        FilesError { file: Arc::clone(file), kind: Kind::Damaged { offset, what: what.into() } }
    }

    pub(in crate::corpus) fn mismatch(file: &Arc<str>, what: impl Into<Arc<str>>) -> Self {
        FilesError { file: Arc::clone(file), kind: Kind::Mismatch { what: what.into() } }
    }

    pub(super) fn version(file: &Arc<str>, found: u64, known: u32) -> Self {
        FilesError { file: Arc::clone(file), kind: Kind::Version { found, known } }
    }

    pub(super) fn unwritable(file: &Arc<str>, what: impl Into<Arc<str>>) -> Self {
        FilesError { file: Arc::clone(file), kind: Kind::Unwritable { what: what.into() } }
    }

    /// An error of Arrow's writer: the disk's, or of the batch.
    pub(in crate::corpus) fn arrow(file: &Arc<str>, error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => {
                let kind = Kind::Io { doing: "writing", error: Arc::new(error) };
                FilesError { file: Arc::clone(file), kind }
            }
            other => FilesError::unwritable(file, other.to_string()),
        }
    }

    /// Whether the file's octets are damaged, as opposed to it missing or being of another kind.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self.kind, Kind::Damaged { .. })
    }

    /// The damaged place in the file, in octets from its start.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self.kind {
            Kind::Damaged { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// The file, as the messages name it.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }
}

impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file;
        match &self.kind {
            Kind::Io { doing, error } => write!(f, "{file}: {doing}: {error}"),
            Kind::Damaged { offset, what } => write!(
                f,
                "{file}, octet {offset}: {what}; the corpus is damaged: copy it again or build it anew"
            ),
            Kind::Mismatch { what } => {
                write!(f, "{file}: {what}; build the corpus anew with this version of robosift")
            }
            Kind::Version { found, known } => write!(
                f,
                "{file}: format version {found}, this robosift reads version {known}; build the corpus \
                 anew, or use the robosift that built it"
            ),
            Kind::Unwritable { what } => write!(f, "{file}: cannot be written: {what}"),
        }
    }
}

impl std::error::Error for FilesError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io { error, .. } => Some(error.as_ref()),
            _ => None,
        }
    }
}
