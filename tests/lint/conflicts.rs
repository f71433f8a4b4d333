//! What is said of rules is proven: without them no verdict changes, and but for `redundant-rule` no deciding line;
//! asked of the naive matcher. And what one rule does to another is always found.

use std::collections::BTreeSet;

use robosift::compile::{BodyLimit, compile};
use robosift::lint::{Code, CodeSet, Options, includes, lint};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::{Dialect, parse};

use crate::paths::{path_for, pattern};
use crate::random::Random;

const DEAD: [Code; 3] = [Code::DuplicateRule, Code::ContradictingRule, Code::ShadowedRule];
const DIALECTS: [(Dialect, NaiveDialect); 2] =
    [(Dialect::RFC9309, NaiveDialect::Rfc9309), (Dialect::GOOGLE, NaiveDialect::Google)];

/// Lines with a finding of one of `codes`.
fn lines_with(body: &str, dialect: Dialect, codes: &[Code]) -> Vec<u32> {
    let options = Options { dialect, codes: CodeSet::of(codes), ..Options::default() };
    lint(body.as_bytes(), &options).findings.iter().map(|finding| finding.line).collect()
}

/// The body with the pattern on a line taken out.
fn without_pattern(body: &str, line: u32) -> String {
    let at = |number: usize| u32::try_from(number + 1).unwrap() == line;
    let lines = body.lines().enumerate().map(|(number, text)| match text.split_once(':') {
        Some((key, _)) if at(number) => format!("{key}:\n"),
        _ => format!("{text}\n"),
    });
    lines.collect()
}

/// The body with a line taken out.
fn without_line(body: &str, line: u32) -> String {
    let others = body.lines().enumerate().filter(|(n, _)| u32::try_from(n + 1).unwrap() != line);
    others.map(|(_, text)| format!("{text}\n")).collect()
}

/// Groups of rules that have to do with each other, for agents that share them.
fn body(random: &mut Random) -> (String, Vec<String>) {
    let (mut body, mut patterns) = (String::new(), Vec::new());
    for _ in 0..=random.below(3) {
        for _ in 0..=random.below(2) {
            body += &format!("User-agent: {}\n", random.pick(&["a", "b", "*", "a"]));
        }
        for _ in 0..=random.below(8) {
            let new = pattern(random);
            let again = random.one_in(3) && !patterns.is_empty();
            let at = random.below(64);
            let used = if again { random_of(&patterns, at).to_owned() } else { new };
            body += &format!("{}: {used}\n", random.pick(&["Allow", "Disallow"]));
            patterns.push(used);
        }
    }
    (body, patterns)
}

fn random_of(patterns: &[String], at: usize) -> &String {
    &patterns[at % patterns.len()]
}

#[test]
fn nothing_changes_without_what_is_reported() {
    let mut random = Random::new(17);
    let (mut num_dead, mut num_redundant, mut num_paths) = (0, 0, 0);
    for _ in 0..1_500 {
        let (body, patterns) = body(&mut random);
        let paths: Vec<Vec<u8>> = (0..40)
            .map(|_| path_for(random_of(&patterns, random.below(64)), &mut random))
            .collect();
        for (dialect, naive) in DIALECTS {
            let before = NaiveRobots::parse(body.as_bytes(), naive);
            let is_same = |other: &str, with_line: bool| {
                let after = NaiveRobots::parse(other.as_bytes(), naive);
                for (agent, path) in [&b"a"[..], b"b", b"other"]
                    .iter()
                    .flat_map(|a| paths.iter().map(move |p| (a, p)))
                {
                    let (one, two) =
                        (before.judge_path(agent, path), after.judge_path(agent, path));
                    let line = |line: u32| if with_line { line } else { 0 };
                    let expected = (one.allowed, line(one.rule_line));
                    let path = path.escape_ascii();
                    assert_eq!(
                        (two.allowed, line(two.rule_line)),
                        expected,
                        "{path} {}\n{body}\n{other}",
                        dialect.name
                    );
                }
            };
            let robots = parse(body.as_bytes(), &dialect);
            for line in lines_with(&body, dialect, &DEAD) {
                is_same(&without_pattern(&body, line), true);
                let at = robots.rules.iter().position(|rule| rule.line == line).unwrap();
                let group =
                    robots.groups.iter().find(|g| (g.rules.0..g.rules.1).contains(&at)).unwrap();
                if group.rules.1 - group.rules.0 > 1 {
                    // Later lines move up by one.
                    is_same(&without_line(&body, line), false);
                }
                num_dead += 1;
            }
            for line in lines_with(&body, dialect, &[Code::RedundantRule]) {
                is_same(&without_pattern(&body, line), false);
                num_redundant += 1;
            }
            num_paths += paths.len();
        }
    }
    assert!(num_dead > 1_000 && num_redundant > 1_000, "{num_dead} {num_redundant}");
    assert!(num_paths > 10_000);
}

#[test]
fn what_one_rule_does_to_another_is_always_found() {
    let mut random = Random::new(29);
    let mut num_found = 0;
    for _ in 0..3_000 {
        let mut body = "User-agent: *\n".to_owned();
        for _ in 0..=random.below(12) {
            let kind = random.pick(&["Allow", "Disallow"]);
            body += &format!("{kind}: {}\n", pattern(&mut random));
        }
        for (dialect, _) in DIALECTS {
            let found: BTreeSet<u32> = lines_with(&body, dialect, &DEAD).into_iter().collect();
            let program = compile(body.as_bytes(), &dialect, BodyLimit::NONE);
            let rules = program.group(program.wildcard().unwrap()).rules();
            let is_dead = |at: usize| {
                let better = rules[..at].iter().filter(|rule| rule.line != rules[at].line);
                better.clone().any(|rule| includes(rule.pattern, rules[at].pattern))
            };
            let alive = (0..rules.len()).filter(|at| !is_dead(*at)).map(|at| rules[at].line);
            let alive: BTreeSet<u32> = alive.collect();
            let all: BTreeSet<u32> = rules.iter().map(|rule| rule.line).collect();
            let expected: BTreeSet<u32> = all.difference(&alive).copied().collect();
            assert_eq!(found, expected, "{}\n{body}", dialect.name);
            num_found += found.len();
        }
    }
    assert!(num_found > 2_000, "{num_found}");
}

#[test]
fn a_rule_that_serves_one_agent_is_not_reported_for_another() {
    // Line 5 decides for b, though for a line 2 does.
    let body = "User-agent: a\nDisallow: /x\nUser-agent: a\nUser-agent: b\nDisallow: /x\n";
    assert!(lines_with(body, Dialect::RFC9309, &DEAD).is_empty());
    let body =
        "User-agent: a\nDisallow: /x\nUser-agent: a\nDisallow: /x\nUser-agent: b\nDisallow: /y\n";
    assert_eq!(lines_with(body, Dialect::RFC9309, &DEAD), [4]);
}
