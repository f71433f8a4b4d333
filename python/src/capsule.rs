//! Arrow streams out of and into Python, by the C interface: buffers change hands, nothing is copied.
//!
//! The one file with `unsafe`: the interface is made of C structs behind pointers in capsules. What it promises, and what this relies on:
//! a capsule of the name `arrow_array_stream` holds a stream that nobody else has taken, or one that says that it was; its callbacks do what the
//! interface says, and arrays are as their types say. What a producer may leave undone, aligning offsets, is looked at before they are read.

#![expect(unsafe_code, reason = "the Arrow C interface is pointers to C structs")]

use std::ffi::CStr;

use arrow::array::{Array, RecordBatch, RecordBatchOptions, StructArray, layout};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use arrow::ffi_stream::FFI_ArrowArrayStream;
use arrow::record_batch::RecordBatchReader;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::error;

const STREAM: &CStr = c"arrow_array_stream";
const SCHEMA: &CStr = c"arrow_schema";

/// Batches that come through the C interface.
pub(crate) struct Imported {
    stream: FFI_ArrowArrayStream,
    schema: SchemaRef,
}

/// The batches of an object with `__arrow_c_stream__`.
pub(crate) fn import(object: &Bound<'_, PyAny>) -> PyResult<Imported> {
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
    // release callback, which `Imported::new` tells.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    Imported::new(stream).map_err(error::rows)
}

impl Imported {
    fn new(mut stream: FFI_ArrowArrayStream) -> Result<Self, ArrowError> {
        let used = || ArrowError::CDataInterface("the stream was read already".to_owned());
        let get_schema = stream.release().and_then(|_| stream.get_schema()).ok_or_else(used)?;
        let mut schema = FFI_ArrowSchema::empty();
        // SAFETY: the stream is not released, and both pointers are to structs of this frame.
        let code = unsafe { get_schema(&raw mut stream, &raw mut schema) };
        if code != 0 {
            return Err(told(&mut stream, "its schema cannot be had"));
        }
        let kind = DataType::try_from(&schema)?;
        let DataType::Struct(fields) = &kind else {
            return Err(ArrowError::CDataInterface(format!("a stream of {kind} is no table")));
        };
        let metadata = schema.metadata()?;
        let schema = SchemaRef::new(Schema::new_with_metadata(fields.clone(), metadata));
        Ok(Imported { stream, schema })
    }

    fn read(&mut self) -> Result<Option<RecordBatch>, ArrowError> {
        let Some(get_next) = self.stream.get_next() else { return Ok(None) };
        let mut array = FFI_ArrowArray::empty();
        // SAFETY: the stream was not released: it is only when it is dropped. The array is of this frame.
        let code = unsafe { get_next(&raw mut self.stream, &raw mut array) };
        if code != 0 {
            return Err(told(&mut self.stream, "its next batch cannot be had"));
        }
        if array.is_released() {
            return Ok(None);
        }
        let kind = DataType::Struct(self.schema.fields().clone());
        if !has_parts(&array, &kind) {
            let message = "a batch has other columns than the schema of its stream";
            return Err(ArrowError::CDataInterface(message.to_owned()));
        }
        if !is_aligned(&array, &kind) {
            let message =
                "offsets of texts stand at an address that their type forbids; copy the table";
            return Err(ArrowError::CDataInterface(message.to_owned()));
        }
        // SAFETY: the producer says that the array is of the schema it gave; it has the parts that this asks for, and its offsets are where
        // they may be read. What it says of lengths is believed, as the interface wants it; batches of pyarrow readers, which check
        // nothing themselves, have been compared with their schema before they came here (`robosift/_arrow.py`).
        let data = unsafe { from_ffi_and_data_type(array, kind) }?;
        let rows = StructArray::from(data);
        let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
        let columns = rows.into_parts().1;
        RecordBatch::try_new_with_options(SchemaRef::clone(&self.schema), columns, &options)
            .map(Some)
    }
}

impl Iterator for Imported {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

impl RecordBatchReader for Imported {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}

/// An error of a stream, in the words of who makes it if there are some.
fn told(stream: &mut FFI_ArrowArrayStream, what: &str) -> ArrowError {
    let message = stream.get_last_error().and_then(|get_last_error| {
        // SAFETY: the stream is not released, and a callback of it has just failed.
        let text = unsafe { get_last_error(stream) };
        // SAFETY: what is given is null, or a string that is there until the stream is asked again.
        (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    });
    ArrowError::CDataInterface(message.unwrap_or_else(|| format!("the stream fails: {what}")))
}

/// Whether an array has as many buffers and children as its type asks for: what producers that check nothing get wrong first.
fn has_parts(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    let children: Vec<&DataType> = match kind {
        DataType::Struct(fields) => fields.iter().map(|field| field.data_type()).collect(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| field.data_type()).collect(),
        DataType::RunEndEncoded(ends, values) => vec![ends.data_type(), values.data_type()],
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => vec![field.data_type()],
        _ => Vec::new(),
    };
    let layout = layout(kind);
    let buffers = layout.buffers.len() + usize::from(layout.can_contain_null_mask);
    // After the buffers of views comes one with the lengths of all that they point into.
    let has_buffers = match layout.variadic {
        true => array.num_buffers() > buffers,
        false => array.num_buffers() == buffers,
    };
    let mut parts = children.iter().enumerate();
    has_buffers
        && array.num_children() == children.len()
        && parts.all(|(index, kind)| has_parts(array.child(index), kind))
        && match kind {
            DataType::Dictionary(_, values) => {
                array.dictionary().is_some_and(|dictionary| has_parts(dictionary, values))
            }
            _ => true,
        }
}

/// Whether the offsets of all texts stand where integers of their size may: the import reads the last one of each.
fn is_aligned(array: &FFI_ArrowArray, kind: &DataType) -> bool {
    let at = |index: usize, size: usize| {
        index >= array.num_buffers() || array.buffer(index).addr().is_multiple_of(size)
    };
    let child = |index: usize, kind: &DataType| {
        index >= array.num_children() || is_aligned(array.child(index), kind)
    };
    match kind {
        DataType::Utf8 | DataType::Binary => at(1, size_of::<i32>()),
        DataType::LargeUtf8 | DataType::LargeBinary => at(1, size_of::<i64>()),
        DataType::Utf8View | DataType::BinaryView => {
            at(array.num_buffers().saturating_sub(1), size_of::<i64>())
        }
        DataType::Dictionary(_, values) => {
            array.dictionary().is_none_or(|dictionary| is_aligned(dictionary, values))
        }
        DataType::Struct(fields) => {
            fields.iter().enumerate().all(|(index, field)| child(index, field.data_type()))
        }
        DataType::Union(fields, _) => {
            fields.iter().enumerate().all(|(index, (_, field))| child(index, field.data_type()))
        }
        DataType::RunEndEncoded(ends, values) => {
            child(0, ends.data_type()) && child(1, values.data_type())
        }
        DataType::List(field)
        | DataType::LargeList(field)
        | DataType::ListView(field)
        | DataType::LargeListView(field)
        | DataType::FixedSizeList(field, _)
        | DataType::Map(field, _) => child(0, field.data_type()),
        _ => true,
    }
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
