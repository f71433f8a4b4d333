//! A second, deliberately plain matcher: the oracle of the property tests.
//!
//! Written from the text of RFC 9309 and, for [`NaiveDialect::Google`], from the behaviour of
//! Google's published matcher. It shares no code with the rest of the crate, so that an error made
//! there is not repeated here.
//!
//! Enters: a robots body, an agent, a URL or a path, all of any octets. Leaves: a [`NaiveAnswer`].
//! Cost: one pass over the body to parse; for a question at most octets of the group's patterns
//! times octets of the path (each position of the path is kept at most once, nothing is tried
//! twice). It allocates freely. It must not know: captures, statuses, body limits, columns, or any
//! other module of this crate.

mod body;
mod octets;
mod url;

use octets::{Side, is_star, normalise, token, trim_end, up_to};

/// Which of the two readings of a robots body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NaiveDialect {
    /// RFC 9309: both sides are normalised before they are compared.
    Rfc9309,
    /// Google's published matcher, with its limits and its leniencies.
    Google,
}

/// The answer of the plain matcher.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NaiveAnswer {
    /// The verdict; `None` where there is none (`bad_url`, `bad_agent`).
    pub allowed: Option<bool>,
    /// What decided: `bad_url`, `bad_agent`, `robots_txt`, `no_rules`, `no_group`, `no_rule` or
    /// `rule`.
    pub basis: &'static str,
    /// Line of the deciding rule, from 1; 0 when no rule decides.
    pub rule_line: u32,
    /// Line of the best matching rule, counting an empty pattern as a match of no octets; 0 when
    /// none matches or no group was asked.
    pub matching_line: u32,
    /// Octets of the normalised pattern of the deciding rule; 0 when no rule decides.
    pub specificity: u32,
}

/// Judges a URL for one agent, given as a token.
///
/// In [`NaiveDialect::Google`] every URL has an answer. In [`NaiveDialect::Rfc9309`] a URL that is
/// not absolute http or https with a host is `bad_url`, and an empty agent is `bad_agent`.
/// Cost: parses the body, then octets of body times octets of path at most.
pub fn judge(body: &[u8], agent: &[u8], url: &[u8], dialect: NaiveDialect) -> NaiveAnswer {
    NaiveRobots::parse(body, dialect).judge(agent, url)
}

/// Judges a path (octets from `/` on, fragment already dropped) for one agent.
///
/// Like [`judge`], but without any question of what a URL is.
pub fn judge_path(body: &[u8], agent: &[u8], path: &[u8], dialect: NaiveDialect) -> NaiveAnswer {
    NaiveRobots::parse(body, dialect).judge_path(agent, path)
}

/// A body read once, for many questions.
#[derive(Clone, Debug)]
pub struct NaiveRobots {
    dialect: NaiveDialect,
    groups: Vec<Group>,
}

/// A stack of user-agent lines and the rules below it.
#[derive(Clone, Debug)]
struct Group {
    /// Whole values of the user-agent lines, trimmed.
    names: Vec<Vec<u8>>,
    rules: Vec<Rule>,
}

/// An allow or disallow line.
#[derive(Clone, Debug)]
struct Rule {
    line: u32,
    allow: bool,
    /// Normalised; `*` and a final `$` are always special here.
    pattern: Vec<u8>,
    /// Tried when `pattern` does not match: what an index.htm rule says of its folder.
    folder: Option<Vec<u8>>,
}

impl NaiveRobots {
    /// Reads a body of any octets. Never fails.
    pub fn parse(body: &[u8], dialect: NaiveDialect) -> Self {
        NaiveRobots { dialect, groups: body::groups(body, dialect) }
    }

    /// Judges a URL; see [`judge`].
    pub fn judge(&self, agent: &[u8], url: &[u8]) -> NaiveAnswer {
        match self.dialect {
            NaiveDialect::Google => self.judge_path(agent, &url::google_path(url)),
            NaiveDialect::Rfc9309 => match url::rfc_path(url) {
                Some(path) => self.judge_path(agent, &path),
                None => without_rule(None, "bad_url"),
            },
        }
    }

    /// Judges a path; see [`judge_path`].
    pub fn judge_path(&self, agent: &[u8], path: &[u8]) -> NaiveAnswer {
        match self.dialect {
            NaiveDialect::Google => self.ask(agent, up_to(path, b"\0")),
            NaiveDialect::Rfc9309 => {
                let agent = trim_end(up_to(agent, b"/"));
                if agent.is_empty() {
                    without_rule(None, "bad_agent")
                } else if path == b"/robots.txt" {
                    without_rule(Some(true), "robots_txt")
                } else {
                    self.ask(agent, &normalise(path, Side::Path))
                }
            }
        }
    }

    /// Judges a path as of the first of these agents, tokens without a version, that a group names; where none does, by
    /// the `*` groups unless `star_ignored`. Nothing is said of `/robots.txt`.
    pub fn judge_in_order(&self, agents: &[&[u8]], star_ignored: bool, path: &[u8]) -> NaiveAnswer {
        let is_named = |agent: &&&[u8]| self.groups.iter().any(|g| g.is_named(agent, self.dialect));
        let normalised = match self.dialect {
            NaiveDialect::Google => up_to(path, b"\0").to_vec(),
            NaiveDialect::Rfc9309 => normalise(path, Side::Path),
        };
        match agents.iter().find(is_named) {
            Some(agent) => self.ask(agent, &normalised),
            None if star_ignored => self.answer(&[], &normalised),
            None => self.ask(b"*", &normalised),
        }
    }

    /// What the groups say; agent and path are as they are compared.
    fn ask(&self, agent: &[u8], path: &[u8]) -> NaiveAnswer {
        let own: Vec<&Group> =
            self.groups.iter().filter(|group| group.is_named(agent, self.dialect)).collect();
        let wildcard: Vec<&Group> =
            self.groups.iter().filter(|group| group.is_wildcard()).collect();
        let asked = if own.is_empty() { wildcard } else { own };
        self.answer(&asked, path)
    }

    /// What these groups say.
    fn answer(&self, asked: &[&Group], path: &[u8]) -> NaiveAnswer {
        if self.groups.iter().all(|group| group.rules.is_empty()) {
            without_rule(Some(true), "no_rules")
        } else if asked.is_empty() {
            without_rule(Some(true), "no_group")
        } else {
            best_rule(asked, path)
        }
    }
}

impl Group {
    fn is_wildcard(&self) -> bool {
        self.names.iter().any(|value| is_star(value))
    }

    /// Whether a user-agent line names this agent. A `*` line names nobody.
    fn is_named(&self, agent: &[u8], dialect: NaiveDialect) -> bool {
        self.names.iter().filter(|value| !is_star(value)).any(|value| match dialect {
            NaiveDialect::Google => token(value).eq_ignore_ascii_case(agent),
            NaiveDialect::Rfc9309 if agent == b"*" => false,
            NaiveDialect::Rfc9309 if token(agent) == agent => {
                token(value).eq_ignore_ascii_case(agent)
            }
            NaiveDialect::Rfc9309 => trim_end(up_to(value, b"/(")).eq_ignore_ascii_case(agent),
        })
    }
}

/// The most specific matching rule of the groups; among equals an allow, then the first line.
fn best_rule(groups: &[&Group], path: &[u8]) -> NaiveAnswer {
    let mut answer = without_rule(Some(true), "no_rule");
    let mut best: Option<(usize, bool)> = None;
    for rule in groups.iter().flat_map(|group| &group.rules) {
        let Some(octets) = rule.matched_octets(path) else { continue };
        // Tuples compare octets first, then allow (true) over disallow (false).
        if best.is_some_and(|held| held >= (octets, rule.allow)) {
            continue;
        }
        best = Some((octets, rule.allow));
        answer.matching_line = rule.line;
        if octets > 0 {
            answer.allowed = Some(rule.allow);
            answer.basis = "rule";
            answer.rule_line = rule.line;
            answer.specificity = u32::try_from(octets).unwrap_or(u32::MAX);
        }
    }
    answer
}

impl Rule {
    /// Octets of the pattern that matches; 0 for an empty pattern, `None` when none matches.
    fn matched_octets(&self, path: &[u8]) -> Option<usize> {
        [Some(&self.pattern), self.folder.as_ref()]
            .into_iter()
            .flatten()
            .find(|pattern| matches(pattern, path))
            .map(Vec::len)
    }
}

/// Whether a pattern matches a path from its start on.
///
/// Holds the set of path positions that the pattern read so far can end at, in ascending order.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.split_last() {
        Some((b'$', rest)) => (rest, true),
        _ => (pattern, false),
    };
    let mut ends = vec![0];
    for octet in pattern {
        match (octet, ends.first()) {
            (_, None) => return false,
            (b'*', Some(first)) => ends = (*first..=path.len()).collect(),
            _ => {
                ends.retain(|end| path.get(*end) == Some(octet));
                ends.iter_mut().for_each(|end| *end += 1);
            }
        }
    }
    if anchored { ends.last() == Some(&path.len()) } else { !ends.is_empty() }
}

fn without_rule(allowed: Option<bool>, basis: &'static str) -> NaiveAnswer {
    NaiveAnswer { allowed, basis, rule_line: 0, matching_line: 0, specificity: 0 }
}
