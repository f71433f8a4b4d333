//! Where outputs may not go.

use std::path::{Path, PathBuf};

/// Whether an output is one of these sources, or lies in a folder of them, where it would be read the next time.
pub(crate) fn is_among(output: &Path, sources: &[PathBuf]) -> bool {
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok();
    let places = [output.canonicalize().ok(), folder];
    let mut sources = sources.iter().filter_map(|path| path.canonicalize().ok());
    sources.any(|source| places.iter().flatten().any(|place| *place == source))
}
