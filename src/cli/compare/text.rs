//! The summary as a person reads it.

use indicatif::{HumanBytes, HumanCount};
use robosift::explain::Differing;
use robosift::job::Pairs;

use super::arguments::CompareArguments;
use super::{Run, Side};
use crate::cli::aligned::{left_table, table};
use crate::cli::eval::moment;
use crate::cli::quantity::counted;

/// Agents that are shown one by one.
const MAX_SHOWN_AGENTS: usize = 20;

const VERDICTS: [&str; 3] = ["allowed", "refused", "unknown"];

pub(super) fn summary(arguments: &CompareArguments, run: &Run<'_>) -> String {
    let report = run.report;
    let all = report.tally.all_agents();
    let mut parts = vec![
        format!(
            "{} rows judged in two ways in {:.2} s ({}); corpus ready in {:.2} s",
            HumanCount(report.rows),
            run.compare_seconds,
            counted(report.files, "file"),
            run.load_seconds
        ),
        format!("left:  {}", way(run.sides[0])),
        format!("right: {}", way(run.sides[1])),
        String::new(),
        agents(run, &all),
        String::new(),
        verdicts(&all),
        String::new(),
        bases(&all),
    ];
    if arguments.running.verbose && report.tally.agents.len() > 1 {
        for (agent, pairs) in &report.tally.agents {
            parts.extend([String::new(), format!("{agent}:"), bases(pairs)]);
        }
    }
    if !report.tally.clauses.is_empty() {
        parts.extend([String::new(), clauses(run)]);
    }
    parts.extend([
        String::new(),
        format!(
            "{} written to {} ({})",
            counted(all.total() - all.same(), "difference"),
            arguments.output.display(),
            HumanBytes(report.octets_written)
        ),
    ]);
    parts.join("\n")
}

fn way(side: &Side) -> String {
    let settings = &side.plan.settings;
    format!(
        "{} (dialect {}, policy {}, {})",
        side.typed,
        settings.dialect.name,
        settings.policy.name,
        moment::phrase(&settings.moment)
    )
}

fn number(count: u64) -> String {
    HumanCount(count).to_string()
}

fn share(count: u64, total: u64) -> String {
    format!("{:.2}%", 100.0 * count as f64 / total.max(1) as f64)
}

/// How far the ways agree on each agent.
fn agents(run: &Run<'_>, all: &Pairs) -> String {
    let tally = &run.report.tally;
    let mut rows: Vec<(&str, &Pairs)> =
        tally.agents.iter().map(|(agent, pairs)| (agent.as_str(), pairs)).collect();
    rows.sort_by_key(|(_, pairs)| std::cmp::Reverse(pairs.total()));
    let mut further = Pairs::default();
    rows.iter().skip(MAX_SHOWN_AGENTS).for_each(|(_, pairs)| further += pairs);
    let num_further = rows.len().saturating_sub(MAX_SHOWN_AGENTS);
    rows.truncate(MAX_SHOWN_AGENTS);
    let label = format!("{num_further} further agents");
    if num_further > 0 {
        rows.push((&label, &further));
    }
    if tally.agents.len() > 1 {
        rows.push(("all", all));
    }
    let kinds = Differing::ALL.map(|kind| format!("other {}", kind.name()));
    let mut header = vec!["agent", "verdicts", "same", ""];
    header.extend(kinds.iter().map(String::as_str));
    let mut table = table(&header);
    for (agent, pairs) in rows {
        let agent = if agent.is_empty() { "(none)" } else { agent };
        let (total, same) = (pairs.total(), pairs.same());
        let mut cells = vec![agent.to_owned(), number(total), number(same), share(same, total)];
        cells.extend(Differing::ALL.map(|kind| number(pairs.differing(kind))));
        table.add_row(cells);
    }
    table.trim_fmt()
}

fn verdicts(all: &Pairs) -> String {
    let mut table = table(&["left \\ right", "allowed", "refused", "unknown"]);
    for (verdict, counts) in VERDICTS.into_iter().zip(all.verdicts()) {
        table.add_row(std::iter::once(verdict.to_owned()).chain(counts.map(number)));
    }
    table.trim_fmt()
}

fn bases(pairs: &Pairs) -> String {
    let mut table = table(&[
        "left basis",
        "right basis",
        "verdicts",
        "allowed",
        "refused",
        "unknown",
        "allowed→refused",
        "refused→allowed",
        "known in one",
    ]);
    for ((left, right), counts) in pairs.bases() {
        let total: u64 = counts.iter().flatten().sum();
        let [[allowed, opened, a], [closed, refused, b], [c, d, unknown]] = counts;
        let numbers = [total, allowed, refused, unknown, opened, closed, a + b + c + d];
        let names = [left.name().to_owned(), right.name().to_owned()];
        table.add_row(names.into_iter().chain(numbers.map(number)));
    }
    table.trim_fmt()
}

fn clauses(run: &Run<'_>) -> String {
    let clauses = &run.report.tally.clauses;
    let mut table = left_table(&["differences by what makes them", "", "of what"]);
    let mut rows: Vec<_> = clauses.iter().collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for ((clause, differing), count) in rows {
        let clause = if clause.is_empty() { "(not known)" } else { clause };
        table.add_row([clause.to_owned(), number(*count), differing.name().to_owned()]);
    }
    table.trim_fmt()
}
