//! What can go wrong while a workload is made: a size that makes no sense, a folder in use, a file that cannot be
//! written. Leaves: one opaque error whose message names the place and what to do. Must not know: how tables look.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// Why a workload could not be made. The message names the place and what to do.
#[derive(Debug)]
pub struct WorkloadError {
    kind: ErrorKind,
}

#[derive(Debug)]
enum ErrorKind {
    Size(String),
    FolderInUse(PathBuf),
    File { path: PathBuf, source: io::Error },
    Parquet { path: PathBuf, source: ParquetError },
}

impl WorkloadError {
    pub(crate) fn size(message: String) -> Self {
        Self { kind: ErrorKind::Size(message) }
    }

    pub(crate) fn folder_in_use(folder: &Path) -> Self {
        Self { kind: ErrorKind::FolderInUse(folder.to_owned()) }
    }

    pub(crate) fn file(path: &Path, source: io::Error) -> Self {
        Self { kind: ErrorKind::File { path: path.to_owned(), source } }
    }

    pub(crate) fn parquet(path: &Path, source: ParquetError) -> Self {
        Self { kind: ErrorKind::Parquet { path: path.to_owned(), source } }
    }

    /// Whether the request itself is at fault (a size, a folder in use) rather than the machine.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        matches!(self.kind, ErrorKind::Size(_) | ErrorKind::FolderInUse(_))
    }
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::Size(message) => f.write_str(message),
            ErrorKind::FolderInUse(folder) => write!(
                f,
                "{}: the folder already holds files; name a new folder, or pass --force to replace an earlier workload",
                folder.display()
            ),
            ErrorKind::File { path, source } => write!(
                f,
                "{}: {source}; check the path, its permissions and the free space",
                path.display()
            ),
            ErrorKind::Parquet { path, source } => write!(
                f,
                "{}: writing Parquet failed: {source}; check the free space",
                path.display()
            ),
        }
    }
}

impl Error for WorkloadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            ErrorKind::Size(_) | ErrorKind::FolderInUse(_) => None,
            ErrorKind::File { source, .. } => Some(source),
            ErrorKind::Parquet { source, .. } => Some(source),
        }
    }
}
