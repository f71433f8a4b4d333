//! The parts of a page that tell of one agent: the file, the rules, the groups, the other dialect, the other lines.

use robosift::explain::{AgentStory, CaptureStory, RecordStory, RuleStanding};

use super::html::Page;
use super::listing::{Line, Room, Row, listing};
use super::phrases;
use crate::cli::quantity::counted;

/// Shown whole up to so many lines.
const ROOM: Room = Room { whole: 400, width: 1_000 };

/// Rules, groups and records that are listed.
const MOST_ROWS: usize = 100;

/// The robots.txt, the group that applies barred, the line that decides marked.
pub(super) fn file(page: &mut Page, agent: &AgentStory, capture: Option<&CaptureStory>) {
    let text = capture.and_then(|capture| capture.body.as_ref()?.text.as_deref());
    let Some(text) = text.filter(|text| !text.is_empty()) else { return };
    page.tag("<figure>\n<div class=\"scroll\" tabindex=\"0\"><div class=\"file\">\n");
    for row in listing(text, agent, ROOM) {
        match row {
            Row::Line(row) => line(page, &row, agent),
            Row::Gap(count) => {
                let lines = if count == 1 { "line" } else { "lines" };
                page.element("span class=\"row gap\"", &format!("… {count} {lines}"));
            }
        }
    }
    page.tag("</div></div>\n<figcaption>");
    if agent.applied.is_some() {
        page.tag("Bar: the group that applies. ");
    }
    if agent.deciding_line().is_some() {
        page.tag("Marked: the line that decides. ");
    }
    if agent.rules.len() > 1 {
        page.tag("Dotted: other rules that match.");
    }
    page.tag("</figcaption>\n</figure>\n");
}

fn line(page: &mut Page, line: &Line, agent: &AgentStory) {
    let mut classes = "row".to_owned();
    let marks = [(line.in_group, " group"), (line.matches, " match"), (line.decides, " decides")];
    marks.iter().filter(|(is, _)| *is).for_each(|(_, class)| classes.push_str(class));
    page.tag(&format!("<span class=\"{classes}\"><span class=\"n\">{}</span>", line.number));
    page.tag("<span class=\"t\">");
    match line.decides {
        false => page.text(&line.text),
        true => {
            let octets = agent.rules.first().map_or(0, |rule| rule.specificity);
            let octets = counted(u64::from(octets), "octet");
            page.tag("<mark>").text(&line.text).tag("</mark>");
            page.tag(&format!("<span class=\"decided\">   decides, with {octets}</span>"))
        }
    };
    // The line's end is text, so that what is copied has lines.
    page.tag("\n</span></span>");
}

/// The rules that match.
pub(super) fn rules(page: &mut Page, agent: &AgentStory) {
    if agent.rules.is_empty() {
        return;
    }
    page.element("h3", &format!("Rules that match ({}), best first", agent.num_matching));
    page.tag("<div class=\"scroll\" tabindex=\"0\"><table class=\"rules\">\n<thead><tr>");
    page.tag(
        "<th class=\"number\">line</th><th class=\"number\">octets</th><th>rule</th><th></th>",
    );
    page.tag("</tr></thead>\n<tbody>\n");
    for rule in agent.rules.iter().take(MOST_ROWS) {
        let wins = rule.standing == RuleStanding::Decides;
        page.tag(if wins { "<tr class=\"wins\">" } else { "<tr>" });
        page.element("td class=\"number\"", &rule.line.to_string());
        page.element("td class=\"number\"", &rule.specificity.to_string());
        page.tag("<td class=\"wide\">").element("code", &phrases::rule(rule));
        if let Some(compared) = phrases::compared(rule) {
            page.tag("<br><span class=\"soft\">compared as ").element("code", &compared);
            page.tag("</span>");
        }
        page.tag("</td>").element("td", phrases::standing(rule.standing)).tag("</tr>\n");
    }
    page.tag("</tbody></table></div>\n");
    more(page, agent.num_matching, agent.rules.len());
}

/// The groups, which of them applies, and why the others do not.
pub(super) fn groups(page: &mut Page, agent: &AgentStory) {
    page.element("h3", "Groups").element("p", &phrases::applied(agent));
    if agent.groups.is_empty() {
        return;
    }
    page.tag(
        "<div class=\"scroll\" tabindex=\"0\"><table class=\"groups\">\n<thead><tr><th>lines</th>",
    );
    page.tag("<th>user-agent</th><th class=\"number\">rules</th><th></th></tr></thead>\n<tbody>\n");
    for group in phrases::shown_groups(agent, MOST_ROWS) {
        let applies = group.passed_over.is_none() && agent.applied.is_some();
        page.tag(if applies { "<tr class=\"wins\">" } else { "<tr>" });
        page.element("td class=\"lines\"", &phrases::lines(group));
        page.tag("<td class=\"wide\">").element("code", &phrases::names(group)).tag("</td>");
        page.element("td class=\"number\"", &group.num_rules.to_string());
        page.element("td", &phrases::group(group, agent)).tag("</tr>\n");
    }
    page.tag("</tbody></table></div>\n");
    more(page, agent.num_groups, agent.groups.len());
}

/// What the other dialect says, and why.
pub(super) fn other(page: &mut Page, agent: &AgentStory) {
    let Some(other) = &agent.other else { return };
    page.element("h3", "The other dialect");
    page.element("p class=\"other\"", &phrases::other(other, agent));
    for clause in &other.clauses {
        page.tag("<dl>\n").element("dt", "what differs").element("dd", clause.title);
        page.element("dt", "rfc9309").element("dd", clause.rfc9309);
        page.element("dt", "google").element("dd", clause.google).tag("</dl>\n");
    }
}

/// Crawl delays, sitemaps and signals that concern the agent.
pub(super) fn records(page: &mut Page, agent: &AgentStory) {
    let applying: Vec<&RecordStory> =
        agent.records.iter().filter(|record| record.applies).collect();
    if applying.is_empty() {
        return;
    }
    page.element("h3", "Other lines");
    page.tag("<div class=\"scroll\" tabindex=\"0\"><table class=\"records\">\n<tbody>\n");
    for record in applying.iter().take(MOST_ROWS) {
        page.tag("<tr>").element("td class=\"number\"", &record.line.to_string());
        page.tag("<td class=\"wide\">");
        page.element(
            "code",
            &format!("{}: {}", phrases::short(&record.name), phrases::short(&record.value)),
        )
        .tag("</td></tr>\n");
    }
    page.tag("</tbody></table></div>\n");
    more(page, applying.len(), applying.len());
}

/// How many are not shown of `all`, of which so many are `known`.
fn more(page: &mut Page, all: usize, known: usize) {
    let shown = known.min(MOST_ROWS);
    if all > shown {
        page.element("p class=\"soft\"", &format!("… {} more", all - shown));
    }
}
