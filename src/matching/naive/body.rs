//! From a body to groups of rules.
//!
//! Enters: a body of any octets. Leaves: its groups in order, with rules in the form they are
//! matched in. Cost: one pass. It must not know: agents, URLs, paths.

use super::octets::{Side, escape, normalise, position_of_any, trim, up_to};
use super::{Group, NaiveDialect, Rule};

/// The groups of a body, in order.
pub(super) fn groups(body: &[u8], dialect: NaiveDialect) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (index, line) in lines(without_bom(body)).into_iter().enumerate() {
        match record(line, dialect) {
            Some((Key::UserAgent, value)) => add_name(&mut groups, value),
            Some((key, value)) => {
                // Rules ahead of every user-agent line belong to nobody.
                if let Some(group) = groups.last_mut() {
                    let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
                    group.rules.push(rule(number, key == Key::Allow, value, dialect));
                }
            }
            None => {}
        }
    }
    groups
}

/// Adds a user-agent line to the open group; a group is open until its first rule.
fn add_name(groups: &mut Vec<Group>, value: &[u8]) {
    match groups.last_mut() {
        Some(open) if open.rules.is_empty() => open.names.push(value.to_vec()),
        _ => groups.push(Group { names: vec![value.to_vec()], rules: Vec::new() }),
    }
}

/// A rule in the form it is matched in.
fn rule(line: u32, allow: bool, value: &[u8], dialect: NaiveDialect) -> Rule {
    match dialect {
        NaiveDialect::Rfc9309 => {
            Rule { line, allow, pattern: normalise(value, Side::Pattern), folder: None }
        }
        NaiveDialect::Google => {
            let pattern = escape(value);
            let folder = if allow { folder_of_index(&pattern) } else { None };
            Rule { line, allow, pattern, folder }
        }
    }
}

/// The keys that matter here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    UserAgent,
    Allow,
    Disallow,
}

/// Keys are known by how they begin, in any case.
const KEYS: [(&[u8], Key); 10] = [
    (b"user-agent", Key::UserAgent),
    (b"useragent", Key::UserAgent),
    (b"user agent", Key::UserAgent),
    (b"allow", Key::Allow),
    (b"disallow", Key::Disallow),
    (b"dissallow", Key::Disallow),
    (b"dissalow", Key::Disallow),
    (b"disalow", Key::Disallow),
    (b"diasllow", Key::Disallow),
    (b"disallaw", Key::Disallow),
];

/// Google keeps so many octets of a line.
const GOOGLE_LINE_OCTETS: usize = 2083 * 8 - 1;

/// Drops a UTF-8 byte order mark at the start, or as much of one as is there.
fn without_bom(body: &[u8]) -> &[u8] {
    let marks = body.iter().zip(b"\xEF\xBB\xBF").take_while(|(octet, mark)| octet == mark).count();
    body.get(marks..).unwrap_or_default()
}

/// The lines, without their ends. CR, LF and CRLF each end one line; the last needs no end.
fn lines(body: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = body;
    while let Some(end) = position_of_any(rest, b"\r\n") {
        let (line, after) = rest.split_at(end);
        found.push(line);
        rest = after
            .strip_prefix(b"\r\n")
            .or_else(|| after.strip_prefix(b"\r"))
            .or_else(|| after.strip_prefix(b"\n"))
            .unwrap_or_default();
    }
    found.push(rest);
    found
}

/// Key and value of one line, if it is a user-agent line or a rule.
fn record(line: &[u8], dialect: NaiveDialect) -> Option<(Key, &[u8])> {
    let kept = match dialect {
        NaiveDialect::Google => line.get(..GOOGLE_LINE_OCTETS).unwrap_or(line),
        NaiveDialect::Rfc9309 => line,
    };
    let (name, value) = key_and_value(trim(up_to(kept, b"\0#")))?;
    let begins =
        |start: &[u8]| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let (_, key) = KEYS.iter().find(|(start, _)| begins(start))?;
    Some((*key, value))
}

/// Splits at the first colon; without a colon a line of exactly two words is key and value.
fn key_and_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(colon) = position_of_any(line, b":") {
        let value = line.get(colon + 1..)?;
        return Some((trim(line.get(..colon)?), trim(value)));
    }
    let mut words = line.split(|octet| b" \t".contains(octet)).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some(key), Some(value), None) => Some((trim(key), trim(value))),
        _ => None,
    }
}

/// For an `…/index.htm…` pattern whose last segment that is: `…/$`.
fn folder_of_index(pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = pattern.iter().rposition(|octet| *octet == b'/')?;
    let (folder, index) = pattern.split_at(slash);
    index.starts_with(b"/index.htm").then(|| [folder, b"/$"].concat())
}
