//! What can go wrong while a corpus is loaded.

use std::fmt;
use std::path::{Path, PathBuf};

use super::files::FilesError;
use crate::table::TableError;

/// A source that cannot be read, or not understood. The octets of a robots body are never an error.
#[derive(Debug)]
pub struct CorpusError {
    source: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(std::io::Error),
    Table(TableError),
    Files(FilesError),
    Line { line: u64, message: String },
    Row { place: String, message: String },
    Message(String),
}

impl CorpusError {
    pub(super) fn io(source: &Path, error: std::io::Error) -> Self {
        CorpusError { source: source.to_path_buf(), kind: Kind::Io(error) }
    }

    pub(super) fn files(error: FilesError) -> Self {
        CorpusError { source: PathBuf::new(), kind: Kind::Files(error) }
    }

    /// Files that a build puts aside until it is done.
    pub(super) fn spill(error: &std::io::Error) -> Self {
        let message = format!("files of the build that are only needed until it is done: {error}");
        CorpusError {
            source: PathBuf::new(),
            kind: Kind::Io(std::io::Error::new(error.kind(), message)),
        }
    }

    pub(super) fn table(source: &Path, error: TableError) -> Self {
        CorpusError { source: source.to_path_buf(), kind: Kind::Table(error) }
    }

    pub(super) fn line(source: &Path, line: u64, message: impl Into<String>) -> Self {
        CorpusError {
            source: source.to_path_buf(),
            kind: Kind::Line { line, message: message.into() },
        }
    }

    pub(super) fn row(source: &Path, place: &str, message: String) -> Self {
        CorpusError {
            source: source.to_path_buf(),
            kind: Kind::Row { place: place.to_owned(), message },
        }
    }

    /// What no file is to blame for.
    pub(super) fn plain(message: impl Into<String>) -> Self {
        CorpusError { source: PathBuf::new(), kind: Kind::Message(message.into()) }
    }

    pub(super) fn message(source: &Path, message: impl Into<String>) -> Self {
        CorpusError { source: source.to_path_buf(), kind: Kind::Message(message.into()) }
    }

    /// Whether the octets of the source are damaged, as opposed to it missing or meaning something
    /// else than asked: what `--on-error skip` may pass over.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match &self.kind {
            Kind::Table(error) => error.is_damaged(),
            Kind::Line { .. } | Kind::Row { .. } => true,
            Kind::Io(error) => matches!(
                error.kind(),
                std::io::ErrorKind::InvalidData
                    | std::io::ErrorKind::UnexpectedEof
                    | std::io::ErrorKind::InvalidInput
            ),
            Kind::Files(error) => error.is_damage(),
            Kind::Message(_) => false,
        }
    }
}

impl From<FilesError> for CorpusError {
    fn from(error: FilesError) -> Self {
        CorpusError::files(error)
    }
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let source = self.source.display();
        match &self.kind {
            Kind::Io(error) if self.source.as_os_str().is_empty() => error.fmt(f),
            Kind::Io(error) => write!(f, "{source}: {error}"),
            Kind::Files(error) => error.fmt(f),
            Kind::Table(error) => write!(f, "{error}"),
            Kind::Line { line, message } => write!(f, "{source}, line {line}: {message}"),
            Kind::Row { place, message } => write!(f, "{source}, {place}: {message}"),
            Kind::Message(message) if self.source.as_os_str().is_empty() => f.write_str(message),
            Kind::Message(message) => write!(f, "{source}: {message}"),
        }
    }
}

impl std::error::Error for CorpusError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io(error) => Some(error),
            Kind::Table(error) => Some(error),
            Kind::Files(error) => Some(error),
            Kind::Line { .. } | Kind::Row { .. } | Kind::Message(_) => None,
        }
    }
}
