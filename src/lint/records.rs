//! Records that are no rules: sitemaps, delays, signals, and what is no longer read.
//!
//! Enters: a line with its record, and the agents of the group it stands in. Leaves: findings.

use super::code::Code;
use super::finding::{Findings, words};
use super::keys::Record;
use super::lines::Line;
use super::signals;
use super::words::shown;
use crate::parse::UserAgentLine;

/// Beginnings of the names of crawlers whose operators say that they do not read crawl delays.
const NO_DELAY: [&str; 3] = ["googlebot", "yandex", "amazonbot"];

/// Agents of a group that are looked at.
const MOST_AGENTS: usize = 64;

/// Checks a record; `agents` are those of its group, if it stands in one.
pub(super) fn check(
    line: &Line<'_>,
    record: Record,
    agents: Option<&[UserAgentLine<'_>]>,
    findings: &mut Findings,
) {
    match record {
        Record::Sitemap => sitemap(line, findings),
        Record::CrawlDelay => delay(line, agents.unwrap_or_default(), findings),
        Record::Index => index(line, findings),
        Record::Signal(vocabulary) => signals::check(line, vocabulary, findings),
        Record::Obsolete(why) => findings.add(Code::ObsoleteRecord, line.at(line.octets), || {
            words(
                format!("hardly any crawler reads `{}`: {why}", shown(line.field.name)),
                "take it out",
            )
        }),
        Record::Global | Record::Nothing => {}
    }
    let belongs = matches!(record, Record::CrawlDelay | Record::Index | Record::Signal(_));
    if belongs && agents.is_none() {
        findings.add(Code::StrayRecord, line.at(line.octets), || {
            words(
                format!(
                    "`{}` belongs to a group and stands before the first user-agent line",
                    shown(line.field.name)
                ),
                "put it below the user-agent line that it is for, `User-agent: *` for everyone",
            )
        });
    }
}

fn sitemap(line: &Line<'_>, findings: &mut Findings) {
    let value = line.field.value;
    let absolute = ["http://", "https://"].iter().any(|scheme| {
        value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    if !absolute {
        let part = if value.is_empty() { line.octets } else { value };
        findings.add(Code::RelativeSitemap, line.at(part), || {
            words("a sitemap is given as an absolute URL", "write all of it: `https://…`")
        });
    }
}

fn delay(line: &Line<'_>, agents: &[UserAgentLine<'_>], findings: &mut Findings) {
    let value = line.field.value;
    let number = std::str::from_utf8(value).ok().and_then(|text| text.parse::<f64>().ok());
    if number.is_none_or(|seconds| !seconds.is_finite() || seconds < 0.0) {
        let part = if value.is_empty() { line.octets } else { value };
        findings.add(Code::BadDelay, line.at(part), || {
            words(
                format!("`{}` is not a number of seconds", shown(value)),
                "write a number: `Crawl-delay: 10`",
            )
        });
    }
    let agents = agents.iter().take(MOST_AGENTS);
    let ignoring = agents.filter(|agent| agent.is_wildcard() || ignores_delay(agent));
    let Some(agent) = ignoring.min_by_key(|agent| agent.is_wildcard()) else { return };
    findings.add(Code::IgnoredRecord, line.at(line.octets), || match agent.is_wildcard() {
        true => words(
            "crawl delays are no part of RFC 9309: Google, Yandex and Amazon say that they ignore them",
            "nothing, if it is meant for others, such as Bing, Anthropic and Common Crawl, which heed it",
        ),
        false => words(
            format!("`{}` ignores crawl delays, as its operator says", shown(agent.whole_name())),
            "use what the operator offers instead; the line has no effect here",
        ),
    });
}

fn ignores_delay(agent: &UserAgentLine<'_>) -> bool {
    let token = agent.token();
    let begins = |name: &str| {
        token.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name.as_bytes()))
    };
    NO_DELAY.iter().any(|name| begins(name))
}

fn index(line: &Line<'_>, findings: &mut Findings) {
    findings.add(Code::IndexRule, line.at(line.field.name), || {
        words(
            format!("no crawler is known to read `{}` in robots.txt; Google stopped on 2019-09-01", shown(line.field.name)),
            "say it in the page (`<meta name=\"robots\">`) or with the header `X-Robots-Tag`, and let the page be crawled",
        )
    });
}
