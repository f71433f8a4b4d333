//! The pattern of one rule, looked at by itself.
//!
//! Enters: an allow or disallow line. Leaves: findings about its pattern.

use memchr::{memchr, memmem};

use super::code::Code;
use super::finding::{At, Findings, made_words, words};
use super::keys::second_record;
use super::lines::Line;
use super::words::shown;
use crate::parse::Kind;

/// Names of places that are better not told of, as segments of a path; those of common software, which
/// everybody knows, are not among them.
const SENSITIVE: &[&str] = &[
    ".env",
    ".git",
    ".svn",
    "admin",
    "administration",
    "administrator",
    "backend",
    "backup",
    "backups",
    "confidential",
    "credentials",
    "database",
    "dump",
    "dumps",
    "hidden",
    "internal",
    "intranet",
    "logs",
    "passwords",
    "phpmyadmin",
    "private",
    "secret",
    "secrets",
    "sql",
    "staging",
    "tmp",
];

/// What patterns do not have and regular expressions do.
const EXPRESSIONS: &[&[u8]] =
    &[b"(.*)", b".*)", b"(.+)", b"\\.", b"\\?", b"\\/", b"\\d", b"[0-9", b"[a-z", b"[^"];

/// Checks the pattern of a rule.
pub(super) fn check(line: &Line<'_>, kind: Kind, findings: &mut Findings) {
    let pattern = line.field.value;
    hash(line, findings);
    if pattern.is_empty() {
        return;
    }
    blank(line, findings);
    dollar(line, findings);
    star(line, findings);
    expression(line, findings);
    root(line, findings);
    if kind == Kind::Disallow {
        sensitive(line, findings);
    }
}

/// Where the pattern begins.
fn root(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    if matches!(pattern, [b'/' | b'*', ..]) {
        return;
    }
    let is_url = ["http://", "https://"].iter().find(|scheme| {
        pattern.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme.as_bytes()))
    });
    let Some(scheme) = is_url else {
        return findings.add(Code::UnrootedPattern, line.at(pattern), || {
            made_words(
                format!("`{}` starts with neither `/` nor `*` and matches nothing", shown(pattern)),
                rooted(pattern),
            )
        });
    };
    let behind = pattern.get(scheme.len()..).unwrap_or_default();
    let path = memchr(b'/', behind).and_then(|slash| behind.get(slash..)).unwrap_or(b"/");
    findings.add(Code::AbsoluteUrl, line.at(pattern), || {
        made_words(
            "a pattern is compared with the path of a URL: a whole URL matches nothing",
            format!(
                "write the path: `{}`; a file speaks only for the host that serves it",
                shown(path)
            ),
        )
    });
}

/// How a pattern without a beginning is to be written.
fn rooted(pattern: &[u8]) -> String {
    match pattern.first() {
        Some(b'.' | b'?' | b'&' | b'=') => {
            format!("write `/*{}`, if it may stand anywhere in a path", shown(pattern))
        }
        Some(first) if !first.is_ascii() => "take out what stands before the first `/`".to_owned(),
        _ => format!("write `/{}`", shown(pattern)),
    }
}

/// Blanks inside.
fn blank(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    let Some(at) = pattern.iter().position(u8::is_ascii_whitespace) else { return };
    if second_record(line).is_some() {
        return;
    }
    let behind = pattern.get(at..).unwrap_or_default().trim_ascii_start();
    findings.add(Code::BlankInPattern, line.at(pattern), || match behind.first() {
        Some(b'/' | b'*') => words(
            "a rule has one pattern; this one, blanks and all, matches hardly any URL",
            "make a rule of each pattern",
        ),
        _ => words(
            "a blank stands in the pattern; in URLs blanks are written `%20`",
            "write `%20`, or begin comments with `#`",
        ),
    });
}

/// `$` before the end.
fn dollar(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    let Some(at) = memchr(b'$', pattern).filter(|at| at + 1 < pattern.len()) else { return };
    let at = At { span: line.span(pattern.get(at..=at).unwrap_or_default()), ..line.at(pattern) };
    findings.add(Code::InnerDollar, at, || {
        words(
            "a `$` anchors only where it ends the pattern; here it is a plain dollar sign",
            "nothing, if that is meant; else take it out, or what follows it",
        )
    });
}

/// A star that says no more than the end does.
fn star(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    let (text, end) = match pattern {
        [text @ .., b'*', b'$'] => (text, "*$"),
        [text @ .., b'*'] => (text, "*"),
        _ => return,
    };
    if text.is_empty() {
        return;
    }
    let at = line.at(pattern.get(text.len()..).unwrap_or_default());
    findings.add(Code::NeedlessStar, at, || {
        words(
            format!("a pattern matches whatever begins with it: `{end}` at its end only makes it count for more octets"),
            "nothing; or leave it out, where no other rule comes near",
        )
    });
}

fn expression(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    let found = EXPRESSIONS.iter().find_map(|sign| {
        let at = memmem::find(pattern, sign)?;
        pattern.get(at..at + sign.len())
    });
    let caret = pattern.get(..1).filter(|first| *first == b"^");
    let Some(sign) = caret.or(found) else { return };
    findings.add(Code::RegularExpression, line.at(sign), || {
        words(
            format!(
                "patterns are no regular expressions: `{}` stands for itself, but for its `*`",
                shown(sign)
            ),
            "use `*` for any octets and `$` for the end; nothing else is special",
        )
    });
}

/// A comment that begins where a pattern goes on.
fn hash(line: &Line<'_>, findings: &mut Findings) {
    let end = line.span(line.field.value).end;
    let is_inside = !line.field.value.is_empty() && line.octets.get(end) == Some(&b'#');
    if is_inside {
        let at = At { span: end..line.octets.len(), ..line.at(line.field.value) };
        findings.add(Code::HashInPattern, at, || {
            made_words(
                format!("`#` begins a comment: the pattern is `{}`", shown(line.field.value)),
                "fragments never reach a server; for the octet itself write `%23`, for a comment put a blank before it".to_owned(),
            )
        });
    }
}

/// A place that is better not told of.
fn sensitive(line: &Line<'_>, findings: &mut Findings) {
    let pattern = line.field.value;
    let segments = pattern.split(|octet| matches!(octet, b'/' | b'*' | b'$' | b'?'));
    let is_told = |segment: &&[u8]| {
        SENSITIVE.iter().any(|name| segment.eq_ignore_ascii_case(name.as_bytes()))
    };
    let Some(segment) = segments.into_iter().find(is_told) else { return };
    findings.add(Code::SensitivePath, line.at(segment), || {
        words(
            format!("everybody can read this file: the rule tells of `{}`", shown(segment)),
            "protect the place by a login, whether it is listed or not",
        )
    });
}
