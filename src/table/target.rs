//! Where outputs may go.

use std::io;
use std::path::Path;

/// That a file of this name may be replaced by a new one: there is none, or it is a regular one, or a link, which is not
/// followed. Devices, pipes and the like are not: they would be gone.
///
/// # Errors
/// Something else has this name.
pub fn refuse_special(output: &Path) -> io::Result<()> {
    if output.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "a folder has this name"));
    }
    match output.symlink_metadata() {
        Ok(found) if !found.is_file() && !found.is_symlink() => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a device or pipe, which a file cannot take the place of; name a file",
        )),
        _ => Ok(()),
    }
}
