//! Asking what changed between two bodies, and the plain matcher about what is said.

use robosift::agents::AgentKind;
use robosift::compile::{BodyLimit, compile};
use robosift::diff::{AgentsDiff, Change, diff_bodies};
use robosift::evaluate::{AskedUrl, Settings};
use robosift::matching::naive::{NaiveAnswer, NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;

/// What changed for each of these agents, those with the same outcome together.
pub(crate) fn diff_for(
    old: &[u8],
    new: &[u8],
    agents: &[&str],
    dialect: Dialect,
) -> Vec<AgentsDiff> {
    let settings = Settings { dialect, agent_kind: AgentKind::Token, ..Settings::default() };
    let agents: Vec<_> =
        agents.iter().map(|agent| settings.read_agent(agent.as_bytes()).unwrap()).collect();
    let [old, new] = [old, new].map(|body| compile(body, &dialect, BodyLimit::NONE));
    diff_bodies(old.view(), new.view(), &agents, &settings)
}

/// What changed for one agent.
pub(crate) fn diff(old: &[u8], new: &[u8], agent: &str, dialect: Dialect) -> AgentsDiff {
    diff_for(old, new, &[agent], dialect).remove(0)
}

/// What the plain matcher says of a path.
pub(crate) fn naive(body: &[u8], agent: &str, path: &[u8], dialect: Dialect) -> NaiveAnswer {
    let naive = match dialect.name {
        "google" => NaiveDialect::Google,
        _ => NaiveDialect::Rfc9309,
    };
    NaiveRobots::parse(body, naive).judge_path(agent.as_bytes(), path)
}

/// Each path that is said to have closed or opened did, by the plain matcher and as it stands in a URL; and by the lines that are
/// named.
#[track_caller]
pub(crate) fn check_witnesses(
    old: &[u8],
    new: &[u8],
    agent: &str,
    dialect: Dialect,
    found: &AgentsDiff,
) {
    let check = |change: &Change, was_allowed: bool| {
        let url = [b"https://www.example.com", change.path.as_slice()].concat();
        let settings = Settings { dialect, ..Settings::default() };
        let path = AskedUrl::read(&url, &settings).expect("a URL").path;
        assert_eq!(path, change.path, "the path is not what stands in the URL");
        for (body, by, allowed) in
            [(old, &change.old, was_allowed), (new, &change.new, !was_allowed)]
        {
            let answer = naive(body, agent, &path, dialect);
            let context = format!(
                "{} for {agent} by\n{}\n",
                String::from_utf8_lossy(&path),
                String::from_utf8_lossy(body)
            );
            assert_eq!(answer.allowed, Some(allowed), "{context}");
            assert_eq!(answer.rule_line, by.rule.as_ref().map_or(0, |rule| rule.line), "{context}");
        }
    };
    found.comparison.closed.iter().for_each(|change| check(change, true));
    found.comparison.opened.iter().for_each(|change| check(change, false));
}
