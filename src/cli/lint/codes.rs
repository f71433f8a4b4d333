//! `lint --list`: the table of codes.

use robosift::lint::Code;
use serde_json::{Value, json};

use super::arguments::Format;
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, show};

/// Prints all codes.
pub(super) fn list(format: Format) -> Result<Exit, CliError> {
    if format == Format::Sarif {
        return Err(CliError::usage(
            "a SARIF log is of files, and has all codes as its rules: --list is text or --json",
        ));
    }
    if format == Format::Json {
        show(Value::from_iter(Code::ALL.iter().map(|code| entry(*code))));
        return Ok(Exit::Done);
    }
    for code in Code::ALL {
        let (name, severity) = (code.name(), code.severity().name());
        show(format_args!("{}  {name:<20}  {severity:<7}  {}", code.id(), code.summary()));
    }
    Ok(Exit::Done)
}

fn entry(code: Code) -> Value {
    json!({
        "code": code.id(),
        "name": code.name(),
        "severity": code.severity().name(),
        "summary": code.summary(),
    })
}
