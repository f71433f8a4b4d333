//! An output file in the making.
//!
//! **Purpose.** Nothing under the final name unless whole. **Enters**: octets. **Leaves**: the file, synced and renamed, or no trace.
//! **Cost**: one sync a file. **Must not know**: Parquet.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::table::refuse_special;

/// Octets gathered before a write call.
const BUFFER: usize = 256 << 10;

static SERIAL: AtomicU64 = AtomicU64::new(0);

/// A file under a temporary name beside its final one; removed when dropped before [`Part::publish`].
pub(crate) struct Part {
    /// `None` after publishing.
    temporary: Option<PathBuf>,
    file: BufWriter<File>,
}

impl Part {
    /// Creates the temporary file, and the folder where it is missing.
    pub(crate) fn create(output: &Path) -> io::Result<Self> {
        let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "is no name for a file");
        let name = output.file_name().ok_or_else(no_name)?;
        refuse_special(output)?;
        let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let mut hidden = OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}-{serial}.part", std::process::id()));
        let temporary = folder.join(hidden);
        let file = File::create(&temporary)?;
        // Tells a file that is being written from one that a killed run left. Where there are no locks, none is removed.
        let _ = file.try_lock();
        Ok(Self { temporary: Some(temporary), file: BufWriter::with_capacity(BUFFER, file) })
    }

    /// The name of the output that a file is the temporary one of, by its own name.
    pub(crate) fn output_of(temporary: &OsStr) -> Option<&str> {
        let inner = temporary.to_str()?.strip_prefix('.')?.strip_suffix(".part")?;
        let (output, writer) = inner.rsplit_once('.')?;
        let (process, serial) = writer.split_once('-')?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
        (is_number(process) && is_number(serial)).then_some(output)
    }

    /// Syncs the file and gives it its final name, replacing what had it. Gives its length in octets.
    pub(crate) fn publish(mut self, output: &Path) -> io::Result<u64> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        let len = self.file.get_ref().metadata()?.len();
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, output)?;
        }
        self.temporary = None;
        Ok(len)
    }
}

impl Write for Part {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.file.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Nothing can be done about a failure here, and the name says what the file is.
            let _ = fs::remove_file(temporary);
        }
    }
}
