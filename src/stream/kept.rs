//! Outputs that an earlier run of the same request left whole.
//!
//! **Purpose.** Let a run that was cut off go on. **Enters**: an input, its output, the plan. **Leaves**: whether the output stays.
//! **Cost**: one more footer for each output that is there. **Must not know**: rows, what the key-values mean.
//!
//! A file has its final name only when it is whole ([`Part`](super::part::Part)), so what has to be found out is whose it is: the
//! key-values say which request wrote it, the row groups and the times of the files whether the input is still the one it answers.

use super::error::StreamError;
use super::layout::Layout;
use super::plan::{Input, StreamPlan};
use crate::table::ParquetFile;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Octets of a key-value that are shown.
const SHOWN: usize = 300;

/// Whether the output for `file` is there, whole, and what this run would write. A damaged one, and one that answers another state
/// of the input, is not: it is made anew.
///
/// # Errors
/// [`StreamError::is_plan`]: another request wrote the file that has the output's name.
pub(crate) fn is_kept(
    file: &ParquetFile,
    input: &Input,
    layout: &Layout,
    plan: &StreamPlan,
) -> Result<bool, StreamError> {
    if !plan.resume || !input.output.is_file() {
        return Ok(false);
    }
    let Ok(output) = ParquetFile::open(&input.output) else { return Ok(false) };
    if let Some(difference) = difference(&output, &plan.key_values) {
        return Err(StreamError::plan(format!(
            "{} was not written by this run: {difference}. Repeat the command of the run that was cut off, choose another output, \
             or leave out --resume to write everything anew",
            input.output.display()
        )));
    }
    let has_layout = output.schema().root_schema().get_fields() == layout.root.get_fields();
    Ok(has_layout && answers(&output, file) && is_younger(&input.output, &input.path))
}

/// The first key-value that is another one, as a sentence.
fn difference(output: &ParquetFile, wanted: &[(String, String)]) -> Option<String> {
    let pairs = output.metadata().file_metadata().key_value_metadata();
    let found = |key: &str| {
        let mut known = pairs.into_iter().flatten();
        known.find(|pair| pair.key == key).and_then(|pair| pair.value.as_deref())
    };
    wanted.iter().find_map(|(key, value)| match found(key) {
        Some(same) if same == value => None,
        Some(other) => {
            Some(format!("its {key} is `{}`, that of this run `{}`", shown(other), shown(value)))
        }
        None => Some(format!("it has no {key}")),
    })
}

fn shown(value: &str) -> &str {
    value.get(..value.floor_char_boundary(SHOWN)).unwrap_or_default()
}

/// Whether `output` has as many rows as `input`, or as many for each, row group by row group.
fn answers(output: &ParquetFile, input: &ParquetFile) -> bool {
    let times = output.num_rows().checked_div(input.num_rows()).unwrap_or(1);
    let fits = |g: usize| {
        let asked = input.row_group_rows(g) as u64;
        asked.checked_mul(times) == Some(output.row_group_rows(g) as u64)
    };
    times > 0
        && output.num_row_groups() == input.num_row_groups()
        && (0..input.num_row_groups()).all(fits)
}

/// Whether `output` was written after `input` was. Not, where the file system does not tell.
fn is_younger(output: &Path, input: &Path) -> bool {
    let time = |path: &Path| -> Option<SystemTime> { fs::metadata(path).ok()?.modified().ok() };
    time(output).zip(time(input)).is_some_and(|(output, input)| output >= input)
}
