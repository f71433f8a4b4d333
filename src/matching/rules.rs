//! The rules of a group: the best literal rule that matches, unless a wildcard rule of better rank
//! does.

use super::{Match, Steps, wildcard};
use crate::compile::{
    Features, GramIndex, Literals, LongGrams, PathGrams, PathWord, RuleProgram, RuleSet,
    ShortGrams, Trie, Words, features_of,
};
use crate::text::compare::{begins_with, common_len, equal, holds_pair};

/// Wildcard rules from which on the grams of a path are marked instead of each rule's pair being
/// searched for (docs/BENCHMARKS.md has the counts that set this).
const MIN_WILDCARDS_FOR_GRAMS: usize = 8;

/// Octets of a path up to which wildcard rules are turned down by the kinds of octets it has and by
/// pairs, and its grams are marked roughly. A longer one has nearly all of them, and each test is
/// one more pass over it.
const MAX_PATH_FOR_TESTS: usize = 512;

/// The rule of best rank that matches `path`.
#[inline]
pub(super) fn first_match<'p>(
    rules: &RuleSet<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    let word = PathWord::new(path);
    let literal = match rules.literals() {
        Literals::Scan(words) => first_in_scan(rules, words, &word, path, steps),
        Literals::Trie(trie) => first_in_trie(rules, trie, path, steps),
    };
    if rules.wildcards().is_empty() {
        return literal;
    }
    first_wildcard(rules, &word, path, literal.as_ref(), steps).or(literal)
}

#[inline]
fn first_in_scan<'p>(
    rules: &RuleSet<'p>,
    words: &Words<'p>,
    word: &PathWord,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    steps.add(words.len());
    words.first_agreeing(word, |at| {
        rules.rule(at).filter(|rule| {
            steps.add(rule.pattern.len().min(path.len()));
            match rule.pattern {
                [text @ .., b'$'] if rule.anchored => equal(path, text),
                [text @ .., b'*'] | text => begins_with(path, text),
            }
        })
    })
}

#[inline(never)]
fn first_in_trie<'p>(
    rules: &RuleSet<'p>,
    trie: &Trie<'p>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    let nearest = trie.nearest(path)?;
    let agreed = common_len(nearest.text(), path);
    // The walk looks at ascending bits of the path, the comparison at its octets.
    steps.add(path.len() + agreed);
    let whole = agreed == path.len() && agreed == nearest.text().len();
    let anchored = nearest.anchored_rule().filter(|_| whole);
    let open = trie.longest_open(nearest, agreed).and_then(|leaf| leaf.open_rule());
    rules.rule(open.into_iter().chain(anchored).min()?)
}

/// The first wildcard rule that matches and has better rank than `literal`.
#[inline]
fn first_wildcard<'p>(
    rules: &RuleSet<'p>,
    word: &PathWord,
    path: &[u8],
    literal: Option<&Match<'p>>,
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    if let (Some(literal), Some(first)) = (literal, rules.wildcard(0))
        && literal.rank() < first.rank()
    {
        return None;
    }
    let (is_short, count) = (path.len() <= MAX_PATH_FOR_TESTS, rules.wildcards().len());
    match rules.wildcards().index() {
        // On a long path with fewer rules than octets, a test of each rule's grams is cheaper than a
        // look-up of each of the path's.
        Some(index) if is_short || count > path.len() => {
            return best_of_index(rules, index, word, path, literal, steps);
        }
        _ if count < MIN_WILDCARDS_FOR_GRAMS => {}
        _ if is_short => return first_by_grams::<ShortGrams>(rules, word, path, literal, steps),
        _ => return first_by_grams::<LongGrams>(rules, word, path, literal, steps),
    }
    let holds_pair = |rule: &RuleProgram<'_>, _, steps: &mut _| {
        rule.pair.filter(|_| is_short).is_none_or(|pair| {
            Steps::add(steps, path.len());
            holds_pair(path, pair)
        })
    };
    first_of_candidates(rules, word, path, literal, holds_pair, steps)
}

/// As [`first_wildcard`], candidates being looked up by the grams of `path`.
#[inline(never)]
fn best_of_index<'p>(
    rules: &RuleSet<'p>,
    index: &GramIndex<'p>,
    word: &PathWord,
    path: &[u8],
    literal: Option<&Match<'p>>,
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    steps.add(path.len());
    let has = tested_features(path, steps);
    let mut best: Option<(usize, Match<'p>)> = None;
    index.for_each_candidate(path, |at| {
        steps.add(1);
        if best.as_ref().is_some_and(|(best, _)| *best < at)
            || !rules.wildcards().may_match(at, word, has)
        {
            return;
        }
        let Some(rule) = rules.wildcard(at) else { return };
        let is_better = literal.is_none_or(|literal| rule.rank() < literal.rank());
        if is_better && wildcard_matches(&rule, path, steps) {
            best = Some((at, rule));
        }
    });
    best.map(|(_, rule)| rule)
}

/// As [`first_wildcard`], candidates being turned down by the grams of `path`.
#[inline(never)]
fn first_by_grams<'p, G: PathGrams>(
    rules: &RuleSet<'p>,
    word: &PathWord,
    path: &[u8],
    literal: Option<&Match<'p>>,
    steps: &mut impl Steps,
) -> Option<Match<'p>> {
    let mut grams: Option<G> = None;
    let holds_grams = |_: &RuleProgram<'_>, at, steps: &mut _| {
        let grams = grams.get_or_insert_with(|| {
            Steps::add(steps, path.len());
            G::new(path)
        });
        grams.hold(rules.wildcards().grams(at))
    };
    first_of_candidates(rules, word, path, literal, holds_grams, steps)
}

#[inline]
fn first_of_candidates<'p, S: Steps>(
    rules: &RuleSet<'p>,
    word: &PathWord,
    path: &[u8],
    literal: Option<&Match<'p>>,
    mut may_match: impl FnMut(&RuleProgram<'p>, usize, &mut S) -> bool,
    steps: &mut S,
) -> Option<Match<'p>> {
    steps.add(rules.wildcards().len());
    let has = tested_features(path, steps);
    let decided = rules.wildcards().first_candidate(word, has, |at| {
        let Some(rule) = rules.wildcard(at) else { return Some(None) };
        if literal.is_some_and(|literal| literal.rank() < rule.rank()) {
            return Some(None);
        }
        let is_match = may_match(&rule, at, steps) && wildcard_matches(&rule, path, steps);
        is_match.then_some(Some(rule))
    });
    decided.flatten()
}

/// The features of `path`, all where it is not looked at.
#[inline]
fn tested_features(path: &[u8], steps: &mut impl Steps) -> Features {
    if path.len() > MAX_PATH_FOR_TESTS {
        return Features::MAX;
    }
    steps.add(path.len());
    features_of(path)
}

fn wildcard_matches(rule: &RuleProgram<'_>, path: &[u8], steps: &mut impl Steps) -> bool {
    steps.add(rule.pattern.len().min(path.len()));
    match rule.pattern {
        [text @ .., b'$'] if rule.anchored => wildcard::matches(text, true, path, steps),
        text => wildcard::matches(text, false, path, steps),
    }
}
