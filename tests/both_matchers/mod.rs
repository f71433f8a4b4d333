//! One question to the compiled matcher and to the plain one, answers in one form.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

use robosift::agents::{Agent, AgentKind, AgentName};
use robosift::compile::{
    BodyLimit, FormChoice, GroupId, NameKind, Program, compile, compile_in_form,
};
use robosift::evaluate::{Settings, judge};
use robosift::matching::naive::{NaiveAnswer, NaiveDialect, NaiveRobots};
use robosift::matching::{best, matching_line, prepare};
use robosift::parse::{Dialect, Kind};
use robosift::text::origin;
use robosift::text::path::{PathTraits, google_path, google_path_after, path_after_authority};

/// The dialects under the names of both matchers.
pub const DIALECTS: [(Dialect, NaiveDialect); 2] =
    [(Dialect::RFC9309, NaiveDialect::Rfc9309), (Dialect::GOOGLE, NaiveDialect::Google)];

pub fn settings(dialect: Dialect) -> Settings {
    Settings { dialect, agent_kind: AgentKind::Token, ..Settings::default() }
}

/// What the library call says, without the specificity, which it does not tell.
pub fn judged(body: &[u8], agent: &[u8], url: &[u8], dialect: Dialect) -> NaiveAnswer {
    let verdict = judge(body, agent, url, &settings(dialect));
    NaiveAnswer {
        allowed: verdict.allowed,
        basis: verdict.basis.name(),
        rule_line: verdict.rule_line,
        matching_line: verdict.matching_line,
        specificity: 0,
    }
}

/// A body compiled once in every form, for many questions.
pub struct Compiled {
    /// As it is compiled for use.
    pub program: Program,
    /// With every group laid out as if it had few rules, and as if it had many.
    forced: [Program; 2],
    settings: Settings,
}

impl Compiled {
    pub fn new(body: &[u8], dialect: Dialect) -> Self {
        let program = compile(body, &dialect, BodyLimit::NONE);
        let forced = [FormChoice::ForFew, FormChoice::ForMany]
            .map(|choice| compile_in_form(body, &dialect, BodyLimit::NONE, choice));
        Compiled { program, forced, settings: settings(dialect) }
    }

    /// The group of this agent, asked for in the program itself.
    pub fn group(&self, agent: &[u8]) -> Option<GroupId> {
        let read = Agent::parse(agent, AgentKind::Token, self.settings.name_rules());
        let find = |name: &AgentName| match name {
            AgentName::Wildcard => None,
            AgentName::Token(token) => self.program.find(NameKind::Token, token),
            AgentName::Whole(name) => self.program.find(NameKind::Whole, name),
        };
        let named = match &read {
            Some(agent) => agent.names().iter().find_map(find),
            None => self.program.find(NameKind::Token, agent),
        };
        named.or_else(|| self.program.wildcard())
    }

    /// The deciding rule's facts, by the program alone; nothing of what a basis other than
    /// `no_rules`, `no_group`, `no_rule` and `rule` says.
    pub fn answer(&self, agent: &[u8], url: &[u8]) -> NaiveAnswer {
        let open = |basis| NaiveAnswer {
            allowed: Some(true),
            basis,
            rule_line: 0,
            matching_line: 0,
            specificity: 0,
        };
        if self.program.num_rules() == 0 {
            return open("no_rules");
        }
        let Some(group) = self.group(agent) else { return open("no_group") };
        let (mut headed, mut normalised) = (Vec::new(), Vec::new());
        let raw = match self.settings.dialect.absolute_urls_only {
            true => {
                let rest = origin::split(url).map_or(&b""[..], |parts| parts.rest);
                path_after_authority(rest, PathTraits::of(rest))
            }
            false => {
                let path = google_path(url);
                if let Some(parts) = origin::split(url) {
                    let traits = PathTraits::of(parts.rest);
                    assert_eq!(google_path_after(url, parts.rest, traits), path);
                }
                path
            }
        };
        let path = raw.octets(&mut headed);
        let path = prepare(path, PathTraits::of(path), &self.settings.dialect, &mut normalised);
        let matching_line = matching_line(&self.program, group, path);
        let decided = best(&self.program, group, path, &mut ());
        // Names and groups have the same numbers in every form.
        for forced in &self.forced {
            let other = best(forced, group, path, &mut ());
            assert_eq!(other, decided, "`{}` in {:?}", path.escape_ascii(), forced.group(group));
        }
        match decided {
            None => NaiveAnswer { matching_line, ..open("no_rule") },
            Some(rule) => NaiveAnswer {
                allowed: Some(rule.kind == Kind::Allow),
                rule_line: rule.line,
                matching_line,
                specificity: rule.specificity(),
                ..open("rule")
            },
        }
    }
}

/// Checks the library call, and the program where it has a say, against the plain matcher.
pub fn compare(
    body: &[u8],
    agent: &[u8],
    url: &[u8],
    compiled: &Compiled,
    naive: &NaiveRobots,
) -> Result<NaiveAnswer, String> {
    let wanted = naive.judge(agent, url);
    let judged = judged(body, agent, url, compiled.settings.dialect);
    let complain = |who: &str, found: NaiveAnswer| {
        let name = compiled.settings.dialect.name;
        let (agent, url, body) = (agent.escape_ascii(), url.escape_ascii(), body.escape_ascii());
        Err(format!(
            "{name}, `{agent}`, `{url}`, {who}\n  {found:?}, naive\n  {wanted:?}, body\n  {body}"
        ))
    };
    if judged != (NaiveAnswer { specificity: 0, ..wanted }) {
        return complain("judge", judged);
    }
    if matches!(wanted.basis, "rule" | "no_rule" | "no_group" | "no_rules") {
        let answer = compiled.answer(agent, url);
        if answer != wanted {
            return complain("program", answer);
        }
    }
    Ok(wanted)
}
