//! The rules of a group by what their patterns hold, so that few are compared with each other.
//!
//! Enters: the rules of a group by rank. Leaves: for a rule, those that may include it and outrank it. What such
//! a pattern begins with must begin the other one, and its literals must stand in the other's, in order; the octets that
//! make it count for as much, though it holds no more literals, are stars and the anchor. So either it has the very same
//! literals, or more stars. Built in one pass; a look-up is a probe for each length that beginnings have.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use foldhash::fast::RandomState;

use super::inclusion::Pattern;

/// A rule as it is compared with others.
#[derive(Clone, Debug)]
pub(super) struct Compared<'p> {
    pub(super) pattern: Pattern<'p>,
    /// What stands for every path that it matches.
    pub(super) texts: Vec<Vec<u8>>,
    /// The octets of the first text that are no stars; another pattern that matches the same paths, a star at
    /// its beginning or not, has the same.
    literals: Vec<u8>,
    specificity: usize,
}

impl<'p> Compared<'p> {
    pub(super) fn new(normalised: &'p [u8], specificity: u32) -> Self {
        let pattern = Pattern::of(normalised);
        let texts = pattern.texts();
        let first = texts.first().map(Vec::as_slice).unwrap_or_default();
        let literals = first.iter().copied().filter(|octet| *octet != b'*').collect();
        let specificity = usize::try_from(specificity).unwrap_or(usize::MAX);
        Compared { pattern, texts, literals, specificity }
    }

    /// Octets that count beyond the literals.
    fn extra(&self) -> usize {
        self.specificity.saturating_sub(self.literals.len())
    }

    /// What every path that it matches begins with.
    pub(super) fn beginning(&self) -> &[u8] {
        let beginning = |text: &'_ Vec<u8>| memchr::memchr(b'*', text).unwrap_or(text.len());
        let beginnings =
            self.texts.iter().map(|text| text.get(..beginning(text)).unwrap_or_default());
        beginnings.min_by_key(|beginning| beginning.len()).unwrap_or_default()
    }

    /// Its pattern has a star, and paths that have nothing in common but their beginning may match.
    pub(super) fn has_star(&self) -> bool {
        self.pattern.text.contains(&b'*')
    }
}

/// Places of rules, ascending, by what their patterns begin with and by how many octets count beyond their literals.
#[derive(Debug, Default)]
pub(super) struct Beginnings {
    places: HashMap<Vec<u8>, BTreeMap<usize, Vec<usize>>, RandomState>,
    lens: BTreeSet<usize>,
}

impl Beginnings {
    /// Takes the rule at `place`; places come in ascending order. What it must agree with is the pattern's own prefix,
    /// which is empty where a star begins it.
    pub(super) fn add(&mut self, place: usize, rule: &Compared<'_>) {
        let prefix = rule.pattern.prefix();
        self.lens.insert(prefix.len());
        let of_prefix = self.places.entry(prefix.to_vec()).or_default();
        of_prefix.entry(rule.extra()).or_default().push(place);
    }

    /// Lists of places whose prefix begins `beginning`, by how many octets count beyond literals.
    fn agreeing<'i>(
        &'i self,
        beginning: &'i [u8],
    ) -> impl Iterator<Item = &'i BTreeMap<usize, Vec<usize>>> {
        let lens = self.lens.range(..=beginning.len());
        lens.filter_map(move |len| self.places.get(beginning.get(..*len)?))
    }

    /// Places before `place` of rules that have fewer literals than the rule there, and may include it.
    pub(super) fn before<'i>(
        &'i self,
        rules: &'i [Compared<'_>],
        place: usize,
    ) -> impl Iterator<Item = &'i [usize]> {
        let rule = rules.get(place);
        let beginning = rule.map(Compared::beginning).unwrap_or_default();
        let num_literals = rule.map_or(0, |rule| rule.literals.len());
        let least = rule.map_or(usize::MAX, |rule| rule.extra().saturating_add(1));
        let lists = self.agreeing(beginning).flat_map(move |by_extra| by_extra.range(least..));
        lists.filter_map(move |(_, places)| {
            // By rank, so that those with more literals stand first.
            let has_as_many =
                |at: &usize| rules.get(*at).is_some_and(|r| r.literals.len() >= num_literals);
            let from = places.partition_point(has_as_many);
            let to = places.partition_point(|at| *at < place);
            places.get(from..to).filter(|places| !places.is_empty())
        })
    }

    /// Places behind `place` of rules whose prefix begins `beginning`.
    pub(super) fn behind<'i>(
        &'i self,
        beginning: &'i [u8],
        place: usize,
    ) -> impl Iterator<Item = &'i [usize]> {
        self.agreeing(beginning).flat_map(BTreeMap::values).filter_map(move |places| {
            let from = places.partition_point(|at| *at <= place);
            places.get(from..).filter(|places| !places.is_empty())
        })
    }
}

/// Places of rules, ascending, by all their literals.
#[derive(Debug, Default)]
pub(super) struct SameLiterals(HashMap<Vec<u8>, Vec<usize>, RandomState>);

impl SameLiterals {
    /// Takes the rule at `place`; places come in ascending order.
    pub(super) fn add(&mut self, place: usize, rule: &Compared<'_>) {
        self.0.entry(rule.literals.clone()).or_default().push(place);
    }

    /// Places before `place` of rules with the literals of the rule there.
    pub(super) fn before(&self, rule: &Compared<'_>, place: usize) -> &[usize] {
        let places = self.0.get(&rule.literals).map(Vec::as_slice).unwrap_or_default();
        places.get(..places.partition_point(|at| *at < place)).unwrap_or_default()
    }
}
