//! A registry file as people write it → checked entries and sets.
//!
//! Enters: the text of a file, TOML; any octets that are text. Leaves: [`FileContents`], or an error
//! that names the line. Cost: linear in the text, once a file. Must not know: other files; merging is
//! the registry's.

use std::collections::HashSet;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use super::super::MAX_NAMES;
use super::entry::{Confidence, Entry, Honours, Purpose, Status};
use super::error::RegistryError;
use super::sets::{AgentSet, Members};

/// What a file holds, checked.
#[derive(Debug, Default)]
pub(super) struct FileContents {
    pub(super) version: String,
    /// Each with the line that it begins in.
    pub(super) entries: Vec<(usize, Entry)>,
    pub(super) sets: Vec<AgentSet>,
}

/// Reads the text of the file at `path`, which is for messages only.
///
/// # Errors
/// What is no TOML, fields and words that are not known, and what contradicts itself.
pub(super) fn read(path: &Path, text: &str) -> Result<FileContents, RegistryError> {
    let written: Written = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| line_at(text, span.start));
        RegistryError::new(path, line, error.message())
    })?;
    let mut names = HashSet::new();
    let as_of = written.as_of.unwrap_or_default();
    let entries = written.agent.into_iter().map(|agent| {
        let line = line_at(text, agent.token.span().start);
        let entry = agent.checked(&as_of);
        let entry = entry.and_then(|entry| only_once(&mut names, entry));
        entry.map(|entry| (line, entry)).map_err(|what| RegistryError::new(path, Some(line), what))
    });
    let entries = entries.collect::<Result<_, _>>()?;
    let mut names = HashSet::new();
    let sets = written.set.into_iter().map(|set| {
        let line = line_at(text, set.name.span().start);
        let set = set.checked().and_then(|set| match names.insert(set.name.clone()) {
            true => Ok(set),
            false => Err(format!("a second set `{}`: one of them has to go", set.name)),
        });
        set.map_err(|what| RegistryError::new(path, Some(line), what))
    });
    let sets = sets.collect::<Result<_, _>>()?;
    Ok(FileContents { version: written.version.unwrap_or_default(), entries, sets })
}

/// A file as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: Option<String>,
    as_of: Option<String>,
    #[serde(default)]
    agent: Vec<WrittenEntry>,
    #[serde(default)]
    set: Vec<WrittenSet>,
}

/// An entry as written: all but the token may be left out.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    token: Spanned<String>,
    operator: Option<String>,
    purpose: Option<Purpose>,
    #[serde(default)]
    also: Vec<Purpose>,
    status: Option<Status>,
    crawls: Option<bool>,
    #[serde(default)]
    aliases: Vec<String>,
    honours_robots: Option<Honours>,
    lookup_order: Option<Vec<String>>,
    honours_wildcard: Option<HonoursWildcard>,
    confidence: Option<Confidence>,
    source: Option<String>,
    as_of: Option<String>,
    note: Option<String>,
}

#[derive(Clone, Copy, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum HonoursWildcard {
    Yes,
    No,
    Unknown,
}

/// A set as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSet {
    name: Spanned<String>,
    about: Option<String>,
    source: Option<String>,
    agents: Option<Vec<String>>,
    purposes: Option<Vec<Purpose>>,
    #[serde(default)]
    except: Vec<String>,
}

impl WrittenEntry {
    fn checked(self, as_of: &str) -> Result<Entry, String> {
        let token = self.token.into_inner();
        let honours_wildcard = match self.honours_wildcard.unwrap_or(HonoursWildcard::Yes) {
            HonoursWildcard::Yes => Some(true),
            HonoursWildcard::No => Some(false),
            HonoursWildcard::Unknown => None,
        };
        let usual = || match honours_wildcard {
            Some(true) => vec![token.clone(), "*".to_owned()],
            _ => vec![token.clone()],
        };
        let lookup_order = self.lookup_order.unwrap_or_else(usual);
        check_name(&token)?;
        self.aliases.iter().try_for_each(|alias| check_name(alias))?;
        check_order(&token, &lookup_order, honours_wildcard)?;
        Ok(Entry {
            operator: self.operator.unwrap_or_else(|| "unknown".to_owned()),
            purpose: self.purpose.unwrap_or(Purpose::Undocumented),
            also: self.also,
            status: self.status.unwrap_or(Status::Active),
            crawls: self.crawls.unwrap_or(true),
            aliases: self.aliases,
            honours_robots: self.honours_robots.unwrap_or(Honours::Unclear),
            lookup_order,
            honours_wildcard,
            confidence: self.confidence.unwrap_or(Confidence::Recalled),
            source: self.source.unwrap_or_default(),
            as_of: self.as_of.unwrap_or_else(|| as_of.to_owned()),
            note: self.note.unwrap_or_default(),
            token,
        })
    }
}

impl WrittenSet {
    fn checked(self) -> Result<AgentSet, String> {
        let name = self.name.into_inner();
        let is_word = |octet: u8| octet.is_ascii_lowercase() || octet.is_ascii_digit();
        if name.is_empty() || !name.bytes().all(|octet| is_word(octet) || octet == b'-') {
            return Err(format!("`{name}` cannot name a set: use a-z, 0-9 and -, without the @"));
        }
        let members = match (self.agents, self.purposes) {
            (Some(agents), None) if self.except.is_empty() => {
                let mut named = agents.iter().filter(|agent| *agent != "*");
                named.try_for_each(|agent| check_name(agent))?;
                Members::Listed(agents)
            }
            (None, Some(purposes)) => Members::ByPurpose { purposes, except: self.except },
            _ => {
                return Err(format!(
                    "set `{name}`: give either `agents`, or `purposes` and, if need be, `except`"
                ));
            }
        };
        let (about, source) = (self.about.unwrap_or_default(), self.source.unwrap_or_default());
        Ok(AgentSet { name, about, source, members })
    }
}

/// What can stand in a user-agent line and be asked for as a token: a name that is cut nowhere.
fn check_name(name: &str) -> Result<(), String> {
    let is_unfit = |octet: u8| octet.is_ascii_control() || b"/()@*,#".contains(&octet);
    if name.is_empty() || name.trim() != name || name.bytes().any(is_unfit) {
        return Err(format!(
            "`{}` cannot be the name of an agent: give a product token such as GPTBot, without version or blanks around it",
            name.escape_default()
        ));
    }
    Ok(())
}

fn check_order(token: &str, order: &[String], wildcard: Option<bool>) -> Result<(), String> {
    let (ends_with_star, names) = match order.split_last() {
        Some((last, names)) if last == "*" => (true, names),
        _ => (false, order),
    };
    names.iter().try_for_each(|name| check_name(name))?;
    let begins = names.first().is_some_and(|first| first.eq_ignore_ascii_case(token));
    if !begins || names.len() > MAX_NAMES {
        return Err(format!(
            "the lookup_order of {token} has to begin with {token} and to have at most {MAX_NAMES} names"
        ));
    }
    match (wildcard, ends_with_star) {
        (Some(true), false) => Err(format!(
            "the lookup_order of {token} has to end with \"*\", or honours_wildcard to be \"no\" or \"unknown\""
        )),
        (Some(false), true) => Err(format!(
            "{token} has \"*\" in its lookup_order, but honours_wildcard = \"no\": drop one of them"
        )),
        _ => Ok(()),
    }
}

/// Refuses a name that an entry before had.
fn only_once(names: &mut HashSet<String>, entry: Entry) -> Result<Entry, String> {
    let twice = entry.names().find(|name| !names.insert(name.to_ascii_lowercase()));
    match twice {
        None => Ok(entry),
        Some(name) => Err(format!("`{name}` is named twice in this file: one of them has to go")),
    }
}

/// The line, from 1, of the octet at `at`.
fn line_at(text: &str, at: usize) -> usize {
    let before = text.as_bytes().get(..at).unwrap_or_default();
    before.iter().filter(|octet| **octet == b'\n').count() + 1
}
