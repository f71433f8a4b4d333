//! `lint --corpus`: every distinct body, counts of each kind of finding, a table of them.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{HumanBytes, HumanCount};
use robosift::corpus::Corpus;
use robosift::corpus::sources::{self, ColumnNames, SourceOptions, SourceReport};
use robosift::job::{LintSource, LintSummary, Texts, lint_bodies};
use robosift::lint::Options;
use robosift::parse::Dialect;
use serde_json::{Value, json};

use super::arguments::{Format, LintArguments};
use super::json::SCHEMA_VERSION;
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, notes, show, skipped};
use crate::cli::places::Taken;
use crate::cli::progress;
use crate::cli::quantity::counted;

/// Runs `lint` on a corpus.
pub(super) fn run(arguments: &LintArguments, options: &Options) -> Result<Exit, CliError> {
    let taken = Taken::new(&arguments.corpus, arguments.registry_file());
    arguments.output.iter().try_for_each(|output| taken.refuse(output))?;
    let waiting = progress::waiting(arguments.quiet, "reading the corpus");
    let (source, some_skipped) = source(arguments)?;
    waiting.set_message("linting");
    let summary =
        lint_bodies(&source, options, arguments.output.as_deref()).map_err(CliError::failed)?;
    waiting.finish_and_clear();
    match arguments.format() {
        Format::Json => show(object(&summary)),
        _ if arguments.quiet => {}
        _ => print(arguments, &summary),
    }
    let worst = summary.codes.iter().map(|count| count.code.severity()).max();
    Ok(match arguments.fails_on(worst) {
        true => Exit::No,
        false if some_skipped => Exit::Skipped,
        false => Exit::Done,
    })
}

/// A built corpus as it stands; else the texts of all sources, and whether something of them was skipped.
fn source(arguments: &LintArguments) -> Result<(LintSource, bool), CliError> {
    if let [path] = arguments.corpus.as_slice()
        && Corpus::is_at(path)
    {
        let corpus = Corpus::open(path, &Dialect::RFC9309).map_err(CliError::failed)?;
        return Ok((LintSource::Built(Box::new(corpus)), false));
    }
    let columns = match &arguments.robots_columns {
        Some(map) => ColumnNames::parse(map).map_err(CliError::usage)?,
        None => ColumnNames::default(),
    };
    let options = SourceOptions { columns, ..SourceOptions::default() };
    let (mut texts, mut report) = (Texts::default(), SourceReport::default());
    for path in &arguments.corpus {
        sources::load(path, &options, &mut texts, &mut report).map_err(CliError::failed)?;
    }
    if !arguments.quiet {
        notes(&report.notes);
    }
    skipped(report.skipped.kept(), report.skipped.count(), false);
    Ok((LintSource::Texts(texts), !report.skipped.is_empty()))
}

fn print(arguments: &LintArguments, summary: &LintSummary) {
    show(format_args!(
        "{} distinct bodies, {} of them with findings, {} in all\n",
        HumanCount(summary.bodies),
        HumanCount(summary.bodies_with_findings),
        counted(summary.findings, "finding")
    ));
    if !summary.codes.is_empty() {
        let table = table(summary).to_string();
        table.lines().for_each(|line| show(line.trim_end()));
    }
    if let Some(output) = &arguments.output {
        let octets = std::fs::metadata(output).map_or(0, |found| found.len());
        let (rows, place) = (counted(summary.rows, "row"), output.display());
        show(format_args!("\n{rows} written to {place} ({})", HumanBytes(octets)));
    }
}

fn table(summary: &LintSummary) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["code", "name", "severity", "findings", "bodies", "origins"]);
    for count in &summary.codes {
        let [findings, bodies, origins] =
            [count.findings, count.bodies, count.origins].map(|n| HumanCount(n).to_string());
        let (code, severity) = (count.code, count.code.severity().name());
        table.add_row([code.id(), code.name(), severity, &findings, &bodies, &origins]);
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at > 2 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn object(summary: &LintSummary) -> Value {
    let codes = summary.codes.iter().map(|count| {
        json!({
            "code": count.code.id(),
            "name": count.code.name(),
            "severity": count.code.severity().name(),
            "findings": count.findings,
            "bodies": count.bodies,
            "origins": count.origins,
        })
    });
    json!({
        "schema_version": SCHEMA_VERSION,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "bodies": summary.bodies,
        "bodies_with_findings": summary.bodies_with_findings,
        "findings": summary.findings,
        "rows": summary.rows,
        "codes": codes.collect::<Vec<_>>(),
    })
}
