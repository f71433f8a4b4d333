//! A corpus as files, those of its shards too: what its manifests say of them, and whether they are as they were written.
//!
//! Enters: a path. Leaves: names, lengths, a verdict on every octet. Cost: opening reads the manifests; verifying reads everything.
//! Must not know: what the files hold.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::files::Folder;
use super::{CorpusError, shards};

/// The files of a corpus.
#[derive(Debug)]
pub struct CorpusFiles {
    pub(super) path: PathBuf,
    pub(super) folder: Folder,
    /// None where it is one folder.
    pub(super) shards: Vec<Folder>,
    lens: BTreeMap<String, u64>,
}

impl CorpusFiles {
    /// Those of the corpus at `path`.
    ///
    /// # Errors
    /// A manifest that is missing, damaged or of another version; a file that is missing or of another length.
    pub fn open(path: &Path) -> Result<Self, CorpusError> {
        let folder = Folder::open(path)?;
        let shards = shards::folders(path, &folder)?;
        let mut lens = BTreeMap::new();
        for (name, file) in [&folder].into_iter().chain(&shards).flat_map(|f| &f.manifest().files) {
            *lens.entry(name.clone()).or_insert(0) += file.len;
        }
        Ok(CorpusFiles { path: path.to_path_buf(), folder, shards, lens })
    }

    /// What built the corpus, with its version; what settled it where it has shards.
    #[must_use]
    pub fn built_by(&self) -> &str {
        &self.folder.manifest().tool
    }

    /// The files by name, each with its length in octets, that of all shards together; checksums and manifests are not among them.
    pub fn lens(&self) -> impl Iterator<Item = (&str, u64)> {
        self.lens.iter().map(|(name, len)| (name.as_str(), *len))
    }

    /// Reads every octet and compares it with its checksum.
    ///
    /// # Errors
    /// The first damage.
    pub fn verify(&self) -> Result<(), CorpusError> {
        self.folder.verify()?;
        Ok(self.shards.iter().try_for_each(Folder::verify)?)
    }
}
