//! From paths and patterns as typed to pairs of input and output files.
//!
//! **Purpose.** Settle before any work which file becomes which. **Enters**: files, folders, patterns; the output. **Leaves**: pairs.
//! **Cost**: one walk over the folders. **Must not know**: what is in the files.

use super::error::StreamError;
use super::plan::Input;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// A file found, and the part of its path that the output folder mirrors.
struct Found {
    path: PathBuf,
    below: PathBuf,
}

pub(crate) fn find_inputs<P: AsRef<Path>>(
    inputs: &[P],
    output: &Path,
) -> Result<Vec<Input>, StreamError> {
    let found = match inputs {
        [] => return Err(StreamError::plan("no input given; name files, folders or patterns")),
        [one] if one.as_ref().is_file() => vec![single(one.as_ref(), output)?],
        several => mirrored(several, output)?,
    };
    refuse_collisions(&found)?;
    Ok(found)
}

/// The inputs of one common output, each once.
pub(crate) fn find_gathered<P: AsRef<Path>>(
    inputs: &[P],
    output: &Path,
) -> Result<Vec<Input>, StreamError> {
    if inputs.is_empty() {
        return Err(StreamError::plan("no input given; name files, folders or patterns"));
    }
    if output.is_dir() || output.file_name().is_none() {
        let output = output.display();
        return Err(StreamError::plan(format!(
            "{output} is no name for a file, and one is written"
        )));
    }
    // Nothing is passed over: a file of rows that the output would replace is to be found.
    let nowhere = output.join("parts");
    let mut found = Vec::new();
    for input in inputs {
        expand(input.as_ref(), &nowhere, &mut found)?;
    }
    let (mut known, written) = (HashSet::new(), resolved(output));
    for Found { path, .. } in &found {
        let (place, shown) = (resolved(path), path.display());
        if place == written {
            return Err(StreamError::plan(format!(
                "the output {} is the input {shown}; choose another output",
                output.display()
            )));
        }
        if !known.insert(place) {
            return Err(StreamError::plan(format!("the input {shown} is given twice")));
        }
    }
    let input = |found: Found| Input { path: found.path, output: output.to_path_buf() };
    Ok(found.into_iter().map(input).collect())
}

fn single(path: &Path, output: &Path) -> Result<Input, StreamError> {
    let ends_in_slash =
        output.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
    let output = match path.file_name() {
        Some(name) if output.is_dir() || ends_in_slash => output.join(name),
        _ => output.to_path_buf(),
    };
    if output.file_name().is_none() {
        return Err(StreamError::plan(format!("{} is no name for a file", output.display())));
    }
    Ok(Input { path: path.to_path_buf(), output })
}

fn mirrored<P: AsRef<Path>>(inputs: &[P], output: &Path) -> Result<Vec<Input>, StreamError> {
    if output.is_file() {
        return Err(StreamError::plan(format!(
            "the output {} is a file; several inputs need a folder",
            output.display()
        )));
    }
    let mut found = Vec::new();
    for input in inputs {
        expand(input.as_ref(), output, &mut found)?;
    }
    let pair = |file: Found| Input { output: output.join(&file.below), path: file.path };
    Ok(found.into_iter().map(pair).collect())
}

fn expand(input: &Path, output: &Path, found: &mut Vec<Found>) -> Result<(), StreamError> {
    let before = found.len();
    if input.is_dir() {
        walk(input, input, output, found)?;
        return match found.len() > before {
            true => Ok(()),
            false => Err(nothing(input, "no *.parquet file below it")),
        };
    }
    if fs::symlink_metadata(input).is_ok() || !is_pattern(input) {
        if !input.exists() {
            return Err(nothing(input, "there is no such file or folder"));
        }
        let below = input.file_name().map(PathBuf::from).unwrap_or_default();
        found.push(Found { path: input.to_path_buf(), below });
        return Ok(());
    }
    match_pattern(input, output, found)?;
    if found.len() == before {
        return Err(nothing(input, "the pattern matches no file"));
    }
    Ok(())
}

fn nothing(input: &Path, why: &str) -> StreamError {
    StreamError::plan(format!("no input found at {}: {why}", input.display()))
}

fn is_pattern(path: &Path) -> bool {
    path.to_string_lossy().contains(['*', '?', '['])
}

fn match_pattern(pattern: &Path, output: &Path, found: &mut Vec<Found>) -> Result<(), StreamError> {
    let text = pattern.to_str();
    let text = text.ok_or_else(|| nothing(pattern, "a pattern must be valid UTF-8"))?;
    let matches = glob::glob(text).map_err(|error| nothing(pattern, &error.to_string()))?;
    let base: PathBuf =
        pattern.components().take_while(|part| !is_pattern(Path::new(part.as_os_str()))).collect();
    for path in matches {
        let path = path.map_err(|error| nothing(pattern, &error.to_string()))?;
        if path.is_dir() || is_hidden(&path) || path.starts_with(output) {
            continue;
        }
        let below = path.strip_prefix(&base).map(clean).unwrap_or_else(|_| clean(&path));
        found.push(Found { path, below });
    }
    Ok(())
}

/// The ordinary parts of a path, so that joining it to the output folder stays inside that folder.
fn clean(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy());
    name.is_some_and(|name| name.starts_with(['.', '_']))
}

fn walk(
    folder: &Path,
    base: &Path,
    output: &Path,
    found: &mut Vec<Found>,
) -> Result<(), StreamError> {
    let refuse = |error: std::io::Error| nothing(folder, &error.to_string());
    let mut entries = fs::read_dir(folder)
        .and_then(|entries| entries.collect::<Result<Vec<_>, _>>())
        .map_err(refuse)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        if is_hidden(&path) || path == output {
            continue;
        }
        let kind = entry.file_type().map_err(refuse)?;
        if kind.is_dir() {
            walk(&path, base, output, found)?;
        } else if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("parquet"))
            && path.is_file()
        {
            let below = path.strip_prefix(base).map(clean).unwrap_or_else(|_| clean(&path));
            found.push(Found { path, below });
        }
    }
    Ok(())
}

fn refuse_collisions(pairs: &[Input]) -> Result<(), StreamError> {
    let mut inputs = HashMap::new();
    for pair in pairs {
        inputs.insert(resolved(&pair.path), &pair.path);
    }
    let mut outputs: HashMap<PathBuf, &Path> = HashMap::new();
    for pair in pairs {
        let output = resolved(&pair.output);
        if let Some(input) = inputs.get(&output) {
            return Err(StreamError::plan(format!(
                "the output {} is the input {}; choose another output",
                pair.output.display(),
                input.display()
            )));
        }
        if let Some(other) = outputs.insert(output, &pair.path) {
            return Err(StreamError::plan(format!(
                "{} and {} would both be written to {}; give their common folder as input, or run them apart",
                other.display(),
                pair.path.display(),
                pair.output.display()
            )));
        }
    }
    Ok(())
}

/// The path with links resolved as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    if let Ok(whole) = path.canonicalize() {
        return whole;
    }
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) if !parent.as_os_str().is_empty() => resolved(parent).join(name),
        (_, Some(name)) => Path::new(".").canonicalize().unwrap_or_default().join(name),
        _ => path.to_path_buf(),
    }
}
