//! What of a build is safe on disk, so that one that was cut off is taken up again.
//!
//! Enters: sealed runs with the sources they hold. Leaves: after a restart, the same. A line of JSON is added for each
//! seal and brought to the disk; a last line that is not whole was never sealed. Must not know: captures.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::corpus::{Counts, Sentences};

/// The line of a build that is done.
const DONE: &[u8] = br#"{"done":true}"#;

/// How often a lock that another has is tried again, and after how long each time: half a second in all.
const LOCK_TRIES: u32 = 50;
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Sealed runs and the sources whose captures are all in them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seal {
    pub(super) runs: Vec<String>,
    pub(super) sources: Vec<u32>,
    /// What these sources counted.
    pub(super) counts: Counts,
    /// What was passed over in them.
    pub(super) skipped: Sentences,
    /// Texts that were on disk when this was sealed: all that the runs refer to.
    pub(super) num_texts: u32,
}

/// The journal of a build, locked for as long as the build is under way.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
}

impl Journal {
    /// Begins one for a build of `plan`, a text that says what is built from what.
    pub(super) fn create(path: &Path, plan: &str) -> io::Result<Self> {
        let mut file = File::create_new(path)?;
        hold(&file)?;
        file.write_all(format!("{}\n", json!({ "plan": plan })).as_bytes())?;
        file.sync_all()?;
        Ok(Journal { file })
    }

    /// Whether a build that is under way holds it.
    pub(super) fn is_held(path: &Path) -> bool {
        let held = |file| matches!(try_lock(&file), Err(TryLockError::WouldBlock));
        File::open(path).is_ok_and(held)
    }

    /// Whether there is one whose plan is whole: before that, nothing was sealed.
    pub(super) fn is_begun(path: &Path) -> bool {
        std::fs::read(path).is_ok_and(|text| text.contains(&b'\n'))
    }

    /// Whether its build was done, or wanted nothing but the corpus to get its name.
    pub(super) fn is_done(path: &Path) -> bool {
        std::fs::read(path).is_ok_and(|text| text.split(|o| *o == b'\n').any(|line| line == DONE))
    }

    /// Takes one up again: its plan, its seals.
    pub(super) fn reopen(path: &Path) -> io::Result<(Self, String, Vec<Seal>)> {
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        // Held before it is read: another build may be adding to it.
        hold(&file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let whole = memchr::memrchr(b'\n', &text).map_or(0, |end| end + 1);
        let mut lines = text.get(..whole).unwrap_or_default().split(|octet| *octet == b'\n');
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the journal is damaged");
        let plan: Value = serde_json::from_slice(lines.next().unwrap_or_default())?;
        let plan = plan.get("plan").and_then(Value::as_str).ok_or_else(damaged)?.to_owned();
        let seals = lines.filter(|line| !line.is_empty() && *line != DONE).map(|line| {
            let line: Value = serde_json::from_slice(line)?;
            Seal::read(&line).ok_or_else(damaged)
        });
        let seals = seals.collect::<io::Result<_>>()?;
        file.set_len(whole as u64)?;
        Ok((Journal { file }, plan, seals))
    }

    /// Adds a seal; it holds when this returns.
    pub(super) fn add(&mut self, seal: &Seal) -> io::Result<()> {
        self.add_line(seal.to_value().to_string().as_bytes())
    }

    /// Adds that the corpus is whole and gets its name next: what is left of the build after that is of no use.
    pub(super) fn end(&mut self) -> io::Result<()> {
        self.add_line(DONE)
    }

    fn add_line(&mut self, line: &[u8]) -> io::Result<()> {
        let len = self.file.metadata()?.len();
        let added = self.file.write_all(&[line, b"\n"].concat());
        if added.is_err() {
            // Half a line must not stand before a later one.
            self.file.set_len(len)?;
        }
        added.and_then(|()| self.file.sync_data())
    }
}

/// Keeps other builds away until the file is closed, which the end of the process does too.
fn hold(file: &File) -> io::Result<()> {
    match try_lock(file) {
        Err(TryLockError::WouldBlock) => Err(io::ErrorKind::ResourceBusy.into()),
        // Some file systems have no locks.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

impl Seal {
    fn to_value(&self) -> Value {
        let Counts { captures, imported, without_place, without_status, revisits, .. } =
            self.counts;
        json!({
            "runs": self.runs,
            "sources": self.sources,
            "counts": [captures, without_place, without_status, revisits, imported],
            "skipped": self.skipped.kept(),
            "num_skipped": self.skipped.count(),
            "texts": self.num_texts,
        })
    }

    fn read(line: &Value) -> Option<Seal> {
        let list = |name: &str| line.get(name)?.as_array();
        let texts = |name: &str| {
            list(name)?.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<_>>()
        };
        let number = |value: &Value| u32::try_from(value.as_u64()?).ok();
        let counts: Vec<u64> = list("counts")?.iter().map(Value::as_u64).collect::<Option<_>>()?;
        let [captures, without_place, without_status, revisits, imported] =
            counts.try_into().ok()?;
        Some(Seal {
            runs: texts("runs")?,
            sources: list("sources")?.iter().map(number).collect::<Option<_>>()?,
            counts: Counts {
                captures,
                imported,
                without_place,
                without_status,
                revisits,
                revisits_unresolved: 0,
            },
            skipped: Sentences::of(texts("skipped")?, line.get("num_skipped")?.as_u64()?),
            num_texts: number(line.get("texts")?)?,
        })
    }
}

/// Locks the file, or says that another has it. A lock that is let go a moment later is waited for: a process that is just being
/// started has its parent's files until it runs its own program.
fn try_lock(file: &File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_TRIES),
            locked => return locked,
        }
    }
    file.try_lock()
}
