//! Which files a path given as a source stands for.
//!
//! Enters: a file, a folder, a list of paths, a pattern, a built corpus. Leaves: files in a fixed order, each read by itself. Must not
//! know: what stands in them.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{built, folder};
use crate::corpus::format::{CAPTURES, ORIGINS};
use crate::corpus::{Corpus, CorpusError, shards};

/// Octets that a list of paths may have: hundred times as many as the longest known.
const MAX_LIST: u64 = 1 << 30;

/// One file to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// It stands in a folder that was given: named by its host, unless its name says what it is.
    pub(super) in_folder: bool,
    /// The sources that a built corpus was made of.
    built_of: Option<Vec<String>>,
}

impl SourceFile {
    /// Whether it is a built corpus.
    #[must_use]
    pub fn is_built(&self) -> bool {
        self.built_of.is_some()
    }

    /// The names that its captures are to be known by: one, or those of the sources that a built corpus was made of.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        match &self.built_of {
            Some(names) if !names.is_empty() => names.clone(),
            _ => vec![self.path.display().to_string()],
        }
    }
}

/// The files that `path` stands for.
///
/// # Errors
/// A path or pattern to nothing, a list that names files that are not there.
pub fn list(path: &Path) -> Result<Vec<SourceFile>, CorpusError> {
    let single = |path: PathBuf| SourceFile { path, in_folder: false, built_of: None };
    if Corpus::is_at(path) {
        let built_of = Some(built::names(path)?);
        return Ok(vec![SourceFile { built_of, ..single(path.to_path_buf()) }]);
    }
    if path.is_dir() {
        refuse_half_built(path)?;
        let files = folder::files(path)?.into_iter();
        return Ok(files
            .map(|path| SourceFile { path, in_folder: true, built_of: None })
            .collect());
    }
    if is_list(path) {
        return Ok(listed(path)?.into_iter().map(single).collect());
    }
    let text = path.to_string_lossy();
    if !path.exists() && text.contains(['*', '?', '[']) {
        return Ok(matching(path, &text)?.into_iter().map(single).collect());
    }
    // Before anything is made of its name.
    path.metadata().map_err(|error| CorpusError::io(path, error))?;
    Ok(vec![single(path.to_path_buf())])
}

/// A corpus without its manifest, or what is left of a build, is no folder of files named by host.
fn refuse_half_built(folder: &Path) -> Result<(), CorpusError> {
    if shards::is_unsettled(folder) {
        let message = "holds shards of a corpus that were not settled";
        return Err(CorpusError::message(folder, message));
    }
    let has = |names: [&str; 2]| names.iter().all(|name| folder.join(name).is_file());
    let message = match (has([ORIGINS, CAPTURES]), has(["journal", "texts"])) {
        (true, _) => "is a corpus without its manifest: it was not written or copied whole",
        (_, true) => "is a build of a corpus that was cut off; take it up again with --resume",
        _ => return Ok(()),
    };
    Err(CorpusError::message(folder, message))
}

pub(super) fn is_list(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    name.strip_suffix(".gz").unwrap_or(&name).ends_with(".paths")
}

/// The files named in a list, a path a line, from the list's folder on or from the current one.
fn listed(list: &Path) -> Result<Vec<PathBuf>, CorpusError> {
    let io = |error| CorpusError::io(list, error);
    let file = File::open(list).map_err(io)?;
    let is_gzip = list.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
    let text: Box<dyn Read> = match is_gzip {
        true => Box::new(flate2::read::MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(text.take(MAX_LIST)).lines()) {
        let line = line.map_err(io)?;
        let name = line.trim();
        if name.is_empty() {
            continue;
        }
        let places = [folder.join(name), PathBuf::from(name)];
        let found = places.into_iter().find(|place| place.exists()).ok_or_else(|| {
            let message = format!("names `{name}`, which is neither beside the list nor here");
            CorpusError::line(list, number, message)
        })?;
        files.push(found);
    }
    Ok(files)
}

fn matching(path: &Path, pattern: &str) -> Result<Vec<PathBuf>, CorpusError> {
    let message = |text: String| CorpusError::message(path, text);
    let found = glob::glob(pattern).map_err(|error| message(error.to_string()))?;
    let mut files = found.collect::<Result<Vec<_>, _>>().map_err(|e| message(e.to_string()))?;
    files.retain(|file| file.is_file());
    if files.is_empty() {
        return Err(message("matches no files".to_owned()));
    }
    files.sort();
    Ok(files)
}
