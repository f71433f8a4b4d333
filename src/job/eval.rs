//! Row columns of a file → verdict columns.

use std::fmt;
use std::path::Path;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use crate::corpus::CorpusError;
use crate::evaluate::{Asked, Evaluator, RowColumns, RowsError, Scratch, Tally};
use crate::stream::Judge;
use crate::table::{Column, Octets, ParquetFile, TIME_TYPES, TableError, may_hold_times};

/// Names that a URL column goes by, the preferred first.
const URL_COLUMNS: [&str; 3] = ["url", "u", "metadata.url"];

/// Names that a column with the time of each row goes by, the preferred first.
const TIME_COLUMNS: [&str; 4] = ["fetch_time", "date", "timestamp", "metadata.date"];

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

/// Takes rows of files to an evaluator.
#[derive(Debug)]
pub struct EvalJob<'c> {
    evaluator: Evaluator<'c>,
    names: RowNames,
}

impl<'c> EvalJob<'c> {
    /// A job that reads the columns in `names`.
    #[must_use]
    pub fn new(evaluator: Evaluator<'c>, names: RowNames) -> Self {
        EvalJob { evaluator: evaluator.with_dictionaries(), names }
    }

    /// Finds one column and checks that it is string-like.
    fn strings(file: &ParquetFile, name: &str, flag: &str) -> Result<Column, EvalError> {
        let column = file.column(name).map_err(EvalError::table)?;
        check_strings(file, column, flag)
    }

    /// The time column, where verdicts or columns depend on the time of rows; one that was named has to be there in any case.
    fn time(&self, file: &ParquetFile) -> Result<Option<Column>, EvalError> {
        let uses_times = self.evaluator.uses_times();
        let Some(name) = &self.names.time else {
            if !uses_times {
                return Ok(None);
            }
            let found = find_time(file).map_err(EvalError::table)?;
            return match found.is_some() || !self.evaluator.needs_times() {
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
            return Ok(Some(column).filter(|_| uses_times));
        }
        Err(EvalError::message(format!(
            "{}: column `{}` is {}; --time-column takes {TIME_TYPES}. There are: {}",
            file.path().display(),
            column.name(),
            column.data_type(),
            file.column_names().join(", ")
        )))
    }

    fn url(&self, file: &ParquetFile) -> Result<Column, EvalError> {
        if let Some(name) = &self.names.url {
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

impl<'c> Judge for EvalJob<'c> {
    type Tally = Tally;
    type Plan = FilePlan;
    type State = Scratch<'c>;
    type Error = EvalError;

    fn schema(&self) -> SchemaRef {
        self.evaluator.schema()
    }

    fn plan(&self, file: &ParquetFile) -> Result<(FilePlan, Vec<Column>), EvalError> {
        let mut columns = vec![self.url(file)?];
        let mut plan = FilePlan { agent: None, origin: None, time: None };
        if matches!(self.evaluator.asked(), Asked::Column) {
            let name = self.names.agent.as_deref().unwrap_or("agent");
            plan.agent = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--agent-column")?));
        }
        if let Some(name) = &self.names.origin {
            plan.origin = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--origin-column")?));
        }
        if let Some(time) = self.time(file)? {
            plan.time = Some(columns.len());
            columns.push(time);
        }
        Ok((plan, columns))
    }

    fn state(&self) -> Scratch<'c> {
        Scratch::default()
    }

    fn judge(
        &self,
        plan: &FilePlan,
        state: &mut Scratch<'c>,
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut Tally,
    ) -> Result<RecordBatch, EvalError> {
        let at = |index: Option<usize>| index.and_then(|index| columns.get(index));
        let Some(url) = columns.first().filter(|url| url.len() == num_rows) else {
            return Err(EvalError::message("a batch came without its URL column".to_owned()));
        };
        let rows = RowColumns::try_new(url, at(plan.agent), at(plan.origin))?;
        let rows = rows.with_times(at(plan.time))?;
        Ok(self.evaluator.evaluate(&rows, first_row, state, tally)?)
    }
}

/// Why a file's rows cannot be judged.
#[derive(Debug)]
pub struct EvalError(Kind);

#[derive(Debug)]
enum Kind {
    Table(TableError),
    Corpus(CorpusError),
    Message(String),
}

impl EvalError {
    fn table(error: TableError) -> Self {
        EvalError(Kind::Table(error))
    }

    fn corpus(error: CorpusError) -> Self {
        EvalError(Kind::Corpus(error))
    }

    fn message(message: String) -> Self {
        EvalError(Kind::Message(message))
    }
}

impl From<RowsError> for EvalError {
    fn from(error: RowsError) -> Self {
        EvalError::message(error.to_string())
    }
}

impl From<ArrowError> for EvalError {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(error) => match error.downcast::<CorpusError>() {
                Ok(damage) => EvalError::corpus(*damage),
                Err(error) => EvalError::message(error.to_string()),
            },
            error => EvalError::message(error.to_string()),
        }
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Table(error) => error.fmt(f),
            Kind::Corpus(error) => error.fmt(f),
            Kind::Message(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EvalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Table(error) => Some(error),
            Kind::Corpus(error) => Some(error),
            Kind::Message(_) => None,
        }
    }
}
