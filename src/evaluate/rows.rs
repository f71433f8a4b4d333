//! The input columns of a batch, and what each row of them asks about.
//!
//! Enters: Arrow arrays of any string-like type. Leaves: a [`Target`] a row, borrowed. Cost: one pass over
//! a row's URL. Must not know: corpora.

use std::fmt;

use arrow::array::{Array, ArrayRef, AsArray};

use super::Settings;
use super::target::{Before, Named, Target, is_text};
use crate::table::{Octets, TIME_TYPES, Times};
use crate::text::origin::{self, UrlParts};

/// The columns that rows are read from. All have the same length.
///
/// What is behind the values of a dictionary is found out once a value: an agent is read once, an
/// origin is looked for once, and where the agents are given apart and a dictionary of URLs is smaller
/// than the rows it comes with, each URL is judged once.
pub struct RowColumns<'a> {
    url: Texts<'a>,
    agent: Option<Texts<'a>>,
    origin: Option<Texts<'a>>,
    times: Option<Times>,
    num_rows: usize,
}

/// A string-like column, and the values of its dictionary if it is one.
struct Texts<'a> {
    octets: Octets<'a>,
    values: Option<&'a ArrayRef>,
}

impl<'a> Texts<'a> {
    fn try_new(array: &'a ArrayRef) -> Option<Self> {
        let octets = Octets::try_new(array.as_ref())?;
        let values = array.as_any_dictionary_opt().map(|dictionary| dictionary.values());
        Some(Texts { octets, values })
    }

    #[inline]
    fn value(&self, row: usize) -> Option<&'a [u8]> {
        self.octets.value(row)
    }
}

/// Columns that rows cannot be read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowsError(String);

impl fmt::Display for RowsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RowsError {}

impl<'a> RowColumns<'a> {
    /// Takes string-like columns of any Arrow type.
    ///
    /// # Errors
    /// A column of another type, or of another length than the first.
    pub fn try_new(
        url: &'a ArrayRef,
        agent: Option<&'a ArrayRef>,
        origin: Option<&'a ArrayRef>,
    ) -> Result<Self, RowsError> {
        let read = |name: &str, array: &'a ArrayRef| {
            if array.len() != url.len() {
                return Err(RowsError(format!(
                    "the {name} column has {} rows, the url column {}",
                    array.len(),
                    url.len()
                )));
            }
            Texts::try_new(array).ok_or_else(|| {
                RowsError(format!("the {name} column is {}, not strings", array.data_type()))
            })
        };
        Ok(RowColumns {
            url: read("url", url)?,
            agent: agent.map(|array| read("agent", array)).transpose()?,
            origin: origin.map(|array| read("origin", array)).transpose()?,
            times: None,
            num_rows: url.len(),
        })
    }

    /// With the time of each row, in any form that holds times; what is none is as if it were not there.
    ///
    /// # Errors
    /// A column of another type, or of another length than the first.
    pub fn with_times(self, times: Option<&ArrayRef>) -> Result<Self, RowsError> {
        let Some(array) = times else { return Ok(self) };
        if array.len() != self.num_rows {
            return Err(RowsError(format!(
                "the time column has {} rows, the url column {}",
                array.len(),
                self.num_rows
            )));
        }
        let times = Times::try_new(array).ok_or_else(|| {
            RowsError(format!("the time column is {}, not {TIME_TYPES}", array.data_type()))
        })?;
        Ok(RowColumns { times: Some(times), ..self })
    }

    /// Whether rows have times.
    #[inline]
    pub(super) fn have_times(&self) -> bool {
        self.times.is_some()
    }

    /// The time of a row, in microseconds since 1970 UTC.
    #[must_use]
    #[inline]
    pub fn time(&self, row: usize) -> Option<i64> {
        self.times.as_ref()?.value(row)
    }

    /// The values of a dictionary of URLs as rows, and after them a row for all that have no value;
    /// `None` where the URLs are no dictionary, or may be paths beside an origin.
    pub(super) fn distinct_urls(&self) -> Option<(RowColumns<'a>, &'a ArrayRef)> {
        let values = self.url.values.filter(|_| self.origin.is_none())?;
        let num_rows = values.len().checked_add(1).filter(|len| u32::try_from(*len).is_ok())?;
        let rows = RowColumns {
            url: Texts::try_new(values)?,
            agent: None,
            origin: None,
            times: None,
            num_rows,
        };
        Some((rows, values))
    }

    /// Which of the rows of [`RowColumns::distinct_urls`] `row` is like.
    #[inline]
    pub(super) fn distinct(&self, row: usize) -> Option<usize> {
        let octets = &self.url.octets;
        octets.key(row).or_else(|| octets.num_values())
    }

    /// The values of a dictionary of agents.
    pub(super) fn agent_values(&self) -> Option<&'a ArrayRef> {
        self.agent.as_ref()?.values
    }

    /// The values of a dictionary of origins.
    pub(super) fn origin_values(&self) -> Option<&'a ArrayRef> {
        self.origin.as_ref()?.values
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.num_rows
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.num_rows == 0
    }

    /// The URL of `row` as it stands there, behind the origin that stands apart where it is a path; `None` where it is null.
    #[must_use]
    pub fn url(&self, row: usize) -> Option<Vec<u8>> {
        let url = self.url.value(row)?;
        let origin = self.origin.as_ref().filter(|_| !has_scheme(url));
        let origin = origin.and_then(|origin| origin.value(row)).unwrap_or_default();
        Some([origin, url].concat())
    }

    /// The agent that `row` names; `None` also where there is no agent column.
    #[must_use]
    #[inline]
    pub fn agent(&self, row: usize) -> Option<&'a [u8]> {
        self.agent.as_ref()?.value(row)
    }

    /// The key of that agent in a dictionary.
    #[inline]
    pub(super) fn agent_key(&self, row: usize) -> Option<usize> {
        self.agent.as_ref()?.octets.key(row)
    }

    /// Scheme and authority that `row` names, whatever else is wrong with it.
    #[inline]
    pub(super) fn parts(&self, row: usize) -> Option<UrlParts<'a>> {
        let url = self.url.value(row)?;
        match &self.origin {
            Some(origin) if !has_scheme(url) => origin::split(origin.value(row)?),
            _ => origin::split(url),
        }
    }

    /// Scheme and authority that a value of a dictionary of origins holds.
    pub(super) fn parts_of_value(&self, key: usize) -> Option<UrlParts<'a>> {
        origin::split(self.origin.as_ref()?.octets.dictionary_value(key)?)
    }

    /// The key of the origin of `row`, where that is a value of a dictionary.
    #[inline]
    pub(super) fn origin_key(&self, row: usize) -> Option<usize> {
        let key = self.origin.as_ref()?.octets.key(row)?;
        (!has_scheme(self.url.value(row)?)).then_some(key)
    }

    /// What `row` asks about, whatever the row before asks, and its canonical origin where it stands
    /// there as it is; `None` is a bad URL.
    #[inline]
    pub(super) fn whole_target(
        &self,
        row: usize,
        settings: &Settings,
    ) -> Option<(Target<'a>, Option<&'a [u8]>)> {
        let url = self.url.value(row)?;
        let path_start = settings.dialect.path_start;
        match &self.origin {
            Some(origin) if !has_scheme(url) => match origin.octets.key(row) {
                Some(key) => Some((Target::of_path(url, path_start, Named::Value(key))?, None)),
                None => {
                    let (parts, canonical) = whole_parts(origin.value(row)?)?;
                    Some((Target::of_path(url, path_start, Named::Parts(parts))?, canonical))
                }
            },
            _ => {
                let (parts, canonical) = whole_parts(url)?;
                let target = Target::new(url, parts.rest, path_start, Named::Parts(parts));
                let is_ascii = canonical.is_some() && target.traits.is_ascii();
                (is_ascii || is_text(url)).then_some((target, canonical))
            }
        }
    }

    /// What `row` asks about; `None` is a bad URL. `before` is how the row before names its origin.
    #[inline]
    pub(super) fn target(
        &self,
        row: usize,
        settings: &Settings,
        before: &mut Before,
    ) -> Option<Target<'a>> {
        let url = self.url.value(row)?;
        let path_start = settings.dialect.path_start;
        match &self.origin {
            Some(origin) if !has_scheme(url) => {
                let target = Target::of_path(url, path_start, Named::AsBefore)?;
                let named = match origin.octets.key(row) {
                    Some(key) => before.or_value(key),
                    None => before.or_parts(origin.value(row)?)?,
                };
                Some(Target { named, ..target })
            }
            _ => {
                let target = Target::of_url_after(url, path_start, before)?;
                let is_known = matches!(target.named, Named::AsBefore) && target.traits.is_ascii();
                if is_known || is_text(url) {
                    return Some(target);
                }
                // The run of this origin is not entered: the next row has to bring its parts.
                before.forget();
                None
            }
        }
    }
}

/// Scheme and authority of a URL, and its canonical origin where it stands there as it is.
#[inline]
fn whole_parts(url: &[u8]) -> Option<(UrlParts<'_>, Option<&[u8]>)> {
    match origin::split_canonical(url) {
        Some((parts, canonical)) => Some((parts, Some(canonical))),
        None => Some((origin::split(url)?, None)),
    }
}

fn has_scheme(url: &[u8]) -> bool {
    let begins = |scheme: &[u8]| {
        url.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme))
    };
    begins(b"http://") || begins(b"https://")
}
