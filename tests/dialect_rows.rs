//! Bad URLs and bad agents of rows: no verdict, in both dialects, whatever the library would say.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

use arrow::array::{Array, ArrayRef, AsArray, BinaryArray, StringArray};
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;
use std::sync::Arc;

type Row = (Option<bool>, String);

fn corpus(dialect: Dialect) -> Corpus {
    let mut builder = CorpusBuilder::new(dialect, BodyLimit::DEFAULT);
    builder
        .add(RawCapture {
            place: Place::Origin(b"http://h.test".to_vec()),
            body: Some(b"User-agent: *\nDisallow: /\nAllow: /open".to_vec()),
            ..RawCapture::default()
        })
        .unwrap();
    builder.finish().unwrap()
}

/// Verdict and basis of each row.
fn judge(
    dialect: Dialect,
    url: &ArrayRef,
    agent: Option<&ArrayRef>,
    origin: Option<&ArrayRef>,
) -> Vec<Row> {
    let corpus = corpus(dialect);
    let settings = Settings { dialect, ..Settings::default() };
    let asked = match agent {
        None => Asked::parse(["FooBot"], &settings).unwrap(),
        Some(_) => Asked::Column,
    };
    let columns = [VerdictColumn::Allowed, VerdictColumn::Basis];
    let evaluator =
        Evaluator::try_new(&corpus, settings, asked, &columns, Layout::Wide, Suffix::Auto).unwrap();
    let rows = RowColumns::try_new(url, agent, origin).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let batch = evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap();
    assert_eq!(batch.num_rows(), url.len());
    let allowed = batch.column(0).as_boolean();
    let basis = batch.column(1).as_string::<i32>();
    let verdict = |row| allowed.is_valid(row).then(|| allowed.value(row));
    (0..batch.num_rows()).map(|row| (verdict(row), basis.value(row).to_owned())).collect()
}

fn row(allowed: Option<bool>, basis: &str) -> Row {
    (allowed, basis.to_owned())
}

fn texts(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

#[test]
fn a_row_whose_url_is_not_absolute_http_with_a_host_is_a_bad_url_in_both_dialects() {
    let bad = [
        "",
        "/x",
        "//h.test/x",
        "h.test/x",
        "ftp://h.test/x",
        "http:///x",
        "http://",
        "http://?x",
        "https://#x",
        "mailto:x",
        " http://h.test/x",
        "http:/h.test/x",
        "http://user@/x",
        "http://:80/x",
        "http://h.test:70000/x",
        "http://h test/x",
        "http://h.test:x/",
    ];
    let url = texts(&bad.map(Some));
    for dialect in Dialect::ALL {
        assert_eq!(judge(dialect, &url, None, None), vec![row(None, "bad_url"); bad.len()]);
    }
}

#[test]
fn a_null_url_is_a_bad_url_and_the_rows_around_it_are_judged() {
    let url = texts(&[Some("http://h.test/x"), None, Some("http://h.test/open"), None]);
    let wanted = [
        row(Some(false), "rule"),
        row(None, "bad_url"),
        row(Some(true), "rule"),
        row(None, "bad_url"),
    ];
    for dialect in Dialect::ALL {
        assert_eq!(judge(dialect, &url, None, None), wanted);
    }
}

#[test]
fn octets_that_are_not_utf8_are_a_bad_url() {
    let values: [&[u8]; 4] =
        [b"http://h.test/\xE9", b"http://h.test/\xC3\xA9", b"http://\xFF.test/", b"http://h.test/"];
    let url: ArrayRef = Arc::new(BinaryArray::from_iter_values(values));
    for dialect in Dialect::ALL {
        let bases = judge(dialect, &url, None, None).into_iter().map(|(_, basis)| basis);
        let bases: Vec<String> = bases.collect();
        assert_eq!(bases, ["bad_url", "rule", "bad_url", "rule"], "{}", dialect.name);
    }
}

#[test]
fn a_null_or_empty_agent_is_a_bad_agent_behind_a_bad_url_and_before_robots_txt() {
    let good = Some("http://h.test/x");
    let robots = Some("http://h.test/robots.txt");
    let url = texts(&[good, good, None, Some("/x"), robots, robots, good]);
    let agent = texts(&[None, Some(""), None, Some(""), None, Some("FooBot"), Some("FooBot")]);
    let wanted = |robots_txt: Row| {
        let bad_agent = row(None, "bad_agent");
        let bad_url = row(None, "bad_url");
        let rest = [bad_agent.clone(), robots_txt, row(Some(false), "rule")];
        [vec![bad_agent.clone(), bad_agent, bad_url.clone(), bad_url], rest.to_vec()].concat()
    };
    let rfc9309 = judge(Dialect::RFC9309, &url, Some(&agent), None);
    assert_eq!(rfc9309, wanted(row(Some(true), "robots_txt")));
    let google = judge(Dialect::GOOGLE, &url, Some(&agent), None);
    assert_eq!(google, wanted(row(Some(false), "rule")));
}

#[test]
fn robots_txt_and_unknown_origins_follow_the_order_of_bases() {
    let url = texts(&[
        Some("http://h.test/robots.txt"),
        Some("http://other.test/robots.txt"),
        Some("http://other.test/x"),
        Some("https://h.test/x"),
    ]);
    let none = || row(None, "no_capture");
    let robots = || row(Some(true), "robots_txt");
    assert_eq!(judge(Dialect::RFC9309, &url, None, None), [robots(), robots(), none(), none()]);
    let google = [row(Some(false), "rule"), none(), none(), none()];
    assert_eq!(judge(Dialect::GOOGLE, &url, None, None), google);
}

#[test]
fn a_path_with_an_origin_column_needs_an_origin_that_is_one() {
    let url = texts(&[Some("/x"), Some("/open"), Some("/x"), Some("/x"), Some("x"), None]);
    let home = Some("http://h.test");
    let origin = texts(&[home, home, None, Some("h.test"), home, home]);
    let bad = || row(None, "bad_url");
    let (denied, allowed) = (row(Some(false), "rule"), row(Some(true), "rule"));
    for dialect in Dialect::ALL {
        let found = judge(dialect, &url, None, Some(&origin));
        assert_eq!(found, [denied.clone(), allowed.clone(), bad(), bad(), bad(), bad()]);
    }
}
