//! The robots.txt as a compiler would print a source: numbered lines, the group that applies barred, the line that decides
//! marked.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use robosift::explain::{AgentStory, CaptureStory};

use super::listing::{Line, Room, Row, listing};
use super::phrases;
use crate::cli::quantity::counted;

/// Shown whole up to so many lines.
const ROOM: Room = Room { whole: 40, width: 160 };

/// The listing under a headline; the headline alone where there is no text.
pub(super) fn snippet(agent: &AgentStory, capture: Option<&CaptureStory>, colours: bool) -> String {
    let title = format!("{}: {}", phrases::headline(agent), phrases::short(&agent.reason));
    let level = match agent.allowed {
        Some(true) => Level::NOTE,
        Some(false) => Level::ERROR,
        None => Level::WARNING,
    };
    let title = level.with_name(phrases::verdict(agent.allowed)).primary_title(title);
    let text = capture.and_then(|capture| capture.body.as_ref()?.text.as_deref());
    let rows = text.map(|text| listing(text, agent, ROOM)).unwrap_or_default();
    let path = capture.map(phrases::place).unwrap_or_default();
    let group = windows(&rows).fold(Group::with_title(title), |group, window| match window {
        Window::Gap(count) => group.element(Level::NOTE.no_name().message(gap(count))),
        Window::Lines(lines) => group.element(of_lines(&lines, agent, &path)),
    });
    let renderer = if colours { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).render(&[group])
}

fn gap(count: usize) -> String {
    format!("… {count} {}", if count == 1 { "line" } else { "lines" })
}

/// Lines that stand next to each other, or a gap.
enum Window<'r> {
    Gap(usize),
    Lines(Vec<&'r Line>),
}

fn windows(rows: &[Row]) -> impl Iterator<Item = Window<'_>> {
    let is_line = |row: &Row| matches!(row, Row::Line(_));
    rows.chunk_by(move |one, other| is_line(one) && is_line(other)).map(|rows| {
        let lines = rows.iter().filter_map(|row| match row {
            Row::Line(line) => Some(line),
            Row::Gap(_) => None,
        });
        match rows {
            [Row::Gap(count)] => Window::Gap(*count),
            _ => Window::Lines(lines.collect()),
        }
    })
}

fn of_lines<'s>(lines: &[&Line], agent: &AgentStory, path: &str) -> Snippet<'s, Annotation<'s>> {
    let mut source = String::new();
    let mut places: Vec<(&Line, Range<usize>)> = Vec::new();
    for line in lines {
        let start = source.len();
        source.push_str(&line.text);
        places.push((line, start..source.len()));
        source.push('\n');
    }
    let octets = agent.rules.first().map_or(0, |rule| rule.specificity);
    let marks = deciding(&places, octets).chain(bars(&places));
    let annotations: Vec<Annotation<'s>> = marks.collect();
    let first = lines.first().map_or(1, |line| line.number);
    Snippet::source(source)
        .line_start(usize::try_from(first).unwrap_or(1))
        .path(path.to_owned())
        .fold(false)
        .annotations(annotations)
}

/// The mark of the line that decides.
fn deciding<'s>(
    places: &[(&Line, Range<usize>)],
    octets: u32,
) -> impl Iterator<Item = Annotation<'s>> {
    let marked = places.iter().filter(|(line, _)| line.decides);
    marked.map(move |(_, place)| {
        let label = format!("decides, with {}", counted(u64::from(octets), "octet"));
        AnnotationKind::Primary.span(place.clone()).label(label)
    })
}

/// The bars of groups that apply.
fn bars<'s>(places: &[(&Line, Range<usize>)]) -> impl Iterator<Item = Annotation<'s>> {
    let runs = places.chunk_by(|(one, _), (other, _)| one.in_group == other.in_group);
    runs.filter_map(|run| match run {
        [(first, start), .., (last, end)] if first.in_group => {
            let bar = AnnotationKind::Context.span(start.start..end.end);
            // Two labels at the end of one line would be drawn through each other.
            Some(if last.decides { bar } else { bar.label("the group that applies") })
        }
        _ => None,
    })
}
