//! Which captures are in question for a row: as of when, and how old they may be.
//!
//! Enters: the captures of an origin, oldest first, and the time of a row. Leaves: those among which the visit is
//! found. Must not know: policies, bodies.

use super::captures::{Capture, Captures};
use crate::text::{quantity, timestamp};

/// Which visit of an origin counts, where it was captured more than once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AsOf {
    /// The newest one.
    #[default]
    Latest,
    /// The newest one at or before the row's time.
    Row,
    /// The one as of the row's time and every later one: what any of them refuses is refused.
    Ever,
    /// The newest one at or before this time, in microseconds since 1970 UTC.
    Date(i64),
}

impl AsOf {
    /// Reads `row`, `latest`, `ever`, or a date or time; a date alone is all of its day.
    ///
    /// # Errors
    /// What is accepted.
    pub fn parse(text: &str) -> Result<Self, String> {
        Ok(match text {
            "latest" => AsOf::Latest,
            "row" => AsOf::Row,
            "ever" => AsOf::Ever,
            date => AsOf::Date(
                quantity::moment(date)
                    .map_err(|error| format!("takes row, latest, ever or a date: {error}"))?,
            ),
        })
    }

    /// As [`AsOf::parse`] reads it: the end of a day is the day.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            AsOf::Latest => "latest".to_owned(),
            AsOf::Row => "row".to_owned(),
            AsOf::Ever => "ever".to_owned(),
            AsOf::Date(time) => {
                let text = timestamp::format(time);
                let day = text.strip_suffix("T23:59:59.999999Z").map(str::to_owned);
                day.unwrap_or(text)
            }
        }
    }
}

/// Which captures may answer for a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moment {
    /// As of when.
    pub as_of: AsOf,
    /// How old a capture may be at that time, in microseconds; any age where `None`.
    pub window: Option<i64>,
    /// A later capture counts too where it is nearer in time.
    pub nearest: bool,
}

impl Moment {
    /// Whether answers depend on the time of the row.
    #[must_use]
    pub fn needs_row_time(&self) -> bool {
        matches!(self.as_of, AsOf::Row | AsOf::Ever)
    }

    /// The time that is asked about; `None` for the newest captures of all. `Err` where the row would have to say, and does not.
    pub(super) fn time(&self, row_time: Option<i64>) -> Result<Option<i64>, NoRowTime> {
        match self.as_of {
            AsOf::Latest => Ok(None),
            AsOf::Date(time) => Ok(Some(time)),
            AsOf::Row | AsOf::Ever => row_time.map(Some).ok_or(NoRowTime),
        }
    }

    /// What is in question at `time`, of all captures of an origin; `None` where nothing is.
    pub(super) fn in_question<'c>(&self, all: Captures<'c>, time: Option<i64>) -> Question<'c> {
        let Some(time) = time else {
            return Question { recent: all, known: all, times: Times::ALL };
        };
        let too_old = match self.window {
            Some(window) => all.until(time.saturating_sub(window).saturating_sub(1)),
            None => all.none(),
        };
        let until = all.until(time);
        let before = until.after(too_old);
        let later = all.after(until);
        let mut times = Times::ALL
            .from(until.last().and_then(|capture| capture.time))
            .before(later.first().and_then(|capture| capture.time));
        if let Some(window) = self.window {
            times = times
                .before(before.first().and_then(|c| c.time?.checked_add(window)?.checked_add(1)))
                .from(too_old.last().and_then(|c| c.time?.checked_add(window)?.checked_add(1)));
        }
        let after = later.first().filter(|_| self.nearest);
        let after = after.filter(|after| {
            let opens = self.window.and_then(|window| after.time?.checked_sub(window));
            times = if opens.is_some_and(|opens| time < opens) {
                times.before(opens)
            } else {
                times.from(opens)
            };
            opens.is_none_or(|opens| time >= opens)
        });
        let end = match (before.last(), after) {
            (None, None) => return Question { recent: all.none(), known: all.none(), times },
            (None, Some(after)) => later.through(&after),
            (Some(_), None) => until,
            (Some(before), Some(after)) => {
                let middle = middle(&before, &after);
                let is_later = middle.is_none_or(|middle| time > middle);
                let turn = middle.and_then(|middle| middle.checked_add(1));
                times = if is_later { times.from(turn) } else { times.before(turn) };
                if is_later { later.through(&after) } else { until }
            }
        };
        Question {
            recent: all.after(too_old).until_end_of(end),
            known: all.until_end_of(end),
            times,
        }
    }
}

/// Captures in question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Question<'c> {
    /// Those that are recent enough; the last one counts, with its visit.
    pub(super) recent: Captures<'c>,
    /// With all older ones: among them are stale copies.
    pub(super) known: Captures<'c>,
    /// For which times the same captures are in question.
    pub(super) times: Times,
}

/// A stretch of time, in microseconds since 1970 UTC, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    first: i64,
    last: i64,
}

impl Times {
    /// All times.
    pub const ALL: Times = Times { first: i64::MIN, last: i64::MAX };

    /// Whether `time` is one of them.
    #[must_use]
    #[inline]
    pub fn contains(&self, time: i64) -> bool {
        (self.first..=self.last).contains(&time)
    }

    /// The times in both.
    #[must_use]
    pub fn and(self, other: Times) -> Times {
        Times { first: self.first.max(other.first), last: self.last.min(other.last) }
    }

    fn from(self, first: Option<i64>) -> Times {
        Times { first: self.first.max(first.unwrap_or(i64::MIN)), ..self }
    }

    fn before(self, end: Option<i64>) -> Times {
        let last = end.map_or(i64::MAX, |end| end.saturating_sub(1));
        Times { last: self.last.min(last), ..self }
    }
}

/// The last time that is as near to `before` as to `after`: the earlier of two equally near ones counts. `None`
/// where the time of one is not known, which is further than any.
fn middle(before: &Capture<'_>, after: &Capture<'_>) -> Option<i64> {
    let (before, after) = (before.time?, after.time?);
    Some(before.saturating_add(after.saturating_sub(before) / 2))
}

/// A row without a time, where its time decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoRowTime;
