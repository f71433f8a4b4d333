//! The one error of runs: why a file's rows cannot be judged.

use std::fmt;

use arrow::error::ArrowError;

use crate::corpus::CorpusError;
use crate::evaluate::RowsError;
use crate::table::TableError;

/// Why a file's rows cannot be judged.
#[derive(Debug)]
pub struct EvalError(Kind);

#[derive(Debug)]
enum Kind {
    Table(TableError),
    Corpus(CorpusError),
    Message(String),
}

impl EvalError {
    pub(super) fn table(error: TableError) -> Self {
        EvalError(Kind::Table(error))
    }

    pub(super) fn corpus(error: CorpusError) -> Self {
        EvalError(Kind::Corpus(error))
    }

    pub(super) fn message(message: String) -> Self {
        EvalError(Kind::Message(message))
    }
}

impl From<RowsError> for EvalError {
    fn from(error: RowsError) -> Self {
        EvalError::message(error.to_string())
    }
}

impl From<ArrowError> for EvalError {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(error) => match error.downcast::<CorpusError>() {
                Ok(damage) => EvalError::corpus(*damage),
                Err(error) => EvalError::message(error.to_string()),
            },
            error => EvalError::message(error.to_string()),
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Table(error) => error.fmt(f),
            Kind::Corpus(error) => error.fmt(f),
            Kind::Message(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EvalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Table(error) => Some(error),
            Kind::Corpus(error) => Some(error),
            Kind::Message(_) => None,
        }
    }
}
