//! One body, one agent, one URL: the library call without captures or columns.

use std::borrow::Borrow;

use super::Settings;
use super::basis::Basis;
use super::outcome::group;
use super::target::Target;
use crate::compile::{BodyLimit, GroupId, NameKind, Program, compile};
use crate::matching;
use crate::parse::Kind;
use crate::text::origin;
use crate::text::path::{PathTraits, RawPath, google_path};

/// What one body says about one URL for one agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the URL may be crawled; `None` where that is unknown.
    pub allowed: Option<bool>,
    /// What decided.
    pub basis: Basis,
    /// The line of the deciding rule; 0 where none decided.
    pub rule_line: u32,
    /// The line that google/robotstxt reports: the deciding rule's or, where no rule matches, that
    /// of an empty rule; 0 where there is neither.
    pub matching_line: u32,
}

impl Verdict {
    fn without_rule(allowed: Option<bool>, basis: Basis) -> Self {
        Verdict { allowed, basis, rule_line: 0, matching_line: 0 }
    }
}

/// Judges `url` for `agent` by a body that was fetched successfully.
///
/// In a dialect with [`absolute_urls_only`](crate::parse::Dialect::absolute_urls_only), a URL that
/// is not an absolute http(s) URL with a host has basis `bad_url`; in the other, every string has an
/// answer, as Google's matcher gives it, and so has every agent. Basis `not_robots` is told of
/// captures only; here a web page without rules has basis `no_rules`.
///
/// # Complexity
/// Compiles the body: for more than one question compile it once and use [`judge_compiled`], or a
/// [`Corpus`](crate::corpus::Corpus).
///
/// # Examples
/// ```
/// use robosift::evaluate::{Settings, judge};
/// let body = b"User-agent: GPTBot\nDisallow: /\n";
/// let settings = Settings::default();
/// let verdict = judge(body, b"GPTBot", b"https://example.com/a", &settings);
/// assert_eq!((verdict.allowed, verdict.rule_line), (Some(false), 2));
/// ```
#[must_use]
pub fn judge(body: &[u8], agent: &[u8], url: &[u8], settings: &Settings) -> Verdict {
    judge_by(|| compile(body, &settings.dialect, BodyLimit::NONE), agent, url, settings)
}

/// As [`judge`], by a body that was compiled in the dialect of `settings`.
///
/// # Complexity
/// One walk of a group.
#[must_use]
pub fn judge_compiled(program: &Program, agent: &[u8], url: &[u8], settings: &Settings) -> Verdict {
    judge_by(|| program, agent, url, settings)
}

fn judge_by<P: Borrow<Program>>(
    compiled: impl FnOnce() -> P,
    agent: &[u8],
    url: &[u8],
    settings: &Settings,
) -> Verdict {
    let dialect = &settings.dialect;
    let Some(path) = path(url, settings) else {
        return Verdict::without_rule(None, Basis::BadUrl);
    };
    let read = settings.read_agent(agent);
    if read.is_none() && dialect.absolute_urls_only {
        return Verdict::without_rule(None, Basis::BadAgent);
    }
    let mut buffer = Vec::new();
    let path = path.octets(&mut buffer);
    if dialect.robots_txt_allowed && path == b"/robots.txt" {
        return Verdict::without_rule(Some(true), Basis::RobotsTxt);
    }
    let program = compiled();
    let program = program.borrow();
    if program.num_rules() == 0 {
        return Verdict::without_rule(Some(true), Basis::NoRules);
    }
    let group = match &read {
        Some(agent) => group(&program.view(), agent).map(|(group, ..)| group),
        // Google's matcher compares even an empty agent.
        None => program.find(NameKind::Token, agent).or_else(|| program.wildcard()),
    };
    match group {
        None => Verdict::without_rule(Some(true), Basis::NoGroup),
        Some(group) => of_group(program, group, path, settings),
    }
}

fn of_group(program: &Program, group: GroupId, path: &[u8], settings: &Settings) -> Verdict {
    let mut buffer = Vec::new();
    let path = matching::prepare(path, PathTraits::of(path), &settings.dialect, &mut buffer);
    let matching_line = matching::matching_line(program, group, path);
    match matching::best(program, group, path, &mut ()) {
        None => Verdict { matching_line, ..Verdict::without_rule(Some(true), Basis::NoRule) },
        Some(rule) => Verdict {
            allowed: Some(rule.kind == Kind::Allow),
            basis: Basis::Rule,
            rule_line: rule.line,
            matching_line,
        },
    }
}

fn path<'u>(url: &'u [u8], settings: &Settings) -> Option<RawPath<'u>> {
    if !settings.dialect.absolute_urls_only {
        return Some(google_path(url));
    }
    let (target, parts) = Target::of_url(url, settings.dialect.path_start)?;
    origin::write_origin(&parts, &mut Vec::new()).then_some(target.path)
}
