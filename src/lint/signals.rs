//! Signals of how content may be used: the two records that carry them, and their vocabularies.
//!
//! Enters: a `Content-Signal` or `Content-Usage` line. Leaves: findings about names and values that the vocabulary
//! does not have. What a signal means is not known here.

use super::code::Code;
use super::finding::{Findings, words};
use super::lines::Line;
use super::words::shown;

/// Which record, and so which names and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// `Content-Signal: search=yes, ai-train=no`, as Cloudflare writes it.
    ContentSignal,
    /// `Content-Usage: train-ai=n`, of the IETF's drafts (draft-ietf-aipref-vocab-07).
    ContentUsage,
}

type Names = &'static [(&'static str, &'static [&'static str])];

const YES_NO: &[&str] = &["yes", "no"];
const Y_N: &[&str] = &["y", "n"];

const CONTENT_SIGNAL: Names = &[
    ("search", YES_NO),
    ("ai-input", YES_NO),
    ("ai-train", YES_NO),
    ("use", &["immediate", "reference", "full"]),
];

const CONTENT_USAGE: Names = &[("train-ai", Y_N), ("search", Y_N)];

/// Names that earlier drafts of Content-Usage had.
const FORMER: &[&str] = &["all", "bots", "tdm", "ai", "genai", "ai-use", "ai-output", "inference"];

impl Vocabulary {
    fn names(self) -> Names {
        match self {
            Vocabulary::ContentSignal => CONTENT_SIGNAL,
            Vocabulary::ContentUsage => CONTENT_USAGE,
        }
    }
}

/// Checks the signals of a line.
pub(super) fn check(line: &Line<'_>, vocabulary: Vocabulary, findings: &mut Findings) {
    let signals = without_path(line.field.value);
    for signal in signals.split(|octet| *octet == b',').map(<[u8]>::trim_ascii) {
        one(line, signal, vocabulary, findings);
    }
}

/// The signals behind a path, which both records may begin with.
fn without_path(value: &[u8]) -> &[u8] {
    if !value.starts_with(b"/") {
        return value;
    }
    let blank = value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len());
    value.get(blank..).unwrap_or_default()
}

fn one(line: &Line<'_>, signal: &[u8], vocabulary: Vocabulary, findings: &mut Findings) {
    let part = if signal.is_empty() { line.octets } else { signal };
    let mut halves = signal.splitn(2, |octet| *octet == b'=');
    let name = halves.next().unwrap_or_default().trim_ascii();
    let value =
        halves.next().map(|value| value.split(|octet| *octet == b';').next().unwrap_or(value));
    let found =
        vocabulary.names().iter().find(|(known, _)| name.eq_ignore_ascii_case(known.as_bytes()));
    let Some((known, values)) = found else {
        return findings.add(Code::UnknownSignal, line.at(part), || unknown_name(name, vocabulary));
    };
    let value = value.map(<[u8]>::trim_ascii);
    let is_known =
        value.is_some_and(|value| values.iter().any(|v| value.eq_ignore_ascii_case(v.as_bytes())));
    if !is_known {
        findings.add(Code::UnknownSignalValue, line.at(part), || {
            words(
                format!(
                    "`{known}` is {}; `{}` says nothing",
                    values.join(" or "),
                    shown(value.unwrap_or_default())
                ),
                "write one of these values behind `=`",
            )
        });
    }
}

fn unknown_name(name: &[u8], vocabulary: Vocabulary) -> super::finding::Words {
    let names: Vec<&str> = vocabulary.names().iter().map(|(name, _)| *name).collect();
    let former = FORMER.iter().any(|former| name.eq_ignore_ascii_case(former.as_bytes()));
    let what = match (former && vocabulary == Vocabulary::ContentUsage, name.is_empty()) {
        (true, _) => format!("`{}` was in an earlier draft and is no longer", shown(name)),
        (_, true) => "a signal is missing".to_owned(),
        _ => format!("`{}` is no known signal", shown(name)),
    };
    words(
        format!("{what}; known are {}", names.join(", ")),
        "write a known name; what is unknown says nothing",
    )
}
