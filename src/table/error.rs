//! The one error of this layer.
//!
//! **Purpose.** Say what happened, where, and what to do. **Enters**: facts from the other files. **Leaves**: an opaque error whose kind
//! is asked through predicates. **Cost**: one allocation. **Must not know**: what the column was wanted for.

use std::fmt;
use std::path::{Path, PathBuf};

/// What went wrong with a Parquet file or with a column asked of it.
///
/// Opaque: the message (file, row group, column, what, what to do) is for people, the `is_*` predicates are for programs.
pub struct TableError(Box<Detail>);

struct Detail {
    kind: Kind,
    file: PathBuf,
    row_group: Option<usize>,
    column: Option<String>,
    what: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Io,
    Damaged,
    MissingColumn,
    Column,
}

impl TableError {
    pub(crate) fn new(kind: Kind, file: &Path, what: impl Into<String>) -> Self {
        Self(Box::new(Detail {
            kind,
            file: file.to_path_buf(),
            row_group: None,
            column: None,
            what: what.into(),
        }))
    }

    pub(crate) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::new(Kind::Damaged, file, what)
    }

    pub(crate) fn io(file: &Path, what: impl Into<String>) -> Self {
        Self::new(Kind::Io, file, what)
    }

    /// A damaged-file error from what the Parquet reader said, without the names of its error types in front.
    pub(crate) fn reader(file: &Path, what: &str) -> Self {
        Self::new(Kind::Damaged, file, without_prefixes(what))
    }

    pub(crate) fn in_row_group(mut self, row_group: usize) -> Self {
        self.0.row_group = Some(row_group);
        self
    }

    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.0.column = Some(column.to_owned());
        self
    }

    /// The file is not Parquet, is cut, or contradicts itself.
    pub fn is_damaged(&self) -> bool {
        self.0.kind == Kind::Damaged
    }

    /// The operating system refused to open or to read the file.
    pub fn is_io(&self) -> bool {
        self.0.kind == Kind::Io
    }

    /// The file is fine and has no column of that name.
    pub fn is_missing_column(&self) -> bool {
        self.0.kind == Kind::MissingColumn
    }

    /// The column exists but cannot be used: its name is ambiguous, or it is a list, a map or a struct.
    pub fn is_unusable_column(&self) -> bool {
        self.0.kind == Kind::Column
    }

    /// The file the error is about.
    pub fn file(&self) -> &Path {
        &self.0.file
    }

    /// The row group the error is about, counted from 0, where it is about one.
    pub fn row_group(&self) -> Option<usize> {
        self.0.row_group
    }

    fn advice(&self) -> &'static str {
        match self.0.kind {
            Kind::Io => "check that the file exists and can be read",
            Kind::Damaged => "fetch or write the file again, or leave it out",
            Kind::MissingColumn | Kind::Column => "name one of the columns present",
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.file.display())?;
        if let Some(row_group) = self.0.row_group {
            write!(f, ", row group {row_group}")?;
        }
        if let Some(column) = &self.0.column {
            write!(f, ", column {column:?}")?;
        }
        write!(f, ": {}; {}", self.0.what, self.advice())
    }
}

impl fmt::Debug for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for TableError {}

/// The Parquet and Arrow crates put the name of an error's type in front of its message, at each turn of it into another type.
fn without_prefixes(what: &str) -> String {
    let mut what = what.to_owned();
    for name in ["Parquet argument error: ", "Parquet error: ", "External: ", "EOF: ", "Arrow: "] {
        what = what.replace(name, "");
    }
    what
}
