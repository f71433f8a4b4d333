//! Arrow streams out of and into Python, by the C interface: buffers change hands, nothing is copied.
//!
//! The one file with `unsafe`: the interface is made of C structs behind pointers in capsules. What it promises, and what this relies on:
//! a capsule of the name `arrow_array_stream` holds a stream that nobody else has taken, or one that says that it was.

#![expect(unsafe_code, reason = "the Arrow C interface is pointers to C structs")]

use std::ffi::CStr;

use arrow::datatypes::Schema;
use arrow::error::ArrowError;
use arrow::ffi::FFI_ArrowSchema;
use arrow::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow::record_batch::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// The batches of an object with `__arrow_c_stream__`.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let Some(method) = object.getattr_opt("__arrow_c_stream__")? else {
        let kind = object.get_type().fully_qualified_name()?;
        return Err(error::rows(format!(
            "{kind} does not speak the Arrow C stream interface (`__arrow_c_stream__`): give a pyarrow Table, \
             RecordBatch or RecordBatchReader, a polars DataFrame, a DuckDB relation or the like"
        )));
    };
    let capsule = method.call0()?;
    let capsule = capsule
        .cast::<PyCapsule>()
        .map_err(|_| error::rows("`__arrow_c_stream__` gave no capsule of an Arrow stream"))?;
    let pointer = capsule.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: the name was checked, so the capsule holds such a struct, alive as long as the capsule, which is held here. This takes
    // the stream out and leaves a released one, as the interface asks of a consumer; a stream that was taken before has no
    // release callback, which `try_new` tells.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    RecordBatchStreamReader::try_new(stream).map_err(|error| imported(object.py(), error))
}

/// A capsule with a stream of what `reader` gives.
pub(crate) fn export<'py>(
    py: Python<'py>,
    reader: Box<dyn RecordBatchReader + Send>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let stream = FFI_ArrowArrayStream::new(reader);
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// A capsule with a schema.
pub(crate) fn export_schema<'py>(
    py: Python<'py>,
    schema: &Schema,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(schema).map_err(error::rows)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// An error of the other side: an exception that Python code has raised meanwhile says more.
pub(crate) fn imported(py: Python<'_>, error: ArrowError) -> PyErr {
    PyErr::take(py).unwrap_or_else(|| error::rows(error))
}
