//! What builds leave in their folders when they are cut off: told from other files, removed.
//!
//! Enters: the folder of a build that no process holds. Leaves: the folder without what is of no use. What no build left is never
//! touched. Must not know: captures.

use std::fs;
use std::path::Path;

use super::assemble::MERGED;
use super::folder::RUN;
use super::journal::Journal;
use super::slots::NAMES;
use crate::corpus::CorpusError;

/// The name of a journal whose build is being removed.
const ABANDONED: &str = "abandoned";

/// Why a build of `output` cannot begin, `output` being there. What its own build left, done but for its removal, is removed:
/// nobody can want it.
pub(super) fn output_is_there(output: &Path, work: &Path) -> CorpusError {
    if are_of_done_build(work) {
        let removed = refuse_strange(work)
            .and_then(|()| clear(work).map_err(|error| CorpusError::io(work, error)));
        if let Err(error) = removed {
            return error;
        }
    }
    let message = match work.exists() {
        true => format!(
            "is there already, and so is {}, which a build leaves that was cut off; remove the one \
             that you do not want, or name another output",
            work.display()
        ),
        false => "is there already; remove it, or name another output".to_owned(),
    };
    CorpusError::message(output, message)
}

/// Whether the build of which this is left had given its corpus its name.
fn are_of_done_build(work: &Path) -> bool {
    let was_renamed = || Journal::is_done(&work.join("journal")) && !work.join("corpus").exists();
    work.join(ABANDONED).is_file() || was_renamed()
}

/// Removes what a build left. The journal gets another name first: without it, nothing that is left is believed; and it
/// goes last: by it, what is left is known to be a build's, should this be cut off.
pub(super) fn clear(work: &Path) -> std::io::Result<()> {
    let (journal, abandoned) = (work.join("journal"), work.join(ABANDONED));
    if journal.is_file() {
        fs::rename(&journal, &abandoned)?;
    }
    for entry in fs::read_dir(work)? {
        let path = entry?.path();
        match path.is_dir() {
            _ if path == abandoned => {}
            true => fs::remove_dir_all(&path)?,
            false => fs::remove_file(&path)?,
        }
    }
    fs::remove_dir_all(work)
}

/// Refuses a folder that holds what no build leaves: it would be removed with it.
pub(super) fn refuse_strange(work: &Path) -> Result<(), CorpusError> {
    let has_journal = ["journal", ABANDONED].iter().any(|name| work.join(name).is_file());
    for entry in fs::read_dir(work).map_err(|error| CorpusError::io(work, error))? {
        let name = entry.map_err(|error| CorpusError::io(work, error))?.file_name();
        let name = name.to_string_lossy();
        // A build that was cut off at once has no journal yet, and little else.
        let is_ours = ["journal", ABANDONED, "texts", "places"].contains(&&*name)
            || has_journal
                && (name == "corpus"
                    || [RUN, NAMES, MERGED].iter().any(|first| name.starts_with(first)));
        if !is_ours {
            let message =
                format!("is in the way and holds `{name}`, which no build left; remove it");
            return Err(CorpusError::message(work, message));
        }
    }
    Ok(())
}

/// Removes runs that were cut off.
pub(super) fn remove_unsealed(work: &Path, sealed: &[String]) -> std::io::Result<()> {
    for entry in fs::read_dir(work)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with(RUN) && !sealed.contains(&name) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
