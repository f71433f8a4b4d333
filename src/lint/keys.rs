//! Keys: known ones, misspelt ones, and how they are joined to their values.
//!
//! Enters: a line with its key and value. Leaves: findings about the key, and which known record it is.

use super::code::Code;
use super::finding::{Findings, made_words, words};
use super::lines::Line;
use super::signals::Vocabulary;
use super::words::{distance, find_ignoring_case, shown};
use crate::parse::Key;

/// What a line is that is neither a user-agent line nor a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Sitemap,
    CrawlDelay,
    /// Whether pages are indexed: `Noindex` and its kind.
    Index,
    Signal(Vocabulary),
    /// Read by hardly anybody today.
    Obsolete(&'static str),
    /// Read by some, anywhere in the file.
    Global,
    /// Not known, or no record.
    Nothing,
}

const USER_AGENT: &str = "user-agent";
const DISALLOW: &str = "disallow";
const ALLOW: &str = "allow";

/// Known records, by their keys in lower case.
const RECORDS: &[(&str, Record)] = &[
    ("sitemap", Record::Sitemap),
    ("crawl-delay", Record::CrawlDelay),
    ("noindex", Record::Index),
    ("nofollow", Record::Index),
    ("noarchive", Record::Index),
    ("nosnippet", Record::Index),
    ("content-signal", Record::Signal(Vocabulary::ContentSignal)),
    ("content-usage", Record::Signal(Vocabulary::ContentUsage)),
    ("host", Record::Obsolete("only Yandex has read it, in the past")),
    ("request-rate", Record::Obsolete("few crawlers ever followed it")),
    ("visit-time", Record::Obsolete("few crawlers ever followed it")),
    ("robot-version", Record::Obsolete("few crawlers ever followed it")),
    ("comment", Record::Obsolete("comments begin with `#`")),
    ("clean-param", Record::Global),
    ("license", Record::Global),
    ("llm-policy", Record::Global),
];

/// Shortest key of which two letters may be wrong.
const MIN_LEN_FOR_TWO: usize = 8;

/// Whether `word` is a known key as it should be written, in any case.
pub(super) fn is_known(word: &[u8]) -> bool {
    let keys = [USER_AGENT, DISALLOW, ALLOW].into_iter().chain(RECORDS.iter().map(|(key, _)| *key));
    keys.into_iter().any(|key| word.eq_ignore_ascii_case(key.as_bytes()))
}

/// Checks the key of a line; what record it is where it is no rule.
pub(super) fn check(line: &Line<'_>, findings: &mut Findings) -> Record {
    let has_colon = has_colon(line);
    two_records(line, findings);
    let meant = match line.field.key {
        Key::UserAgent => USER_AGENT,
        Key::Allow => ALLOW,
        Key::Disallow => DISALLOW,
        Key::Other => return other(line, has_colon, findings),
    };
    spelling(line, meant, findings);
    if !has_colon {
        missing_colon(
            line,
            meant,
            "Google's parser reads the line all the same, others do not",
            findings,
        );
    }
    Record::Nothing
}

fn has_colon(line: &Line<'_>) -> bool {
    let behind = line.octets.get(line.span(line.field.name).end..).unwrap_or_default();
    behind.trim_ascii_start().first() == Some(&b':') || line.octets.starts_with(b":")
}

fn missing_colon(line: &Line<'_>, meant: &str, who: &str, findings: &mut Findings) {
    findings.add(Code::MissingColon, line.at(line.field.name), || {
        let (name, value) = (shown(line.field.name), shown(line.field.value));
        made_words(
            format!("no colon stands between `{name}` and `{value}`: {who}"),
            format!("write `{}: {value}`", proper(meant)),
        )
    });
}

/// How the key of a user-agent line or rule is written.
fn spelling(line: &Line<'_>, meant: &str, findings: &mut Findings) {
    let name = line.field.name;
    if name.eq_ignore_ascii_case(meant.as_bytes()) {
        return;
    }
    let begins =
        name.get(..meant.len()).is_some_and(|head| head.eq_ignore_ascii_case(meant.as_bytes()));
    let remedy = || format!("write `{}`", proper(meant));
    if begins {
        findings.add(Code::KeyTail, line.at(name), || {
            made_words(
                format!("`{}` is read as `{}` by parsers that look at how a key begins, such as Google's, and by no others", shown(name), proper(meant)),
                remedy(),
            )
        });
    } else {
        findings.add(Code::AcceptedTypo, line.at(name), || {
            made_words(
                format!("`{}` is a misspelling of `{}` that Google's parser accepts; RFC 9309 does not ask others to", shown(name), proper(meant)),
                remedy(),
            )
        });
    }
}

/// A key as it is commonly written.
fn proper(key: &str) -> String {
    let mut letters = key.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A line that is no user-agent line and no rule.
fn other(line: &Line<'_>, has_colon: bool, findings: &mut Findings) -> Record {
    let name = String::from_utf8_lossy(line.field.name).to_lowercase();
    if let Some((key, record)) = RECORDS.iter().find(|(key, _)| *key == name) {
        if !has_colon {
            missing_colon(
                line,
                key,
                "some parsers read the line all the same, others do not",
                findings,
            );
        }
        return *record;
    }
    if let Some(url) = url_behind(line, "sitemap") {
        findings.add(Code::MissingColon, line.at(line.field.name), || {
            made_words(
                "no colon stands between key and value: the first one is part of the URL"
                    .to_owned(),
                format!("write `Sitemap: {}`", shown(url)),
            )
        });
        return Record::Nothing;
    }
    if !has_colon || !(is_like_a_key(line.field.name) || meant_key(&name).is_some()) {
        findings.add(Code::NotUnderstood, line.at(line.octets), || {
            words(
                format!(
                    "`{}` is neither a record nor a comment, and is ignored",
                    shown(line.octets.trim_ascii())
                ),
                "begin comments with `#`",
            )
        });
        return Record::Nothing;
    }
    if name == "site-map" || name.starts_with("sitemap") {
        sitemap(line, &name, findings);
        return Record::Sitemap;
    }
    unknown(line, &name, findings);
    Record::Nothing
}

/// Whether an octet of `name` stands in no key that anybody has thought of; a URL's scheme is no key either.
fn is_like_a_key(name: &[u8]) -> bool {
    let is_of_key =
        |octet: &u8| octet.is_ascii_alphanumeric() || matches!(octet, b'-' | b'_' | b' ' | b'.');
    let is_scheme = name.eq_ignore_ascii_case(b"http") || name.eq_ignore_ascii_case(b"https");
    name.iter().all(is_of_key) && !is_scheme
}

/// The URL on a line that begins with `key`, where the first colon is that of its scheme.
fn url_behind<'b>(line: &Line<'b>, key: &str) -> Option<&'b [u8]> {
    let name = line.field.name;
    let begins =
        name.get(..key.len()).is_some_and(|head| head.eq_ignore_ascii_case(key.as_bytes()));
    let rest = name.get(key.len()..).filter(|_| begins)?;
    let scheme = rest.trim_ascii_start();
    let is_scheme = scheme.eq_ignore_ascii_case(b"http") || scheme.eq_ignore_ascii_case(b"https");
    let is_apart = scheme.len() < rest.len() && is_scheme && line.field.value.starts_with(b"//");
    is_apart.then(|| line.octets.get(line.span(scheme).start..)).flatten()
}

/// A sitemap line whose key is not just `Sitemap`.
fn sitemap(line: &Line<'_>, name: &str, findings: &mut Findings) {
    let code = if name == "site-map" { Code::AcceptedTypo } else { Code::KeyTail };
    findings.add(code, line.at(line.field.name), || {
        words(
            format!(
                "`{}` is read as `Sitemap` by Google's parser; others may not know it",
                shown(line.field.name)
            ),
            "write `Sitemap`",
        )
    });
}

/// A key that nobody reads: a misspelling, or something of its own.
fn unknown(line: &Line<'_>, name: &str, findings: &mut Findings) {
    let shown_name = shown(line.field.name);
    match meant_key(name) {
        Some(meant) => findings.add(Code::MisspeltKey, line.at(line.field.name), || {
            made_words(
                format!("`{shown_name}` is not `{}`: the line is ignored", proper(meant)),
                format!("write `{}`", proper(meant)),
            )
        }),
        None => findings.add(Code::UnknownKey, line.at(line.field.name), || {
            words(
                format!("no crawler is known to read `{shown_name}` lines"),
                "take the line out, or make it a comment with `#`",
            )
        }),
    }
}

/// The known key that `name` is most like, if it is like any.
fn meant_key(name: &str) -> Option<&'static str> {
    let plain: String =
        name.chars().map(|c| if matches!(c, '_' | ' ') { '-' } else { c }).collect();
    let keys = [USER_AGENT, DISALLOW, ALLOW].into_iter();
    let keys = keys.chain(RECORDS.iter().map(|(key, _)| *key).filter(|key| key.len() > 4));
    let far = |key: &str| if key.len() >= MIN_LEN_FOR_TWO { 2 } else { 1 };
    let like = keys.filter_map(|key| Some((distance(&plain, key, far(key))?, key)));
    like.min_by_key(|(distance, _)| *distance).map(|(_, key)| key)
}

/// Keys whose records are looked for behind another one.
const NEXT: [&[u8]; 4] = [b"disallow:", b"allow:", b"user-agent:", b"sitemap:"];

/// A second record behind the first one.
fn two_records(line: &Line<'_>, findings: &mut Findings) {
    let Some(second) = second_record(line) else { return };
    findings.add(Code::TwoRecords, line.at(second), || {
        words(
            format!(
                "`{}` stands on the line of another record and is read as part of its value",
                shown(second)
            ),
            "begin a new line there",
        )
    });
}

/// The key of a second record on the line.
pub(super) fn second_record<'b>(line: &Line<'b>) -> Option<&'b [u8]> {
    let value = line.field.value;
    let found = NEXT.iter().filter_map(|key| {
        let at = find_ignoring_case(value, key)?;
        let before = at.checked_sub(1).and_then(|before| value.get(before));
        let apart = before.is_none_or(|octet| matches!(octet, b' ' | b'\t' | b'*'));
        apart.then(|| value.get(at..at + key.len())).flatten()
    });
    found.min_by_key(|key| key.as_ptr().addr())
}
