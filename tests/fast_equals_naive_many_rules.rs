//! The compiled matcher answers as the plain one does on groups of many rules, whose forms differ
//! from those of small groups, and on paths short and long. The seeds are fixed.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

mod both_matchers;
#[path = "common/random.rs"]
mod random;

use both_matchers::DIALECTS;
use random::Random;
use robosift::compile::{
    BodyLimit, FormChoice, GroupId, GroupProgram, Literals, NameKind, Program, compile_in_form,
};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::matching::{best, matching_line, prepare};
use robosift::parse::Dialect;
use robosift::text::path::PathTraits;
use std::collections::BTreeSet;

const FORMS: [FormChoice; 3] = [FormChoice::Measured, FormChoice::ForFew, FormChoice::ForMany];

/// What patterns and paths are put together from: few pieces, so that they often agree.
const ALPHABETS: [&[&[u8]]; 4] = [
    &[b"a", b"b", b"/", b"*", b"abc", b"a", b"b", b"$"],
    &[
        b"a",
        b"b",
        b"/",
        b"*",
        b"$",
        b"%2A",
        b"%61",
        b"\xC3\xA9",
        b"%c3%a9",
        b"?",
        b"=",
        b".",
        b"_",
        b"-",
        b"1",
        b"A",
        b"/index.html",
        b"**",
        b"%00",
        b"+",
        b"*+",
    ],
    &[b"abc", b"bcd", b"cde", b"def", b"/", b"*", b"efgabc", b"x1", b"y.z"],
    &[b"a", b"a", b"a", b"a", b"*", b"b"],
];

const AGENTS: [&[u8]; 2] = [b"other", b"zz"];

/// A body in all forms and as the plain matcher reads it.
struct Both {
    dialect: Dialect,
    naive_dialect: NaiveDialect,
    programs: [Program; 3],
    naive: NaiveRobots,
}

/// Questions asked, and how many of them a rule decided.
#[derive(Debug, Default)]
struct Counts {
    asked: usize,
    ruled: usize,
}

impl Both {
    fn new(body: &[u8], (dialect, naive_dialect): (Dialect, NaiveDialect)) -> Self {
        let programs = FORMS.map(|form| compile_in_form(body, &dialect, BodyLimit::NONE, form));
        Both { dialect, naive_dialect, programs, naive: NaiveRobots::parse(body, naive_dialect) }
    }

    /// Asks every form and the plain matcher.
    fn check(&self, agent: &[u8], path: &[u8], context: &dyn Fn() -> String, counts: &mut Counts) {
        // Google's matcher reads a path up to a NUL.
        let path = match self.naive_dialect {
            NaiveDialect::Google => path.split(|octet| *octet == 0).next().unwrap_or_default(),
            NaiveDialect::Rfc9309 => path,
        };
        let naive = self.naive.judge_path(agent, path);
        let mut buffer = Vec::new();
        let prepared = prepare(path, PathTraits::of(path), &self.dialect, &mut buffer);
        for (program, form) in self.programs.iter().zip(FORMS) {
            let group = group_of(program, agent);
            let decided = best(program, group, prepared, &mut ());
            let line = decided.map_or(0, |rule| rule.line);
            let specificity = decided.map_or(0, |rule| rule.specificity());
            assert_eq!(
                (line, specificity, matching_line(program, group, prepared)),
                (naive.rule_line, naive.specificity, naive.matching_line),
                "{}, {form:?}, `{}`, {}",
                self.dialect.name,
                path.escape_ascii(),
                context()
            );
        }
        counts.asked += 1;
        counts.ruled += usize::from(naive.rule_line > 0);
    }
}

fn group_of(program: &Program, agent: &[u8]) -> GroupId {
    program.find(NameKind::Token, agent).or_else(|| program.wildcard()).unwrap()
}

/// How the rules for `agent` are laid out.
fn form_of(program: &Program, agent: &[u8]) -> (bool, bool) {
    match program.group(group_of(program, agent)) {
        GroupProgram::Compound(_) => (false, false),
        GroupProgram::Rules(rules) => {
            let has_trie = matches!(rules.literals(), Literals::Trie(_));
            (has_trie, rules.wildcards().index().is_some())
        }
    }
}

/// Up to `most` pieces of `alphabet`.
fn pieces(random: &mut Random, most: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let number = random.below(most + 1);
    (0..number).flat_map(|_| random.pick(alphabet)).copied().collect()
}

/// One large group, now and then broken by a second one or by one for `zz`; of its rules one in so
/// many may have stars.
fn body(random: &mut Random, rules: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let (most, starred) = (random.pick(&[2, 4, 8]), random.pick(&[1, 1, 4, 1_000]));
    let mut body = b"User-agent: *\n".to_vec();
    for _ in 0..rules {
        if random.one_in(240) {
            body.extend(random.pick(&[&b"User-agent: *\n"[..], b"User-agent: zz\n"]));
        }
        body.extend(random.pick(&[&b"Disallow:"[..], b"Allow:", b"allow ", b"disallow:\t"]));
        let pattern = match random.one_in(starred) {
            true => starred_pattern(random, most, alphabet),
            false => literal_pattern(random, most, alphabet),
        };
        body.extend([&pattern, &b"\n"[..]].concat());
    }
    body
}

fn starred_pattern(random: &mut Random, most: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let head = random.pick(&[&b"/"[..], b"/", b"/", b"/", b"*", b"/*", b""]);
    let pattern = pieces(random, most, alphabet);
    let tail = random.pick(&[&b""[..], b"", b"", b"$", b"*", b"**", b"*$", b"\0x"]);
    [head, &pattern, tail].concat()
}

fn literal_pattern(random: &mut Random, most: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let mut pattern = pieces(random, most, alphabet);
    pattern.retain(|octet| *octet != b'*');
    [&b"/"[..], &pattern, random.pick(&[&b""[..], b"", b"$", b"*"])].concat()
}

/// A path of so many pieces, few of which are stars; a NUL now and then.
fn path(random: &mut Random, number: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let mut path = b"/".to_vec();
    for _ in 0..number {
        let piece = random.pick(alphabet);
        if piece != b"*" || random.one_in(4) {
            path.extend(piece);
        }
        if random.one_in(40) {
            path.push(0);
        }
    }
    path
}

/// As [`path`], of exactly `len` octets.
fn path_of_len(random: &mut Random, len: usize, alphabet: &[&[u8]]) -> Vec<u8> {
    let mut path = path(random, 2 * len, alphabet);
    path.resize(len, b'a');
    path
}

/// Paths of few pieces, some of about a stride or two of the look-ups in an index, a long one.
fn paths(random: &mut Random, alphabet: &[&[u8]]) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for _ in 0..24 {
        let number = 1 + random.below(12);
        paths.push(path(random, number, alphabet));
    }
    for _ in 0..6 {
        let len = 60 + random.below(81);
        paths.push(path_of_len(random, len, alphabet));
    }
    let len = 500 + random.below(1_501);
    paths.push(path_of_len(random, len, alphabet));
    paths
}

#[test]
fn fast_equals_naive_in_every_form_of_large_groups() {
    let (mut counts, mut forms) = (Counts::default(), BTreeSet::new());
    for seed in 1..=400 {
        let mut random = Random::new(seed);
        let alphabet = random.pick(&ALPHABETS);
        let rules = random.pick(&[3, 9, 17, 20, 33, 100, 130, 520, 700, 900]);
        let body = body(&mut random, rules, alphabet);
        let paths = paths(&mut random, alphabet);
        let context = || format!("seed {seed}, body\n{}", body.escape_ascii());
        for dialect in DIALECTS {
            let both = Both::new(&body, dialect);
            forms.insert(form_of(&both.programs[0], AGENTS[0]));
            for path in &paths {
                both.check(random.pick(&AGENTS), path, &context, &mut counts);
            }
        }
    }
    assert_eq!(counts.asked, 400 * 2 * 31);
    assert!(counts.ruled * 2 >= counts.asked, "{counts:?}");
    assert!(counts.ruled * 50 <= counts.asked * 49, "{counts:?}");
    assert_eq!(forms.len(), 4, "trie, index: {forms:?}");
}

/// Rules that each ask for digits of their own, in bodies with so many, against paths that hold such
/// digits at their end or nowhere.
fn check_digits(rules: usize, lens: impl Iterator<Item = usize> + Clone) {
    let mut counts = Counts::default();
    let rule = |at: usize| format!("Disallow: /*{at:04}\nAllow: /b*{at:04}$\n");
    let body = format!("User-agent: *\n{}", (0..rules).map(rule).collect::<String>());
    let last = format!("{:04}", rules - 1);
    let ends = ["0007", &last, &format!("{last}?"), "0x07", "9999", "000"];
    for dialect in DIALECTS {
        let both = Both::new(body.as_bytes(), dialect);
        assert_eq!(form_of(&both.programs[0], AGENTS[0]), (false, true));
        for len in lens.clone() {
            for path in ends.iter().flat_map(|end| ["/", "/b"].map(|head| (head, end))) {
                let path = format!("{}{}{}", path.0, "-".repeat(len), path.1);
                let context = || format!("{rules} rules");
                both.check(AGENTS[0], path.as_bytes(), &context, &mut counts);
            }
        }
    }
    assert_eq!(counts.asked, lens.clone().count() * 2 * 12);
    assert_eq!(counts.ruled, lens.count() * 2 * 6);
}

#[test]
fn fast_equals_naive_on_paths_of_every_length_around_the_strides_of_the_index() {
    check_digits(60, (0..270).chain(500..520));
}

#[test]
fn fast_equals_naive_on_more_rules_than_an_index_has_slots() {
    check_digits(4_500, [0, 58, 61, 130, 600].into_iter());
}

#[test]
fn fast_equals_naive_on_a_thousand_patterns_that_each_begin_the_next() {
    let mut body = b"User-agent: *\n".to_vec();
    for depth in 1..=1_000 {
        let key = [&b"Disallow: /"[..], b"Allow: /", b"Disallow: /"][depth % 3];
        let tail: &[u8] = match depth % 7 {
            2 | 5 => b"$",
            3 => b"*",
            6 => b"*$",
            _ => b"",
        };
        body.extend([key, &b"a".repeat(depth), tail, b"\n"].concat());
    }
    let context = || "nested".to_owned();
    let mut counts = Counts::default();
    for dialect in DIALECTS {
        let both = Both::new(&body, dialect);
        assert!(form_of(&both.programs[0], AGENTS[0]).0);
        for len in 0..=1_002 {
            let mut path = b"/".to_vec();
            path.resize(len + 1, b'a');
            both.check(AGENTS[0], &path, &context, &mut counts);
            if len % 25 == 0 {
                for tail in [&b"b"[..], b"\0", b"/a", b"*"] {
                    let path = [&path, tail].concat();
                    both.check(AGENTS[0], &path, &context, &mut counts);
                }
            }
        }
    }
    assert_eq!(counts.asked, 2 * (1_003 + 4 * 41));
    assert!(counts.ruled >= counts.asked - 16, "{counts:?}");
}
