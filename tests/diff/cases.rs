//! Instructive pairs of bodies.

use robosift::diff::Extent;
use robosift::evaluate::Basis;
use robosift::parse::Dialect;

use super::asking::{check_witnesses, diff, diff_for};

type Case =
    (&'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);

/// A name, two bodies, rules behind `User-agent: *` alone, and the paths that closed and that opened.
const CASES: &[Case] = &[
    ("nothing at all", "", "", &[], &[]),
    ("closed wholly", "", "Disallow: /", &["/"], &[]),
    ("opened wholly", "Disallow: /", "", &[], &["/"]),
    ("a folder closed", "Disallow: /a", "Disallow: /a\nDisallow: /b/", &["/b/"], &[]),
    ("written otherwise, the same", "Disallow: /a*", "Disallow: /a", &[], &[]),
    ("order does not matter", "Disallow: /a\nAllow: /b", "Allow: /b\nDisallow: /a", &[], &[]),
    ("an allow that says nothing", "", "Allow: /", &[], &[]),
    ("a rule inside another", "Disallow: /", "Disallow: /\nDisallow: /a", &[], &[]),
    ("an exception goes", "Disallow: /a\nAllow: /a/b", "Disallow: /a", &["/a/b"], &[]),
    ("an exception comes", "Disallow: /a", "Disallow: /a\nAllow: /a/b", &[], &["/a/b"]),
    ("an anchor comes", "Disallow: /a", "Disallow: /a$", &[], &["/aa"]),
    ("an anchor goes", "Disallow: /a$", "Disallow: /a", &["/aa"], &[]),
    ("a star comes", "Disallow: /a/b", "Disallow: /a*/b", &["/a//b"], &[]),
    ("one moves", "Disallow: /a", "Disallow: /b", &["/b"], &["/a"]),
    ("only what is not allowed closes", "", "Disallow: /\nAllow: /$", &["/a"], &[]),
    (
        "between exceptions",
        "Disallow: /*.php",
        "Disallow: /*.php\nAllow: /*.php$\nAllow: /*.php?",
        &[],
        &["/.php"],
    ),
    ("as many octets: allow wins", "Disallow: /a", "Disallow: /a\nAllow: /a", &[], &["/a"]),
    (
        "more octets",
        "Allow: /ab\nDisallow: /a",
        "Allow: /ab\nDisallow: /a\nDisallow: /*b*c",
        &["/bc"],
        &[],
    ),
    ("robots.txt itself is always allowed", "", "Disallow: /robots.txt", &["/robots.txta"], &[]),
    ("robots.txt alone", "", "Disallow: /robots.txt$", &[], &[]),
    ("an escape of what needs none", "Disallow: /%61", "Disallow: /a", &[], &[]),
    ("an escape in lower case", "Disallow: /%c3%a4", "Disallow: /ä", &[], &[]),
    ("a slash escaped is another", "Disallow: /a%2fb", "Disallow: /a/b", &["/a/b"], &["/a%2Fb"]),
    ("a dollar inside", "Disallow: /a$b", "", &[], &["/a%24b"]),
];

fn body(rules: &str) -> Vec<u8> {
    format!("User-agent: *\n{rules}\n").into_bytes()
}

fn paths(changes: &[robosift::diff::Change]) -> Vec<String> {
    changes.iter().map(|change| String::from_utf8(change.path.clone()).unwrap()).collect()
}

#[test]
fn cases_are_found_by_their_shortest_paths() {
    for (name, old, new, closed, opened) in CASES {
        let (old, new) = (body(old), body(new));
        let found = diff(&old, &new, "a", Dialect::RFC9309);
        assert_eq!(paths(&found.comparison.closed), *closed, "{name}: closed");
        assert_eq!(paths(&found.comparison.opened), *opened, "{name}: opened");
        assert!(!found.comparison.cut_off, "{name}");
        check_witnesses(&old, &new, "a", Dialect::RFC9309, &found);
    }
}

#[test]
fn what_opened_is_what_closed_the_other_way_round() {
    for (name, old, new, closed, opened) in CASES {
        let found = diff(&body(new), &body(old), "a", Dialect::RFC9309);
        assert_eq!(paths(&found.comparison.closed), *opened, "{name}: closed");
        assert_eq!(paths(&found.comparison.opened), *closed, "{name}: opened");
    }
}

#[test]
fn dialect_google_compares_paths_as_they_stand() {
    let found = |old: &str, new: &str| {
        let found = diff(&body(old), &body(new), "a", Dialect::GOOGLE);
        check_witnesses(&body(old), &body(new), "a", Dialect::GOOGLE, &found);
        (paths(&found.comparison.closed), paths(&found.comparison.opened))
    };
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    assert_eq!(found("Disallow: /%61", "Disallow: /a"), (texts(&["/a"]), texts(&["/%61"])));
    assert_eq!(found("", "Disallow: /robots.txt$"), (texts(&["/robots.txt"]), texts(&[])));
    // The folder itself opens too, and is shorter than its index.
    let index = "Disallow: /a/\nAllow: /a/index.html";
    assert_eq!(found("Disallow: /a/", index), (texts(&[]), texts(&["/a/"])));
}

#[test]
fn lines_and_rules_of_both_sides_are_named() {
    let old = b"User-agent: *\nDisallow: /a\n\nUser-agent: b\nAllow: /\n";
    let new = b"User-agent: b\nDisallow: /a/*\n# nothing else\n";
    let found = diff(old, new, "b", Dialect::RFC9309);
    let [change] = found.comparison.closed.as_slice() else { panic!("{found:?}") };
    assert_eq!(change.path, b"/a/");
    let (old, new) = (change.old.rule.as_ref().unwrap(), change.new.rule.as_ref().unwrap());
    assert_eq!((old.line, old.pattern.as_str()), (5, "/"));
    assert_eq!((new.line, new.pattern.as_str()), (2, "/a/*"));
    assert_eq!((found.old_allows, found.new_allows), (Extent::All, Extent::Some));
}

#[test]
fn a_missing_group_is_no_refusal() {
    let (old, new) = (b"User-agent: *\nDisallow: /\n", b"User-agent: b\nDisallow: /\n");
    let found = diff(old, new, "a", Dialect::RFC9309);
    let [change] = found.comparison.opened.as_slice() else { panic!("{found:?}") };
    assert_eq!((change.old.basis, change.new.basis), (Basis::Rule, Basis::NoGroup));
    assert_eq!(change.new.rule, None);
    assert_eq!((found.old_allows, found.new_allows), (Extent::Nothing, Extent::All));
}

#[test]
fn agents_with_the_same_outcome_stand_together() {
    let old = b"User-agent: a\nUser-agent: b\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";
    let new = b"User-agent: a\nUser-agent: b\nUser-agent: c\nDisallow: /\n\nUser-agent: *\nDisallow: /y\n";
    let found = diff_for(old, new, &["*", "a", "b", "c"], Dialect::RFC9309);
    let agents: Vec<Vec<&str>> =
        found.iter().map(|diff| diff.agents.iter().map(String::as_str).collect()).collect();
    // `c` was judged by the group of `*`, which allowed other paths than that of `a` and `b` did; yet for all `/` closed.
    assert_eq!(agents, [vec!["a", "b", "c"], vec!["*"]]);
    assert!(found.last().unwrap().comparison.is_empty());
}

#[test]
fn agents_are_named_as_they_are_written() {
    let body = b"User-agent: GPTBot\nUser-agent: gptbot/1.0\nUser-agent: AI2Bot\nUser-agent: *\nDisallow: /\n";
    let named = |dialect| robosift::diff::agents_named(body, &dialect);
    assert_eq!(named(Dialect::RFC9309), ["GPTBot".as_bytes(), b"AI2Bot", b"AI"]);
    assert_eq!(named(Dialect::GOOGLE), ["GPTBot".as_bytes(), b"AI"]);
}
