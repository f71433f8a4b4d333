//! Captures as they stand in a corpus' tables.
//!
//! Enters: the tables of places and captures. Leaves: the captures of a place, oldest first, each read when it is asked
//! for. Cost: some reads of columns for a capture; nothing is copied. Must not know: policies.

use super::files::{FilesError, Numbers, Table, Texts};
use super::format::{capture, place};
use super::shards::PartBodies;
use super::{BodyId, CaptureFlags, Status};

/// A table of places: origins, or URLs that redirects lead to.
#[derive(Debug)]
pub(super) struct Places {
    table: Table,
    name: Texts,
    first: Numbers<i64>,
    count: Numbers<i32>,
}

/// A table of captures.
#[derive(Debug)]
pub(super) struct CaptureTable {
    table: Table,
    standing: Standing,
    time: Numbers<i64>,
    status: Numbers<i16>,
    body: Numbers<i32>,
    flags: Numbers<i16>,
    redirect: Texts,
    content_type: Texts,
    source: Numbers<i32>,
    offset: Numbers<i64>,
}

/// Where a table stands among others.
#[derive(Clone, Debug, Default)]
pub(super) struct Standing {
    /// Captures of the same shard that are counted before these.
    pub(super) before: u64,
    /// The number of its shard.
    pub(super) part: u32,
    /// The number of its first source.
    pub(super) first_source: u32,
    /// The numbers of its bodies, where they are not those in the table.
    pub(super) bodies: Option<PartBodies>,
}

/// The captures of one place, oldest first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures<'c> {
    table: &'c CaptureTable,
    first: u64,
    end: u64,
}

/// A capture of a corpus.
#[derive(Clone, Copy, Debug)]
pub struct Capture<'c> {
    /// When, in microseconds since 1970 UTC; `None` counts as older than any.
    pub time: Option<i64>,
    /// The recorded status.
    pub status: Option<Status>,
    /// The body, where it is known.
    pub body: Option<BodyId>,
    /// What else is worth knowing.
    pub flags: CaptureFlags,
    table: &'c CaptureTable,
    row: u64,
}

impl Places {
    pub(super) fn new(table: Table) -> Result<Self, FilesError> {
        Ok(Places {
            name: table.texts(place::NAME)?,
            first: table.numbers(place::FIRST_CAPTURE)?,
            count: table.numbers(place::NUM_CAPTURES)?,
            table,
        })
    }

    pub(super) fn len(&self) -> u64 {
        self.table.num_rows()
    }

    /// The table it is.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// The name of a place.
    #[inline]
    pub(super) fn name(&self, place: u32) -> Option<&[u8]> {
        // Asking for one past the last is no damage.
        (u64::from(place) < self.len()).then(|| self.table.octets(self.name, place.into()))?
    }

    /// The captures of a place in `captures`.
    #[inline]
    pub(super) fn captures<'c>(&self, place: u32, captures: &'c CaptureTable) -> Captures<'c> {
        let row = u64::from(place);
        let first = self.table.number(self.first, row);
        let first = first.and_then(|first| u64::try_from(first).ok()).unwrap_or(0);
        let count = self.table.number(self.count, row);
        let count = count.and_then(|count| u64::try_from(count).ok()).unwrap_or(0);
        let end = first.saturating_add(count);
        if end > captures.table.num_rows() {
            self.table.note_damage(row, "more captures than there are");
            return Captures { table: captures, first: 0, end: 0 };
        }
        Captures { table: captures, first, end }
    }

    /// The place named `name`, of places in the order of their names.
    pub(super) fn find(&self, name: &[u8]) -> Option<u32> {
        let (mut low, mut high) = (0, u32::try_from(self.len()).unwrap_or(u32::MAX));
        while low < high {
            let middle = low + (high - low) / 2;
            match self.name(middle)?.cmp(name) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

impl CaptureTable {
    pub(super) fn new(table: Table, standing: Standing) -> Result<Self, FilesError> {
        Ok(CaptureTable {
            standing,
            time: table.numbers(capture::TIME)?,
            status: table.numbers(capture::STATUS)?,
            body: table.numbers(capture::BODY)?,
            flags: table.numbers(capture::FLAGS)?,
            redirect: table.texts(capture::REDIRECT)?,
            content_type: table.texts(capture::CONTENT_TYPE)?,
            source: table.numbers(capture::SOURCE)?,
            offset: table.numbers(capture::OFFSET)?,
            table,
        })
    }

    /// The table it is.
    pub(super) fn table(&self) -> &Table {
        &self.table
    }

    /// The number of the first source.
    pub(super) fn first_source(&self) -> u32 {
        self.standing.first_source
    }

    #[inline]
    fn time(&self, row: u64) -> Option<i64> {
        self.table.number(self.time, row)
    }

    #[inline]
    fn get(&self, row: u64) -> Capture<'_> {
        let body = self.table.number(self.body, row);
        let flags = self.table.number(self.flags, row).unwrap_or(0);
        Capture {
            time: self.time(row),
            status: self.table.number(self.status, row).map(Status),
            body: body.and_then(|body| self.body(u32::try_from(body).ok()?)),
            flags: CaptureFlags::from_bits(flags.cast_unsigned()),
            table: self,
            row,
        }
    }

    /// The body that the table has as `row`.
    #[inline]
    fn body(&self, row: u32) -> Option<BodyId> {
        match &self.standing.bodies {
            None => Some(BodyId(row)),
            Some(bodies) => bodies.number(row),
        }
    }

    fn text(&self, column: Texts, row: u64) -> Option<&str> {
        std::str::from_utf8(self.table.octets(column, row)?).ok()
    }
}

impl<'c> Captures<'c> {
    pub(super) fn len(&self) -> usize {
        usize::try_from(self.end - self.first).unwrap_or(usize::MAX)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.first == self.end
    }

    /// Whether `capture` is one of them.
    pub(super) fn contain(&self, capture: &Capture<'_>) -> bool {
        (self.first..self.end).contains(&capture.row)
    }

    /// Whether none of them is among `earlier`, of which these are a continuation or a part.
    pub(super) fn is_after(&self, earlier: Captures<'c>) -> bool {
        self.first >= earlier.end
    }

    /// All of them, oldest first.
    pub(super) fn iter(self) -> impl DoubleEndedIterator<Item = Capture<'c>> + Clone {
        (self.first..self.end).map(move |row| self.table.get(row))
    }

    pub(super) fn last(self) -> Option<Capture<'c>> {
        self.iter().next_back()
    }

    pub(super) fn first(self) -> Option<Capture<'c>> {
        self.iter().next()
    }

    /// None of them.
    pub(super) fn none(self) -> Captures<'c> {
        Captures { end: self.first, ..self }
    }

    /// Those up to `time`, and those that have no time.
    ///
    /// # Complexity
    /// Logarithmic.
    pub(super) fn until(self, time: i64) -> Captures<'c> {
        let (mut low, mut high) = (self.first, self.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.table.time(middle).is_none_or(|known| known <= time) {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Captures { end: low, ..self }
    }

    /// Those that are not among `earlier`, of which these are a continuation.
    pub(super) fn after(self, earlier: Captures<'c>) -> Captures<'c> {
        Captures { first: earlier.end.clamp(self.first, self.end), ..self }
    }

    /// Those up to the last of `others`.
    pub(super) fn until_end_of(self, others: Captures<'c>) -> Captures<'c> {
        Captures { end: others.end.clamp(self.first, self.end), ..self }
    }

    /// All but the last `count`.
    pub(super) fn without_last(self, count: usize) -> Captures<'c> {
        let end = self.end.saturating_sub(count as u64).max(self.first);
        Captures { end, ..self }
    }

    /// Those up to the time of `capture`, which is one of them, and all of that time.
    pub(super) fn through(self, capture: &Capture<'c>) -> Captures<'c> {
        capture.time.map_or(self, |time| self.until(time))
    }
}

impl<'c> Capture<'c> {
    /// Successful: a 2xx or no status at all, with a body.
    #[must_use]
    pub fn is_successful(&self) -> bool {
        self.body.is_some() && self.status.is_none_or(Status::is_successful)
    }

    /// Where a redirect leads, made absolute; `None` where that is no http(s) URL.
    #[must_use]
    pub fn redirect(&self) -> Option<&'c str> {
        self.table.text(self.table.redirect, self.row)
    }

    /// The declared media type.
    #[must_use]
    pub fn content_type(&self) -> Option<&'c str> {
        self.table.text(self.table.content_type, self.row)
    }

    /// The number of the source it came from.
    #[must_use]
    pub fn source(&self) -> Option<u32> {
        let source = self.table.table.number(self.table.source, self.row);
        source.and_then(|s| u32::try_from(s).ok()?.checked_add(self.table.first_source()))
    }

    /// Its shard.
    pub(super) fn part(&self) -> u32 {
        self.table.standing.part
    }

    /// Its number in its shard, as what archives told refers to it.
    pub(super) fn number(&self) -> i64 {
        i64::try_from(self.table.standing.before.saturating_add(self.row)).unwrap_or(i64::MAX)
    }

    /// Where its record begins in the source's file, in octets.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        self.table.table.number(self.table.offset, self.row).and_then(|o| u64::try_from(o).ok())
    }
}
