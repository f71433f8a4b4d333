//! Findings as JSON.

use robosift::lint::{Code, Finding};
use serde_json::{Map, Value, json};

use super::files::Linted;

/// The version of the objects: fields are added, never renamed, while it is the same.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// A file with its findings.
pub(super) fn file(file: &Linted) -> Value {
    let mut counts = Map::new();
    for code in Code::ALL.iter().filter(|code| file.report.count(**code) > 0) {
        counts.insert(code.id().to_owned(), file.report.count(*code).into());
    }
    json!({
        "file": file.name,
        "octets": file.body.len(),
        "findings": file.report.findings.iter().map(finding).collect::<Vec<_>>(),
        "counts": counts,
    })
}

/// One finding; columns count octets from 1, the last one is the one behind.
fn finding(finding: &Finding) -> Value {
    let is_part = !finding.span.is_empty();
    let column = |at: usize| if is_part { json!(at + 1) } else { Value::Null };
    json!({
        "code": finding.code.id(),
        "name": finding.code.name(),
        "severity": finding.code.severity().name(),
        "line": if finding.line == 0 { Value::Null } else { json!(finding.line) },
        "column": column(finding.span.start),
        "end_column": column(finding.span.end),
        "message": finding.message,
        "remedy": finding.remedy,
        "related": finding.related.as_ref().map(|r| json!({ "line": r.line, "label": r.label })),
    })
}
