//! A compiler that is used again, or that is told which names are wanted, answers as one that
//! compiles a single body for all names: made-up bodies with few names, and the real files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/shared_data.rs"]
mod shared_data;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestError, TestRng, TestRunner};
use robosift::compile::{BodyLimit, Compiler, GroupId, NameKind, Program, Wanted, compile};
use robosift::matching::{best, matching_line};
use robosift::parse::{Dialect, parse_groups};
use robosift::table::{BatchLimits, Octets, ParquetFile};

const WANTED: [(NameKind, &[u8]); 5] = [
    (NameKind::Token, b"GPTBot"),
    (NameKind::Token, b"ccbot"),
    (NameKind::Token, b"Googlebot"),
    (NameKind::Whole, b"archive.org_bot"),
    // What dialect google compares an empty agent with.
    (NameKind::Token, b""),
];

/// Compilers of one dialect: for all names and for those wanted, used for one body after the other.
struct Compilers {
    dialect: Dialect,
    all: Compiler,
    wanted: Compiler,
}

impl Compilers {
    fn of_all_dialects() -> Vec<Compilers> {
        let compiler = |dialect| Compiler::new(dialect, BodyLimit::DEFAULT);
        let compilers = Dialect::ALL.map(|dialect| Compilers {
            dialect,
            all: compiler(dialect),
            wanted: compiler(dialect).with_wanted(Wanted::only(WANTED)),
        });
        compilers.into()
    }

    fn check(&mut self, body: &[u8]) {
        let full = compile(body, &self.dialect, BodyLimit::DEFAULT);
        assert_eq!(self.all.compile(body), full, "{}", body.escape_ascii());
        let wanted = self.wanted.compile(body);
        assert_eq!(wanted.flags(), full.flags());
        assert_eq!(wanted.num_rules(), full.num_rules());
        assert!(wanted.memory_usage() <= full.memory_usage());
        let paths = paths(body, &self.dialect);
        same_answers(&full, full.wildcard(), &wanted, wanted.wildcard(), &paths);
        for (kind, name) in WANTED {
            let groups = (full.find(kind, name), wanted.find(kind, name));
            same_answers(&full, groups.0, &wanted, groups.1, &paths);
        }
    }
}

/// A path for each rule of a body that it may match, and some others.
fn paths(body: &[u8], dialect: &Dialect) -> Vec<Vec<u8>> {
    let robots = parse_groups(body, dialect);
    let of_rules = robots.rules.iter().map(|rule| {
        let octets = rule.pattern.iter().filter(|octet| !matches!(octet, b'*' | b'$'));
        octets.copied().collect()
    });
    let others = [&b"/"[..], b"/a", b"/b/c"].map(<[u8]>::to_vec);
    of_rules.take(200).chain(others).collect()
}

fn same_answers(
    full: &Program,
    full_group: Option<GroupId>,
    wanted: &Program,
    wanted_group: Option<GroupId>,
    paths: &[Vec<u8>],
) {
    assert_eq!(full_group.is_some(), wanted_group.is_some());
    let (Some(one), Some(other)) = (full_group, wanted_group) else { return };
    assert_eq!(full.empty_rule_line(one), wanted.empty_rule_line(other));
    for path in paths {
        assert_eq!(best(full, one, path, &mut ()), best(wanted, other, path, &mut ()));
        assert_eq!(matching_line(full, one, path), matching_line(wanted, other, path));
    }
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let lines: &[&[u8]] = &[
        b"User-agent: GPTBot",
        b"User-agent: CCBot/2.0",
        b"User-agent: googlebot",
        b"User-agent: archive.org_bot",
        b"User-agent: archive",
        b"User-agent: other",
        b"User-agent: x y",
        b"User-agent: *",
        b"User-agent: (x)",
        b"User-agent:",
        b"User-agent: gptbot-x",
        b"Disallow: /",
        b"Disallow: /a",
        b"Disallow: /b",
        b"Disallow: /*c",
        b"Disallow:",
        b"Allow: /a",
        b"Allow: /b/c$",
        b"Allow:",
        b"Allow: /b/**c",
        b"Disallow: a",
        b"Allow: /index.html",
        b"Sitemap: x",
        b"",
        b"# x",
        b"Disallow: /%61*$",
        b"\xEF\xBB\xBF",
        b"\tDisallow: /\xC3\xA9",
    ];
    select(lines.to_vec()).prop_map(|line| [line, b"\n"].concat())
}

#[test]
fn made_up_bodies_give_the_same_answers() {
    let config =
        ProptestConfig { cases: 5_000, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let compilers = std::cell::RefCell::new(Compilers::of_all_dialects());
    let result = TestRunner::new_with_rng(config, rng).run(&vec(line(), 0..30), |lines| {
        let body = lines.concat();
        compilers.borrow_mut().iter_mut().for_each(|compilers| compilers.check(&body));
        Ok(())
    });
    match result {
        Ok(()) => {}
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("given up: {reason}"),
    }
}

#[test]
fn real_files_give_the_same_answers() {
    let Some(path) = shared_data::shared("data/real_robots.parquet") else { return };
    let table = ParquetFile::open(&path).unwrap();
    let columns = [table.column("body").unwrap()];
    let limits = BatchLimits { rows: 1_000, octets: 64 << 20 };
    let mut compilers = Compilers::of_all_dialects();
    for group in 0..table.num_row_groups() {
        for batch in table.read(group, &columns, limits).unwrap() {
            let batch = batch.unwrap();
            let bodies = Octets::try_new(batch[0].as_ref()).unwrap();
            for body in (0..bodies.len()).filter_map(|row| bodies.value(row)) {
                compilers.iter_mut().for_each(|compilers| compilers.check(body));
            }
        }
    }
}

#[test]
fn groups_of_unwanted_names_are_left_out() {
    let body = b"User-agent: other\nDisallow: /a\n\nUser-agent: GPTBot\nDisallow: /b\n";
    let wanted = Wanted::only([(NameKind::Token, b"GPTBot")]);
    let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::DEFAULT).with_wanted(wanted);
    let program = compiler.compile(body);
    assert!(program.find(NameKind::Token, b"other").is_none());
    let group = program.find(NameKind::Token, b"gptbot").unwrap();
    assert_eq!(best(&program, group, b"/b", &mut ()).map(|rule| rule.line), Some(5));
    let full = compile(body, &Dialect::RFC9309, BodyLimit::DEFAULT);
    assert!(program.memory_usage() < full.memory_usage());
}

#[test]
fn one_large_body_leaves_nothing_behind() {
    let mut compiler = Compiler::new(Dialect::RFC9309, BodyLimit::NONE);
    let small = b"User-agent: *\nDisallow: /x\n";
    let rules: String = (0..100_000).map(|at| format!("Disallow: /{at}\n")).collect();
    let large = format!("User-agent: *\nUser-agent: a\n{rules}");
    let fresh = |body: &[u8]| compile(body, &Dialect::RFC9309, BodyLimit::NONE);
    for body in [small, large.as_bytes(), small, b"", small] {
        assert_eq!(compiler.compile(body), fresh(body));
    }
}
