//! Temporary files of runs that were killed.
//!
//! **Purpose.** Leave no trace of a run that could not clean up. **Enters**: the outputs of a run. **Leaves**: their folders, without what
//! an earlier run left there of the same outputs. **Cost**: one listing of each folder. **Must not know**: what is in the files.

use super::part::Part;
use super::plan::Input;
use std::collections::{BTreeMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Removes temporary files of these outputs that no run is writing. What cannot be removed stays: it is in nobody's way.
pub(crate) fn sweep(inputs: &[Input]) {
    let mut folders: BTreeMap<&Path, HashSet<&OsStr>> = BTreeMap::new();
    for input in inputs {
        if let (Some(folder), Some(name)) = (input.output.parent(), input.output.file_name()) {
            folders.entry(folder).or_default().insert(name);
        }
    }
    for (folder, names) in folders {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let is_ours =
                Part::output_of(&name).is_some_and(|output| names.contains(OsStr::new(output)));
            if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) {
                remove_unused(&entry.path());
            }
        }
    }
}

/// Removes the file unless someone holds the lock that its writer takes.
fn remove_unused(path: &Path) {
    let file = fs::OpenOptions::new().read(true).write(true).open(path);
    if file.is_ok_and(|file| file.try_lock().is_ok()) {
        // One that is still there the next time is tried again.
        let _ = fs::remove_file(path);
    }
}
