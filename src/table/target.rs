//! Where outputs may go.

use std::io;
use std::path::Path;

/// That a file of this name may be replaced by a new one: there is none, or it is a regular one. Devices, pipes and the like
/// are not: they would be gone.
///
/// # Errors
/// Something else has this name.
pub fn refuse_special(output: &Path) -> io::Result<()> {
    match output.metadata() {
        Ok(found) if found.is_dir() => {
            Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder has this name"))
        }
        Ok(found) if !found.is_file() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a device or pipe, which a file cannot take the place of; name a file",
        )),
        _ => Ok(()),
    }
}
