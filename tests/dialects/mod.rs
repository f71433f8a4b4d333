//! What the tests of the two dialects share: a question, and the verdict each dialect must give.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use robosift::agents::AgentKind;
use robosift::evaluate::{Basis, Settings, Verdict, judge};
use robosift::parse::Dialect;

/// What decides besides the URL, for tests in which the agent does not matter.
pub const AGENT: &[u8] = b"FooBot";

pub fn settings(dialect: Dialect) -> Settings {
    Settings { dialect, agent_kind: AgentKind::Token, ..Settings::default() }
}

/// A body whose first line is `User-agent: *` and whose second line is `line`.
pub fn body_of(line: &[u8]) -> Vec<u8> {
    [b"User-agent: *\n", line, b"\n"].concat()
}

/// `http://h.test` and a path.
pub fn url(path: &[u8]) -> Vec<u8> {
    [b"http://h.test", path].concat()
}

pub const fn verdict(allowed: Option<bool>, basis: Basis, rule: u32, matching: u32) -> Verdict {
    Verdict { allowed, basis, rule_line: rule, matching_line: matching }
}

pub const fn allowed_by(line: u32) -> Verdict {
    verdict(Some(true), Basis::Rule, line, line)
}

pub const fn denied_by(line: u32) -> Verdict {
    verdict(Some(false), Basis::Rule, line, line)
}

/// No rule matches; an empty one stands on `line`.
pub const fn only_empty_rule(line: u32) -> Verdict {
    verdict(Some(true), Basis::NoRule, 0, line)
}

pub const NO_RULE: Verdict = only_empty_rule(0);
pub const NO_GROUP: Verdict = verdict(Some(true), Basis::NoGroup, 0, 0);
pub const NO_RULES: Verdict = verdict(Some(true), Basis::NoRules, 0, 0);
pub const ROBOTS_TXT: Verdict = verdict(Some(true), Basis::RobotsTxt, 0, 0);
pub const BAD_URL: Verdict = verdict(None, Basis::BadUrl, 0, 0);
pub const BAD_AGENT: Verdict = verdict(None, Basis::BadAgent, 0, 0);

/// Asks for any URL whatever; the dialects answer each for itself.
#[track_caller]
pub fn check_url(body: &[u8], agent: &[u8], url: &[u8], rfc9309: Verdict, google: Verdict) {
    for (dialect, wanted) in [(Dialect::RFC9309, rfc9309), (Dialect::GOOGLE, google)] {
        assert_eq!(
            judge(body, agent, url, &settings(dialect)),
            wanted,
            "{} `{}` for `{}` by\n{}",
            dialect.name,
            url.escape_ascii(),
            agent.escape_ascii(),
            body.escape_ascii(),
        );
    }
}

/// Asks for a path of `http://h.test` for any agent.
#[track_caller]
pub fn differ(body: &[u8], path: &[u8], rfc9309: Verdict, google: Verdict) {
    check_url(body, AGENT, &url(path), rfc9309, google);
}

/// As [`differ`], where the dialects agree.
#[track_caller]
pub fn same(body: &[u8], path: &[u8], wanted: Verdict) {
    differ(body, path, wanted, wanted);
}

/// Asks for a path of `http://h.test` for `agent`, where the dialects agree.
#[track_caller]
pub fn same_for(body: &[u8], agent: &[u8], path: &[u8], wanted: Verdict) {
    check_url(body, agent, &url(path), wanted, wanted);
}
