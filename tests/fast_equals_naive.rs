//! The compiled matcher answers as the plain one does: made-up bodies and URLs of a small alphabet,
//! so that ties and overlaps are frequent. The seed is fixed: a failure comes again.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

mod both_matchers;

use both_matchers::{Compiled, DIALECTS, compare};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use robosift::compile::GroupProgram;
use robosift::matching::naive::NaiveRobots;
use robosift::parse::Dialect;
use std::collections::BTreeMap;

type Octets = Vec<u8>;

/// One of the alternatives in `list`, which stand between `|`s; those given more often come more often.
fn one_of(list: &'static [u8]) -> impl Strategy<Value = Octets> {
    select(list.split(|octet| *octet == b'|').map(<[u8]>::to_vec).collect::<Vec<_>>())
}

/// Up to `most` pieces of the alphabet that patterns and paths share.
fn pieces(most: usize) -> impl Strategy<Value = Octets> {
    let piece = one_of(
        b"a|a|a|b|b|ab|A|*|*|*|$|$|%2A|%2a|%24|%61|%C3|%c3|\xC3|\xC3\xA9|/|/|/index.html|/index.htm\
          |?|%|%2F|~|%7e",
    );
    vec(piece, 0..=most).prop_map(|pieces| pieces.concat())
}

fn pattern() -> impl Strategy<Value = Octets> {
    (one_of(b"/|/|/|/|/|/|*|/*|"), pieces(3)).prop_map(|(head, tail)| [head, tail].concat())
}

fn rule_line() -> impl Strategy<Value = Octets> {
    let key = one_of(
        b"Disallow:|Disallow:|disallow: |disalow:|Disallow\t|Disallow-x:|Allow:|Allow:|ALLOW : \
          |allow |alow:",
    );
    let tail = one_of(b"|||| |\x0B|\0x| #x|# x:y| x");
    (key, pattern(), tail).prop_map(|(key, pattern, tail)| [key, pattern, tail].concat())
}

fn user_agent_line() -> impl Strategy<Value = Octets> {
    let key = one_of(b"User-agent: |User-agent:|user-AGENT:\t|useragent:|user agent: |User-agent ");
    let name = one_of(b"*|*|*|a|a|ab|AB/1.0|a-b_c|A2|A2/3|a.b_c|a b|* x|*x||\xC3\xA9|(x)|2a");
    (key, name).prop_map(|(key, name)| [key, name].concat())
}

fn other_line() -> impl Strategy<Value = Octets> {
    one_of(
        b"||# x|Sitemap: http://h.test/|Crawl-delay: 1|junk|\0|: /|#|user-agent|\x0B\x0C\
          |\xEF\xBB\xBF|<html>",
    )
}

/// A rule around the octet from which Google drops a line.
fn long_line() -> impl Strategy<Value = Octets> {
    (16_640..16_670_usize, pattern())
        .prop_map(|(blanks, pattern)| [vec![b' '; blanks], b"Disallow:".to_vec(), pattern].concat())
}

fn line() -> impl Strategy<Value = Octets> {
    let line = prop_oneof![
        700 => rule_line(),
        150 => user_agent_line(),
        100 => other_line(),
        1 => long_line(),
    ];
    let end = one_of(b"\n|\n|\n|\n|\r\n|\r|\n\r|\r\0\n|\r\r\n");
    (line, end).prop_map(|(line, end)| [line, end].concat())
}

fn body() -> impl Strategy<Value = Octets> {
    let head = one_of(
        b"|User-agent: *\n|User-agent: *\n|User-agent: a\n|User-agent: ab\r\
          |User-agent: a\nUser-agent: *\r\n|\xEF\xBB\xBFUser-agent: *\n\
          |\xEFUser-agent: a\nUser-agent:*\n|\xEF\xBBUser-agent: *\n",
    );
    (head, vec(line(), 0..20)).prop_map(|(head, lines)| [head, lines.concat()].concat())
}

fn made_up_url() -> impl Strategy<Value = Octets> {
    let host = one_of(
        b"http://h.test|http://h.test|http://h.test|http://h.test|http://h.test|http://h.test\
          |https://h.test|https://h.test|https://h.test|https://u:w@h.test:8080|HTTP://H.test.\
          |http://h.test;x|http://[::1]:1|//h.test||ftp://h.test|http://|h.test",
    );
    let head = one_of(b"/|/|/|/|/|/|/|/|?|;|#");
    let tail = one_of(b"|||||#a|\0a|;a|\xFF|://a/b");
    (host, head, pieces(5), tail)
        .prop_map(|(host, head, path, tail)| [host, head, path, tail].concat())
}

/// A host outside ASCII is not checked alike by the two matchers: there is none.
fn url() -> impl Strategy<Value = Octets> {
    let special = one_of(
        b"http://h.test/robots.txt|http://h.test/robots.txt#a|http://h.test/robots.txt?\
          |/robots.txt|http://h.test|http://h.test#|http://h.test?||h|://",
    );
    prop_oneof![15 => made_up_url(), 1 => special]
}

/// None with blanks around it or a parenthesis: of those the two matchers are not told alike.
fn agent() -> impl Strategy<Value = Octets> {
    one_of(b"a|a|A|ab|AB|a-b_c|a2|A2/1|a.b_c|a b|*|*x||\xC3\xA9|other|*/1")
}

type Questions = Vec<(Octets, Octets)>;

fn questions(number: usize) -> impl Strategy<Value = Questions> {
    vec((agent(), url()), number)
}

/// Runs `check` on `cases` values, always the same ones.
fn run<S: Strategy>(
    cases: u32,
    strategy: &S,
    check: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    match TestRunner::new_with_rng(config, rng).run(strategy, check) {
        Ok(()) => {}
        // The reason holds body and question; the value as such would be lists of numbers.
        Err(TestError::Fail(reason, _)) => panic!("{reason}"),
        Err(TestError::Abort(reason)) => panic!("given up: {reason}"),
    }
}

/// Answers every question both ways; the bases that came out.
fn ask(body: &[u8], questions: &Questions) -> Result<Vec<&'static str>, TestCaseError> {
    let mut bases = Vec::new();
    for (dialect, naive_dialect) in DIALECTS {
        let compiled = Compiled::new(body, dialect);
        let naive = NaiveRobots::parse(body, naive_dialect);
        for (agent, url) in questions {
            let answer = compare(body, agent, url, &compiled, &naive);
            bases.push(answer.map_err(TestCaseError::fail)?.basis);
        }
    }
    Ok(bases)
}

#[test]
fn fast_equals_naive_on_small_bodies() {
    run(12_000, &(body(), questions(4)), |(body, questions)| ask(&body, &questions).map(|_| ()));
}

#[test]
fn fast_equals_naive_on_one_group_of_many_overlapping_rules() {
    let body = vec(rule_line(), 1..120)
        .prop_map(|lines| [b"User-agent: *".to_vec(), lines.join(&b"\n"[..])].join(&b"\n"[..]));
    run(400, &(body, questions(10)), |(body, questions)| ask(&body, &questions).map(|_| ()));
}

#[test]
fn the_made_up_questions_reach_every_basis_and_often_a_rule() {
    let counts = std::cell::RefCell::new(BTreeMap::<&str, usize>::new());
    run(1_000, &(body(), questions(4)), |(body, questions)| {
        for basis in ask(&body, &questions)? {
            *counts.borrow_mut().entry(basis).or_default() += 1;
        }
        Ok(())
    });
    let counts = counts.into_inner();
    let all: usize = counts.values().sum();
    assert_eq!(all, 8_000);
    assert!(counts["rule"] * 10 >= all * 3, "{counts:?}");
    let reached: Vec<&str> = counts.keys().copied().collect();
    let wanted = ["bad_agent", "bad_url", "no_group", "no_rule", "no_rules", "robots_txt", "rule"];
    assert_eq!(reached, wanted, "{counts:?}");
    assert!(counts.values().all(|count| count * 200 >= all), "{counts:?}");
}

/// Names of a crowd: letters only, so that both dialects know them.
fn crowd_name(at: usize) -> String {
    let letter = |value: usize| char::from(b'a' + u8::try_from(value % 26).unwrap());
    format!("crowd{}{}", letter(at / 26), letter(at))
}

const CROWD: usize = 90;

/// One group for a whole crowd, then groups of their own for each: too much to merge.
fn crowded_body() -> impl Strategy<Value = Octets> {
    let own = vec(rule_line(), 0..4).prop_map(|lines| lines.join(&b"\n"[..]));
    (vec(rule_line(), 40..60), vec(own, CROWD), vec(0..CROWD, 0..20)).prop_map(
        |(large, own, again)| {
            let mut body = Vec::new();
            let mut add = |line: &[u8]| body.extend([line, b"\n"].concat());
            for at in 0..CROWD {
                add(format!("User-agent: {}", crowd_name(at)).as_bytes());
            }
            large.iter().for_each(|line| add(line));
            add(b"Disallow: /aab");
            let owners = (0..CROWD).chain(again);
            for (at, rules) in owners.zip(own.iter().chain(own.iter().rev())) {
                add(format!("User-agent: {}\nAllow: /ab", crowd_name(at)).as_bytes());
                add(rules);
            }
            body
        },
    )
}

fn is_compound(compiled: &Compiled, agent: &str) -> bool {
    let group = compiled.group(agent.as_bytes()).unwrap();
    matches!(compiled.program.group(group), GroupProgram::Compound(_))
}

#[test]
fn fast_equals_naive_on_merged_and_on_compound_groups() {
    let agents = || vec(0..CROWD, 6).prop_map(|crowd| crowd.into_iter().map(crowd_name));
    let strategy = (crowded_body(), agents(), vec(url(), 6));
    run(400, &strategy, |(body, agents, urls)| {
        for dialect in Dialect::ALL {
            let compiled = Compiled::new(&body, dialect);
            let compound = (0..CROWD).filter(|at| is_compound(&compiled, &crowd_name(*at))).count();
            prop_assert!((1..CROWD).contains(&compound), "{compound} of {CROWD} are compound");
        }
        let agents = agents.chain((0..CROWD).map(crowd_name).step_by(7));
        let questions = agents.zip(urls.iter().chain(&urls));
        let questions = questions.map(|(agent, url)| (agent.into_bytes(), url.clone())).collect();
        ask(&body, &questions).map(|_| ())
    });
}
