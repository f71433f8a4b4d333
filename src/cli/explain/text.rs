//! An explanation on a terminal.

use std::io::IsTerminal;

use robosift::explain::{AgentStory, CaptureStory, Explanation, GroupStory, RecordStory};

use super::listing::visible;
use super::phrases;
use super::snippet::snippet;
use crate::cli::message::show;
use crate::cli::quantity::counted;

/// Rules and other lines, and groups, that are listed.
const MOST_ROWS: usize = 20;
const MOST_GROUPS: usize = 8;

/// Prints it.
pub(super) fn print(explanation: &Explanation) {
    let colours = std::io::stdout().is_terminal()
        && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    show(visible(&explanation.url));
    show(phrases::terms(explanation));
    if let Some((given, compared)) = phrases::paths(explanation) {
        show(format_args!("path as given     {given}\npath as compared  {compared}"));
    }
    explanation.captures.iter().for_each(print_capture);
    for agent in &explanation.agents {
        let capture = agent.capture.and_then(|at| explanation.captures.get(at));
        show(format_args!("\n{}", snippet(agent, capture, colours)));
        print_agent(agent);
    }
    if !explanation.all_agents.is_empty() {
        print_all(explanation);
    }
}

fn print_capture(capture: &CaptureStory) {
    let origin = &capture.origin;
    show(format_args!("{origin}/robots.txt: {}", phrases::capture(capture)));
    for hop in &capture.hops {
        let status = hop.status.map_or_else(|| "none".to_owned(), |status| status.to_string());
        show(format_args!("  {status}  {} → {}", visible(&hop.url), visible(&hop.to)));
    }
}

fn print_agent(agent: &AgentStory) {
    print_rules(agent);
    print_groups(agent);
    print_other(agent);
    print_records(agent);
    if let Some(operator) = &agent.operator {
        show(format_args!(
            "\noperator: {} ({}); says it honours robots.txt: {} ({})",
            operator.name, operator.purpose, operator.honours_robots, operator.confidence
        ));
    }
    for note in &agent.notes {
        show(format_args!("\nnote: {}", visible(note)));
    }
}

fn print_rules(agent: &AgentStory) {
    if agent.rules.is_empty() {
        return;
    }
    show(format_args!("\nrules that match ({}), best first", agent.num_matching));
    let rows: Vec<[String; 4]> = agent
        .rules
        .iter()
        .take(MOST_ROWS)
        .map(|rule| {
            let compared = phrases::compared(rule).map(|text| format!("   compared as {text}"));
            [
                format!("line {}", rule.line),
                counted(u64::from(rule.specificity), "octet"),
                phrases::standing(rule.standing).to_owned(),
                phrases::rule(rule) + &compared.unwrap_or_default(),
            ]
        })
        .collect();
    print_rows(&rows, [true, true, false, false]);
    print_more(agent.num_matching, MOST_ROWS);
}

fn word(group: &GroupStory) -> &'static str {
    if group.first_line == group.last_line { "line " } else { "lines" }
}

fn print_groups(agent: &AgentStory) {
    show(format_args!("\n{}", phrases::applied(agent)));
    let rows: Vec<[String; 4]> = phrases::shown_groups(agent, MOST_GROUPS)
        .into_iter()
        .map(|group| {
            [
                format!("{} {}", word(group), phrases::lines(group)),
                counted(group.num_rules as u64, "rule"),
                phrases::group(group, agent),
                phrases::names(group),
            ]
        })
        .collect();
    print_rows(&rows, [false, true, false, false]);
    print_more(agent.num_groups, agent.groups.len().min(MOST_GROUPS));
}

fn print_more(all: usize, shown: usize) {
    if all > shown {
        show(format_args!("  … {} more", all - shown));
    }
}

fn print_other(agent: &AgentStory) {
    let Some(other) = &agent.other else { return };
    show(format_args!("\n{}", phrases::other(other, agent)));
    for clause in &other.clauses {
        let (own, others) = match other.dialect.name == "google" {
            true => (clause.rfc9309, clause.google),
            false => (clause.google, clause.rfc9309),
        };
        show(format_args!("  {} ({})", clause.title, clause.name));
        show(format_args!("    here: {own}\n    {}: {others}", other.dialect.name));
    }
}

fn print_records(agent: &AgentStory) {
    let applying: Vec<&RecordStory> =
        agent.records.iter().filter(|record| record.applies).collect();
    if applying.is_empty() {
        return;
    }
    show("\nother lines");
    let rows: Vec<[String; 4]> = applying
        .iter()
        .take(MOST_ROWS)
        .map(|record| {
            let text =
                format!("{}: {}", phrases::short(&record.name), phrases::short(&record.value));
            [format!("line {}", record.line), text, String::new(), String::new()]
        })
        .collect();
    print_rows(&rows, [true, false, false, false]);
    print_more(applying.len(), MOST_ROWS);
}

fn print_all(explanation: &Explanation) {
    show(format_args!("\nall {} known agents", explanation.all_agents.len()));
    let rows: Vec<[String; 4]> = explanation
        .all_agents
        .iter()
        .map(|verdict| {
            [
                verdict.agent.clone(),
                phrases::verdict(verdict.allowed).to_owned(),
                verdict
                    .line
                    .map_or_else(|| verdict.basis.name().to_owned(), |line| format!("line {line}")),
                verdict.kind.map_or("", |kind| kind.name()).to_owned(),
            ]
        })
        .collect();
    print_rows(&rows, [false; 4]);
}

/// Rows below each other; columns of numbers stand to the right.
fn print_rows(rows: &[[String; 4]], right: [bool; 4]) {
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: [usize; 4] = std::array::from_fn(|column| width(column).unwrap_or(0));
    for row in rows {
        let mut line = String::new();
        for ((cell, width), right) in row.iter().zip(widths).zip(right) {
            line.push_str("  ");
            line.push_str(&match right {
                true => format!("{cell:>width$}"),
                false => format!("{cell:<width$}"),
            });
        }
        show(line.trim_end());
    }
}
