//! The rules of a group by what their patterns begin with, so that few are compared with each other.
//!
//! Enters: the rules of a group by rank. Leaves: for a pattern, those that may include it: what they begin with
//! must begin it too. Built in one pass; a look-up is one probe for each length and number of special octets that
//! the group's patterns have.

use std::collections::{BTreeSet, HashMap};

use super::inclusion::Pattern;

/// A rule as it is compared with others.
#[derive(Clone, Debug)]
pub(super) struct Compared<'p> {
    pub(super) pattern: Pattern<'p>,
    /// What stands for every path that it matches.
    pub(super) texts: Vec<Vec<u8>>,
    pub(super) specificity: usize,
    pub(super) num_literals: usize,
}

impl<'p> Compared<'p> {
    pub(super) fn new(normalised: &'p [u8], specificity: u32) -> Self {
        let pattern = Pattern::of(normalised);
        Compared {
            pattern,
            texts: pattern.texts(),
            specificity: usize::try_from(specificity).unwrap_or(usize::MAX),
            num_literals: pattern.num_literals(),
        }
    }

    /// Octets that count and are not compared: stars and the anchor.
    fn extra(&self) -> usize {
        self.specificity.saturating_sub(self.num_literals)
    }

    /// What every path that it matches begins with.
    pub(super) fn beginning(&self) -> &[u8] {
        let beginning = |text: &'_ Vec<u8>| memchr::memchr(b'*', text).unwrap_or(text.len());
        let shortest =
            self.texts.iter().map(|text| text.get(..beginning(text)).unwrap_or_default());
        shortest.min_by_key(|beginning| beginning.len()).unwrap_or_default()
    }

    /// Octets of the longest text that stands for it, stars left out.
    fn most_literals(&self) -> usize {
        // A star at the beginning may stand for one slash.
        self.num_literals + 1
    }
}

/// Where a pattern's beginning, of this many octets, and its number of octets that are not compared are known.
type Shape = (usize, usize);

/// See the module's head.
#[derive(Debug, Default)]
pub(super) struct Index<'p> {
    /// Places of rules, ascending.
    places: HashMap<(usize, &'p [u8]), Vec<usize>>,
    shapes: BTreeSet<Shape>,
}

impl<'p> Index<'p> {
    /// Takes the rule at `place`; places come in ascending order.
    pub(super) fn add(&mut self, place: usize, rule: &Compared<'p>) {
        let (prefix, extra) = (rule.pattern.prefix(), rule.extra());
        self.shapes.insert((prefix.len(), extra));
        self.places.entry((extra, prefix)).or_default().push(place);
    }

    /// Places of rules that stand before `place` in `rules` and may include the rule there, in parts that ascend.
    pub(super) fn before<'i>(
        &'i self,
        rules: &'i [Compared<'p>],
        place: usize,
    ) -> impl Iterator<Item = &'i [usize]> {
        let rule = rules.get(place);
        let least_extra =
            rule.map_or(0, |rule| rule.specificity.saturating_sub(rule.most_literals()));
        let most_literals = rule.map_or(0, Compared::most_literals);
        let beginning = rule.map(Compared::beginning).unwrap_or_default();
        let shapes = self.shapes.range(..=(beginning.len(), usize::MAX));
        shapes.filter(move |(_, extra)| *extra >= least_extra).filter_map(move |(len, extra)| {
            let places = self.places.get(&(*extra, beginning.get(..*len)?))?;
            // By rank, so that those with too many literals stand first.
            let has_more =
                |at: &usize| rules.get(*at).is_some_and(|r| r.num_literals > most_literals);
            let from = places.partition_point(has_more);
            let to = places.partition_point(|at| *at < place);
            places.get(from..to).filter(|places| !places.is_empty())
        })
    }

    /// Places of rules behind `place` whose prefix begins the rule there.
    pub(super) fn behind<'i>(
        &'i self,
        beginning: &'i [u8],
        place: usize,
    ) -> impl Iterator<Item = &'i [usize]> {
        let shapes = self.shapes.range(..=(beginning.len(), usize::MAX));
        shapes.filter_map(move |(len, extra)| {
            let places = self.places.get(&(*extra, beginning.get(..*len)?))?;
            let from = places.partition_point(|at| *at <= place);
            places.get(from..).filter(|places| !places.is_empty())
        })
    }
}
