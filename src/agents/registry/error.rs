//! What is wrong with a registry file, and what to do about it.

use std::fmt;
use std::path::{Path, PathBuf};

/// A registry file that cannot be used: names the file, the line where there is one, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryError {
    path: PathBuf,
    line: Option<usize>,
    message: String,
}

impl RegistryError {
    pub(super) fn new(path: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        RegistryError { path: path.to_owned(), line, message: message.into() }
    }

    /// The line, from 1, where the mistake has one.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for RegistryError {}

/// A `@set` that the registry does not have; the message lists those that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSet {
    pub(super) asked: String,
    pub(super) known: Vec<String>,
}

impl fmt::Display for UnknownSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownSet { asked, known } = self;
        write!(f, "there is no set `@{asked}` of agents; there are ")?;
        for (at, name) in known.iter().enumerate() {
            write!(f, "{}@{name}", if at == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownSet {}
