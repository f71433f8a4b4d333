//! What can go wrong in a WARC file.

use std::fmt;
use std::io;

use super::members::Fault;

/// A place in the file at which no record can be read.
#[derive(Debug)]
pub struct WarcError {
    offset: u64,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(io::Error),
    Damaged(&'static str),
}

impl WarcError {
    pub(super) fn damaged(offset: u64, what: &'static str) -> Self {
        WarcError { offset, kind: Kind::Damaged(what) }
    }

    pub(super) fn fault((offset, fault): (u64, Fault)) -> Self {
        match fault {
            Fault::Io(error) => WarcError { offset, kind: Kind::Io(error) },
            Fault::Invalid(what) | Fault::CutOff(what) => WarcError::damaged(offset, what),
        }
    }

    /// Octets of the file before the damaged record, gzip member or zstd frame.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the octets are damaged, as opposed to not to be had.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self.kind, Kind::Damaged(_))
    }

    /// What is wrong, without the place.
    pub(super) fn what(&self) -> String {
        match &self.kind {
            Kind::Io(error) => error.to_string(),
            Kind::Damaged(what) => (*what).to_owned(),
        }
    }

    pub(super) fn into_io(self) -> Result<io::Error, Self> {
        match self.kind {
            Kind::Io(error) => Ok(error),
            Kind::Damaged(_) => Err(self),
        }
    }
}

impl fmt::Display for WarcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: {}", self.offset, self.what())
    }
}

impl std::error::Error for WarcError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            Kind::Io(error) => Some(error),
            Kind::Damaged(_) => None,
        }
    }
}
