//! Row columns of a file → verdict columns.

use std::fmt;

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;
use arrow::error::ArrowError;

use crate::evaluate::{Asked, Evaluator, RowColumns, RowsError, Scratch, Tally};
use crate::stream::Judge;
use crate::table::{Column, Octets, ParquetFile, TableError};

/// Names that a URL column goes by, the preferred first.
const URL_COLUMNS: [&str; 3] = ["url", "u", "metadata.url"];

/// The names of row columns, where they were given.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowNames {
    /// The URL column; else the first present of `url`, `u`, `metadata.url`.
    pub url: Option<String>,
    /// The column with the origin, where the URL column holds paths.
    pub origin: Option<String>,
    /// The column in which each row names its agent.
    pub agent: Option<String>,
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
        let mut plan = FilePlan { agent: None, origin: None };
        if matches!(self.evaluator.asked(), Asked::Column) {
            let name = self.names.agent.as_deref().unwrap_or("agent");
            plan.agent = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--agent-column")?));
        }
        if let Some(name) = &self.names.origin {
            plan.origin = Some(columns.len());
            columns.push(file.as_stored(Self::strings(file, name, "--origin-column")?));
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
        Ok(self.evaluator.evaluate(&rows, first_row, state, tally)?)
    }
}

/// Why a file's rows cannot be judged.
#[derive(Debug)]
pub struct EvalError(Kind);

#[derive(Debug)]
enum Kind {
    Table(TableError),
    Message(String),
}

impl EvalError {
    fn table(error: TableError) -> Self {
        EvalError(Kind::Table(error))
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
        EvalError::message(error.to_string())
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Table(error) => error.fmt(f),
            Kind::Message(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for EvalError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0 {
            Kind::Table(error) => Some(error),
            Kind::Message(_) => None,
        }
    }
}
