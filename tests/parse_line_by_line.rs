//! Reading a body in one pass says what its lines say one by one: made-up bodies of few octets, so
//! that separators meet in every way, and the real files. The seed is fixed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/shared_data.rs"]
mod shared_data;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use robosift::parse::{Dialect, Key, Kind, LONG_LINE, Robots, field, parse, parse_groups};
use robosift::table::{BatchLimits, Octets, ParquetFile};
use robosift::text::lines::lines;
use robosift::text::marks::for_each_mark;

/// A line: its number, what kind it is, its key where that is kept, and its value.
type Said<'b> = (u32, Key, &'b [u8], &'b [u8]);

/// What the lines of a body say, one after the other, by their definition.
fn line_by_line<'b>(body: &'b [u8], dialect: &Dialect) -> Vec<Said<'b>> {
    let said = lines(body).filter_map(|line| {
        let kept = line.octets.len().min(dialect.line_limit.unwrap_or(usize::MAX));
        let field = field(&line.octets[..kept])?;
        let name = if field.key == Key::Other { field.name } else { b"" };
        Some((line.number, field.key, name, field.value))
    });
    let mut in_group = false;
    let counts = |said: &Said<'_>| {
        in_group |= said.1 == Key::UserAgent;
        in_group || said.1 == Key::Other
    };
    let mut said: Vec<Said<'b>> = said.collect();
    said.retain(counts);
    said
}

/// The same of a parsed body.
fn in_order<'b>(robots: &Robots<'b>) -> Vec<Said<'b>> {
    let agents = robots.user_agents.iter().map(|a| (a.line, Key::UserAgent, &b""[..], a.value));
    let rules = robots.rules.iter().map(|rule| {
        let key = if rule.kind == Kind::Allow { Key::Allow } else { Key::Disallow };
        (rule.line, key, &b""[..], rule.pattern)
    });
    let records = robots.records.iter().map(|r| (r.line, Key::Other, r.name, r.value));
    let mut said: Vec<Said<'b>> = agents.chain(rules).chain(records).collect();
    said.sort_by_key(|said| said.0);
    said
}

fn check(body: &[u8]) {
    for dialect in Dialect::ALL {
        let wanted = line_by_line(body, &dialect);
        let robots = parse(body, &dialect);
        assert_eq!(in_order(&robots), wanted, "{}", body.escape_ascii());
        let long = lines(body).filter(|line| line.octets.len() > LONG_LINE).count();
        assert_eq!(robots.long_lines as usize, long);
        let is_plain = |o: &u8| matches!(o, b' '..=0x7F | b'\n' | b'\r' | b'\t');
        assert_eq!(robots.is_plain_text, body.iter().all(is_plain), "{}", body.escape_ascii());
        let groups = parse_groups(body, &dialect);
        assert_eq!(groups, Robots { records: Vec::new(), ..robots });
    }
}

fn check_marks(text: &[u8]) {
    let is_marked = |octet: &u8| matches!(octet, 0..=0x08 | 0x0A..=0x1F | b'#');
    let wanted: Vec<usize> = (0..text.len()).filter(|at| is_marked(&text[*at])).collect();
    let mut places = Vec::new();
    let is_ascii = for_each_mark(text, |at| places.push(at));
    assert_eq!(places, wanted);
    assert_eq!(is_ascii, text.is_ascii());
}

fn piece() -> impl Strategy<Value = Vec<u8>> {
    let pieces: &[&[u8]] = &[
        b"\n",
        b"\n",
        b"\n",
        b"\r\n",
        b"\r",
        b":",
        b":",
        b" ",
        b"  ",
        b"\t",
        b"#",
        b"\0",
        b"\x0B",
        b"\x0C",
        b"\xC3\xA9",
        b"\xEF",
        b"\xEF\xBB\xBF",
        b"-",
        b"\x1A",
        b"\x0D",
        b"/",
        b"/a",
        b"*",
        b"Disallow",
        b"Disallow: /",
        b"disallow:",
        b"DISALLOW :/x ",
        b"Disallo",
        b"Disallow\t/",
        b"disalow: /",
        b"Allow",
        b"Allow: /",
        b"allow:",
        b"aLLow\x1A",
        b"Allowed: ",
        b"User-agent",
        b"User-agent: *",
        b"user-Agent:a",
        b"User agent: b",
        b"useragent: c",
        b"User\x0Dagent: d",
        b"Sitemap: http://h.test/",
        b"Crawl-delay: 1",
        b"unknown: x",
        b"            ",
        b"<html><body class=\"a\">",
        b"0123456789abcdef0123456789abcdef",
    ];
    select(pieces.to_vec()).prop_map(<[u8]>::to_vec)
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let long = (16_640..16_680_usize).prop_map(|len| vec![b' '; len]);
    vec(prop_oneof![400 => piece(), 1 => long], 0..60).prop_map(|pieces| pieces.concat())
}

#[test]
fn made_up_bodies_are_read_as_their_lines() {
    let config =
        ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let result = TestRunner::new_with_rng(config, rng).run(&body(), |body| {
        check(&body);
        check_marks(&body);
        Ok(())
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("given up: {reason}"),
    }
}

#[test]
fn marks_are_found_at_every_place_of_blocks_and_pages() {
    for len in [0, 1, 63, 64, 65, 4_095, 4_096, 4_097, 9_000] {
        check_marks(&vec![b'a'; len]);
        check_marks(&vec![b'\n'; len]);
        for at in [0, 1, 62, 63, 64, 65, 4_094, 4_095, 4_096, 4_097, 8_999] {
            let mut text = vec![b'a'; len];
            text.iter_mut().skip(at).take(1).for_each(|octet| *octet = b'\n');
            check_marks(&text);
        }
    }
    check_marks(&(0..=255).collect::<Vec<u8>>());
}

#[test]
fn real_files_are_read_as_their_lines() {
    let Some(path) = shared_data::shared("data/real_robots.parquet") else { return };
    let table = ParquetFile::open(&path).unwrap();
    let columns = [table.column("body").unwrap()];
    let limits = BatchLimits { rows: 1_000, octets: 64 << 20 };
    let mut num_files = 0;
    for group in 0..table.num_row_groups() {
        for batch in table.read(group, &columns, limits).unwrap() {
            let batch = batch.unwrap();
            let bodies = Octets::try_new(batch[0].as_ref()).unwrap();
            (0..bodies.len()).filter_map(|row| bodies.value(row)).for_each(check);
            num_files += bodies.len();
        }
    }
    assert_eq!(num_files, 2_522);
}
