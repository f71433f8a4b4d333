//! What an `eval` did, as a person or a program reads it.

use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use indicatif::{HumanBytes, HumanCount};
use robosift::corpus::{CorpusBuilder, hex};
use robosift::evaluate::{AgentTally, Basis, Tally};
use robosift::job::EvalJob;
use robosift::stream::{self, Report, Survey};
use serde_json::{Map, Value, json};

use super::arguments::EvalArguments;
use super::corpus::Loaded;
use super::fallback;
use super::moment;
use super::plan::{self, EvalPlan};
use crate::cli::aligned::table;
use crate::cli::exit::Exit;
use crate::cli::message::{CliError, show, skipped};
use crate::cli::quantity::counted;

/// Agents of an agent column that are shown one by one.
const MAX_SHOWN_AGENTS: usize = 20;

/// A run that is over.
pub(super) struct Run<'r> {
    pub(super) report: &'r Report<Tally>,
    pub(super) loaded: &'r Loaded,
    pub(super) plan: &'r EvalPlan,
    pub(super) load_seconds: f64,
    pub(super) eval_seconds: f64,
}

/// Prints the summary that was asked for.
pub(super) fn print(arguments: &EvalArguments, run: &Run<'_>) {
    if arguments.running.json {
        show(json(run));
    } else if !arguments.running.quiet {
        show(text(arguments, run));
    }
    if !arguments.running.quiet {
        report_skipped(arguments, run);
    }
}

fn report_skipped(arguments: &EvalArguments, run: &Run<'_>) {
    let rows = run
        .report
        .skipped
        .iter()
        .map(|skipped| format!("{} rows: {}", HumanCount(skipped.rows), skipped.reason));
    let of_sources = &run.loaded.report.skipped;
    let all: Vec<String> = of_sources.kept().iter().cloned().chain(rows).collect();
    let count = of_sources.count() + run.report.skipped.len() as u64;
    skipped(&all, count, arguments.running.verbose);
}

fn text(arguments: &EvalArguments, run: &Run<'_>) -> String {
    let (report, corpus, settings) = (run.report, &run.loaded.corpus, &run.plan.settings);
    let rate = report.rows as f64 / run.eval_seconds.max(1e-9);
    let mut lines = vec![
        format!(
            "{} rows judged in {:.2} s: {} rows/s ({}, {})",
            HumanCount(report.rows),
            run.eval_seconds,
            rounded(rate),
            counted(report.files, "file"),
            counted(report.row_groups, "row group")
        ),
        format!(
            "corpus: {} origins, {} captures, {} distinct bodies, ready in {:.2} s",
            HumanCount(corpus.num_origins() as u64),
            HumanCount(corpus.facts().counts.captures),
            HumanCount(corpus.num_bodies() as u64),
            run.load_seconds
        ),
        format!(
            "dialect {}, policy {}, {}",
            settings.dialect.name,
            settings.policy.name,
            moment::phrase(&settings.moment)
        ),
    ];
    lines.extend(moment::gaps(&report.tally));
    lines.extend(fallback::lines(settings, &report.tally));
    lines.extend(kept(report));
    lines.extend([String::new(), agents_table(&report.tally, run.plan.asked.agents().len())]);
    lines.extend([String::new(), basis_table(&report.tally), String::new()]);
    lines.push(format!(
        "{} written to {}",
        HumanBytes(report.octets_written),
        arguments.output.display()
    ));
    lines.join("\n")
}

/// What stayed of an earlier run, where that is something.
fn kept(report: &Report<Tally>) -> Option<String> {
    (report.kept_files > 0).then(|| {
        format!(
            "{} in {} had been judged by an earlier run and were kept; they are not counted here",
            counted(report.kept_rows, "row"),
            counted(report.kept_files, "file")
        )
    })
}

fn rounded(rate: f64) -> String {
    format!("{}", indicatif::HumanFloatCount(rate.round()))
}

/// Shows all that were asked for by name, and the most frequent ones of a column.
fn agents_table(tally: &Tally, num_named: usize) -> String {
    let mut rows: Vec<(&str, AgentTally)> =
        tally.agents.iter().map(|(agent, counts)| (agent.as_str(), *counts)).collect();
    rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.total().iter().sum::<u64>()));
    let mut further = AgentTally::default();
    let num_further = rows.len().saturating_sub(MAX_SHOWN_AGENTS.max(num_named));
    rows.drain(rows.len() - num_further..).for_each(|(_, counts)| further += counts);
    let further_label = format!("{num_further} further agents");
    if num_further > 0 {
        rows.push((&further_label, further));
    }
    let mut table = table(&["agent", "verdicts", "allowed", "", "refused", "", "unknown", ""]);
    for (agent, counts) in rows {
        let agent = if agent.is_empty() { "(none)" } else { agent };
        table.add_row(verdict_cells(agent, counts.total()));
    }
    if tally.agents.len() > 1 {
        table.add_row(verdict_cells("all", tally.all_agents().total()));
    }
    table.trim_fmt()
}

fn verdict_cells(label: &str, counts: [u64; 3]) -> Vec<String> {
    let total: u64 = counts.iter().sum();
    let cells =
        counts.iter().flat_map(|count| [HumanCount(*count).to_string(), share(*count, total)]);
    [label.to_owned(), HumanCount(total).to_string()].into_iter().chain(cells).collect()
}

fn share(count: u64, total: u64) -> String {
    format!("{:.1}%", 100.0 * count as f64 / total.max(1) as f64)
}

fn basis_table(tally: &Tally) -> String {
    let all = tally.all_agents();
    let total: u64 = all.total().iter().sum();
    let mut table = table(&["basis", "verdicts", "", "allowed", "refused", "unknown", "by status"]);
    for basis in Basis::ALL {
        let counts = all.of(basis);
        let of_basis: u64 = counts.iter().sum();
        if of_basis == 0 {
            continue;
        }
        let mut cells =
            vec![basis.name().to_owned(), HumanCount(of_basis).to_string(), share(of_basis, total)];
        cells.extend(counts.iter().map(|count| HumanCount(*count).to_string()));
        cells.push(statuses(tally, basis));
        table.add_row(cells);
    }
    let mut cells = vec!["all".to_owned(), HumanCount(total).to_string(), share(total, total)];
    cells.extend(all.total().iter().map(|count| HumanCount(*count).to_string()));
    table.add_row(cells);
    table
        .column_mut(6)
        .into_iter()
        .for_each(|column| column.set_cell_alignment(CellAlignment::Left));
    table.trim_fmt()
}

fn statuses(tally: &Tally, basis: Basis) -> String {
    let of_basis = tally.statuses.iter().filter(|((known, _), _)| *known == basis);
    let words = of_basis.map(|((_, status), count)| match status {
        Some(status) => format!("{status}: {}", HumanCount(*count)),
        None => format!("none: {}", HumanCount(*count)),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn json(run: &Run<'_>) -> Value {
    let (report, corpus, settings) = (run.report, &run.loaded.corpus, &run.plan.settings);
    let agents: Map<String, Value> = report
        .tally
        .agents
        .iter()
        .map(|(agent, counts)| (agent.clone(), verdicts_json(counts.total())))
        .collect();
    let skipped: Vec<Value> = report
        .skipped
        .iter()
        .map(|s| json!({"path": s.path, "row_group": s.row_group, "rows": s.rows, "reason": s.reason}))
        .collect();
    json!({
        "rows": report.rows,
        "files": report.files,
        "row_groups": report.row_groups,
        "kept": {"files": report.kept_files, "rows": report.kept_rows},
        "verdicts": verdicts_json(report.tally.all_agents().total()),
        "agents": agents,
        "basis": basis_json(&report.tally),
        "corpus": {
            "origins": corpus.num_origins(),
            "captures": corpus.facts().counts.captures,
            "captures_without_place": corpus.facts().counts.without_place,
            "bodies": corpus.num_bodies(),
            "fingerprint": hex(&corpus.facts().fingerprint),
            "skipped": run.loaded.report.skipped.kept(),
            "num_skipped": run.loaded.report.skipped.count(),
        },
        "dialect": settings.dialect.name,
        "policy": settings.policy.name,
        "as_of": settings.moment.as_of.name(),
        "scope": settings.scope.name(),
        "fallback": fallback::json(settings, &report.tally),
        "gap": moment::gaps_json(&report.tally),
        "skipped": skipped,
        "octets_read": report.octets_read,
        "octets_written": report.octets_written,
        "load_seconds": run.load_seconds,
        "eval_seconds": run.eval_seconds,
        "rows_per_second": (report.rows as f64 / run.eval_seconds.max(1e-9)).round(),
    })
}

fn verdicts_json([allowed, refused, unknown]: [u64; 3]) -> Value {
    json!({"allowed": allowed, "refused": refused, "unknown": unknown})
}

fn basis_json(tally: &Tally) -> Value {
    let all = tally.all_agents();
    let mut by_basis = Map::new();
    for basis in Basis::ALL {
        let counts = all.of(basis);
        if counts.iter().sum::<u64>() == 0 {
            continue;
        }
        let statuses: BTreeMap<String, u64> = tally
            .statuses
            .iter()
            .filter(|((known, _), _)| *known == basis)
            .map(|((_, status), count)| {
                (status.map_or("none".to_owned(), |s| s.to_string()), *count)
            })
            .collect();
        let mut entry = verdicts_json(counts);
        entry["statuses"] = json!(statuses);
        by_basis.insert(basis.name().to_owned(), entry);
    }
    Value::Object(by_basis)
}

/// Says what a run would do.
pub(super) fn dry_run(arguments: &EvalArguments, plan: &EvalPlan) -> Result<Exit, CliError> {
    let nothing = CorpusBuilder::new(plan.settings.dialect, plan.body_limit)
        .finish()
        .map_err(CliError::failed)?;
    let job = EvalJob::new(plan.evaluator(&nothing)?, plan.row_names.clone());
    let surveys = stream::survey(&job, &plan.stream).map_err(plan::stream_error)?;
    let corpora = arguments.corpus.corpus.iter().map(|path| {
        let found = std::fs::metadata(path)
            .map_err(|error| CliError::failed(format!("{}: {error}", path.display())))?;
        Ok((path.display().to_string(), found.is_dir(), found.len()))
    });
    let corpora: Vec<(String, bool, u64)> = corpora.collect::<Result<_, CliError>>()?;
    let columns: Vec<String> =
        plan.evaluator(&nothing)?.schema().fields().iter().map(|f| f.name().clone()).collect();
    let rows: u64 = surveys.iter().map(|survey| survey.rows).sum();
    if arguments.running.json {
        let inputs: Vec<Value> = surveys.iter().map(survey_json).collect();
        show(format_args!(
            "{}",
            json!({"rows": rows, "inputs": inputs, "columns": columns, "corpus": corpora.iter().map(|c| &c.0).collect::<Vec<_>>()})
        ));
        return Ok(Exit::Done);
    }
    if arguments.running.resume {
        show(
            "resume   outputs that this command has written already would stay; which, the run finds out",
        );
    }
    for (path, is_folder, len) in &corpora {
        let size = if *is_folder { "folder".to_owned() } else { HumanBytes(*len).to_string() };
        show(format_args!("corpus   {path} ({size})"));
    }
    show(format_args!("verdicts {}", columns.join(", ")));
    show(format_args!(
        "rows     {} in {}",
        HumanCount(rows),
        counted(surveys.len() as u64, "file")
    ));
    let shown = if arguments.running.verbose { surveys.len() } else { 10 };
    surveys.iter().take(shown).for_each(print_survey);
    if surveys.len() > shown {
        show(format_args!(
            "         {} more files; --verbose names them all",
            surveys.len() - shown
        ));
    }
    Ok(Exit::Done)
}

fn print_survey(survey: &Survey) {
    let (input, output) = (survey.path.display(), survey.output.display());
    match &survey.skipped {
        Some(reason) => show(format_args!("         {input}: would be skipped: {reason}")),
        None => show(format_args!(
            "         {input} → {output}: {} rows in {} row groups, reads {}",
            HumanCount(survey.rows),
            survey.row_groups,
            survey.columns.join(", ")
        )),
    }
}

fn survey_json(survey: &Survey) -> Value {
    json!({
        "input": survey.path,
        "output": survey.output,
        "rows": survey.rows,
        "row_groups": survey.row_groups,
        "columns": survey.columns,
        "skipped": survey.skipped,
    })
}
