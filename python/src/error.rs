//! Errors of the library as exceptions. Their classes stand in `robosift/_errors.py`.

use std::fmt::Display;

use arrow::error::ArrowError;
use pyo3::PyErr;
use robosift::corpus::CorpusError as Damaged;

pyo3::import_exception!(robosift._errors, ArgumentError);
pyo3::import_exception!(robosift._errors, CorpusError);
pyo3::import_exception!(robosift._errors, RowsError);
pyo3::import_exception!(robosift._errors, FilesError);

/// An argument that makes no sense.
pub(crate) fn argument(error: impl Display) -> PyErr {
    ArgumentError::new_err(error.to_string())
}

/// A corpus that cannot be opened or built, or is damaged.
pub(crate) fn corpus(error: impl Display) -> PyErr {
    CorpusError::new_err(error.to_string())
}

/// What Arrow gives back: rows that cannot be read, or a corpus that is damaged where they needed it.
pub(crate) fn arrow(error: &ArrowError) -> PyErr {
    match error {
        ArrowError::ExternalError(inner) if inner.is::<Damaged>() => corpus(inner),
        ArrowError::ExternalError(inner) => rows(inner),
        ArrowError::CDataInterface(message)
        | ArrowError::SchemaError(message)
        | ArrowError::InvalidArgumentError(message) => rows(message),
        other => rows(other),
    }
}

/// Rows that cannot be judged.
pub(crate) fn rows(error: impl Display) -> PyErr {
    RowsError::new_err(error.to_string())
}

/// A run over files that failed.
pub(crate) fn files(error: impl Display) -> PyErr {
    FilesError::new_err(error.to_string())
}
