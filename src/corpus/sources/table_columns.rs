//! The columns of a robots table and the names they go by.

/// What a robots table may hold, each under the first of its names that is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableColumn {
    Origin,
    Url,
    Body,
    Status,
    Time,
    Redirect,
    ContentType,
}

impl TableColumn {
    pub(super) const ALL: [TableColumn; 7] = [
        TableColumn::Origin,
        TableColumn::Url,
        TableColumn::Body,
        TableColumn::Status,
        TableColumn::Time,
        TableColumn::Redirect,
        TableColumn::ContentType,
    ];

    /// Known names, the preferred first.
    pub(super) fn names(self) -> &'static [&'static str] {
        match self {
            TableColumn::Origin => &["origin"],
            TableColumn::Url => &["url"],
            TableColumn::Body => &["body"],
            TableColumn::Status => &["status", "fetch_status"],
            TableColumn::Time => &["fetch_time"],
            TableColumn::Redirect => &["redirect", "fetch_redirect"],
            TableColumn::ContentType => &["content_type", "content_mime_type"],
        }
    }
}

/// Names of a robots table's columns where they differ from the known ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColumnNames {
    given: Vec<(TableColumn, String)>,
}

impl ColumnNames {
    /// Reads `body=response.body,url=robots_url`.
    ///
    /// # Errors
    /// A sentence that names what was not understood and the columns there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut given = Vec::new();
        for pair in text.split(',').filter(|pair| !pair.trim().is_empty()) {
            let (column, name) = pair
                .split_once('=')
                .ok_or_else(|| format!("`{pair}` is not COLUMN=NAME, as in body=response.body"))?;
            let wanted = column.trim().to_ascii_lowercase();
            let known = TableColumn::ALL.into_iter().find(|c| c.names().contains(&&*wanted));
            let known = known.ok_or_else(|| {
                let all: Vec<_> = TableColumn::ALL.iter().map(|c| c.names()[0]).collect();
                format!("a robots table has no column `{column}`; it has {}", all.join(", "))
            })?;
            given.push((known, name.trim().to_owned()));
        }
        Ok(ColumnNames { given })
    }

    /// The name a user gave for `column`.
    pub(super) fn given(&self, column: TableColumn) -> Option<&str> {
        self.given.iter().rev().find(|(known, _)| *known == column).map(|(_, name)| name.as_str())
    }
}
