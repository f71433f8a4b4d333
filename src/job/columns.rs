//! Which columns of a file rows are read from.
//!
//! Enters: the names as given, a file's footer, a batch of its columns. Leaves: the columns to read, and rows of a batch.
//! Must not know: verdicts.

use std::path::Path;

use arrow::array::ArrayRef;

use super::error::EvalError;
use crate::evaluate::RowColumns;
use crate::table::{Column, Octets, ParquetFile, TIME_TYPES, TableError, may_hold_times};

/// Names that a URL column goes by, the preferred first.
pub const URL_COLUMNS: [&str; 3] = ["url", "u", "metadata.url"];

/// Names that a column with the time of each row goes by, the preferred first.
pub const TIME_COLUMNS: [&str; 4] = ["fetch_time", "date", "timestamp", "metadata.date"];

/// The column of the rows in `path` that is known to hold their time, if there is one; `None` where the file cannot be
/// opened.
#[must_use]
pub fn known_time_column(path: &Path) -> Option<Option<String>> {
    let file = ParquetFile::open(path).ok()?;
    Some(find_time(&file).ok()?.map(|column| column.name().to_owned()))
}

/// The names of row columns, where they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowNames {
    /// The URL column; else the first present of `url`, `u`, `metadata.url`.
    pub url: Option<String>,
    /// The column with the origin, where the URL column holds paths.
    pub origin: Option<String>,
    /// The column in which each row names its agent.
    pub agent: Option<String>,
    /// The column with the time of each row; else the first present of `fetch_time`, `date`, `timestamp`, `metadata.date`.
    pub time: Option<String>,
}

/// What judging asks of rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Each row names its agent.
    pub(super) agent: bool,
    /// Times of rows tell more.
    pub(super) uses_times: bool,
    /// Nothing can be judged without them.
    pub(super) needs_times: bool,
}

impl RowNames {
    /// The columns of `file` that are to be read, the URL first, and where the others stand among them.
    pub(super) fn plan(
        &self,
        file: &ParquetFile,
        needs: Needs,
    ) -> Result<(FilePlan, Vec<Column>), EvalError> {
        let mut columns = vec![self.find_url(file)?];
        let mut plan = FilePlan { agent: None, origin: None, time: None };
        if needs.agent {
            let name = self.agent.as_deref().unwrap_or("agent");
            plan.agent = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--agent-column")?));
        }
        if let Some(name) = &self.origin {
            plan.origin = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--origin-column")?));
        }
        if let Some(time) = self.find_time(file, needs)? {
            plan.time = Some(columns.len());
            columns.push(time);
        }
        Ok((plan, columns))
    }

    /// Finds one column and checks that it is string-like.
    fn strings(file: &ParquetFile, name: &str, flag: &str) -> Result<Column, EvalError> {
        let column = file.column(name).map_err(EvalError::table)?;
        check_strings(file, column, flag)
    }

    /// The time column, where verdicts or columns depend on the time of rows; one that was named has to be there in any case.
    fn find_time(&self, file: &ParquetFile, needs: Needs) -> Result<Option<Column>, EvalError> {
        let Some(name) = &self.time else {
            if !needs.uses_times {
                return Ok(None);
            }
            let found = find_time(file).map_err(EvalError::table)?;
            return match found.is_some() || !needs.needs_times {
                true => Ok(found),
                false => Err(EvalError::message(format!(
                    "{}: none of the columns {} is there to say when each row is of; name it with \
                     --time-column, or judge all rows as of one time with --as-of latest. There are: {}",
                    file.path().display(),
                    TIME_COLUMNS.join(", "),
                    file.column_names().join(", ")
                ))),
            };
        };
        let column = file.column(name).map_err(EvalError::table)?;
        if may_hold_times(column.data_type()) {
            return Ok(Some(column).filter(|_| needs.uses_times));
        }
        Err(EvalError::message(format!(
            "{}: column `{}` is {}; --time-column takes {TIME_TYPES}. There are: {}",
            file.path().display(),
            column.name(),
            column.data_type(),
            file.column_names().join(", ")
        )))
    }

    fn find_url(&self, file: &ParquetFile) -> Result<Column, EvalError> {
        if let Some(name) = &self.url {
            return Self::strings(file, name, "--url-column");
        }
        for name in URL_COLUMNS {
            if let Some(column) = file.find(name).map_err(EvalError::table)? {
                return check_strings(file, column, "--url-column");
            }
        }
        Err(EvalError::message(format!(
            "{}: none of the columns {} is there; name the URL column with --url-column. There \
             are: {}",
            file.path().display(),
            URL_COLUMNS.join(", "),
            file.column_names().join(", ")
        )))
    }
}

/// The first of the known time columns that holds times.
fn find_time(file: &ParquetFile) -> Result<Option<Column>, TableError> {
    for name in TIME_COLUMNS {
        let found = file.find(name)?.filter(|column| may_hold_times(column.data_type()));
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn check_strings(file: &ParquetFile, column: Column, flag: &str) -> Result<Column, EvalError> {
    if Octets::accepts(column.data_type()) {
        return Ok(column);
    }
    Err(EvalError::message(format!(
        "{}: column `{}` is {}; {flag} takes strings or binary (of any Arrow type, also dictionaries \
         of them). There are: {}",
        file.path().display(),
        column.name(),
        column.data_type(),
        file.column_names().join(", ")
    )))
}

/// Where in the batch's columns the agent and the origin stand; the URL comes first.
#[derive(Clone, Copy, Debug)]
pub struct FilePlan {
    agent: Option<usize>,
    origin: Option<usize>,
    time: Option<usize>,
}

impl FilePlan {
    /// The rows of a batch of the columns that were planned, with their times where there are some.
    pub(super) fn rows<'a>(
        &self,
        columns: &'a [ArrayRef],
        num_rows: usize,
    ) -> Result<RowColumns<'a>, EvalError> {
        let rows = self.rows_without_times(columns, num_rows)?;
        Ok(rows.with_times(self.time.and_then(|at| columns.get(at)))?)
    }

    /// The same without their times.
    pub(super) fn rows_without_times<'a>(
        &self,
        columns: &'a [ArrayRef],
        num_rows: usize,
    ) -> Result<RowColumns<'a>, EvalError> {
        let at = |index: Option<usize>| index.and_then(|index| columns.get(index));
        let Some(url) = columns.first().filter(|url| url.len() == num_rows) else {
            return Err(EvalError::message("a batch came without its URL column".to_owned()));
        };
        Ok(RowColumns::try_new(url, at(self.agent), at(self.origin))?)
    }
}
