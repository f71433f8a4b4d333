//! The answers of all inputs in one file.
//!
//! **Purpose.** For judges that answer few rows: one output, its rows in the order of the inputs and their rows. **Enters**: as
//! [`run`](super::run()). **Leaves**: one file under its final name, only when whole. **Cost**: each input's answers are written to a
//! file of their own in a hidden folder beside the output and copied from there, a batch at a time, so that an input that turns out
//! to be damaged leaves nothing. **Must not know**: what the judge judges.

use super::error::StreamError;
use super::judge::{Judge, Progress};
use super::part::Part;
use super::plan::{Input, StreamPlan};
use super::report::Report;
use super::run::run;
use arrow::datatypes::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Encoded octets of a row group after which another one begins.
const ROW_GROUP_OCTETS: usize = 64 << 20;

/// The file in a folder of parts whose lock tells that it is in use.
const LOCK: &str = "lock";

/// What the name of a folder of parts ends in.
const PARTS: &str = ".parts";

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// Judges every row of every input and writes all answers to the output of the first input, in the order of the inputs. No input
/// columns are carried and no run is resumed, whatever the plan says.
///
/// # Errors
/// See [`StreamError`]. After an error nothing was written.
pub fn run_gathered<J: Judge>(
    judge: &J,
    plan: &StreamPlan,
    progress: &dyn Progress<J::Tally>,
) -> Result<Report<J::Tally>, StreamError> {
    let Some(output) = plan.inputs.first().map(|input| input.output.clone()) else {
        return Err(StreamError::plan("no input given; name files, folders or patterns"));
    };
    let refuse = |error: io::Error| StreamError::output(&output, error);
    let folder = PartsFolder::create(&output).map_err(refuse)?;
    let inputs = plan
        .inputs
        .iter()
        .enumerate()
        .map(|(number, input)| Input { path: input.path.clone(), output: folder.part(number) });
    let in_parts = StreamPlan {
        inputs: inputs.collect(),
        keep: super::Keep::None,
        resume: false,
        ..plan.clone()
    };
    let mut report = run(judge, &in_parts, progress)?;
    let parts = in_parts.inputs.iter().map(|input| input.output.as_path());
    report.octets_written = gather(parts, &plain(&judge.schema()), plan, &output)?;
    Ok(report)
}

/// The schema as files have it: words in dictionaries are plain.
fn plain(schema: &SchemaRef) -> SchemaRef {
    use arrow::datatypes::{DataType, Schema};
    let fields = schema.fields().iter().map(|field| match field.data_type() {
        DataType::Dictionary(_, value) => field.as_ref().clone().with_data_type(*value.clone()),
        _ => field.as_ref().clone(),
    });
    SchemaRef::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Copies the rows of all parts that are there into one file; gives its octets.
fn gather<'p>(
    parts: impl Iterator<Item = &'p Path>,
    schema: &SchemaRef,
    plan: &StreamPlan,
    output: &Path,
) -> Result<u64, StreamError> {
    let refuse = |error: &dyn std::fmt::Display| StreamError::output(output, error);
    let file = Part::create(output).map_err(|error| refuse(&error))?;
    let mut writer = ArrowWriter::try_new(file, SchemaRef::clone(schema), Some(properties(plan)))
        .map_err(|error| refuse(&error))?;
    for part in parts.filter(|part| part.exists()) {
        let file = File::open(part).map_err(|error| refuse(&error))?;
        let batches = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|b| b.build());
        for batch in batches.map_err(|error| refuse(&error))? {
            let batch = batch.map_err(|error| refuse(&error))?;
            writer.write(&batch).map_err(|error| refuse(&error))?;
            if writer.in_progress_size() >= ROW_GROUP_OCTETS {
                writer.flush().map_err(|error| refuse(&error))?;
            }
        }
    }
    let file = writer.into_inner().map_err(|error| refuse(&error))?;
    file.publish(output).map_err(|error| refuse(&error))
}

fn properties(plan: &StreamPlan) -> WriterProperties {
    let pairs =
        plan.key_values.iter().map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    WriterProperties::builder()
        .set_compression(plan.codec.compression())
        .set_key_value_metadata(Some(pairs.collect()))
        .build()
}

/// A hidden folder beside an output, removed when dropped.
struct PartsFolder {
    path: PathBuf,
    /// Its lock is held as long as the folder is in use.
    _lock: File,
}

impl PartsFolder {
    /// Makes the folder, and removes those that killed runs left for the same output.
    fn create(output: &Path) -> io::Result<Self> {
        let beside = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let beside = beside.unwrap_or(Path::new("."));
        fs::create_dir_all(beside)?;
        let mut begin = OsString::from(".");
        begin.push(output.file_name().unwrap_or_default());
        sweep(beside, &begin);
        let mut name = begin;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        name.push(format!(".{}-{serial}{PARTS}", std::process::id()));
        let path = beside.join(name);
        fs::create_dir(&path)?;
        let lock = File::create(path.join(LOCK))?;
        // Where there are no locks, no folder is ever taken for one that was left.
        let _ = lock.try_lock();
        Ok(PartsFolder { path, _lock: lock })
    }

    /// Where the answers of an input go.
    fn part(&self, number: usize) -> PathBuf {
        self.path.join(format!("{number:08}.parquet"))
    }
}

impl Drop for PartsFolder {
    fn drop(&mut self) {
        // Nothing can be done about a failure here; the next run for the same output tries again.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Removes folders of parts whose names begin so and that no run holds. What cannot be removed stays.
fn sweep(beside: &Path, begin: &OsString) {
    let begin = format!("{}.", begin.to_string_lossy());
    for entry in fs::read_dir(beside).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let writer = name.strip_prefix(&begin).and_then(|rest| rest.strip_suffix(PARTS));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        let is_ours = writer
            .and_then(|writer| writer.split_once('-'))
            .is_some_and(|(process, serial)| is_number(process) && is_number(serial));
        let lock = || fs::OpenOptions::new().write(true).open(entry.path().join(LOCK));
        if is_ours && lock().is_ok_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
