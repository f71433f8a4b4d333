//! Captures of tables → the shards of a corpus, each built by itself.
//!
//! Enters: batches of captures. Leaves: where each capture belongs, so that who distributes them can; a shard's folder; and of all shards
//! one corpus. Must not know: who distributes.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use robosift::compile::BodyLimit;
use robosift::corpus::sources::{CaptureColumns, ColumnNames};
use robosift::corpus::{
    CaptureSink, FolderBuild, FolderIntake, FolderPlan, Place, RawCapture, locate,
    settle_shards as settle,
};
use robosift::table::Octets;
use robosift::text::quantity;
use self_cell::self_cell;

use crate::capsule;
use crate::error;
use crate::verdicts::VerdictStream;

/// Where captures belong, for each row: the URL that was fetched in canonical form (null where that is none), its sort key and shard, and
/// the same of where a redirect leads.
#[pyfunction]
#[pyo3(signature = (captures, *, columns, bounds))]
pub(crate) fn locate_captures(
    py: Python<'_>,
    captures: &Bound<'_, PyAny>,
    columns: Option<&str>,
    bounds: Vec<String>,
) -> PyResult<VerdictStream> {
    let reader = capsule::import(captures)?;
    let names = columns.map(ColumnNames::parse).transpose().map_err(error::argument)?;
    let columns = CaptureColumns::find(&reader_schema(&reader), &names.unwrap_or_default());
    let columns = columns.map_err(error::rows)?;
    let located = py.detach(|| {
        reader
            .map(|batch| located(&columns.captures(&batch?), &bounds))
            .collect::<Result<Vec<_>, _>>()
    });
    let batches = located.map_err(|error| error::arrow(&error))?;
    Ok(VerdictStream::of_batches(located_schema(), batches))
}

fn reader_schema(reader: &impl arrow::record_batch::RecordBatchReader) -> Arc<Schema> {
    reader.schema()
}

fn located_schema() -> Arc<Schema> {
    let text = |name| Field::new(name, DataType::Utf8, true);
    let shard = |name| Field::new(name, DataType::Int32, true);
    let fields = [
        text("robosift_url"),
        text("robosift_key"),
        shard("robosift_shard"),
        text("robosift_to"),
        shard("robosift_to_shard"),
    ];
    Arc::new(Schema::new(fields.to_vec()))
}

fn located(
    captures: &[Result<RawCapture, String>],
    bounds: &[String],
) -> Result<RecordBatch, arrow::error::ArrowError> {
    let located: Vec<_> = captures.iter().map(|capture| locate(capture.as_ref().ok()?)).collect();
    let shard = |key: &str| {
        let shard = bounds.partition_point(|bound| bound.as_str() <= key);
        i32::try_from(shard).unwrap_or(i32::MAX)
    };
    let own = || located.iter().map(Option::as_ref);
    let target = || own().map(|located| located?.redirect.as_ref());
    let columns: Vec<ArrayRef> = vec![
        Arc::new(own().map(|located| Some(located?.url.as_str())).collect::<StringArray>()),
        Arc::new(own().map(|located| Some(located?.key.as_str())).collect::<StringArray>()),
        Arc::new(own().map(|located| Some(shard(&located?.key))).collect::<Int32Array>()),
        Arc::new(target().map(|to| Some(to?.url.as_str())).collect::<StringArray>()),
        Arc::new(target().map(|to| Some(shard(&to?.key))).collect::<Int32Array>()),
    ];
    RecordBatch::try_new(located_schema(), columns)
}

self_cell! {
    /// A build, and the captures that go into it.
    struct Building {
        owner: FolderBuild,
        #[not_covariant]
        dependent: Taking,
    }
}

/// Taken until the shard is whole.
type Taking<'b> = Option<FolderIntake<'b>>;

/// A shard under way.
#[pyclass(frozen, module = "robosift._robosift")]
pub(crate) struct ShardBuilder {
    building: Mutex<Option<Building>>,
    names: ColumnNames,
    skip_damaged: bool,
}

#[pymethods]
impl ShardBuilder {
    #[new]
    #[pyo3(signature = (output, *, columns, body_limit, texts, memory, skip_damaged))]
    fn new(
        output: PathBuf,
        columns: Option<&str>,
        body_limit: usize,
        texts: bool,
        memory: &str,
        skip_damaged: bool,
    ) -> PyResult<Self> {
        let memory = quantity::octets(memory);
        let plan = FolderPlan {
            output,
            sources: vec!["captures".to_owned()],
            limit: BodyLimit::new(body_limit),
            texts,
            memory: memory.map_err(|error| error::argument(format!("memory: {error}")))?,
            threads: 1,
            origin_of_captures: String::new(),
        };
        let build = FolderBuild::begin(plan, false).map_err(error::corpus)?;
        let building = Building::new(build, |build| {
            let mut intake = build.intake();
            intake.begin(0);
            Some(intake)
        });
        let names = columns.map(ColumnNames::parse).transpose().map_err(error::argument)?;
        Ok(ShardBuilder {
            building: Mutex::new(Some(building)),
            names: names.unwrap_or_default(),
            skip_damaged,
        })
    }

    /// Takes the captures of batches with the columns of a robots table. Where `robosift_imported` is true they are of another shard, and
    /// serve as targets of redirects under the URL in `robosift_url`. Gives how many rows were passed over.
    fn add(&self, py: Python<'_>, captures: &Bound<'_, PyAny>) -> PyResult<u64> {
        let reader = capsule::import(captures)?;
        let columns = CaptureColumns::find(&reader_schema(&reader), &self.names);
        let columns = columns.map_err(error::rows)?;
        let mut skipped = 0;
        for batch in reader {
            let batch = batch.map_err(|error| error::arrow(&error))?;
            skipped += py.detach(|| self.take(&columns, &batch))?;
        }
        Ok(skipped)
    }

    /// Compiles and writes; gives counts.
    fn finish<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let report = py.detach(|| {
            let mut building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
            let mut building =
                building.take().ok_or_else(|| error::argument("the shard is whole already"))?;
            building.with_dependent_mut(|_, taking| {
                let Some(mut intake) = taking.take() else { return Ok(()) };
                intake.end(robosift::corpus::Sentences::default()).map_err(error::corpus)?;
                intake.finish().map_err(error::corpus)
            })?;
            building.into_owner().finish().map_err(error::corpus)
        })?;
        let counts = PyDict::new(py);
        counts.set_item("origins", report.origins)?;
        counts.set_item("bodies", report.bodies)?;
        counts.set_item("captures", report.counts.captures)?;
        counts.set_item("captures_without_place", report.counts.without_place)?;
        counts.set_item("octets", report.octets)?;
        Ok(counts)
    }
}

impl ShardBuilder {
    fn take(&self, columns: &CaptureColumns, batch: &RecordBatch) -> PyResult<u64> {
        let flag =
            batch.column_by_name("robosift_imported").and_then(|column| column.as_boolean_opt());
        let urls = batch.column_by_name("robosift_url");
        let urls = urls.and_then(|column| Octets::try_new(column.as_ref()));
        let mut skipped = 0;
        let mut building = self.building.lock().unwrap_or_else(PoisonError::into_inner);
        let building =
            building.as_mut().ok_or_else(|| error::argument("the shard is whole already"))?;
        building.with_dependent_mut(|_, taking| {
            let Some(intake) = taking else { return Ok(()) };
            for (row, capture) in columns.captures(batch).into_iter().enumerate() {
                let mut capture = match capture {
                    Ok(capture) => capture,
                    Err(_) if self.skip_damaged => {
                        skipped += 1;
                        continue;
                    }
                    Err(message) => {
                        return Err(error::rows(format!("a capture cannot be read: {message}")));
                    }
                };
                if flag.is_some_and(|flag| flag.is_valid(row) && flag.value(row)) {
                    let url = urls.as_ref().and_then(|urls| urls.value(row));
                    capture.place = Place::Imported(url.unwrap_or_default().to_vec());
                }
                intake.add(capture).map_err(error::corpus)?;
            }
            Ok(())
        })?;
        Ok(skipped)
    }
}

/// Makes one corpus of shards.
#[pyfunction]
pub(crate) fn settle_shards<'py>(py: Python<'py>, root: PathBuf) -> PyResult<Bound<'py, PyDict>> {
    let report = py.detach(|| settle(&root)).map_err(error::corpus)?;
    let counts = PyDict::new(py);
    counts.set_item("shards", report.shards)?;
    counts.set_item("origins", report.origins)?;
    counts.set_item("bodies", report.bodies)?;
    counts.set_item("captures", report.counts.captures)?;
    Ok(counts)
}
