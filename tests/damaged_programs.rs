//! Programs whose octets were damaged: an answer comes, whatever it is, and after a bounded number of
//! steps.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;

use random::Random;
use robosift::compile::{
    BodyLimit, FormChoice, GroupId, GroupProgram, NameKind, Program, compile_in_form,
};
use robosift::matching::{best, matching_line};
use robosift::parse::Dialect;

/// Most steps of a question for each octet of program and path together.
const MOST_STEPS: u64 = 32;

/// Where the length stands, which [`Program::from_octets`] checks.
const LEN_AT: std::ops::Range<usize> = 4..8;

/// Agents that stand in the body's names, and one that does not.
const AGENTS: [&[u8]; 4] = [b"zz", b"crowda", b"crowdq", b"nobody"];

/// Rules of every kind for everybody, in two groups, the second of which is for `zz` too.
fn body(rules: usize) -> Vec<u8> {
    let rule = |at: usize| {
        let digit = at % 7;
        format!(
            "Disallow: /a{digit}/b\nAllow: /x{at}*y{at}z$\nDisallow: /a/{at}*\nAllow: /*{at}**q\n"
        )
    };
    let rules: String = (0..rules).map(rule).collect();
    format!("User-agent: *\n{rules}User-agent: zz\nDisallow: /\nUser-agent: *\nUser-agent: zz\nAllow: /b\n")
        .into_bytes()
}

/// Names over one group that have groups of their own too: more rules than are copied.
fn crowded_body() -> Vec<u8> {
    let crowd = || ('a'..='z').map(|letter| format!("User-agent: crowd{letter}\n"));
    let shared = (0..30).map(|at| format!("Disallow: /shared{at}$\nAllow: /*{at}x\n"));
    let own = crowd().enumerate().map(|(at, name)| format!("{name}Disallow: /own{at}\n"));
    let crowd: String = crowd().collect();
    format!("{crowd}{}{}", shared.collect::<String>(), own.collect::<String>()).into_bytes()
}

fn program(body: &[u8], form: FormChoice) -> Program {
    compile_in_form(body, &Dialect::RFC9309, BodyLimit::NONE, form)
}

/// A program of `octets`, their length written anew.
fn forged(mut octets: Vec<u8>) -> Option<Program> {
    let len = u32::try_from(octets.len()).unwrap();
    octets.get_mut(LEN_AT)?.copy_from_slice(&len.to_le_bytes());
    Program::from_octets(octets)
}

/// The groups that a program gives for the agents.
fn groups(program: &Program) -> Vec<GroupId> {
    let named = AGENTS
        .iter()
        .flat_map(|agent| [NameKind::Token, NameKind::Whole].map(|kind| program.find(kind, agent)));
    let mut groups: Vec<_> = named.chain([program.wildcard()]).flatten().collect();
    groups.dedup();
    groups
}

/// Asks all there is to ask; the most steps that a question took, as a multiple of the octets of
/// program and path.
fn ask_all(program: &Program) -> u64 {
    let long = [b"/x3".to_vec(), vec![b'/'; 700]].concat();
    let paths: [&[u8]; 7] = [b"/a3/b", b"/x3qqy3z", b"/a/3/4/5/66", b"/shared7", b"/", b"", &long];
    let mut most = 0;
    for group in groups(program) {
        for path in paths {
            let mut steps = 0_u64;
            let decided = best(program, group, path, &mut steps);
            let line = decided.map_or_else(|| program.empty_rule_line(group), |rule| rule.line);
            assert_eq!(matching_line(program, group, path), line);
            most = most.max(steps / (program.octets().len() + path.len()) as u64);
        }
    }
    most
}

fn words_of(len: usize, random: &mut Random) -> [u32; 8] {
    let any = u32::try_from(random.next() & 0xFFFF_FFFF).unwrap();
    [0, 1, u32::MAX, 0x7FFF_FFFF, 0x8000_0000, u32::try_from(len).unwrap(), any & 0xFFFF, any]
}

const FORMS: [FormChoice; 3] = [FormChoice::Measured, FormChoice::ForFew, FormChoice::ForMany];

#[test]
fn each_word_overwritten_by_each_value_harms_nothing() {
    let (mut random, mut most) = (Random::new(1), 0);
    for form in FORMS {
        for body in [body(9), crowded_body()] {
            let octets = program(&body, form).octets().to_vec();
            // Of the large ones every third word.
            let step = if octets.len() < 4_000 { 4 } else { 12 };
            for at in (8..octets.len() - 3).step_by(step) {
                let mut octets = octets.clone();
                for value in words_of(octets.len(), &mut random) {
                    octets[at..at + 4].copy_from_slice(&value.to_le_bytes());
                    most = most.max(ask_all(&forged(octets.clone()).unwrap()));
                }
            }
        }
    }
    assert!(most <= MOST_STEPS, "{most} steps for each octet");
}

#[test]
fn many_words_overwritten_and_ends_cut_off_harm_nothing() {
    let (mut random, mut most) = (Random::new(2), 0);
    for form in FORMS {
        for body in [body(40), crowded_body()] {
            let octets = program(&body, form).octets().to_vec();
            for _ in 0..1_000 {
                let mut octets = octets.clone();
                for _ in 0..random.pick(&[1, 2, 4, 40]) {
                    // Half of them near the beginning, where all offsets and counts of names are.
                    let words = if random.one_in(2) { 60 } else { octets.len() / 4 };
                    let at = 4 * (2 + random.below(words - 2));
                    let values = words_of(octets.len(), &mut random);
                    let value = random.pick(&values);
                    octets[at..at + 4].copy_from_slice(&value.to_le_bytes());
                }
                if random.one_in(4) {
                    octets.truncate(8 + random.below(octets.len() - 8));
                }
                most = most.max(ask_all(&forged(octets).unwrap()));
            }
        }
    }
    assert!(most <= MOST_STEPS, "{most} steps for each octet");
}

#[test]
fn programs_cut_off_anywhere_harm_nothing() {
    let mut most = 0;
    for form in FORMS {
        let octets = program(&body(9), form).octets().to_vec();
        for len in 8..=octets.len() {
            most = most.max(ask_all(&forged(octets[..len].to_vec()).unwrap()));
        }
    }
    assert!(most <= MOST_STEPS, "{most} steps for each octet");
}

#[test]
fn the_bodies_have_groups_of_every_form() {
    let is_compound = |program: &Program, agent: &[u8]| {
        let group = program.find(NameKind::Token, agent).unwrap();
        matches!(program.group(group), GroupProgram::Compound(_))
    };
    for form in FORMS {
        let crowded = program(&crowded_body(), form);
        assert!(is_compound(&crowded, AGENTS[1]));
        assert!(!is_compound(&crowded, AGENTS[2]));
        let merged = program(&body(40), form);
        let GroupProgram::Rules(rules) = merged.group(merged.wildcard().unwrap()) else {
            unreachable!("two groups are merged")
        };
        assert_eq!(rules.len(), 161);
    }
}

#[test]
fn octets_of_a_program_are_a_program() {
    for form in FORMS {
        for body in [body(40), crowded_body(), Vec::new()] {
            let program = program(&body, form);
            assert_eq!(Program::from_octets(program.octets().to_vec()), Some(program.clone()));
            assert_eq!(forged(program.octets().to_vec()), Some(program));
        }
    }
}

#[test]
fn octets_that_do_not_begin_as_a_whole_program_are_none() {
    let octets = program(&body(3), FormChoice::Measured).octets().to_vec();
    for len in 0..octets.len() {
        assert_eq!(Program::from_octets(octets[..len].to_vec()), None, "{len} octets");
    }
    assert_eq!(Program::from_octets([octets.clone(), vec![0]].concat()), None);
    assert_eq!(Program::from_octets(vec![0; octets.len()]), None);
    for at in 0..8 {
        let mut octets = octets.clone();
        octets[at] ^= 0x10;
        assert_eq!(Program::from_octets(octets), None, "octet {at}");
    }
}

#[test]
fn an_index_whose_slots_all_claim_all_rules_gives_each_rule_once() {
    let rules = 2_000;
    let lines: String = (0..rules).map(|at| format!("Disallow: /*{at:04}*x\n")).collect();
    let body = format!("User-agent: *\n{lines}");
    let octets = program(body.as_bytes(), FormChoice::Measured).octets().to_vec();
    let path: String = (0..127).map(|at| format!("/{at:03}")).collect();
    let steps = |octets: Vec<u8>| {
        let program = forged(octets).unwrap();
        let mut steps = 0_u64;
        let decided = best(&program, program.wildcard().unwrap(), path.as_bytes(), &mut steps);
        assert_eq!(decided, None);
        steps
    };
    let word = |at: usize| {
        let word = octets[at..].first_chunk().unwrap();
        usize::try_from(u32::from_le_bytes(*word)).unwrap()
    };
    // Behind the group's header stand a word, a set of features and one of grams for each rule.
    let index_at = word(word(24)) + 16 + rules * (4 + 1 + 8);
    let mut damaged = octets.clone();
    for (slot, at) in (index_at..).step_by(4).take(4_096).enumerate() {
        let start = if slot.is_multiple_of(2) { [0; 4] } else { [0xFF; 4] };
        damaged[at..at + 4].copy_from_slice(&start);
    }
    let most = (rules * 3 * path.len()) as u64;
    let (sound, claimed) = (steps(octets.clone()), steps(damaged));
    assert!(sound <= most && claimed <= most, "{sound} and {claimed} steps of {most}");
}
