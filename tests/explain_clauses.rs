//! Where the dialects disagree, the clause that makes the difference is named; and saved exchanges of any octets are read or
//! refused.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

use proptest::prelude::*;
use robosift::agents::{Agent, AgentKind};
use robosift::compile::BodyLimit;
use robosift::corpus::{CorpusBuilder, Place, RawCapture};
use robosift::evaluate::Settings;
use robosift::explain::{CLAUSES, Exchange, Explainer, KnownTexts, OtherDialect, decisive};
use robosift::parse::{Dialect, LONG_LINE};
use robosift::text::origin::Origin;

/// What dialect google says where dialect rfc9309 was asked, or the other way round.
fn other(body: &str, agent: &str, url: &str, dialect: Dialect) -> OtherDialect {
    let mut builder = CorpusBuilder::new(dialect, BodyLimit::NONE);
    let mut texts = KnownTexts::default();
    texts.add(body.into());
    let origin = Origin::parse(url.as_bytes()).unwrap();
    builder
        .add(RawCapture {
            place: Place::Origin(origin.as_str().into()),
            body: Some(body.into()),
            ..RawCapture::default()
        })
        .unwrap();
    let corpus = builder.finish().unwrap();
    let settings = Settings { dialect, ..Settings::default() };
    let agent = Agent::parse(agent.as_bytes(), AgentKind::Token, settings.name_rules()).unwrap();
    let mut told = Explainer::new(&corpus, &texts, &settings).explain(url, &[agent], None).unwrap();
    told.agents.remove(0).other.unwrap()
}

/// A body, an agent, a URL, and the clauses that make the difference.
fn cases() -> Vec<(String, &'static str, &'static str, Vec<&'static str>)> {
    let one = |body: &str, agent, url, clause| (body.to_owned(), agent, url, vec![clause]);
    let long = format!("User-agent: *\nDisallow: {}/x\n", " ".repeat(LONG_LINE));
    vec![
        one("User-agent: *\nDisallow: /a%7Eb\n", "a", "https://x.example/a~b", "normalisation"),
        one("User-agent: *\nDisallow: /ä\n", "a", "https://x.example/ä", "normalisation"),
        one("User-agent: AI2Bot\nDisallow: /\n", "AI2Bot", "https://x.example/", "whole_names"),
        one("User-agent: a\nDisallow: /\n", "a/1.0", "https://x.example/", "cut_version"),
        one(
            "User-agent: *\nDisallow: /\n",
            "a",
            "https://x.example/robots.txt",
            "robots_txt_allowed",
        ),
        one(
            "User-agent: *\nAllow: /a/index.html\nDisallow: /a\n",
            "a",
            "https://x.example/a/",
            "index_html",
        ),
        one("User-agent: *\nDisallow: /;b\n", "a", "https://x.example;b/a", "path_start"),
        (long, "a", "https://x.example/x", vec!["line_limit"]),
        // From rfc9309 it takes both: either one alone still refuses. From google each one alone does.
        (
            "User-agent: A1\nDisallow: /\n\nUser-agent: *\nDisallow: /%61\n".to_owned(),
            "A1",
            "https://x.example/a",
            vec!["normalisation", "whole_names"],
        ),
        ("User-agent: *\nDisallow: /a\n".to_owned(), "a", "https://x.example/a", vec![]),
    ]
}

#[test]
fn the_clause_that_makes_the_difference_is_named_in_both_directions() {
    for (body, agent, url, wanted) in cases() {
        for dialect in Dialect::ALL {
            let found = other(&body, agent, url, dialect);
            let mut names: Vec<_> = found.clauses.iter().map(|clause| clause.name).collect();
            names.sort_unstable();
            assert_eq!(names, wanted, "`{}` {agent} {url} {}", body.trim(), dialect.name);
            assert_eq!(found.differs, !wanted.is_empty(), "{url}");
        }
    }
}

#[test]
fn every_flag_has_a_clause_and_all_clauses_make_the_other_dialect() {
    let [rfc9309, google] = Dialect::ALL;
    for (from, to) in [(rfc9309, google), (google, rfc9309)] {
        // The answer is the dialect itself: no single flag makes it, and none can be left out.
        let unnamed = |dialect: &Dialect| Dialect { name: "", ..*dialect };
        assert_eq!(decisive(&from, &to, unnamed).len(), CLAUSES.len());
        assert!(decisive(&from, &from, unnamed).is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn exchanges_of_any_octets_are_read_or_refused(
        parts in proptest::collection::vec(prop_oneof![
            Just(b"HTTP/1.1 301 x\r\nLocation: /a\r\n\r\n".to_vec()),
            Just(b"HTTP/2 100\r\n\r\n".to_vec()),
            Just(b"HTTP/2 401\n\n".to_vec()),
            Just(b"HTTP/1.1 200 Connection established\r\n\r\n".to_vec()),
            Just(b"HTTP/1.1 99999999999999999999\r\n".to_vec()),
            Just(b"\r\n".to_vec()),
            proptest::collection::vec(any::<u8>(), 0..12),
        ], 0..12)
    ) {
        let octets = parts.concat();
        if let Ok(exchange) = Exchange::parse(&octets, "https://x.example") {
            prop_assert!(!exchange.responses.is_empty());
            prop_assert!(octets.ends_with(&exchange.body));
            prop_assert_eq!(exchange.captures().len(), exchange.responses.len());
        }
    }
}
