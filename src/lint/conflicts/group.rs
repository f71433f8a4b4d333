//! The rules of one group, compared with each other.
//!
//! Enters: rules in order of rank, as they decide. Leaves: for each what another one makes of it. What is said is
//! proven: see `inclusion`.

use super::index::{Beginnings, Compared, SameLiterals};
use super::{Budget, Fate, Why};
use crate::compile::RuleProgram;
use crate::parse::Kind;

/// A group's rules, ready to be compared.
pub(super) struct Rules<'p> {
    rules: &'p [RuleProgram<'p>],
    compared: Vec<Compared<'p>>,
    same: SameLiterals,
    literals: Beginnings,
    wildcards: Beginnings,
    /// Places of rules of each kind that have a star.
    starred: [Vec<usize>; 2],
}

impl<'p> Rules<'p> {
    /// Of rules in order of rank.
    pub(super) fn new(rules: &'p [RuleProgram<'p>]) -> Self {
        let mut all = Rules {
            rules,
            compared: rules.iter().map(|r| Compared::new(r.pattern, r.specificity())).collect(),
            same: SameLiterals::default(),
            literals: Beginnings::default(),
            wildcards: Beginnings::default(),
            starred: [Vec::new(), Vec::new()],
        };
        for (place, compared) in all.compared.iter().enumerate() {
            all.same.add(place, compared);
            if compared.has_star() {
                all.wildcards.add(place, compared);
                let is_allow = all.rules.get(place).is_some_and(|rule| rule.kind == Kind::Allow);
                if let Some(starred) = all.starred.get_mut(usize::from(is_allow)) {
                    starred.push(place);
                }
            } else {
                all.literals.add(place, compared);
            }
        }
        all
    }

    /// Why the rule at `place` never decides, if it does not.
    pub(super) fn dead(&self, place: usize, budget: &mut Budget) -> Option<Fate> {
        let rule = self.rules.get(place)?;
        let other = self.includer_before(place, budget)?;
        let by = self.rules.get(other)?;
        Some(Fate { line: rule.line, by: by.line, why: self.why(place, other, budget) })
    }

    fn why(&self, place: usize, other: usize, budget: &mut Budget) -> Why {
        let (Some(rule), Some(by)) = (self.rules.get(place), self.rules.get(other)) else {
            return Why::Shadowed;
        };
        let mutual = self.includes(place, other, budget);
        match (mutual, rule.kind == by.kind) {
            (true, true) => Why::Duplicate,
            (true, false) => Why::Contradicted,
            (false, _) => Why::Shadowed,
        }
    }

    /// Whether the rule at `wide` matches whatever the rule at `narrow` matches.
    fn includes(&self, wide: usize, narrow: usize, budget: &mut Budget) -> bool {
        let (Some(wide), Some(narrow)) = (self.compared.get(wide), self.compared.get(narrow))
        else {
            return false;
        };
        wide.pattern.includes(&narrow.texts, budget)
    }

    fn is_of_line(&self, place: usize, line: u32) -> bool {
        self.rules.get(place).is_some_and(|rule| rule.line == line)
    }

    /// The first rule of better rank and of another line that matches whatever the rule at `place` matches.
    fn includer_before(&self, place: usize, budget: &mut Budget) -> Option<usize> {
        let line = self.rules.get(place)?.line;
        let same = self.same.before(self.compared.get(place)?, place);
        let mut best: Option<usize> = None;
        for places in std::iter::once(same).chain(self.wildcards.before(&self.compared, place)) {
            budget.take(1);
            let better =
                places.iter().copied().take_while(|other| best.is_none_or(|best| *other < best));
            for other in better {
                if budget.is_spent() {
                    return None;
                }
                if !self.is_of_line(other, line) && self.includes(other, place, budget) {
                    best = Some(other);
                    break;
                }
            }
        }
        best
    }

    /// Without the rule at `place` the verdict on each of its paths would be the same: a rule of its kind that
    /// matches all of them would decide, or nothing would and it allows.
    pub(super) fn redundant(&self, place: usize, budget: &mut Budget) -> Option<Fate> {
        if budget.is_spent() {
            return None;
        }
        let rule = self.rules.get(place)?;
        let opposite = self.first_opposite(place, budget);
        let includer = self.includer_behind(place, opposite.unwrap_or(usize::MAX), budget);
        let (by, why) = match (includer.and_then(|other| self.rules.get(other)), rule.kind) {
            (Some(other), _) => (other.line, Why::SaidBelow),
            (None, Kind::Allow) if opposite.is_none() => (0, Why::NothingToAllow),
            _ => return None,
        };
        Some(Fate { line: rule.line, by, why })
    }

    /// The first rule of the other kind behind `place` that may match a path that the rule there matches.
    fn first_opposite(&self, place: usize, budget: &mut Budget) -> Option<usize> {
        let (rule, compared) = (self.rules.get(place)?, self.compared.get(place)?);
        let meets = |other: usize, budget: &mut Budget| {
            let is_opposite = self.rules.get(other).is_some_and(|o| o.kind != rule.kind);
            let other = self.compared.get(other).filter(|_| is_opposite);
            other.is_some_and(|other| compared.pattern.may_meet(&other.pattern, budget))
        };
        let of_literals = if compared.has_star() {
            // A literal rule of fewer octets may yet begin with more of them.
            (place + 1..self.rules.len()).find(|other| meets(*other, budget))
        } else {
            let parts = self.literals.behind(compared.pattern.text, place);
            parts.filter_map(|places| places.iter().copied().find(|o| meets(*o, budget))).min()
        };
        let starred = self.starred.get(usize::from(rule.kind != Kind::Allow))?;
        let from = starred.partition_point(|other| *other <= place);
        let mut of_wildcards = starred.get(from..).unwrap_or_default().iter().copied();
        let limit = of_literals.unwrap_or(usize::MAX);
        let of_wildcards =
            of_wildcards.find(|o| budget.is_spent() || *o >= limit || meets(*o, budget));
        of_literals.into_iter().chain(of_wildcards).min()
    }

    /// A rule of the same kind between `place` and `limit` that matches whatever the rule at `place` matches.
    fn includer_behind(&self, place: usize, limit: usize, budget: &mut Budget) -> Option<usize> {
        let (rule, compared) = (self.rules.get(place)?, self.compared.get(place)?);
        let beginning = compared.beginning();
        let parts = self.literals.behind(beginning, place);
        for places in parts.chain(self.wildcards.behind(beginning, place)) {
            budget.take(beginning.len());
            for other in places.iter().copied().take_while(|other| *other < limit) {
                if budget.is_spent() {
                    return None;
                }
                let may_decide = self.rules.get(other);
                let may_decide =
                    may_decide.is_some_and(|o| o.kind == rule.kind && o.line != rule.line);
                // Of two that say the same, the one below is told of.
                if may_decide
                    && self.includes(other, place, budget)
                    && !self.includes(place, other, budget)
                {
                    return Some(other);
                }
            }
        }
        None
    }
}
