//! Agents: the cases of `data/cases-agents/agents.toml`, the registry file, hostile strings.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

use std::time::{Duration, Instant};

use base64::Engine;
use proptest::prelude::*;
use robosift::agents::browser_words::is_browser_word;
use robosift::agents::{Agent, AgentKind, AgentName, MAX_NAMES, NameRules, registry};
use serde::Deserialize;

const RFC9309: NameRules = NameRules { cut_version: true, whole_names: true };
const GOOGLE: NameRules = NameRules { cut_version: false, whole_names: false };

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// One case; the fields are explained at the head of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    text: Option<String>,
    text_base64: Option<String>,
    kind: String,
    dialect: Option<String>,
    names: Option<Vec<String>>,
    #[serde(default)]
    bad: bool,
    suffix: Option<String>,
    unnameable: Option<bool>,
    why: String,
}

impl Case {
    fn octets(&self) -> Vec<u8> {
        match (&self.text, &self.text_base64) {
            (Some(text), None) => text.clone().into_bytes(),
            (None, Some(text)) => base64::prelude::BASE64_STANDARD.decode(text).unwrap(),
            _ => panic!("give text or text_base64: {}", self.why),
        }
    }

    fn kind(&self) -> AgentKind {
        match self.kind.as_str() {
            "token" => AgentKind::Token,
            "header" => AgentKind::Header,
            "auto" => AgentKind::Auto,
            other => panic!("unknown kind {other}"),
        }
    }

    fn dialects(&self) -> &[(&'static str, NameRules)] {
        const BOTH: [(&str, NameRules); 2] = [("rfc9309", RFC9309), ("google", GOOGLE)];
        match self.dialect.as_deref() {
            Some("rfc9309") => &BOTH[..1],
            Some("google") => &BOTH[1..],
            None => &BOTH,
            Some(other) => panic!("unknown dialect {other}"),
        }
    }

    fn check(&self, dialect: &str, rules: NameRules) {
        let octets = self.octets();
        let about = format!("{:?} ({dialect}): {}", String::from_utf8_lossy(&octets), self.why);
        let agent = Agent::parse(&octets, self.kind(), rules);
        assert_eq!(agent.is_none(), self.bad, "{about}");
        let Some(agent) = agent else { return };
        assert_eq!(Some(readable(agent.names())), self.names, "{about}");
        agent.names().iter().for_each(assert_classified);
        assert_eq!(agent.label(), String::from_utf8_lossy(&octets), "{about}");
        if let Some(suffix) = &self.suffix {
            assert_eq!(&agent.suffix(), suffix, "{about}");
        }
        if let Some(unnameable) = self.unnameable {
            assert_eq!(agent.has_unnameable_name(), unnameable, "{about}");
        }
    }
}

fn readable(names: &[AgentName]) -> Vec<String> {
    names.iter().map(|name| String::from_utf8_lossy(name.as_bytes()).into_owned()).collect()
}

/// Names are lower case, not empty, and of the kind that their octets say.
fn assert_classified(name: &AgentName) {
    let is_token =
        |octets: &[u8]| octets.iter().all(|o| b"_-".contains(o) || o.is_ascii_alphabetic());
    match name {
        AgentName::Wildcard => {}
        AgentName::Token(octets) => assert!(is_token(octets), "{name:?}"),
        AgentName::Whole(octets) => assert!(!is_token(octets), "{name:?}"),
    }
    assert!(!name.as_bytes().is_empty());
    assert!(!name.as_bytes().iter().any(u8::is_ascii_uppercase), "{name:?}");
}

#[test]
fn every_case_reads_as_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/cases-agents/agents.toml");
    let cases: Cases = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(cases.case.len() >= 50, "the file holds {} cases", cases.case.len());
    for case in &cases.case {
        for (dialect, rules) in case.dialects() {
            case.check(dialect, *rules);
        }
    }
}

#[test]
fn registry_file_is_sound() {
    let names = registry::names();
    assert_eq!(registry::version(), "2026-11-30");
    assert!(names.len() > 150, "{} names", names.len());
    let lower: Vec<_> = names.iter().map(|name| name.to_ascii_lowercase()).collect();
    for (pair, name) in lower.windows(2).zip(&lower[1..]) {
        assert!(pair[0] < pair[1], "sorted, once each, ignoring case: {name}");
    }
    for name in names {
        let is_word = |o: u8| o.is_ascii_alphanumeric() || b"_.-".contains(&o);
        let words: Vec<_> = name.split(' ').collect();
        assert!(words.iter().all(|word| !word.is_empty() && word.bytes().all(is_word)), "{name}");
        assert!(!is_browser_word(name.as_bytes()), "{name} is a browser word");
    }
}

#[test]
fn each_known_name_is_found_in_a_header() {
    for name in registry::names() {
        for text in [format!("{name}/1.0 (+https://example.com/)"), format!("(x; {name}; y)")] {
            let agent = Agent::parse(text.as_bytes(), AgentKind::Auto, RFC9309).unwrap();
            assert_eq!(readable(agent.names())[0], name.to_ascii_lowercase(), "in {text:?}");
        }
    }
}

#[test]
fn browser_words_ignore_case() {
    for word in ["Mozilla", "AppleWebKit", "KHTML", "Gecko", "Chrome", "Safari", "Version", "Edg"] {
        assert!(is_browser_word(word.as_bytes()), "{word}");
        assert!(is_browser_word(word.to_uppercase().as_bytes()), "{word}");
    }
    for word in ["", "GPTBot", "Mozill", "Mozilla5", "curl"] {
        assert!(!is_browser_word(word.as_bytes()), "{word}");
    }
}

/// A megabyte of whatever costs most; quadratic reading would take hours. The bound is loose,
/// for a busy machine.
#[test]
fn long_hostile_strings_are_read_in_linear_time() {
    let units = [
        "(",
        ")",
        "a/1 ",
        "a",
        "/",
        "@",
        "compatible;",
        "compatible;x",
        "(compatible; ",
        "compatible ",
        "http://",
        "+http://(",
        "http://x ",
        "Kangaroo ",
        "ChatGPT Agent ",
        "netEstate Imprint ",
        "GPTBot/1.0 ",
        "a.b-c_d ",
        ";",
        " ",
        "x/y/z;",
        "\u{e9}/1 ",
        "v1 ",
    ];
    for unit in units {
        let text = format!("({}", unit.repeat((1 << 20) / unit.len()));
        let start = Instant::now();
        let agent = Agent::parse(text.as_bytes(), AgentKind::Auto, RFC9309).unwrap();
        assert!(start.elapsed() < Duration::from_secs(5), "{unit:?}: {:?}", start.elapsed());
        assert!(agent.names().len() <= 2, "{unit:?}: {} names", agent.names().len());
    }
}

#[test]
fn many_distinct_products_are_capped() {
    let text: String = (0..100_000).map(|n| format!("p{n}/1 ")).collect();
    let agent = Agent::parse(text.as_bytes(), AgentKind::Header, GOOGLE).unwrap();
    assert_eq!(agent.names().len(), MAX_NAMES);
    assert_eq!(agent.suffix(), "p0");
}

/// Strings made of the pieces that the reader knows, and of any octets.
fn hostile_text() -> impl Strategy<Value = Vec<u8>> {
    let known = concat!(
        "(|)|;|/|/1.0|compatible|compatible;|Mozilla/5.0|GPTBot|Kangaroo Bot|ChatGPT|Agent|http://|",
        "+http|www.|@|*|Foo|AI2Bot|\u{e9}|\0|\"|,|v2|_|-|.| "
    );
    let known: Vec<Vec<u8>> = known.split('|').map(Vec::from).collect();
    let piece = prop_oneof![
        4 => prop::sample::select(known),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_octets_give_few_sound_names(
        text in hostile_text(),
        kind in prop::sample::select(&[AgentKind::Token, AgentKind::Header, AgentKind::Auto][..]),
        is_google in any::<bool>(),
    ) {
        let rules = if is_google { GOOGLE } else { RFC9309 };
        if let Some(agent) = Agent::parse(&text, kind, rules) {
            prop_assert!(agent.names().len() <= MAX_NAMES);
            agent.names().iter().for_each(assert_classified);
            for (at, name) in agent.names().iter().enumerate() {
                prop_assert!(!agent.names()[..at].contains(name), "{name:?} twice");
            }
            if kind == AgentKind::Header {
                prop_assert!(!agent.names().contains(&AgentName::Wildcard));
            }
            let suffix = agent.suffix();
            prop_assert!(!suffix.is_empty());
            prop_assert!(suffix.bytes().all(|o| matches!(o, b'a'..=b'z' | b'0'..=b'9' | b'_')));
            prop_assert!(is_google || !agent.has_unnameable_name());
        } else {
            let is_blank = |o: &u8| matches!(o, b' ' | b'\t'..=b'\r');
            prop_assert!(text.iter().all(is_blank) || (kind != AgentKind::Header && !is_google));
        }
    }

    /// A header names no more in one dialect than in the other.
    #[test]
    fn headers_read_alike_in_both_dialects(text in hostile_text()) {
        let names = |rules| {
            Agent::parse(&text, AgentKind::Header, rules).map(|agent| agent.names().to_vec())
        };
        prop_assert_eq!(names(RFC9309), names(GOOGLE));
    }
}
