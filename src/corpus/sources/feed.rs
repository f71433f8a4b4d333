//! Sources read on several threads into a build.
//!
//! Enters: files in order, each the source of its number. Leaves: a build that has them all. Files that a build which is taken
//! up again has read already are passed over. Must not know: what stands in the files.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::{SourceFile, SourceOptions, SourceReport, load_file_or_skip};
use crate::corpus::{CorpusError, FolderBuild, hex};

/// Is told how far a build is.
pub trait BuildWatch: Sync {
    /// A source was read, or was read by an earlier run.
    fn source_done(&self, file: &SourceFile);
}

/// Nobody watches.
impl BuildWatch for () {
    fn source_done(&self, _: &SourceFile) {}
}

/// The number of the source that each file begins with, and the names of all sources in order.
#[must_use]
pub fn number(files: &[SourceFile]) -> (Vec<u32>, Vec<String>) {
    let mut names = Vec::with_capacity(files.len());
    let numbers = files.iter().map(|file| {
        let first = crate::compile::narrow(names.len());
        names.extend(file.names());
        first
    });
    (numbers.collect(), names)
}

/// What captures of `files` depend on: which files, how long and how old, and how they are read. A build that was cut off
/// is taken up again where this is the same.
///
/// # Errors
/// A file that is not there.
pub fn state(files: &[SourceFile], options: &SourceOptions) -> Result<String, CorpusError> {
    let mut hash = Sha256::new();
    let SourceOptions { columns, origin, skip_damaged, batch_octets: _ } = options;
    hash.update(format!("{columns:?} {origin:?} {skip_damaged}"));
    for file in files {
        let found = file.path.metadata().map_err(|error| CorpusError::io(&file.path, error))?;
        let modified = found.modified().ok();
        hash.update(format!("{}\n{}\n{modified:?}\n", file.path.display(), found.len()));
    }
    let digest: [u8; 32] = hash.finalize().into();
    Ok(hex(&digest))
}

/// Reads `files` into `build`, as many at a time as the current pool has threads.
///
/// # Errors
/// The first one met of any file; what was sealed before stays.
pub fn feed(
    build: &FolderBuild,
    files: &[SourceFile],
    options: &SourceOptions,
    watch: &dyn BuildWatch,
) -> Result<SourceReport, CorpusError> {
    let (numbers, _) = number(files);
    let next = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let report = Mutex::new(SourceReport::default());
    let outcomes = rayon::broadcast(|_| {
        let mut intake = build.intake();
        let read = |intake: &mut _| {
            while !stop.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some((file, &source)) = files.get(at).zip(numbers.get(at)) else { break };
                if !build.is_done(source) {
                    read_one(intake, source, file, options, &report)?;
                }
                watch.source_done(file);
            }
            Ok(())
        };
        let outcome = read(&mut intake);
        match outcome {
            Ok(()) if stop.load(Ordering::Relaxed) => Ok(()),
            Ok(()) => intake.finish(),
            Err(error) => {
                stop.store(true, Ordering::Relaxed);
                Err(error)
            }
        }
    });
    outcomes.into_iter().collect::<Result<(), CorpusError>>()?;
    Ok(report.into_inner().unwrap_or_else(PoisonError::into_inner))
}

fn read_one(
    intake: &mut crate::corpus::FolderIntake<'_>,
    source: u32,
    file: &SourceFile,
    options: &SourceOptions,
    report: &Mutex<SourceReport>,
) -> Result<(), CorpusError> {
    let mut own = SourceReport::default();
    intake.begin(source);
    load_file_or_skip(file, options, intake, &mut own)?;
    intake.end(own.skipped)?;
    let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
    report.notes.add(own.notes);
    Ok(())
}
