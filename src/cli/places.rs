//! Where outputs may not go.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use robosift::corpus::sources;

use super::message::CliError;

/// What a command reads besides its rows: an output takes the place of none of it, and lies in no folder of it, where it
/// would be read the next time.
pub(crate) struct Taken {
    places: HashSet<PathBuf>,
}

impl Taken {
    /// Of sources as they are given (files, folders, patterns, lists of paths) and of other files.
    pub(crate) fn new<'p>(
        sources: impl IntoIterator<Item = &'p PathBuf>,
        files: impl IntoIterator<Item = &'p PathBuf>,
    ) -> Self {
        let mut places: HashSet<PathBuf> = HashSet::new();
        for source in sources {
            places.extend(source.canonicalize().ok());
            // What cannot be listed is told of when it is read.
            let listed = sources::list(source).unwrap_or_default().into_iter();
            places.extend(listed.filter_map(|file| file.path.canonicalize().ok()));
        }
        places.extend(files.into_iter().filter_map(|file| file.canonicalize().ok()));
        Taken { places }
    }

    /// Refuses an output that would be in the way.
    pub(crate) fn refuse(&self, output: &Path) -> Result<(), CliError> {
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let places = [output, folder].map(|place| place.canonicalize().ok());
        match places.iter().flatten().any(|place| self.places.contains(place)) {
            true => Err(CliError::usage(format!(
                "the output {} would replace what is read, or belongs to the corpus; choose another output",
                output.display()
            ))),
            false => Ok(()),
        }
    }
}
