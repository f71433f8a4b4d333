//! Findings as compilers show them: the line, what is meant of it underlined, a remedy below.

use std::io::IsTerminal;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use robosift::lint::{Code, Finding, Severity};

use super::arguments::Color;
use super::excerpt::{Lines, excerpt};
use super::files::Linted;
use crate::cli::message::show;
use crate::cli::quantity::counted;

/// Widest line, where it is not asked of a terminal.
const WIDTH: usize = 140;

/// With colours or without.
pub(super) fn renderer(color: Color) -> Renderer {
    let styled = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            std::io::stdout().is_terminal() && !refused
        }
    };
    let renderer = if styled { Renderer::styled().hyperlink(false) } else { Renderer::plain() };
    renderer.term_width(WIDTH)
}

/// Prints the findings of a file, and how many more there are of each kind.
pub(super) fn print(renderer: &Renderer, file: &Linted) {
    let lines = Lines::of(&file.body, &file.report.findings);
    for finding in &file.report.findings {
        show(format_args!("{}\n", renderer.render(&[group(file, &lines, finding)])));
    }
    for code in Code::ALL.iter().filter(|code| file.report.hidden(**code) > 0) {
        let more = counted(file.report.hidden(*code), "more finding");
        show(format_args!("{}: {more} of {} {}\n", file.name, code.id(), code.name()));
    }
}

fn group<'a>(file: &'a Linted, lines: &Lines<'a>, finding: &'a Finding) -> Group<'a> {
    let level = match finding.code.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let id = format!("{} {}", finding.code.id(), finding.code.name());
    let group = Group::with_title(level.primary_title(finding.message.as_str()).id(id));
    let group = match finding.line {
        0 => group.element(Origin::path(file.name.as_str())),
        number => {
            let (text, span) = excerpt(lines.get(number), &finding.span);
            group.element(snippet(file, number, text, AnnotationKind::Primary.span(span)))
        }
    };
    let group = match &finding.related {
        Some(related) => {
            let (text, span) = excerpt(lines.get(related.line), &(0..0));
            let annotation = AnnotationKind::Context.span(span).label(related.label);
            group.element(snippet(file, related.line, text, annotation))
        }
        None => group,
    };
    group.element(Level::HELP.message(finding.remedy.as_ref()))
}

fn snippet<'a>(
    file: &'a Linted,
    number: u32,
    text: String,
    annotation: Annotation<'a>,
) -> Snippet<'a, Annotation<'a>> {
    let number = usize::try_from(number).unwrap_or(usize::MAX);
    Snippet::source(text).line_start(number).path(file.name.as_str()).annotation(annotation)
}
