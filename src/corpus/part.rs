//! The tables of a corpus, or of one of its shards, with what is asked of them alone.
//!
//! Enters: tables as `format` says. Leaves: captures of a place, programs, texts and facts of bodies, all by row. Must not know:
//! that there are other shards.

use std::io::{self, Read};

use super::CorpusError;
use super::archived::ArchivedTable;
use super::captures::{CaptureTable, Captures, Places};
use super::files::{FilesError, Fixed, Numbers, Table, Texts};
use super::format::program;
use super::index::Index;
use crate::compile::ProgramRef;

/// Tables that belong together.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) origins: Places,
    pub(super) capture_table: CaptureTable,
    pub(super) targets: Places,
    pub(super) target_captures: CaptureTable,
    pub(super) index: Index,
    pub(super) bodies: Bodies,
    /// Each compressed, where they were kept.
    pub(super) texts: Option<(Table, Texts)>,
    pub(super) sources: Option<(Table, Texts)>,
    pub(super) archived: Option<ArchivedTable>,
}

/// The table of distinct bodies.
#[derive(Debug)]
pub(super) struct Bodies {
    table: Table,
    digest: Fixed<32>,
    len: Numbers<i64>,
    num_origins: Numbers<i32>,
    /// Programs of the dialect that the corpus is asked in, and of the other one: where the first has none,
    /// both dialects have the same.
    program: Texts,
    same_as: Option<Texts>,
}

impl Part {
    /// The captures of an origin, oldest first.
    #[inline]
    pub(super) fn captures_of(&self, origin: u32) -> Captures<'_> {
        self.origins.captures(origin, &self.capture_table)
    }

    /// The captures of a target, oldest first.
    pub(super) fn captures_of_target(&self, target: u32) -> Captures<'_> {
        self.targets.captures(target, &self.target_captures)
    }

    /// The captures of a canonical URL: an origin's of its own, else those of a redirect target. `None` where there are none.
    pub(super) fn captures_of_url(&self, url: &str) -> Option<Captures<'_>> {
        let origin = url.strip_suffix("/robots.txt").and_then(|name| {
            let name = name.as_bytes();
            self.index.find_hashed(&self.origins, name, self.index.hash(name))
        });
        match origin {
            Some(origin) => Some(self.captures_of(origin.0)),
            None => self.targets.find(url.as_bytes()).map(|target| self.captures_of_target(target)),
        }
    }

    /// The text of a body as it came, all of it.
    ///
    /// # Errors
    /// Tables without texts, damaged ones.
    pub(super) fn text(&self, body: u32) -> Result<Vec<u8>, CorpusError> {
        let row = u64::from(body);
        let Some((table, column)) = self.texts.as_ref().filter(|_| row < self.bodies.len()) else {
            return Err(CorpusError::plain("the corpus was built without the texts of bodies"));
        };
        let len = self.bodies.table.number(self.bodies.len, row).unwrap_or(0);
        let frame = table.octets(*column, row).unwrap_or_default();
        decompress(frame, u64::try_from(len).unwrap_or(0))
            .map_err(|error| CorpusError::plain(format!("text of body {body}: {error}")))
    }

    /// The names of the sources that captures came from, added to `names`; none in memory.
    pub(super) fn add_source_names(&self, names: &mut Vec<String>) {
        let Some((table, column)) = &self.sources else { return };
        let name = |row| String::from_utf8_lossy(table.octets(*column, row).unwrap_or_default());
        names.extend((0..table.num_rows()).map(|row| name(row).into_owned()));
    }

    /// Blocks of its files that were read so far, those of checksums too.
    pub(super) fn num_blocks_read(&self) -> u64 {
        let always = [
            self.origins.table(),
            self.capture_table.table(),
            self.targets.table(),
            self.target_captures.table(),
            self.index.table(),
            &self.bodies.table,
        ];
        let kept = [&self.texts, &self.sources].into_iter().flatten().map(|(table, _)| table);
        always.into_iter().chain(kept).map(|table| table.region().num_blocks_read()).sum()
    }
}

/// Octets that room is made for on a length's word: far more than bodies have.
const MOST_ROOM: u64 = 16 << 20;

/// A text of `len` octets from its zstd frame. For a length past all bodies, which may be anything, room is made as octets
/// come.
fn decompress(frame: &[u8], len: u64) -> io::Result<Vec<u8>> {
    let text = match usize::try_from(len) {
        Ok(room) if len <= MOST_ROOM => super::frames::decompress(frame, room)?,
        _ => {
            let mut text = Vec::new();
            // One more tells whether the frame holds more.
            let frame = zstd::Decoder::with_buffer(frame)?;
            frame.take(len.saturating_add(1)).read_to_end(&mut text)?;
            text
        }
    };
    let is_whole = text.len() as u64 == len;
    is_whole.then_some(text).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

impl Bodies {
    /// Bodies whose programs are those of dialect `google`, or else of `rfc9309`.
    pub(super) fn new(table: Table, google: bool) -> Result<Self, FilesError> {
        let rfc9309 = table.texts(program::RFC9309)?;
        let (program, same_as) = match google {
            true => (table.texts(program::GOOGLE)?, Some(rfc9309)),
            false => (rfc9309, None),
        };
        Ok(Bodies {
            digest: table.fixed(program::DIGEST)?,
            len: table.numbers(program::LEN)?,
            num_origins: table.numbers(program::NUM_ORIGINS)?,
            program,
            same_as,
            table,
        })
    }

    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.table.num_rows()
    }

    /// The compiled rules of a body.
    #[inline]
    pub(super) fn program(&self, body: u32) -> Option<ProgramRef<'_>> {
        let row = u64::from(body);
        let octets = self.table.octets(self.program, row);
        let octets = octets.or_else(|| self.table.octets(self.same_as?, row));
        let program = octets.and_then(ProgramRef::from_octets);
        if program.is_none() {
            self.table.note_damage(row, "the program of this body is none");
        }
        program
    }

    /// SHA-256 of all octets of a body.
    pub(super) fn digest(&self, body: u32) -> Option<&[u8; 32]> {
        let row = u64::from(body);
        // Asking for one past the last is no damage.
        (row < self.len()).then(|| self.table.fixed_octets(self.digest, row))?
    }

    /// Octets of a body's text, and how many origins serve it themselves.
    pub(super) fn facts(&self, body: u32) -> Option<(u64, u64)> {
        let row = (u64::from(body) < self.len()).then_some(u64::from(body))?;
        let len = self.table.number(self.len, row)?;
        let num_origins = self.table.number(self.num_origins, row)?;
        Some((u64::try_from(len).ok()?, u64::try_from(num_origins).ok()?))
    }
}
