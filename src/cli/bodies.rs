//! One robots.txt, read no further than it counts.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use robosift::compile::BodyLimit;

use super::message::CliError;

/// The beginning of a robots.txt.
pub(crate) struct Beginning {
    /// As given; `<stdin>` for standard input.
    pub(crate) name: String,
    /// As many octets as count.
    pub(crate) text: Vec<u8>,
    /// More stand behind these.
    pub(crate) is_cut: bool,
}

/// Reads what counts of the file at `path`, of standard input for `-`: one octet more is looked for, whatever the length.
pub(crate) fn read(path: &Path, limit: BodyLimit) -> Result<Beginning, CliError> {
    let (name, read) = match is_stdin(path) {
        true => ("<stdin>".to_owned(), read_from(io::stdin().lock(), limit)),
        false => {
            let read = File::open(path).and_then(|file| read_from(file, limit));
            (path.display().to_string(), read)
        }
    };
    let mut text = read.map_err(|error| CliError::failed(format!("{name}: {error}")))?;
    let is_cut = text.len() > limit.octets();
    text.truncate(limit.octets());
    Ok(Beginning { name, text, is_cut })
}

/// That not all of it was read.
pub(crate) fn cut_note(name: &str, limit: BodyLimit) -> String {
    let limit = limit.octets();
    format!("{name} has more than {limit} octets, of which {limit} are read (--body-limit)")
}

/// Whether standard input is meant.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read_from(source: impl Read, limit: BodyLimit) -> io::Result<Vec<u8>> {
    let most = u64::try_from(limit.octets()).unwrap_or(u64::MAX).saturating_add(1);
    let mut octets = Vec::new();
    source.take(most).read_to_end(&mut octets)?;
    Ok(octets)
}
