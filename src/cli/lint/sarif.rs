//! Findings as a SARIF log, version 2.1.0, as code scanners of repositories read it.

use std::fmt::Write;

use robosift::lint::{Code, Finding, Severity};
use serde_json::{Value, json};

use super::excerpt::Lines;
use super::files::Linted;
use crate::cli::quantity::counted;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log of all files, one run.
pub(super) fn log(files: &[Linted]) -> Value {
    let results: Vec<Value> = files.iter().flat_map(results).collect();
    let mut log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "robosift",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": Code::ALL.iter().map(|code| rule(*code)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    let left_out: Vec<Value> = files.iter().flat_map(left_out).collect();
    if !left_out.is_empty() {
        // Whoever reads the log alone would take it for all there is.
        log["runs"][0]["invocations"] = json!([{
            "executionSuccessful": true,
            "toolExecutionNotifications": left_out,
        }]);
    }
    log
}

/// What is not among the results of a file, because it has more of its kind than were asked for.
fn left_out(file: &Linted) -> impl Iterator<Item = Value> {
    let codes = Code::ALL.iter().filter(|code| file.report.hidden(**code) > 0);
    codes.map(|code| {
        let more = counted(file.report.hidden(*code), "more finding");
        json!({
            "level": "note",
            "message": { "text": format!("{more} of {} left out (--most)", code.id()) },
            "associatedRule": { "id": code.id(), "index": code.index() },
            "locations": [location(&uri(&file.name), None)],
        })
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": { "text": code.summary() },
        "defaultConfiguration": { "level": level(code) },
    })
}

fn level(code: Code) -> &'static str {
    match code.severity() {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn results(file: &Linted) -> Vec<Value> {
    let lines = Lines::of(&file.body, &file.report.findings);
    let results = file.report.findings.iter().map(|finding| result(file, &lines, finding));
    results.collect()
}

fn result(file: &Linted, lines: &Lines<'_>, finding: &Finding) -> Value {
    let uri = uri(&file.name);
    let mut result = json!({
        "ruleId": finding.code.id(),
        "ruleIndex": finding.code.index(),
        "level": level(finding.code),
        "message": { "text": format!("{} ({})", finding.message, finding.remedy) },
        "locations": [location(&uri, region(lines, finding))],
    });
    if let (Some(related), Some(object)) = (&finding.related, result.as_object_mut()) {
        let mut location = location(&uri, Some(json!({ "startLine": related.line })));
        if let Some(location) = location.as_object_mut() {
            location.insert("id".to_owned(), 1.into());
            location.insert("message".to_owned(), json!({ "text": related.label }));
        }
        object.insert("relatedLocations".to_owned(), json!([location]));
    }
    result
}

fn location(uri: &str, region: Option<Value>) -> Value {
    let artifact = json!({ "uri": uri });
    match region {
        Some(region) => {
            json!({ "physicalLocation": { "artifactLocation": artifact, "region": region } })
        }
        None => json!({ "physicalLocation": { "artifactLocation": artifact } }),
    }
}

/// Lines and columns from 1, columns in code points.
fn region(lines: &Lines<'_>, finding: &Finding) -> Option<Value> {
    if finding.line == 0 {
        return None;
    }
    let octets = lines.get(finding.line);
    let column =
        |at: usize| String::from_utf8_lossy(octets.get(..at).unwrap_or(octets)).chars().count() + 1;
    Some(match finding.span.is_empty() {
        true => json!({ "startLine": finding.line }),
        false => json!({
            "startLine": finding.line,
            "startColumn": column(finding.span.start),
            "endColumn": column(finding.span.end),
        }),
    })
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for octet in path.bytes() {
        match octet {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(octet));
            }
            // Writing to a string does not fail.
            _ => drop(write!(uri, "%{octet:02X}")),
        }
    }
    uri
}
