//! Rules against each other: which never decide, and without which nothing would change.
//!
//! ```text
//! body ─compile─▶ groups as they decide ─index─▶ pairs that may matter ─inclusion─▶ proven findings
//! ```
//!
//! Enters: the part of a body that is read. Leaves: findings that hold for every agent whose group has the rule:
//! without it no verdict would be another as long as its group keeps a rule, and but for `redundant-rule` no rule would decide that did not decide before. Cost:
//! near-linear in the rules of a group, but for patterns that begin alike and have as many stars; a budget for the whole body, past which
//! nothing is reported but that it was spent.

mod group;
mod inclusion;
mod index;

use std::collections::{BTreeMap, BTreeSet};

pub use inclusion::includes;

use super::Options;
use super::code::Code;
use super::finding::{At, Findings, Words, words};
use super::words::shown;
use crate::compile::{BodyLimit, GroupId, Program, compile};
use crate::matching::Steps;
use crate::parse::{Kind, Robots};
use group::Rules;

/// Octets that are compared, at most, for one body to find rules that never decide, and as many to find those
/// without which nothing would change: a fraction of a second each.
const MOST_STEPS: usize = 50_000_000;

/// What it takes to make a rule ready, beside its pattern.
const OCTETS_PER_RULE: usize = 16;

/// Steps that are left.
struct Budget(usize);

impl Budget {
    fn take(&mut self, steps: usize) {
        self.0 = self.0.saturating_sub(steps);
    }

    fn is_spent(&self) -> bool {
        self.0 == 0
    }
}

impl Steps for Budget {
    fn add(&mut self, steps: usize) {
        self.take(steps);
    }
}

/// What another rule makes of one; the weaker claim first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// It allows what nothing disallows.
    NothingToAllow,
    /// A rule of its kind would decide in its place.
    SaidBelow,
    /// It never decides.
    Shadowed,
    /// Nor does it: a rule of the other kind matches the same.
    Contradicted,
    /// Nor does it: a rule of its kind matches the same.
    Duplicate,
}

/// What becomes of the rule on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fate {
    line: u32,
    /// The line of the other rule, 0 where there is none.
    by: u32,
    why: Why,
}

/// Compares the rules of each group of `text` with each other.
pub(super) fn check(text: &[u8], robots: &Robots<'_>, options: &Options, findings: &mut Findings) {
    use Code::{ContradictingRule, DuplicateRule, RedundantRule, ShadowedRule};
    let codes = [DuplicateRule, ContradictingRule, ShadowedRule, RedundantRule];
    if !codes.iter().any(|code| findings.wants(*code)) {
        return;
    }
    let program = compile(text, &options.dialect, BodyLimit::NONE);
    let (fates, is_whole) = fates(&program);
    if !is_whole {
        let what = match fates.is_empty() {
            true => "the rules of the groups were not compared with each other",
            false => "whether the file needs each of the rules that decide was not looked for",
        };
        findings.add(Code::NotCompared, At::line(0), || {
            words(format!("too many rules are alike: {what}"), "shorten the file")
        });
    }
    fates.values().flatten().for_each(|fate| tell(fate, robots, findings));
}

/// What becomes of the rule on each line; `None` where it matters to an agent.
type Fates = BTreeMap<u32, Option<Fate>>;

/// What becomes of each line's rule, and whether all was looked for: nothing is in the list where comparing was given
/// up, and nothing that is only redundant where that was.
fn fates(program: &Program) -> (Fates, bool) {
    let names = program.view().names().map(|(_, _, group)| group);
    let groups: BTreeSet<GroupId> = names.chain(program.wildcard()).collect();
    let (mut for_dead, mut for_redundant) = (Budget(MOST_STEPS), Budget(MOST_STEPS));
    let mut fates = Fates::new();
    for group in groups {
        let rules = program.group(group).rules();
        let compared = Rules::new(&rules);
        for_dead.take(rules.iter().map(|rule| rule.pattern.len() + OCTETS_PER_RULE).sum());
        for (place, rule) in rules.iter().enumerate() {
            let dead = compared.dead(place, &mut for_dead);
            let fate = dead.or_else(|| compared.redundant(place, &mut for_redundant));
            if for_dead.is_spent() {
                return (Fates::new(), false);
            }
            let known = fates.entry(rule.line).or_insert(fate);
            *known = weaker(*known, fate);
        }
    }
    let is_whole = !for_redundant.is_spent();
    if !is_whole {
        fates.retain(|_, fate| fate.is_none_or(|fate| fate.why >= Why::Shadowed));
    }
    (fates, is_whole)
}

/// What can be said of a rule of which both can be said in different groups.
fn weaker(one: Option<Fate>, other: Option<Fate>) -> Option<Fate> {
    let (one, other) = (one?, other?);
    let weaker = if other.why < one.why { other } else { one };
    // That it never decides holds in both; why differs.
    let both_dead = one.why >= Why::Shadowed && other.why >= Why::Shadowed && one.why != other.why;
    Some(if both_dead { Fate { why: Why::Shadowed, ..weaker } } else { weaker })
}

fn tell(fate: &Fate, robots: &Robots<'_>, findings: &mut Findings) {
    let (code, label) = match fate.why {
        Why::NothingToAllow => (Code::RedundantRule, ""),
        Why::SaidBelow => (Code::RedundantRule, "this rule says so too"),
        Why::Shadowed => (Code::ShadowedRule, "this rule decides before it"),
        Why::Contradicted => (Code::ContradictingRule, "this rule decides before it"),
        Why::Duplicate => (Code::DuplicateRule, "the same"),
    };
    let at = At::line(fate.line);
    let at = if fate.by == 0 { at } else { at.with(fate.by, label) };
    findings.add(code, at, || say(fate, robots));
}

fn say(fate: &Fate, robots: &Robots<'_>) -> Words {
    let by = fate.by;
    let rule = rule_on(robots, fate.line);
    let pattern = rule.map(|(_, pattern, _)| shown(pattern)).unwrap_or_default();
    let is_allow = rule.is_some_and(|(kind, ..)| kind == Kind::Allow);
    let message = match fate.why {
        Why::NothingToAllow => {
            format!("`{pattern}` outranks no disallow rule: what it allows is allowed without it")
        }
        Why::SaidBelow => format!("without this rule line {by} decides the same"),
        Why::Shadowed => {
            format!(
                "the rule never decides: line {by} matches whatever `{pattern}` matches, and outranks it"
            )
        }
        Why::Contradicted if is_allow => {
            format!("line {by} disallows the same in more octets: the rule never decides")
        }
        Why::Contradicted => format!("line {by} allows the same, and wins: the rule never decides"),
        Why::Duplicate => format!("line {by} says the same: the rule never decides"),
    };
    words(message, remedy(fate, robots))
}

fn remedy(fate: &Fate, robots: &Robots<'_>) -> &'static str {
    let (rule, by) = (rule_on(robots, fate.line), rule_on(robots, fate.by));
    let same_kind = rule.map(|(kind, ..)| kind) == by.map(|(kind, ..)| kind);
    let is_alone = rule.is_some_and(|(.., is_alone)| is_alone);
    match (fate.why, same_kind, is_alone) {
        (Why::NothingToAllow | Why::SaidBelow, _, true) => {
            "leave it: it is the only rule of its group, which without it would be one with the next"
        }
        (Why::NothingToAllow | Why::SaidBelow, ..) => "nothing, or take it out",
        (_, true, true) => "take it out, with the user-agent lines of which it is the only rule",
        (_, true, false) => "take it out",
        (_, false, true) => {
            "decide which of the two is meant; a rule that is the only one of its group goes with its user-agent lines"
        }
        (_, false, false) => "decide which of the two is meant, and take the other out",
    }
}

/// The rule on a line, and whether it is the only one of its group.
fn rule_on<'r>(robots: &'r Robots<'_>, line: u32) -> Option<(Kind, &'r [u8], bool)> {
    let at = robots.rules.binary_search_by_key(&line, |rule| rule.line).ok()?;
    let rule = robots.rules.get(at)?;
    let group = robots.groups.partition_point(|group| group.rules.1 <= at);
    let is_alone = robots.groups.get(group).is_some_and(|g| g.rules == (at, at + 1));
    Some((rule.kind, rule.pattern, is_alone))
}
