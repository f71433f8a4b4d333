//! Fallback chains: the cases of `data/cases-agents/fallback.toml` through the library call and through
//! batches of every shape, and made-up bodies and chains against the plain matcher.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;

use std::path::Path;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, RecordBatch, StringArray};
use random::Random;
use robosift::agents::AgentKind;
use robosift::agents::registry::Registry;
use robosift::compile::{BodyLimit, Wanted};
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{
    Asked, Evaluator, Fallback, Layout, RowColumns, Scratch, Settings, Suffix, Tally,
    VerdictColumn, judge,
};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;
use serde::Deserialize;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

/// One case; the fields are explained at the head of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    robots: String,
    agent: String,
    dialect: Option<String>,
    path: Option<String>,
    allowed: bool,
    basis: String,
    group: Option<String>,
    token: Option<String>,
    none: Option<bool>,
    why: String,
}

/// Verdict, basis, group, name that matched.
type Told = (Option<bool>, String, Option<String>, Option<String>);

const FULL: [VerdictColumn; 4] =
    [VerdictColumn::Allowed, VerdictColumn::Basis, VerdictColumn::Group, VerdictColumn::Token];
const STANDARD: &[VerdictColumn] = &VerdictColumn::STANDARD;

fn settings(dialect: Dialect, fallback: Fallback) -> Settings {
    Settings { dialect, fallback, ..Settings::default() }
}

fn corpus(bodies: &[Vec<u8>], dialect: Dialect, wanted: Wanted) -> Corpus {
    let mut builder = CorpusBuilder::new(dialect, BodyLimit::DEFAULT).with_wanted(wanted);
    for (nth, body) in bodies.iter().enumerate() {
        let place = Place::Origin(format!("https://o{nth}.example").into_bytes());
        builder
            .add(RawCapture { place, body: Some(body.clone()), ..RawCapture::default() })
            .unwrap();
    }
    builder.finish().unwrap()
}

/// The verdict columns of these URLs, for one agent, as the argument or as a column names it.
fn evaluated(
    corpus: &Corpus,
    settings: &Settings,
    columns: &[VerdictColumn],
    urls: &[String],
    agent: &str,
    by_column: bool,
) -> RecordBatch {
    let asked = match by_column {
        true => Asked::Column,
        false => Asked::parse([agent], settings).unwrap(),
    };
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    let evaluator =
        Evaluator::try_new(corpus, settings.clone(), asked, columns, layout, suffix).unwrap();
    let url: ArrayRef = Arc::new(urls.iter().map(Some).collect::<StringArray>());
    let agents: ArrayRef = Arc::new(urls.iter().map(|_| Some(agent)).collect::<StringArray>());
    let agents = by_column.then_some(&agents);
    let rows = RowColumns::try_new(&url, agents, None).unwrap();
    evaluator.evaluate(&rows, 0, &mut Scratch::default(), &mut Tally::default()).unwrap()
}

fn told(table: &RecordBatch, row: usize) -> Told {
    let text = |name: &str| {
        let column = table.column_by_name(name)?.as_string::<i32>();
        column.is_valid(row).then(|| column.value(row).to_owned())
    };
    let allowed = table.column(0).as_boolean();
    let allowed = allowed.is_valid(row).then(|| allowed.value(row));
    (allowed, text("robots_basis").unwrap(), text("robots_group"), text("robots_token"))
}

impl Case {
    fn dialects(&self) -> &[Dialect] {
        match self.dialect.as_deref() {
            None => &Dialect::ALL,
            Some("rfc9309") => &[Dialect::RFC9309],
            Some("google") => &[Dialect::GOOGLE],
            Some(other) => panic!("unknown dialect {other}"),
        }
    }

    fn check(&self, dialect: Dialect) {
        let about = format!("{} ({}): {}", self.agent, dialect.name, self.why);
        let url = format!("https://o0.example{}", self.path.as_deref().unwrap_or("/x"));
        let documented = settings(dialect, Fallback::Documented);
        let verdict =
            judge(self.robots.as_bytes(), self.agent.as_bytes(), url.as_bytes(), &documented);
        assert_eq!(
            (verdict.allowed, verdict.basis.name()),
            (Some(self.allowed), &*self.basis),
            "{about}"
        );
        let none = settings(dialect, Fallback::None);
        let without = judge(self.robots.as_bytes(), self.agent.as_bytes(), url.as_bytes(), &none);
        assert_eq!(without.allowed, Some(self.none.unwrap_or(self.allowed)), "none, {about}");
        let expected =
            (Some(self.allowed), self.basis.clone(), self.group.clone(), self.token.clone());
        let asked = Asked::parse([&*self.agent], &documented).unwrap();
        let bodies = [self.robots.clone().into_bytes()];
        for (wanted, by_column) in
            [(asked.wanted(), false), (Wanted::All, false), (Wanted::All, true)]
        {
            let corpus = corpus(&bodies, dialect, wanted);
            let urls = [url.clone()];
            let table = evaluated(&corpus, &documented, &FULL, &urls, &self.agent, by_column);
            assert_eq!(told(&table, 0), expected, "{about}");
            let table = evaluated(&corpus, &documented, STANDARD, &urls, &self.agent, by_column);
            let (allowed, basis, group, _) = expected.clone();
            assert_eq!(told(&table, 0), (allowed, basis, group, None), "{about}");
        }
    }
}

#[test]
fn every_case_is_judged_as_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/cases-agents/fallback.toml");
    let cases: Cases = toml::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    assert!(cases.case.len() >= 25, "the file holds {} cases", cases.case.len());
    for case in &cases.case {
        case.dialects().iter().for_each(|dialect| case.check(*dialect));
    }
}

/// The groups of a chain are compiled where it counts, and a corpus without them is refused.
#[test]
fn a_corpus_compiled_for_agents_without_their_chains_is_refused() {
    let [none, documented] =
        [Fallback::None, Fallback::Documented].map(|fallback| settings(Dialect::RFC9309, fallback));
    let bodies = [b"User-agent: Googlebot\nDisallow: /x\n".to_vec()];
    let refusal = |wanted: &Settings, settings: &Settings| {
        let wanted = Asked::parse(["Applebot"], wanted).unwrap().wanted();
        let corpus = corpus(&bodies, Dialect::RFC9309, wanted);
        let asked = Asked::parse(["Applebot"], settings).unwrap();
        let (layout, suffix) = (Layout::Wide, Suffix::Auto);
        Evaluator::try_new(&corpus, settings.clone(), asked, STANDARD, layout, suffix).err()
    };
    assert_eq!(refusal(&documented, &documented), None);
    assert_eq!(refusal(&documented, &none), None);
    let error = refusal(&none, &documented).unwrap().to_string();
    assert!(error.contains("Applebot"), "{error}");
}

const NAMES: [&str; 6] = ["ann", "bob", "cid", "dot.bot", "eve bot", "zed"];

/// A registry in which `ann` goes by some of the others; what it says of her, apart.
fn registry(random: &mut Random) -> (Registry, Vec<&'static str>, bool) {
    let mut order = vec!["ann"];
    for _ in 0..random.below(4) {
        let name = random.pick(&NAMES);
        if !order.contains(&name) {
            order.push(name);
        }
    }
    let star_ignored = random.one_in(3);
    let mut written: Vec<String> = order.iter().map(|name| format!("\"{name}\"")).collect();
    let wildcard = if star_ignored { "no" } else { "yes" };
    if !star_ignored {
        written.push("\"*\"".to_owned());
    }
    let text = format!(
        "[[agent]]\ntoken = \"Ann\"\nlookup_order = [{}]\nhonours_wildcard = \"{wildcard}\"\n",
        written.join(", ")
    );
    let registry = Registry::with_text(Path::new("made-up.toml"), &text).unwrap();
    (registry, order, star_ignored)
}

fn body(random: &mut Random) -> Vec<u8> {
    let lines = [
        "User-agent: Ann",
        "User-agent: bob/1",
        "User-agent: CID",
        "User-agent: dot.bot",
        "User-agent: Eve Bot",
        "User-agent: *",
        "User-agent: other",
        "User-agent: eve",
        "Disallow: /x",
        "Disallow: /",
        "Allow: /x",
        "Disallow: /*y",
        "Allow: /y$",
        "Disallow:",
        "Sitemap: /s",
    ];
    let lines: Vec<&str> = (0..random.below(14)).map(|_| random.pick(&lines)).collect();
    lines.join("\n").into_bytes()
}

/// Verdicts and lines, by rows that jump from origin to origin, by rows in order, and by the call for one.
#[test]
fn made_up_chains_are_judged_as_the_plain_matcher_does() {
    let mut groups = [0; 4];
    for seed in 0..600 {
        let random = &mut Random::new(seed);
        let (dialect, naive) = random.pick(&[
            (Dialect::RFC9309, NaiveDialect::Rfc9309),
            (Dialect::GOOGLE, NaiveDialect::Google),
        ]);
        let (registry, order, star_ignored) = registry(random);
        let bodies: Vec<Vec<u8>> = (0..8).map(|_| body(random)).collect();
        let documented = Settings {
            registry,
            agent_kind: AgentKind::Token,
            ..settings(dialect, Fallback::Documented)
        };
        let wanted = Asked::parse(["ann"], &documented).unwrap().wanted();
        let wanted = if random.one_in(2) { wanted } else { Wanted::All };
        let corpus = corpus(&bodies, dialect, wanted);
        let rows: Vec<(usize, &str)> =
            (0..40).map(|row| (row % 8, random.pick(&["/x", "/y", "/xy", "/"]))).collect();
        let urls: Vec<String> =
            rows.iter().map(|(origin, path)| format!("https://o{origin}.example{path}")).collect();
        let scattered = evaluated(&corpus, &documented, STANDARD, &urls, "ann", false);
        let full = evaluated(&corpus, &documented, &FULL, &urls, "ann", false);
        let ids = scattered.column_by_name("robots_rule_id").unwrap();
        let ids = ids.as_primitive::<arrow::datatypes::Int64Type>();
        let names: Vec<&[u8]> = order.iter().map(|name| name.as_bytes()).collect();
        for (row, (origin, path)) in rows.iter().enumerate() {
            let robots = NaiveRobots::parse(&bodies[*origin], naive);
            let expected = robots.judge_in_order(&names, star_ignored, path.as_bytes());
            let about = format!(
                "seed {seed}, {}, {order:?}, {path} of\n{}",
                dialect.name,
                bodies[*origin].escape_ascii()
            );
            let told_full = told(&full, row);
            assert_eq!((told_full.0, &*told_full.1), (expected.allowed, expected.basis), "{about}");
            let (allowed, basis, group, _) = told_full.clone();
            assert_eq!(told(&scattered, row), (allowed, basis, group, None), "{about}");
            let line = if ids.is_valid(row) { ids.value(row) & 0xFFFF_FFFF } else { 0 };
            assert_eq!(line, i64::from(expected.rule_line), "{about}");
            let one = judge(&bodies[*origin], b"Ann", urls[row].as_bytes(), &documented);
            let found = (one.allowed, one.basis.name(), one.rule_line, one.matching_line);
            let wanted =
                (expected.allowed, expected.basis, expected.rule_line, expected.matching_line);
            assert_eq!(found, wanted, "{about}");
            let kind = ["named", "fallback", "wildcard"];
            let kind = kind.iter().position(|kind| told_full.2.as_deref() == Some(kind));
            groups[kind.unwrap_or(3)] += 1;
            check_group(&told_full, &order, star_ignored, &about);
        }
    }
    assert!(groups.iter().all(|count| *count > 500), "{groups:?}");
}

/// Kind of group and name agree with the order.
fn check_group((_, _, group, token): &Told, order: &[&str], star_ignored: bool, about: &str) {
    match (group.as_deref(), token.as_deref()) {
        (None, None) => {}
        (Some("named"), Some("ann")) => {}
        (Some("fallback"), Some(name)) => assert!(order[1..].contains(&name), "{name}: {about}"),
        (Some("wildcard"), Some("*")) => assert!(!star_ignored, "{about}"),
        other => panic!("{other:?}: {about}"),
    }
}
