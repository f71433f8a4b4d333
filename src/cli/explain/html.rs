//! An explanation as one web page: no scripts, nothing from elsewhere, readable on a phone, light and dark.
//!
//! Bodies, URLs and agents are hostile: all text goes through [`Page::text`], which escapes it, and the page forbids itself
//! everything but its own style.

use robosift::explain::{AgentStory, AgentVerdict, CaptureStory, Explanation};

use super::html_parts;
use super::listing::visible;
use super::phrases;

const STYLE: &str = include_str!("page.css");

/// Nothing may be loaded, sent or framed; the style stands in the page.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// A page being written.
#[derive(Debug, Default)]
pub(super) struct Page(String);

impl Page {
    /// Appends markup of ours.
    pub(super) fn tag(&mut self, markup: &str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text of anyone: escaped, and control characters written out.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for c in visible(text).chars() {
            match c {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                c => self.0.push(c),
            }
        }
        self
    }

    /// Appends text within an element: `p`, or with a class: `p class="soft"`.
    pub(super) fn element(&mut self, open: &str, text: &str) -> &mut Self {
        let name = open.split(' ').next().unwrap_or_default();
        self.tag(&format!("<{open}>")).text(text).tag(&format!("</{name}>\n"))
    }

    /// A verdict as a badge.
    pub(super) fn badge(&mut self, allowed: Option<bool>) -> &mut Self {
        let verdict = phrases::verdict(allowed);
        self.tag(&format!("<span class=\"badge {verdict}\">{verdict}</span>"))
    }
}

/// The page.
pub(super) fn page(explanation: &Explanation) -> String {
    let mut page = Page::default();
    head(&mut page, explanation);
    page.tag("<body>\n<header>\n").element("h1", &explanation.url);
    page.element("p class=\"soft\"", &phrases::terms(explanation)).tag("</header>\n<main>\n");
    summary(&mut page, explanation);
    explanation.captures.iter().for_each(|story| capture(&mut page, story));
    for (number, story) in explanation.agents.iter().enumerate() {
        let capture = story.capture.and_then(|at| explanation.captures.get(at));
        agent(&mut page, story, capture, number);
    }
    if !explanation.all_agents.is_empty() {
        all_agents(&mut page, &explanation.all_agents);
    }
    page.tag("</main>\n<footer><p>robosift ").text(env!("CARGO_PKG_VERSION"));
    page.tag(" explain</p></footer>\n</body>\n</html>\n");
    page.0
}

fn head(page: &mut Page, explanation: &Explanation) {
    page.tag("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
        .tag("<meta http-equiv=\"Content-Security-Policy\" content=\"")
        .tag(POLICY)
        .tag("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
        .tag("<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
    if let [agent] = explanation.agents.as_slice() {
        page.text(&agent.agent).tag(" ").tag(phrases::verdict(agent.allowed)).tag(": ");
    }
    page.text(&explanation.url).tag("</title>\n<style>\n").tag(STYLE).tag("</style>\n</head>\n");
}

fn summary(page: &mut Page, explanation: &Explanation) {
    page.tag("<section aria-label=\"Verdicts\">\n<ul class=\"verdicts\">\n");
    for (number, agent) in explanation.agents.iter().enumerate() {
        page.tag("<li>").badge(agent.allowed).tag(&format!(" <a href=\"#agent-{number}\">"));
        page.text(&agent.agent)
            .tag("</a> ")
            .element("span class=\"reason\"", &phrases::short(&agent.reason));
        page.tag("</li>\n");
    }
    page.tag("</ul>\n");
    if let Some((given, compared)) = phrases::paths(explanation) {
        page.tag("<dl>\n").element("dt", "path as given").tag("<dd>").element("code", &given);
        page.tag("</dd>\n").element("dt", "path as compared");
        page.tag("<dd>").element("code", &compared).tag("</dd>\n</dl>\n");
    }
    page.tag("</section>\n");
}

fn capture(page: &mut Page, capture: &CaptureStory) {
    page.tag("<section aria-label=\"Capture\">\n<h2><span>");
    page.text(&capture.origin).tag("/robots.txt</span></h2>\n");
    page.element("p", &phrases::capture(capture));
    if !capture.hops.is_empty() {
        page.tag("<dl>\n");
        for hop in &capture.hops {
            let status =
                hop.status.map_or_else(|| "no status".to_owned(), |status| status.to_string());
            page.element("dt", &status).tag("<dd>").element("code", &hop.url).tag(" → ");
            page.element("code", &hop.to).tag("</dd>\n");
        }
        page.tag("</dl>\n");
    }
    page.tag("</section>\n");
}

fn agent(page: &mut Page, agent: &AgentStory, capture: Option<&CaptureStory>, number: usize) {
    page.tag(&format!("<section class=\"agent\" id=\"agent-{number}\">\n<h2><span>"));
    page.text(&agent.agent).tag("</span>").badge(agent.allowed).tag("</h2>\n");
    page.element("p class=\"reason\"", &phrases::short(&agent.reason));
    html_parts::file(page, agent, capture);
    html_parts::rules(page, agent);
    html_parts::groups(page, agent);
    html_parts::other(page, agent);
    html_parts::records(page, agent);
    if let Some(operator) = &agent.operator {
        page.element("h3", "Who runs it");
        page.element("p", &format!("{}: {}", operator.name, operator.purpose));
        let honours = &operator.honours_robots;
        let said = format!("says it honours robots.txt: {honours} ({})", operator.confidence);
        page.element("p", &said);
    }
    agent.notes.iter().for_each(|note| {
        page.element("p class=\"note\"", note);
    });
    page.tag("</section>\n");
}

fn all_agents(page: &mut Page, verdicts: &[AgentVerdict]) {
    let count = |wanted| verdicts.iter().filter(|verdict| verdict.allowed == wanted).count();
    let counted = [(Some(false), "disallowed"), (Some(true), "allowed"), (None, "unknown")]
        .map(|(wanted, word)| format!("{} {word}", count(wanted)));
    page.tag("<section id=\"all-agents\">\n<details><summary>");
    page.element("h2", &format!("All {} known agents", verdicts.len()));
    page.element("span class=\"soft\"", &counted.join(", ")).tag("</summary>\n");
    page.tag(
        "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr><th>agent</th><th>verdict</th>",
    );
    page.tag("<th>decided by</th><th>group</th></tr></thead>\n<tbody>\n");
    for verdict in verdicts {
        page.tag("<tr>").element("td", &verdict.agent);
        page.tag("<td>").badge(verdict.allowed).tag("</td>");
        page.element("td", &decided_by(verdict));
        page.element("td", verdict.kind.map_or("", |kind| kind.name())).tag("</tr>\n");
    }
    page.tag("</tbody></table></div>\n</details>\n</section>\n");
}

fn decided_by(verdict: &AgentVerdict) -> String {
    match verdict.line {
        Some(line) => format!("line {line}"),
        None => verdict.basis.name().replace('_', " "),
    }
}
