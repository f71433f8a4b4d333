//! The one error of this layer.
//!
//! **Purpose.** Say which file stopped the stream and why. **Enters**: errors of the layers below and of the judge.
//! **Leaves**: an opaque error. **Cost**: one allocation. **Must not know**: what the judge judges.

use crate::table::TableError;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a stream did not start or did not finish.
pub struct StreamError(Box<Cause>);

enum Cause {
    /// The plan cannot be carried out as asked.
    Plan(String),
    /// An input file cannot be read, or lacks a column.
    Table(TableError),
    /// The judge refused.
    Judge { file: PathBuf, error: Box<dyn Error + Send + Sync> },
    /// An output file cannot be written.
    Output { file: PathBuf, what: String },
}

impl StreamError {
    pub(crate) fn plan(what: impl Into<String>) -> Self {
        Self(Box::new(Cause::Plan(what.into())))
    }

    pub(crate) fn judge(file: &Path, error: impl Error + Send + Sync + 'static) -> Self {
        Self(Box::new(Cause::Judge { file: file.to_path_buf(), error: Box::new(error) }))
    }

    pub(crate) fn output(file: &Path, what: impl fmt::Display) -> Self {
        Self(Box::new(Cause::Output { file: file.to_path_buf(), what: what.to_string() }))
    }

    /// The request itself is at fault: inputs not found, outputs that collide, names that clash. Nothing was read or written.
    pub fn is_plan(&self) -> bool {
        matches!(*self.0, Cause::Plan(_))
    }

    /// An output could not be written.
    pub fn is_output(&self) -> bool {
        matches!(*self.0, Cause::Output { .. })
    }

    /// The error of the table layer, where that is the cause.
    pub fn table(&self) -> Option<&TableError> {
        match &*self.0 {
            Cause::Table(error) => Some(error),
            _ => None,
        }
    }

    /// The judge's own error, where that is the cause.
    pub fn judged(&self) -> Option<&(dyn Error + Send + Sync + 'static)> {
        match &*self.0 {
            Cause::Judge { error, .. } => Some(error.as_ref()),
            _ => None,
        }
    }

    /// Whether leaving out the input file is an answer: it is damaged or cannot be read.
    pub(crate) fn is_skippable(&self) -> bool {
        self.table().is_some_and(|error| error.is_damaged() || error.is_io())
    }
}

impl From<TableError> for StreamError {
    fn from(error: TableError) -> Self {
        Self(Box::new(Cause::Table(error)))
    }
}

impl fmt::Display for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.0 {
            Cause::Plan(what) => f.write_str(what),
            Cause::Table(error) => error.fmt(f),
            Cause::Judge { file, error } => {
                // The judge's errors often come from the table layer and name the file themselves.
                let text = error.to_string();
                match text.starts_with(&*file.to_string_lossy()) {
                    true => f.write_str(&text),
                    false => write!(f, "{}: {text}", file.display()),
                }
            }
            Cause::Output { file, what } => write!(
                f,
                "cannot write {}: {what}; check the folder, its permissions and the space left",
                file.display()
            ),
        }
    }
}

impl fmt::Debug for StreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for StreamError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &*self.0 {
            Cause::Table(error) => Some(error),
            Cause::Judge { error, .. } => Some(error.as_ref()),
            Cause::Plan(_) | Cause::Output { .. } => None,
        }
    }
}
