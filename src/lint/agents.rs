//! User-agent lines: whom they name, and whom crawlers take them to name.
//!
//! Enters: user-agent lines in their order. Leaves: findings about names. Keeps each name once.

use std::collections::HashMap;

use super::code::Code;
use super::finding::{Findings, made_words, words};
use super::known::KnownAgents;
use super::lines::Line;
use super::words::{are_exchanged, differ_in_one, find_ignoring_case, shown};
use crate::parse::UserAgentLine;

/// Shortest name that is compared by its spelling, and shortest of which one letter may be wrong: among shorter
/// ones, it makes another crawler.
const MIN_LEN_FOR_SPELLING: usize = 6;
const MIN_LEN_FOR_ONE_LETTER: usize = 8;

/// Octets of a part that tells sister crawlers apart, its `-` included.
const LONGEST_VARIANT: usize = 4;

/// The names that user-agent lines have given so far.
#[derive(Debug)]
pub(super) struct Agents<'k> {
    known: &'k KnownAgents,
    /// In lower case, with the first line and the number of the group.
    seen: HashMap<Vec<u8>, (u32, usize)>,
}

impl<'k> Agents<'k> {
    /// Where these crawlers are known.
    pub(super) fn new(known: &'k KnownAgents) -> Self {
        Agents { known, seen: HashMap::new() }
    }

    /// Checks a user-agent line of the group with this number.
    pub(super) fn check(&mut self, line: &Line<'_>, group: usize, findings: &mut Findings) {
        let agent = UserAgentLine { line: line.number, value: line.field.value };
        let is_odd = is_odd(line, &agent, self.known, findings);
        let is_new = self.is_new(line, &agent, group, findings);
        if !is_odd && !agent.is_wildcard() {
            name(line, &agent, is_new.then_some(self.known), findings);
        }
    }

    /// Whether no line before has named this agent; else that is told.
    fn is_new(
        &mut self,
        line: &Line<'_>,
        agent: &UserAgentLine<'_>,
        group: usize,
        findings: &mut Findings,
    ) -> bool {
        let name = if agent.is_wildcard() { b"*" } else { agent.whole_name() };
        if name.is_empty() {
            return true;
        }
        let entry = self.seen.entry(name.to_ascii_lowercase());
        let (first, in_group) = *entry.or_insert((line.number, group));
        if first == line.number {
            return true;
        }
        findings.add(Code::RepeatedAgent, line.at(line.field.value).with(first, "first named here"), || {
            match in_group == group {
                true => words(
                    format!("`{}` is named twice in this group", shown(name)),
                    "take one of the two lines out",
                ),
                false => words(
                    format!("`{}` has more than one group: their rules count together, but some crawlers read only the first", shown(name)),
                    "make one group of them",
                ),
            }
        });
        false
    }
}

/// Lines that name nobody, or somebody else than it seems.
fn is_odd(
    line: &Line<'_>,
    agent: &UserAgentLine<'_>,
    known: &KnownAgents,
    findings: &mut Findings,
) -> bool {
    let value = agent.value;
    if value.is_empty() {
        findings.add(Code::EmptyAgent, line.at(line.octets), || {
            words(
                "the line names no agent: its rules apply to nobody",
                "write `User-agent: *` for everyone",
            )
        });
        return true;
    }
    if [&b"allow:"[..], b"user-agent:"].iter().any(|key| find_ignoring_case(value, key).is_some()) {
        return true;
    }
    if value != b"*" && agent.whole_name().contains(&b'*') {
        wildcard_in_name(line, agent, findings);
        return true;
    }
    if is_list(agent, known) {
        findings.add(Code::AgentList, line.at(value), || {
            words(
                format!("a line names one agent: this one is read {}", as_read(agent.token())),
                "give each agent a user-agent line of its own, one below the other",
            )
        });
        return true;
    }
    false
}

fn wildcard_in_name(line: &Line<'_>, agent: &UserAgentLine<'_>, findings: &mut Findings) {
    findings.add(Code::AgentWildcard, line.at(agent.value), || match agent.is_wildcard() {
        true => words(
            "the line is read as `*`; what follows it does not count".to_owned(),
            "write `User-agent: *` alone",
        ),
        false => words(
            format!(
                "`*` is no wildcard inside a name: Google's parser reads the line {}",
                as_read(agent.token())
            ),
            "name each crawler by its product token, or everyone with `*` alone",
        ),
    });
}

/// Several names on one line: separated by commas and the like, or known ones by blanks.
fn is_list(agent: &UserAgentLine<'_>, known: &KnownAgents) -> bool {
    let value = agent.value;
    if value.contains(&b'(') || known.has(value) {
        return false;
    }
    let words = || value.split(|octet| octet.is_ascii_whitespace()).filter(|word| !word.is_empty());
    let separated = value.iter().any(|octet| matches!(octet, b',' | b';' | b'|'));
    separated || words().filter(|word| known.has(word)).count() > 1
}

/// A line that names one agent; of the name itself is told where it is new and crawlers are `known`.
fn name(
    line: &Line<'_>,
    agent: &UserAgentLine<'_>,
    known: Option<&KnownAgents>,
    findings: &mut Findings,
) {
    let (name, token) = (agent.whole_name(), agent.token());
    if name.eq_ignore_ascii_case(b"mozilla") {
        return findings.add(Code::AgentVersion, line.at(agent.value), || {
            words(
                "an identification string is read as its first name, `Mozilla`, by which no crawler goes",
                "write the crawler's product token alone",
            )
        });
    }
    if name.len() < agent.value.len() {
        findings.add(Code::AgentVersion, line.at(agent.value), || {
            made_words(
                format!("the line names `{}`; what follows does not count", shown(name)),
                format!("write `User-agent: {}`", shown(name)),
            )
        });
    }
    let Some(known) = known else { return };
    if token.len() < name.len() {
        findings.add(Code::UnnameableAgent, line.at(agent.value), || cut_name(name, token));
    }
    if known.has(name) || known.has(token) {
        return;
    }
    let lower = name.to_ascii_lowercase();
    match alike(&lower, known) {
        Some(meant) => findings.add(Code::MisspeltAgent, line.at(agent.value), || {
            made_words(
                format!("`{}` is not known, but `{meant}` is", shown(name)),
                format!("if that is meant, write `User-agent: {meant}`"),
            )
        }),
        None => findings.add(Code::UnknownAgent, line.at(agent.value), || {
            words(
                format!("`{}` is not among the names of known crawlers", shown(name)),
                "compare it with the name that the crawler's operator gives; nothing, if it is the same",
            )
        }),
    }
}

fn cut_name(name: &[u8], token: &[u8]) -> super::finding::Words {
    let (name, read) = (shown(name), as_read(token));
    words(
        format!(
            "product tokens have only letters, `_` and `-`: Google's parser reads `{name}` {read}"
        ),
        "nothing, if this is the name its operator gives: it is for its own parser to read",
    )
}

/// What a parser makes of a name that it cuts to `token`.
fn as_read(token: &[u8]) -> String {
    match token.is_empty() {
        true => "as no name at all".to_owned(),
        false => format!("as `{}`", shown(token)),
    }
}

/// The known name that `lower` likely misspells: it differs in one letter, or in the order of two.
fn alike<'k>(lower: &[u8], known: &'k KnownAgents) -> Option<&'k str> {
    if lower.len() < MIN_LEN_FOR_SPELLING {
        return None;
    }
    let names = known.beginning_as(lower);
    let is_misspelt = |known: &[u8]| match lower.len() < MIN_LEN_FOR_ONE_LETTER {
        true => are_exchanged(known, lower),
        false => differ_in_one(known, lower) && !is_variant(known, lower),
    };
    names.iter().find(|(known, _)| is_misspelt(known)).map(|(_, name)| name.as_str())
}

/// Names that differ in a short part behind their last `-` are those of sisters: `SemrushBot-SA`.
fn is_variant(known: &[u8], lower: &[u8]) -> bool {
    let last = |name: &[u8]| name.iter().rposition(|octet| *octet == b'-').unwrap_or(name.len());
    let (one, other) = (last(known), last(lower));
    known.get(..one) == lower.get(..other) && known.len() - one <= LONGEST_VARIANT
}
