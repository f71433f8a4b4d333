//! Which columns of a batch rows are read from.
//!
//! Enters: names as given, a schema. Leaves: where the columns stand, in structs too, and the columns of a batch. The names that are
//! tried where none is given are those of the command line. Must not know: verdicts.

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, make_array};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Fields, Schema};
use pyo3::PyResult;
use robosift::job::{TIME_COLUMNS, URL_COLUMNS};
use robosift::table::{Octets, TIME_TYPES, may_hold_times};

use crate::error;

/// The names of row columns, where they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct RowNames {
    pub(crate) url: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) origin: Option<String>,
    pub(crate) time: Option<String>,
}

/// Where they stand: an index, then one for each struct on the way.
type Place = Vec<usize>;

/// Where the columns of rows stand in batches of one schema.
#[derive(Clone, Debug)]
pub(crate) struct RowPlaces {
    url: Place,
    agent: Option<Place>,
    origin: Option<Place>,
    time: Option<Place>,
}

/// The columns of one batch.
pub(crate) struct BatchColumns {
    pub(crate) url: ArrayRef,
    pub(crate) agent: Option<ArrayRef>,
    pub(crate) origin: Option<ArrayRef>,
    pub(crate) time: Option<ArrayRef>,
}

impl RowNames {
    /// Finds the columns.
    pub(crate) fn find(&self, schema: &Schema) -> PyResult<RowPlaces> {
        let strings = |name: &Option<String>, what| {
            name.as_deref().map(|name| texts(schema, name, what)).transpose()
        };
        let url = match strings(&self.url, "url")? {
            Some(place) => place,
            None => first(schema, &URL_COLUMNS, Octets::accepts)?
                .ok_or_else(|| none_of(schema, &URL_COLUMNS, "url"))?,
        };
        Ok(RowPlaces {
            url,
            agent: strings(&self.agent, "agent_column")?,
            origin: strings(&self.origin, "origin")?,
            time: match &self.time {
                Some(name) => Some(times(schema, name)?),
                None => first(schema, &TIME_COLUMNS, may_hold_times)?,
            },
        })
    }
}

impl RowPlaces {
    /// Whether rows have times.
    pub(crate) fn have_times(&self) -> bool {
        self.time.is_some()
    }

    /// The columns of a batch; times only where they are asked for.
    pub(crate) fn of(&self, batch: &RecordBatch, with_times: bool) -> Option<BatchColumns> {
        let optional = |place: &Option<Place>| match place {
            Some(place) => column(batch, place).map(Some),
            None => Some(None),
        };
        Some(BatchColumns {
            url: column(batch, &self.url)?,
            agent: optional(&self.agent)?,
            origin: optional(&self.origin)?,
            time: if with_times { optional(&self.time)? } else { None },
        })
    }
}

/// A column of strings, `what` it is for.
fn texts(schema: &Schema, name: &str, what: &str) -> PyResult<Place> {
    checked(schema, name, what, Octets::accepts, "strings or binary (also dictionaries of them)")
}

fn times(schema: &Schema, name: &str) -> PyResult<Place> {
    checked(schema, name, "time", may_hold_times, TIME_TYPES)
}

fn checked(
    schema: &Schema,
    name: &str,
    what: &str,
    accepts: fn(&DataType) -> bool,
    accepted: &str,
) -> PyResult<Place> {
    let (place, kind) = find(schema.fields(), name)?.ok_or_else(|| {
        error::rows(format!("there is no column `{name}` ({what}); {}", there_are(schema)))
    })?;
    match accepts(&kind) {
        true => Ok(place),
        false => Err(error::rows(format!(
            "column `{name}` is {kind}; {what} takes {accepted}; {}",
            there_are(schema)
        ))),
    }
}

/// The first of these columns that is there and of a type that is accepted.
fn first(
    schema: &Schema,
    names: &[&str],
    accepts: fn(&DataType) -> bool,
) -> PyResult<Option<Place>> {
    for name in names {
        if let Some((place, _)) = find(schema.fields(), name)?.filter(|(_, kind)| accepts(kind)) {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

fn none_of(schema: &Schema, names: &[&str], what: &str) -> pyo3::PyErr {
    let names = names.join(", ");
    error::rows(format!(
        "none of the columns {names} is there as strings; name the column with {what}=; {}",
        there_are(schema)
    ))
}

/// The columns there are, in words.
pub(crate) fn there_are(schema: &Schema) -> String {
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    format!("there are: {}", names.join(", "))
}

/// Where a column stands and of which type it is: by its whole name, exactly or ignoring ASCII case, else by the part before a
/// dot as a struct.
fn find(fields: &Fields, name: &str) -> PyResult<Option<(Place, DataType)>> {
    let exact: Vec<usize> = positions(fields, |known| known == name);
    let found = match exact.is_empty() {
        false => exact,
        true => positions(fields, |known| known.eq_ignore_ascii_case(name)),
    };
    match found.as_slice() {
        [] => {}
        [at] => {
            let kind = fields.get(*at).map(|field| field.data_type().clone());
            return Ok(kind.map(|kind| (vec![*at], kind)));
        }
        _ => return Err(error::rows(format!("more than one column is called `{name}`"))),
    }
    for (dot, _) in name.match_indices('.') {
        let (outer, inner) = name.split_at(dot);
        let Some((mut place, DataType::Struct(children))) = find(fields, outer)? else { continue };
        if let Some((rest, kind)) = find(&children, inner.trim_start_matches('.'))? {
            place.extend(rest);
            return Ok(Some((place, kind)));
        }
    }
    Ok(None)
}

fn positions(fields: &Fields, is_it: impl Fn(&str) -> bool) -> Vec<usize> {
    let names = fields.iter().enumerate();
    names.filter(|(_, field)| is_it(field.name())).map(|(at, _)| at).collect()
}

/// The column at a place; null wherever a struct on the way is.
fn column(batch: &RecordBatch, place: &[usize]) -> Option<ArrayRef> {
    let (first, rest) = place.split_first()?;
    let mut array = ArrayRef::clone(batch.columns().get(*first)?);
    for at in rest {
        let parent = array.as_struct_opt()?;
        let child = ArrayRef::clone(parent.columns().get(*at)?);
        array = with_nulls(child, parent.nulls());
    }
    Some(array)
}

fn with_nulls(array: ArrayRef, nulls: Option<&NullBuffer>) -> ArrayRef {
    let Some(nulls) = nulls.filter(|nulls| nulls.null_count() > 0) else { return array };
    let nulls = NullBuffer::union(array.nulls(), Some(nulls));
    let data = array.to_data().into_builder().nulls(nulls).build();
    data.map_or(array, make_array)
}
