//! A corpus folder as files: what its manifest says of them, and whether they are as they were written.
//!
//! Enters: a path. Leaves: names, lengths, a verdict on every octet. Cost: opening reads the manifest; verifying reads everything.
//! Must not know: what the files hold.

use std::path::Path;

use super::CorpusError;
use super::files::Folder;

/// The files of a corpus.
#[derive(Debug)]
pub struct CorpusFiles {
    pub(super) folder: Folder,
}

impl CorpusFiles {
    /// Those of the corpus at `path`.
    ///
    /// # Errors
    /// A manifest that is missing, damaged or of another version; a file that is missing or of another length.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        Ok(CorpusFiles { folder: Folder::open(path)? })
    }

    /// What built the corpus, with its version.
    #[must_use]
    pub fn built_by(&self) -> &str {
        &self.folder.manifest().tool
    }

    /// The files by name, each with its length in octets; checksums and the manifest are not among them.
    pub fn lens(&self) -> impl Iterator<Item = (&str, u64)> {
        self.folder.manifest().files.iter().map(|(name, file)| (name.as_str(), file.len))
    }

    /// Reads every octet and compares it with its checksum.
    ///
    /// # Errors
    /// The first damage.
    pub fn verify(&self) -> Result<(), CorpusError> {
        Ok(self.folder.verify()?)
    }
}
