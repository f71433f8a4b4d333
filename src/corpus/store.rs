//! The corpus: origins in SURT order, their captures, and distinct bodies compiled once, in tables on the heap or mapped.
//!
//! Enters: tables as `format` says. Leaves: origins by name, programs by number. Cost of opening: some octets for each
//! batch of rows. What a mapped file gives may be damaged: reads then give nothing, and [`Corpus::check`] says so. Must not know: rows.

use std::io::{self, Read};

use super::archived::{ArchivedTable, ToldInOrder};
use super::captures::{CaptureTable, Captures, Places};
use super::files::{Damage, Fixed, Numbers, Table, Texts};
use super::format::program;
use super::index::{Index, Lookups, NameHash};
use super::{Capture, CorpusError, Facts};
use crate::compile::ProgramRef;

/// An origin of a corpus: its place in SURT order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OriginId(pub(super) u32);

/// Origins that are compared by name before the index is asked.
const ORIGINS_AHEAD: usize = 2;

/// A distinct body, numbered in the order of the first origin that serves it. Below 2³¹.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl OriginId {
    /// Its number, from 0.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl BodyId {
    /// The body with this number.
    #[must_use]
    pub fn new(number: u32) -> Self {
        BodyId(number)
    }

    /// The number.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    /// Its place among all bodies.
    #[must_use]
    #[inline]
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// Captures, compiled. See the module's head.
#[derive(Debug)]
pub struct Corpus {
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
    pub(super) facts: Facts,
    pub(super) damage: Damage,
}

/// The table of distinct bodies.
#[derive(Debug)]
pub(super) struct Bodies {
    pub(super) table: Table,
    pub(super) digest: Fixed<32>,
    pub(super) len: Numbers<i64>,
    pub(super) num_origins: Numbers<i32>,
    /// Programs of the dialect that the corpus is asked in, and of the other one: where the first has none,
    /// both dialects have the same.
    program: Texts,
    same_as: Option<Texts>,
}

impl Corpus {
    /// What was written down about it when it was built.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// To be asked after reading and before what was read is used for good: whether all of it was as it had been written.
    ///
    /// # Errors
    /// The first damage that was met: file, offset.
    pub fn check(&self) -> Result<(), CorpusError> {
        self.damage.check().map_err(CorpusError::files)
    }

    /// The origin with this canonical name.
    #[must_use]
    #[inline]
    pub fn find(&self, origin: &[u8]) -> Option<OriginId> {
        self.find_hashed(self.hash(origin), origin)
    }

    /// As [`Corpus::find`] for each of `names`; what it gives is added to `found`. The processor waits
    /// for the memory of many names together, which is faster than for one after the other.
    pub fn find_all<'n>(
        &self,
        names: impl Iterator<Item = &'n [u8]> + Clone,
        lookups: &mut Lookups,
        found: &mut Vec<Option<OriginId>>,
    ) {
        self.index.find_all(self, names, lookups, found);
    }

    /// The first step of a look-up in three, for who takes each step for many names: then the
    /// processor waits for the memory of all of them together.
    #[must_use]
    #[inline]
    pub fn hash(&self, origin: &[u8]) -> NameHash {
        self.index.hash(origin)
    }

    /// The second step: the origin whose name likely has this hash.
    #[must_use]
    #[inline]
    pub fn likely(&self, hash: NameHash) -> Option<OriginId> {
        self.index.candidates(hash).next()
    }

    /// The third step: as [`Corpus::find`] where `hash` is that of `origin`.
    #[must_use]
    #[inline]
    pub fn find_hashed(&self, hash: NameHash, origin: &[u8]) -> Option<OriginId> {
        self.index.find_hashed(&self.origins, origin, hash)
    }

    /// All origins, in SURT order.
    pub fn origins(&self) -> impl Iterator<Item = OriginId> + use<> {
        (0..).take(self.num_origins()).map(OriginId)
    }

    /// As [`Corpus::find`], where the origin likely stands soon after `last`: rows come sorted as
    /// crawl indexes are.
    #[must_use]
    #[inline]
    pub fn find_after(&self, last: Option<OriginId>, origin: &[u8]) -> Option<OriginId> {
        let next = last.map_or(0, |last| last.0.saturating_add(1));
        let mut soon = (next..).take(ORIGINS_AHEAD).map(OriginId);
        soon.find(|id| self.origins.name(id.0) == Some(origin)).or_else(|| self.find(origin))
    }

    /// An origin's canonical name.
    #[must_use]
    pub fn origin_name(&self, origin: OriginId) -> &str {
        std::str::from_utf8(self.origin_octets(origin)).unwrap_or_default()
    }

    /// An origin's canonical name, as octets.
    #[must_use]
    #[inline]
    pub fn origin_octets(&self, origin: OriginId) -> &[u8] {
        self.origins.name(origin.0).unwrap_or_default()
    }

    /// The numbers of all distinct bodies.
    pub fn body_ids(&self) -> impl Iterator<Item = BodyId> + use<> {
        (0..).take(self.num_bodies()).map(BodyId)
    }

    /// The compiled rules of a body, in the dialect that the corpus is asked in.
    #[must_use]
    #[inline]
    pub fn program(&self, body: BodyId) -> Option<ProgramRef<'_>> {
        self.bodies.program(body)
    }

    /// The text of a body as it came, all of it.
    ///
    /// # Errors
    /// A corpus that was built without texts, and a damaged one.
    pub fn text(&self, body: BodyId) -> Result<Vec<u8>, CorpusError> {
        let row = u64::from(body.0);
        let Some((table, column)) =
            self.texts.as_ref().filter(|_| body.index() < self.num_bodies())
        else {
            return Err(CorpusError::plain("the corpus was built without the texts of bodies"));
        };
        let len = self.bodies.table.number(self.bodies.len, row).unwrap_or(0);
        let frame = table.octets(*column, row).unwrap_or_default();
        self.check()?;
        decompress(frame, u64::try_from(len).unwrap_or(0))
            .map_err(|error| CorpusError::plain(format!("text of body {}: {error}", body.0)))
    }

    /// Octets of a body's text, and how many origins serve it themselves: those that redirect to it are not counted.
    #[must_use]
    pub fn body_facts(&self, body: BodyId) -> Option<(u64, u64)> {
        let row = (body.index() < self.num_bodies()).then_some(u64::from(body.0))?;
        let len = self.bodies.table.number(self.bodies.len, row)?;
        let num_origins = self.bodies.table.number(self.bodies.num_origins, row)?;
        Some((u64::try_from(len).ok()?, u64::try_from(num_origins).ok()?))
    }

    /// The names of the sources that captures came from, by number; none in memory.
    ///
    /// # Errors
    /// A damaged corpus.
    pub fn source_names(&self) -> Result<Vec<String>, CorpusError> {
        let Some((table, column)) = &self.sources else { return Ok(Vec::new()) };
        let name = |row| String::from_utf8_lossy(table.octets(*column, row).unwrap_or_default());
        let names = (0..table.num_rows()).map(|row| name(row).into_owned()).collect();
        self.check().map(|()| names)
    }

    /// The captures of an origin, oldest first.
    pub fn captures(&self, origin: OriginId) -> impl DoubleEndedIterator<Item = Capture<'_>> {
        self.captures_of(origin).iter()
    }

    /// What archives told of captures, one after the other: those of all origins, then those of [`Corpus::targets`]; `None` where
    /// that was not kept.
    pub(super) fn told_in_order(&self) -> Option<ToldInOrder<'_>> {
        self.archived.as_ref().map(ToldInOrder::new)
    }

    /// Captured URLs other than `/robots.txt`, in the order of their octets, with their captures, oldest first.
    pub fn targets(
        &self,
    ) -> impl Iterator<Item = (&[u8], impl DoubleEndedIterator<Item = Capture<'_>>)> {
        let numbers = 0..u32::try_from(self.targets.len()).unwrap_or(u32::MAX);
        numbers.filter_map(|target| {
            let url = self.targets.name(target)?;
            Some((url, self.targets.captures(target, &self.target_captures).iter()))
        })
    }

    /// SHA-256 of all octets of a body.
    #[must_use]
    pub fn digest(&self, body: BodyId) -> Option<&[u8; 32]> {
        let is_there = body.index() < self.num_bodies();
        is_there.then(|| self.bodies.table.fixed_octets(self.bodies.digest, body.0.into()))?
    }

    /// Number of distinct bodies.
    #[must_use]
    pub fn num_bodies(&self) -> usize {
        usize::try_from(self.bodies.table.num_rows()).unwrap_or(usize::MAX)
    }

    /// Origins with at least one capture of `/robots.txt`.
    #[must_use]
    pub fn num_origins(&self) -> usize {
        usize::try_from(self.origins.len()).unwrap_or(usize::MAX)
    }

    /// Blocks of its files that were read so far, those of checksums too: what answering has cost. None in memory.
    ///
    /// # Complexity
    /// Linear in all blocks, a bit each.
    #[must_use]
    pub fn num_blocks_read(&self) -> u64 {
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

    /// The captures of an origin, oldest first.
    #[inline]
    pub(super) fn captures_of(&self, origin: OriginId) -> Captures<'_> {
        self.origins.captures(origin.0, &self.capture_table)
    }

    /// The captures of a canonical URL; `None` where there are none.
    pub(super) fn captures_of_url(&self, url: &str) -> Option<Captures<'_>> {
        match url.strip_suffix("/robots.txt").and_then(|origin| self.find(origin.as_bytes())) {
            Some(origin) => Some(self.captures_of(origin)),
            None => {
                let target = self.targets.find(url.as_bytes())?;
                Some(self.targets.captures(target, &self.target_captures))
            }
        }
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
    pub(super) fn new(table: Table, google: bool) -> Result<Self, super::files::FilesError> {
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

    #[inline]
    fn program(&self, body: BodyId) -> Option<ProgramRef<'_>> {
        let row = u64::from(body.0);
        let octets = self.table.octets(self.program, row);
        let octets = octets.or_else(|| self.table.octets(self.same_as?, row));
        let program = octets.and_then(ProgramRef::from_octets);
        if program.is_none() {
            self.table.note_damage(row, "the program of this body is none");
        }
        program
    }
}
