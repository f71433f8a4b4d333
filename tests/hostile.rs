//! Hostile bodies and URLs: the work they make is counted in steps, never timed, and their programs
//! are weighed.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

mod both_matchers;

use both_matchers::{Compiled, judged, settings};
use proptest::collection::vec;
use proptest::prelude::*;
use robosift::agents::AgentKind;
use robosift::compile::{BodyLimit, GroupProgram, NameKind, Program, compile};
use robosift::evaluate::{Basis, Settings, judge};
use robosift::matching::{Match, best};
use robosift::parse::Dialect;
use std::collections::HashMap;

fn program(body: &[u8]) -> Program {
    compile(body, &Dialect::RFC9309, BodyLimit::NONE)
}

/// The rule for everybody that decides `path`, and the steps it took.
fn count<'p>(program: &'p Program, path: &[u8]) -> (Option<Match<'p>>, u64) {
    let mut steps = 0;
    let decided = best(program, program.wildcard().unwrap(), path, &mut steps);
    (decided, steps)
}

fn path_of(octet: u8, len: usize) -> Vec<u8> {
    [b"/".to_vec(), vec![octet; len - 1]].concat()
}

/// Steps for one rule that does not match `path`, although much of it does.
fn steps_in_vain(pattern: &str, path: &[u8]) -> u64 {
    let program = program(format!("User-agent: *\nDisallow: {pattern}").as_bytes());
    let (decided, steps) = count(&program, path);
    assert_eq!(decided, None, "{pattern}");
    steps
}

const KIB_8: usize = 8 << 10;

#[test]
fn many_stars_cost_one_pass_over_the_path() {
    let stars = |number: usize| format!("/{}*b", "*a".repeat(number));
    let anchored = |number: usize| format!("/{}*ab$", "*a".repeat(number));
    let pairs = |number: usize| format!("/{}*c", "*ab".repeat(number));
    for pattern in [stars, anchored, pairs] {
        for (number, len) in [(50, KIB_8), (100, KIB_8), (50, 2 * KIB_8), (2_000, 2 * KIB_8)] {
            let path = path_of(b'a', len);
            let steps = steps_in_vain(&pattern(number), &path);
            let most = path.len() + 2 * pattern(number).len() + 1;
            assert!(steps <= most as u64, "{number} stars, {len} octets: {steps} steps");
        }
    }
    let growth = |number, len| steps_in_vain(&stars(number), &path_of(b'a', len)) as f64;
    let once = growth(50, KIB_8);
    assert!(growth(50, 2 * KIB_8) <= 2.05 * once, "twice the path");
    assert!(growth(100, KIB_8) <= 1.05 * once, "twice the stars");
}

#[test]
fn many_stars_that_match_cost_one_pass_too() {
    let body = format!("User-agent: *\nDisallow: /{}*$", "*a".repeat(4_000));
    let program = program(body.as_bytes());
    let (decided, steps) = count(&program, &path_of(b'a', KIB_8));
    assert_eq!(decided.map(|rule| (rule.line, rule.specificity())), Some((2, 8_003)));
    assert!(steps <= 3 * KIB_8 as u64, "{steps} steps");
}

#[test]
fn many_wildcard_rules_cost_at_most_octets_of_path_times_rules() {
    let rules = 500;
    let near = |at: usize| format!("Disallow: /*{}*{at}x\n", "a".repeat(at % 90 + 1));
    let body: String = (0..rules).map(near).collect();
    let program = program(format!("User-agent: *\n{body}").as_bytes());
    let steps = |len: usize| {
        let (decided, steps) = count(&program, &path_of(b'a', len));
        assert_eq!(decided, None);
        steps
    };
    let most = KIB_8 * rules + body.len();
    assert!(steps(KIB_8) <= most as u64, "{} steps", steps(KIB_8));
    assert!(steps(2 * KIB_8) as f64 <= 2.05 * steps(KIB_8) as f64);
}

#[test]
fn rules_that_begin_otherwise_than_the_path_cost_at_most_one_step_each() {
    let body: String = (0..20_000).map(|at| format!("Disallow: /{at}/*a*b\n")).collect();
    let program = program(format!("User-agent: *\n{body}").as_bytes());
    let (decided, steps) = count(&program, &path_of(b'a', KIB_8));
    assert_eq!((decided, steps <= 20_000 + KIB_8 as u64), (None, true), "{steps} steps");
}

/// A name of letters only.
fn name(mut at: usize) -> String {
    let mut name = String::from("n");
    while at > 0 {
        name.push(char::from(b'a' + u8::try_from(at % 26).unwrap()));
        at /= 26;
    }
    name
}

/// `number` names over one group of `number` rules, then a group of its own for each.
fn crowd(number: usize) -> String {
    let names: String = (0..number).map(|at| format!("User-agent: {}\n", name(at))).collect();
    let rules: String = (0..number).map(|at| format!("Disallow: /shared{at}$\n")).collect();
    let own = |at| format!("User-agent: {}\nDisallow: /own{at}$\n", name(at));
    let own: String = (0..number).map(own).collect();
    names + &rules + &own
}

#[test]
fn a_large_group_shared_by_many_names_with_groups_of_their_own_stays_linear() {
    let octets = |number| program(crowd(number).as_bytes()).memory_usage();
    assert!(octets(1_000) <= 6 * crowd(1_000).len(), "{} octets", octets(1_000));
    assert!(octets(2_000) as f64 <= 2.2 * octets(1_000) as f64);
    let program = program(crowd(1_000).as_bytes());
    for at in [0, 1, 500, 999] {
        let group = program.find(NameKind::Token, name(at).as_bytes()).unwrap();
        let line = |path: String| {
            let mut steps = 0;
            let line = best(&program, group, path.as_bytes(), &mut steps).map(|rule| rule.line);
            assert!(steps <= 1_001 + 2 * 1_001 * path.len() as u64, "{steps} steps");
            line
        };
        let number = u32::try_from(at).unwrap();
        assert_eq!(line(format!("/shared{at}")), Some(1_001 + number));
        assert_eq!(line(format!("/own{at}")), Some(2_002 + 2 * number));
        assert_eq!(line(format!("/own{}", at + 1)), None);
    }
    let last = program.find(NameKind::Token, name(999).as_bytes()).unwrap();
    assert!(matches!(program.group(last), GroupProgram::Compound(_)));
}

#[test]
fn a_name_repeated_within_a_stack_counts_once() {
    let rules: String = (0..1_000).map(|at| format!("Disallow: /a{at}$\n")).collect();
    for names in ["User-agent: *\n", "User-agent: *\nUser-agent: x\n", "User-agent: *\nSitemap:x\n"]
    {
        let body = names.repeat(1_000) + &rules;
        let made = program(body.as_bytes());
        assert_eq!(
            made.memory_usage(),
            program((names.to_owned() + &rules).as_bytes()).memory_usage()
        );
        let (decided, steps) = count(&made, b"/a");
        assert_eq!((decided, steps <= 3_000), (None, true), "{steps} steps");
    }
}

#[test]
fn all_names_in_all_groups_stay_linear() {
    let body = |number: usize| -> String {
        let names: String = (0..number).map(|at| format!("User-agent: {}\n", name(at))).collect();
        (0..number).map(|at| format!("{names}Disallow: /{at}$\n")).collect()
    };
    let made = program(body(300).as_bytes());
    assert!(made.memory_usage() <= body(300).len() / 10, "{} octets", made.memory_usage());
    let group = made.find(NameKind::Token, name(299).as_bytes()).unwrap();
    let line = |path: &[u8]| best(&made, group, path, &mut ()).map(|rule| rule.line);
    assert_eq!((line(b"/0"), line(b"/299"), line(b"/300")), (Some(301), Some(90_300), None));
    // One name less in each group: every name has another set of groups.
    let holes: String = (0..200)
        .map(|hole| {
            let others = (0..200).filter(|at| *at != hole);
            let names: String = others.map(|at| format!("User-agent: {}\n", name(at))).collect();
            format!("{names}Disallow: /{hole}$\n")
        })
        .collect();
    let made = program(holes.as_bytes());
    assert!(made.memory_usage() <= holes.len(), "{} of {}", made.memory_usage(), holes.len());
    let group = made.find(NameKind::Token, name(150).as_bytes()).unwrap();
    let line = |path: &[u8]| best(&made, group, path, &mut ()).map(|rule| rule.line);
    assert_eq!((line(b"/0"), line(b"/150"), line(b"/199")), (Some(200), None, Some(40_000)));
}

/// FNV-1a, by which names of a program are sorted; `state` is that of what stands before `text`.
fn mix(state: u32, text: &[u8]) -> u32 {
    text.iter().fold(state, |hash, octet| (hash ^ u32::from(*octet)).wrapping_mul(0x0100_0193))
}

/// Seven letters, scattered over all that there are.
fn scattered(number: u64) -> [u8; 7] {
    let mut rest = number.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29) | 1;
    [(); 7].map(|()| {
        rest = rest.wrapping_mul(0xD6E8_FEB8_6659_FD93) ^ rest >> 32;
        b'a' + u8::try_from((rest >> 40) % 26).unwrap()
    })
}

/// Two texts that lead from `state` to the same one.
fn twins(state: u32) -> ([u8; 7], [u8; 7]) {
    let mut seen = HashMap::new();
    (0..)
        .find_map(|number| {
            let text = scattered(number);
            let twin = seen.insert(mix(state, &text), text)?;
            (twin != text).then_some((twin, text))
        })
        .unwrap()
}

#[test]
fn names_that_collide_in_the_hash_are_still_told_apart() {
    let (mut names, mut state) = (vec![Vec::new()], mix(0x811C_9DC5, &[0]));
    for _ in 0..9 {
        let (one, other) = twins(state);
        state = mix(state, &one);
        let longer =
            |name: &Vec<u8>| [[name.as_slice(), &one].concat(), [name, &other[..]].concat()];
        names = names.iter().flat_map(longer).collect();
    }
    assert_eq!(names.len(), 512);
    assert!(names.iter().all(|name| mix(0x811C_9DC5, &[&[0], &name[..]].concat()) == state));
    let (absent, known) = names.split_last().unwrap();
    let text = |name: &[u8]| String::from_utf8(name.to_vec()).unwrap();
    let group = |name: &Vec<u8>| format!("User-agent: {0}\nDisallow: /{0}$\n", text(name));
    let body: String = known.iter().map(group).collect();
    for dialect in Dialect::ALL {
        let compiled = Compiled::new(body.as_bytes(), dialect);
        let url = |name: &[u8]| format!("http://h.test/{}", text(name)).into_bytes();
        for (at, name) in known.iter().enumerate() {
            let line = u32::try_from(2 * at + 2).unwrap();
            assert_eq!(compiled.answer(name, &url(name)).rule_line, line);
            assert_eq!(compiled.answer(name, &url(absent)).basis, "no_rule");
        }
        assert_eq!(compiled.answer(absent, &url(absent)).basis, "no_group");
    }
}

#[test]
fn long_urls_are_evaluated() {
    let body = b"User-agent: *\nDisallow: /*end$\nAllow: /*%C3%A9*end$\nDisallow: /a*?end";
    for dialect in Dialect::ALL {
        for len in [64 << 10, (64 << 10) + 1, 1 << 20] {
            let ask = |tail: &[u8]| {
                let url = [b"http://h.test".to_vec(), path_of(b'a', len), tail.to_vec()].concat();
                let verdict = judge(body, b"FooBot", &url, &settings(dialect));
                (verdict.basis, verdict.rule_line)
            };
            assert_eq!(ask(b"end"), (Basis::Rule, 2));
            assert_eq!(ask(b"%C3%A9end"), (Basis::Rule, 3));
            assert_eq!(ask(b"?end."), (Basis::Rule, 4));
            assert_eq!(ask(b"en"), (Basis::NoRule, 0));
            let host = [b"http://".to_vec(), vec![b'h'; len], b"/end".to_vec()].concat();
            assert_eq!(judged(body, b"FooBot", &host, dialect).rule_line, 2);
            let encoded = [b"http://h.test/".to_vec(), b"%".repeat(len), b"end".to_vec()].concat();
            assert_eq!(judged(body, b"FooBot", &encoded, dialect).rule_line, 2);
        }
    }
}

fn hostile_octets(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let words: &[&[u8]] = &[
        b"User-agent:",
        b"Disallow:",
        b"Allow:",
        b"*",
        b"$",
        b"/",
        b"%",
        b"\n",
        b"\r",
        b"\0",
        b"#",
        b"http://",
        b"https://h.test/",
        b"[",
        b"]",
        b"@",
        b":",
        b"(",
        b"\xEF\xBB\xBF",
        b"xn--",
        b"%00",
    ];
    let word = proptest::sample::select(words).prop_map(<[u8]>::to_vec);
    let piece = prop_oneof![word, vec(any::<u8>(), 0..8)];
    vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(4_000) })]

    #[test]
    fn random_octets_as_body_agent_and_url_are_judged(
        body in hostile_octets(60),
        agent in hostile_octets(6),
        url in hostile_octets(12),
        whole in any::<bool>(),
    ) {
        let url = if whole { url } else { [b"https://h.test/".to_vec(), url].concat() };
        for dialect in Dialect::ALL {
            for agent_kind in [AgentKind::Auto, AgentKind::Token, AgentKind::Header] {
                let settings = Settings { dialect, agent_kind, ..Settings::default() };
                let verdict = judge(&body, &agent, &url, &settings);
                let has_none = matches!(verdict.basis, Basis::BadUrl | Basis::BadAgent);
                prop_assert_eq!(verdict.allowed.is_none(), has_none);
                prop_assert!(dialect.absolute_urls_only || !has_none);
                prop_assert_eq!(verdict.rule_line > 0, verdict.basis == Basis::Rule);
                prop_assert!(verdict.allowed != Some(false) || verdict.rule_line > 0);
                prop_assert_eq!(judge(&body, &agent, &url, &settings), verdict);
            }
        }
    }
}

#[test]
fn a_run_of_stars_costs_what_one_star_costs() {
    let run = |number: usize| format!("User-agent: *\nDisallow: /{}b", "*".repeat(number));
    let path = path_of(b'a', 70);
    let steps = |number: usize| count(&program(run(number).as_bytes()), &path).1;
    assert_eq!(steps(500_000), steps(1));
    let program = program(run(500_000).as_bytes());
    let (decided, _) = count(&program, b"/ab");
    assert_eq!(
        decided.map(|rule| (rule.specificity(), rule.pattern)),
        Some((500_002, &b"/*b"[..]))
    );
}

#[test]
fn literals_that_nearly_agree_again_and_again_cost_linear_time() {
    // Each literal is found only after many places that agree but for their end.
    let steps = |side: usize| {
        let literal = format!("{}ca", "a".repeat(side - 2));
        let path = format!("/{}", format!("{}{literal}", "a".repeat(side)).repeat(side));
        let pattern = format!("/{}*x", format!("*{literal}").repeat(side));
        let body = format!("User-agent: *\nDisallow: {pattern}");
        let compiled = program(body.as_bytes());
        let (decided, steps) = count(&compiled, path.as_bytes());
        assert_eq!(decided, None);
        (steps, path.len() + pattern.len())
    };
    for side in [20, 60, 180] {
        let (steps, octets) = steps(side);
        assert!(steps <= 5 * octets as u64, "{side}: {steps} steps for {octets} octets");
    }
}

/// Octets of the program for each octet of the body.
fn weight(body: &str) -> f64 {
    program(body.as_bytes()).memory_usage() as f64 / body.len() as f64
}

/// The names over the group of this number.
type NamesOver = fn(usize) -> Vec<String>;

/// A name of its own.
const OWN: NamesOver = |at| vec![format!("own{}", name(at))];

/// A name that stands over the next group too, and that of the group before.
const SHARED: NamesOver = |at| (at.saturating_sub(1)..=at).map(name).collect();

const BOTH: NamesOver = |at| [OWN(at), SHARED(at)].concat();

fn groups_of(number: usize, names: NamesOver, rules: impl Fn(usize) -> String) -> String {
    let lines = |at| names(at).into_iter().map(|name| format!("user-agent:{name}\n"));
    (0..number).map(|at| lines(at).collect::<String>() + &rules(at)).collect()
}

/// Offsets of 32 bits are enough for the program of any body that is read, of 128 MiB at most, if it
/// weighs less than 32 times as much.
#[test]
fn programs_of_the_shortest_rules_in_the_forms_for_many_weigh_at_most_24_times_their_bodies() {
    // As many as have the most slots of an index for each rule; the fewest that have one.
    let wildcards = |_| "allow:*$\n".repeat(128);
    let fewest = |_| "allow:*$\n".repeat(96);
    let literals = |at: usize| (0..512).map(|n| format!("allow:/{:x}\n", 512 * at + n)).collect();
    for (names, most) in [(OWN, [8.0, 7.0, 5.0]), (SHARED, [15.0; 3]), (BOTH, [24.0; 3])] {
        let weights = [
            weight(&groups_of(400, names, wildcards)),
            weight(&groups_of(500, names, fewest)),
            weight(&groups_of(80, names, literals)),
        ];
        assert!(weights.iter().zip(most).all(|(weight, most)| *weight <= most), "{weights:?}");
    }
}
