//! The body as octets: is it text at all, how is it written, how long is it.
//!
//! Enters: the body, the part of it that is read, what was parsed of that. Leaves: findings about the file as a
//! whole, and whether its lines are worth reading.

use memchr::{memchr_iter, memchr2_iter};

use super::Options;
use super::code::Code;
use super::finding::{At, Findings, words};
use crate::parse::{Robots, parse_groups};
use crate::text::lines::{byte_order_mark_len, lines};
use crate::text::sniff;

/// Octets at the beginning by which UTF-16 is known.
const UTF16_LEN: usize = 64;

/// Checks the body as a whole; whether its lines are to be read.
pub(super) fn check(
    body: &[u8],
    text: &[u8],
    robots: &Robots<'_>,
    options: &Options,
    findings: &mut Findings,
) -> bool {
    if is_utf16(text) {
        findings.add(Code::Utf16, At::line(0), || {
            words(
                "the file is written in UTF-16: crawlers read it octet by octet and find no rules",
                "save it as UTF-8 without a byte order mark",
            )
        });
        return false;
    }
    if is_no_robots(text, robots, findings) {
        return false;
    }
    byte_order_mark(text, findings);
    lone_cr(text, findings);
    if body.len() > text.len() {
        over_limit(body, text, robots, options, findings);
    }
    let says_something = text.iter().any(|octet| !octet.is_ascii_whitespace());
    if robots.rules.is_empty() && robots.stray_rules == 0 && says_something {
        findings.add(Code::NoRules, At::line(0), || {
            words(
                "no group has an allow or disallow line: everything is allowed to everyone",
                "nothing, if that is meant",
            )
        });
    }
    true
}

/// A byte order mark of UTF-16, or every second octet NUL.
fn is_utf16(text: &[u8]) -> bool {
    let head = text.get(..UTF16_LEN).unwrap_or(text);
    let (pairs, _) = head.as_chunks::<2>();
    let marked = matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]);
    let ascii = |octet: &u8| *octet != 0 && octet.is_ascii();
    let little = pairs.iter().all(|[low, high]| *high == 0 && ascii(low));
    let big = pairs.iter().all(|[high, low]| *high == 0 && ascii(low));
    marked || (pairs.len() >= 2 && (little || big))
}

/// A web page or no text, in which no rule stands.
fn is_no_robots(text: &[u8], robots: &Robots<'_>, findings: &mut Findings) -> bool {
    let what = match (sniff::is_web_page(text), sniff::is_binary(text)) {
        (true, _) => "a web page",
        (_, true) => "something that is no text",
        _ => return false,
    };
    if !robots.rules.is_empty() {
        return false;
    }
    findings.add(Code::NotRobots, At::line(0), || {
        words(
            format!("this is {what}: crawlers find no rules in it, and everything is allowed"),
            "serve a robots.txt of type text/plain, or status 404 where there is none",
        )
    });
    true
}

fn byte_order_mark(text: &[u8], findings: &mut Findings) {
    let len = byte_order_mark_len(text);
    if len > 0 {
        findings.add(Code::ByteOrderMark, At::line(1), || {
            let begun =
                if len < 3 { "the beginning of a byte order mark" } else { "a byte order mark" };
            words(
                format!("{begun} stands before the first line: some parsers lose that line by it"),
                "save the file as UTF-8 without a byte order mark",
            )
        });
    }
}

/// Lines that end in CR alone: old parsers see one line.
fn lone_cr(text: &[u8], findings: &mut Findings) {
    let is_lone = |at: usize| text.get(at + 1).is_some_and(|next| *next != b'\n');
    let Some(first) = memchr_iter(b'\r', text).find(|at| is_lone(*at)) else { return };
    let count = memchr_iter(b'\r', text).filter(|at| is_lone(*at)).count();
    let line = lines(text.get(..=first).unwrap_or(text)).last().map_or(0, |line| line.number);
    findings.add(Code::LoneCr, At::line(line), || {
        let lines = if count == 1 { "one line ends" } else { "lines end" };
        words(
            format!("{lines} in CR alone: right by RFC 9309, but a parser that knows only LF sees one line"),
            "end lines with LF, or CR and LF",
        )
    });
}

/// What falls past the limit.
fn over_limit(
    body: &[u8],
    text: &[u8],
    robots: &Robots<'_>,
    options: &Options,
    findings: &mut Findings,
) {
    let line = lines(text).last().map_or(0, |line| line.number);
    findings.add(Code::OverLimit, At::line(line), || {
        let lost = parse_groups(body, &options.dialect).rules.len();
        let lost = lost.saturating_sub(robots.rules.len());
        let more = memchr2_iter(b'\n', b'\r', body.get(text.len()..).unwrap_or_default()).next();
        let cut = if more.is_some() { "from this line on" } else { "the end of this line" };
        let least = if options.may_be_beginnings { "at least " } else { "" };
        words(
            format!(
                "the file has {least}{} octets; crawlers read at least {} and may ignore the rest: {cut}, and with it {least}{lost} rules",
                body.len(),
                text.len()
            ),
            "shorten it: unite patterns, drop rules for paths that are gone",
        )
    });
}
