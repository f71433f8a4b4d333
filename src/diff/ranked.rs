//! The rules that decide for one agent on one side, arranged for comparing.
//!
//! Enters: what a side answers the agent. Leaves: rules by rank with their patterns ready to be walked, and for a pattern those that can
//! match a path that it matches, by what all these paths begin with. Cost: linear in the rules, but for sorting. Must
//! not know: the other side.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::pattern::Pattern;
use super::side::Side;
use crate::parse::Kind;

/// What stands for an answer that refuses every path.
const EVERYTHING: &[u8] = b"/";

/// A rule, ready.
#[derive(Clone, Debug)]
pub(super) struct Ruled<'p> {
    pub(super) pattern: Pattern<'p>,
    pub(super) allows: bool,
}

/// Rules by rank, the best first; a second one with the same pattern never decides and is left out.
#[derive(Debug)]
pub(super) struct Ranked<'p> {
    rules: Vec<Ruled<'p>>,
    /// Places in `rules` by what stands before the first star.
    by_literal: BTreeMap<&'p [u8], Vec<usize>>,
    literal_lens: BTreeSet<usize>,
}

impl<'p> Ranked<'p> {
    /// Of a side; `None` where it answers that nothing is known.
    pub(super) fn of(side: &Side<'p>) -> Option<Self> {
        let rules = match side {
            Side::Fixed(None, _) => return None,
            Side::Fixed(Some(true), _) => Vec::new(),
            Side::Fixed(Some(false), _) => {
                vec![Ruled { pattern: Pattern::new(EVERYTHING, false), allows: false }]
            }
            Side::Group(group) => group
                .rules()
                .iter()
                .map(|rule| Ruled {
                    pattern: Pattern::new(rule.pattern, rule.anchored),
                    allows: rule.kind == Kind::Allow,
                })
                .collect(),
        };
        Some(Ranked::new(rules))
    }

    fn new(mut rules: Vec<Ruled<'p>>) -> Self {
        let mut known = HashSet::new();
        rules.retain(|rule| known.insert(rule.pattern.key()));
        let mut by_literal: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
        for (at, rule) in rules.iter().enumerate() {
            by_literal.entry(rule.pattern.first_literal()).or_default().push(at);
        }
        let literal_lens = by_literal.keys().map(|literal| literal.len()).collect();
        Ranked { rules, by_literal, literal_lens }
    }

    /// All of them, the best first.
    pub(super) fn rules(&self) -> &[Ruled<'p>] {
        &self.rules
    }

    /// For each of these rules, the place of the one with the same pattern among `others`.
    pub(super) fn twins(&self, others: &Ranked<'_>) -> Vec<Option<usize>> {
        let places = others.rules.iter().enumerate();
        let places: HashMap<_, _> = places.map(|(at, rule)| (rule.pattern.key(), at)).collect();
        self.rules.iter().map(|rule| places.get(&rule.pattern.key()).copied()).collect()
    }

    /// Those that can match a path that `pattern` matches, the best first, with their places.
    pub(super) fn beside(&self, pattern: &Pattern<'_>) -> Vec<(usize, &Ruled<'p>)> {
        let literal = pattern.first_literal();
        let shorter = self.literal_lens.range(..literal.len());
        let beginnings = shorter.filter_map(|len| self.by_literal.get(literal.get(..*len)?));
        let longer = self.by_literal.range(literal..);
        let longer = longer.take_while(|(longer, _)| longer.starts_with(literal));
        let places = beginnings.chain(longer.map(|(_, places)| places)).flatten();
        let mut places: Vec<usize> = places.copied().collect();
        places.sort_unstable();
        places.into_iter().filter_map(|at| Some((at, self.rules.get(at)?))).collect()
    }
}
