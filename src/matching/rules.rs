//! The rules of a group: the best literal rule that matches, unless a wildcard rule of better rank
//! does.

use super::{Steps, wildcard};
use crate::compile::{
    Features, GramIndex, Literals, LongGrams, PathGrams, PathWord, RuleSet, ShortGrams, Trie,
    Words, features_of,
};
use crate::text::compare::{Head, common_len, holds_pair};

/// Wildcard rules from which on the grams of a path are marked instead of each rule's pair being
/// searched for (docs/BENCHMARKS.md has the counts that set this).
const MIN_WILDCARDS_FOR_GRAMS: usize = 8;

/// Octets of a path up to which wildcard rules are turned down by the kinds of octets it has and by
/// pairs, and its grams are marked roughly. A longer one has nearly all of them, and each test is
/// one more pass over it.
const MAX_PATH_FOR_TESTS: usize = 512;

/// The number of the rule of best rank that matches `path`.
#[inline]
pub(super) fn first_match(
    rules: &RuleSet<'_>,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<usize> {
    let head = Head::of(path);
    let literal = match rules.literals() {
        Literals::Scan(words) => first_in_scan(rules, words, head, path, steps),
        Literals::Trie(trie) => first_in_trie(trie, path, steps),
    };
    if rules.wildcards().is_empty() {
        return literal;
    }
    first_wildcard(rules, PathWord::of(head), path, literal, steps).or(literal)
}

#[inline]
fn first_in_scan(
    rules: &RuleSet<'_>,
    words: &Words<'_>,
    head: Head,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<usize> {
    steps.add(words.len());
    words.first_agreeing(PathWord::of(head), |at| {
        let text = rules.literal(at)?;
        steps.add(text.len.min(path.len()));
        text.matches(path, head).then_some(at)
    })
}

#[inline(never)]
fn first_in_trie(trie: &Trie<'_>, path: &[u8], steps: &mut impl Steps) -> Option<usize> {
    let nearest = trie.nearest(path)?;
    let agreed = common_len(nearest.text(), path);
    // The walk looks at ascending bits of the path, the comparison at its octets.
    steps.add(path.len() + agreed);
    let whole = agreed == path.len() && agreed == nearest.text().len();
    let anchored = nearest.anchored_rule().filter(|_| whole);
    let open = trie.longest_open(nearest, agreed).and_then(|leaf| leaf.open_rule());
    open.into_iter().chain(anchored).min()
}

/// The first wildcard rule that matches and has better rank than the rule `literal`.
#[inline(never)]
fn first_wildcard(
    rules: &RuleSet<'_>,
    word: PathWord,
    path: &[u8],
    literal: Option<usize>,
    steps: &mut impl Steps,
) -> Option<usize> {
    let count = rules.wildcards().len();
    // By rank, so that those which the literal rule outranks stand behind the others.
    let better = literal.map_or(count, |at| rules.num_better_wildcards(at));
    if better == 0 {
        return None;
    }
    let is_short = path.len() <= MAX_PATH_FOR_TESTS;
    let found = match rules.wildcards().index() {
        // On a long path with fewer rules than octets, a test of each rule's grams is cheaper than a
        // look-up of each of the path's.
        Some(index) if is_short || count > path.len() => {
            best_of_index(rules, &index, better, word, path, steps)
        }
        _ if better < MIN_WILDCARDS_FOR_GRAMS => {
            first_by_pairs(rules, better, word, path, is_short, steps)
        }
        _ if is_short => first_by_grams::<ShortGrams>(rules, better, word, path, steps),
        _ => first_by_grams::<LongGrams>(rules, better, word, path, steps),
    };
    found.map(|at| rules.num_literals() + at)
}

/// The first of the first `count` wildcard rules that matches, candidates being turned down by a pair
/// of octets where the path `is_short`.
#[inline]
fn first_by_pairs(
    rules: &RuleSet<'_>,
    count: usize,
    word: PathWord,
    path: &[u8],
    is_short: bool,
    steps: &mut impl Steps,
) -> Option<usize> {
    let holds_pair = |at: usize, steps: &mut _| {
        let pair = rules.wildcard(at).and_then(|rule| rule.pair);
        pair.filter(|_| is_short).is_none_or(|pair| {
            Steps::add(steps, path.len());
            holds_pair(path, pair)
        })
    };
    first_of_candidates(rules, count, word, path, holds_pair, steps)
}

/// As [`first_by_pairs`], candidates being looked up by the grams of `path`.
#[inline(never)]
fn best_of_index(
    rules: &RuleSet<'_>,
    index: &GramIndex<'_>,
    count: usize,
    word: PathWord,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<usize> {
    steps.add(path.len());
    let has = tested_features(path, steps);
    let (mut best, mut better) = (None, count);
    let mut grams: Option<ShortGrams> = None;
    index.for_each_candidate(path, |at| {
        steps.add(1);
        if (at < better) & rules.wildcards().may_match(at, word, has)
            && grams.get_or_insert_with(|| ShortGrams::new(path)).hold(rules.wildcards().grams(at))
            && wildcard_matches(rules, at, path, steps)
        {
            (best, better) = (Some(at), at);
        }
    });
    best
}

/// As [`first_by_pairs`], candidates being turned down by the grams of `path`.
#[inline(never)]
fn first_by_grams<G: PathGrams>(
    rules: &RuleSet<'_>,
    count: usize,
    word: PathWord,
    path: &[u8],
    steps: &mut impl Steps,
) -> Option<usize> {
    let mut grams: Option<G> = None;
    let holds_grams = |at: usize, steps: &mut _| holds_grams(rules, at, path, &mut grams, steps);
    first_of_candidates(rules, count, word, path, holds_grams, steps)
}

/// Whether `path` has the grams of the wildcard rule `at`; its own are marked when first asked for.
#[inline]
fn holds_grams<G: PathGrams>(
    rules: &RuleSet<'_>,
    at: usize,
    path: &[u8],
    grams: &mut Option<G>,
    steps: &mut impl Steps,
) -> bool {
    let grams = grams.get_or_insert_with(|| {
        steps.add(path.len());
        G::new(path)
    });
    grams.hold(rules.wildcards().grams(at))
}

#[inline]
fn first_of_candidates<S: Steps>(
    rules: &RuleSet<'_>,
    count: usize,
    word: PathWord,
    path: &[u8],
    mut may_match: impl FnMut(usize, &mut S) -> bool,
    steps: &mut S,
) -> Option<usize> {
    steps.add(count);
    let has = tested_features(path, steps);
    rules.wildcards().first_candidate(count, word, has, |at| {
        may_match(at, steps) && wildcard_matches(rules, at, path, steps)
    })
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

/// Whether the wildcard rule `at` matches.
fn wildcard_matches(rules: &RuleSet<'_>, at: usize, path: &[u8], steps: &mut impl Steps) -> bool {
    let Some(rule) = rules.wildcard(at) else { return false };
    steps.add(rule.pattern.len().min(path.len()));
    match rule.pattern {
        [text @ .., b'$'] if rule.anchored => wildcard::matches(text, true, path, steps),
        text => wildcard::matches(text, false, path, steps),
    }
}
