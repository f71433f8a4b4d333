//! Two sides → paths that closed and paths that opened, decided by walking patterns, never by comparing text.
//!
//! ```text
//! a rule that refuses on one side ─▶ is there a path that it decides, and that the other side allows?
//! ```
//!
//! A path is closed if and only if a disallow rule decides it on the new side, or all is refused there, and the old side allows it. So one search for each
//! disallow rule finds all differences; each comes with the path that shows it and is shortest in the form in which paths are compared (`%24` for a `$`). Enters: [`Side`]s. Leaves: a
//! [`Comparison`]. Cost: where nothing was changed one pass; else a search for each disallow rule, bounded together
//! (`budget.rs`). Must not know: bodies, origins.

use super::budget::Budget;
use super::lazy::search_lazily;
use super::pattern::Pattern;
use super::ranked::{Ranked, Ruled};
use super::search::{Found, Question};
use super::side::{Decider, Side};
use super::spelling::spell;
use crate::parse::Dialect;

/// The one path that is allowed whatever the rules say.
const ALWAYS_ALLOWED: &[u8] = b"/robots.txt";

/// Rules that are looked at in the time of a step of a search.
const RULES_OF_A_STEP: u64 = 8;

/// Paths that changed: those of one rule that refuses them on one side and that the other side allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The shortest of them in the form in which paths are compared, as it can stand in a URL.
    pub path: Vec<u8>,
    /// What decides it on the old side.
    pub old: Decider,
    /// What decides it on the new side.
    pub new: Decider,
}

/// How two sides differ.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Paths that the old side allows and the new one refuses, for each rule of the new side that does so; the most general first.
    pub closed: Vec<Change>,
    /// Paths that the old side refuses and the new one allows, for each rule of the old side.
    pub opened: Vec<Change>,
    /// There may be more: the work that a comparison may take did not suffice to know.
    pub cut_off: bool,
}

/// How many changes are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One for each rule.
    EachRule,
    /// At most one each way.
    OneEachWay,
}

/// How much of a site is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// Every path.
    All,
    /// Some paths.
    Some,
    /// No path but `/robots.txt`.
    Nothing,
    /// Not known: nothing was captured, or it would take too much work to tell.
    Unknown,
}

impl Extent {
    /// The word in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Extent::All => "all",
            Extent::Some => "some",
            Extent::Nothing => "nothing",
            Extent::Unknown => "unknown",
        }
    }
}

impl Comparison {
    /// Whether nothing changed, as far as is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.closed.is_empty() && self.opened.is_empty()
    }
}

/// Compares what `old` and `new` answer, both under `dialect`. Where either answers nothing, nothing is compared.
///
/// # Complexity
/// Linear in the rules where they are the same; else bounded by a fixed number of steps of patterns, past which
/// [`Comparison::cut_off`] is set. Memory in proportion to the steps.
#[must_use]
pub fn compare(old: &Side<'_>, new: &Side<'_>, dialect: &Dialect, detail: Detail) -> Comparison {
    compare_within(old, new, dialect, detail, &mut Budget::default())
}

/// As [`compare`], as one of several comparisons that share a budget.
pub(super) fn compare_within(
    old: &Side<'_>,
    new: &Side<'_>,
    dialect: &Dialect,
    detail: Detail,
    budget: &mut Budget,
) -> Comparison {
    let mut comparison = Comparison::default();
    if !budget.pays_for_rules(old.weight() + new.weight()) {
        comparison.cut_off = !old.is_unknown() && !new.is_unknown();
        return comparison;
    }
    if old.is_same(new) {
        return comparison;
    }
    let (Some(ranked_old), Some(ranked_new)) = (Ranked::of(old), Ranked::of(new)) else {
        return comparison;
    };
    let mut comparing = Comparing::new(old, new, dialect, detail, budget);
    comparison.closed = comparing.refused_by(&ranked_new, &ranked_old);
    comparison.opened = comparing.refused_by(&ranked_old, &ranked_new);
    comparison.cut_off = comparing.cut_off;
    comparison
}

/// How much of a site `side` allows.
///
/// # Complexity
/// As [`compare`].
#[must_use]
pub fn extent(side: &Side<'_>, dialect: &Dialect) -> Extent {
    extent_within(side, dialect, &mut Budget::default())
}

/// As [`extent`], within a budget that is shared.
pub(super) fn extent_within(side: &Side<'_>, dialect: &Dialect, budget: &mut Budget) -> Extent {
    if !budget.pays_for_rules(side.weight()) {
        return Extent::Unknown;
    }
    let Some(ranked) = Ranked::of(side) else { return Extent::Unknown };
    if ranked.rules().iter().all(|rule| rule.allows) {
        return Extent::All;
    }
    let open = Side::Fixed(Some(true), crate::evaluate::Basis::NoRules);
    let shut = Side::Fixed(Some(false), crate::evaluate::Basis::Forbidden);
    let refuses = is_any_refused(side, &open, dialect, budget);
    let allows = is_any_refused(&shut, side, dialect, budget);
    match (refuses, allows) {
        (Some(false), _) => Extent::All,
        (_, Some(false)) => Extent::Nothing,
        (Some(true), Some(true)) => Extent::Some,
        _ => Extent::Unknown,
    }
}

/// Whether `refusing` refuses a path that `allowing` allows; `None` where that would take too much work.
fn is_any_refused(
    refusing: &Side<'_>,
    allowing: &Side<'_>,
    dialect: &Dialect,
    budget: &mut Budget,
) -> Option<bool> {
    let mut comparing = Comparing::new(allowing, refusing, dialect, Detail::OneEachWay, budget);
    let (refused, allowed) = (Ranked::of(refusing)?, Ranked::of(allowing)?);
    let is_any = !comparing.refused_by(&refused, &allowed).is_empty();
    (is_any || !comparing.cut_off).then_some(is_any)
}

/// A comparison under way.
struct Comparing<'s, 'c> {
    old: &'s Side<'c>,
    new: &'s Side<'c>,
    dialect: &'s Dialect,
    detail: Detail,
    /// Matches the path that is always allowed, where there is one.
    always_allowed: Option<Pattern<'static>>,
    budget: &'s mut Budget,
    cut_off: bool,
}

impl<'s, 'c> Comparing<'s, 'c> {
    fn new(
        old: &'s Side<'c>,
        new: &'s Side<'c>,
        dialect: &'s Dialect,
        detail: Detail,
        budget: &'s mut Budget,
    ) -> Self {
        let always_allowed = dialect.robots_txt_allowed.then(|| Pattern::new(ALWAYS_ALLOWED, true));
        budget.begin();
        Comparing { old, new, dialect, detail, always_allowed, budget, cut_off: false }
    }

    /// What rules of `refusing` refuse and `allowing` allows: a change for each such rule, the rule of least rank first.
    fn refused_by(&mut self, refusing: &Ranked<'_>, allowing: &Ranked<'_>) -> Vec<Change> {
        let mut changes = Vec::new();
        let twins = allowing.twins(refusing);
        for (at, rule) in refusing.rules().iter().enumerate().rev() {
            if rule.allows {
                continue;
            }
            match self.refused_by_rule(at, refusing, allowing, &twins) {
                Found::Path(compared) => changes.extend(self.change(&compared)),
                Found::Nothing => {}
                Found::Unknown => self.cut_off = true,
            }
            let is_enough = self.detail == Detail::OneEachWay && !changes.is_empty();
            if is_enough || self.budget.is_spent() {
                self.cut_off |= !is_enough;
                break;
            }
        }
        changes
    }

    /// The shortest path that the rule at `at` of `refusing` decides and that `allowing` allows.
    fn refused_by_rule(
        &mut self,
        at: usize,
        refusing: &Ranked<'_>,
        allowing: &Ranked<'_>,
        twins: &[Option<usize>],
    ) -> Found {
        let Some(must) = refusing.rules().get(at).map(|rule| &rule.pattern) else {
            return Found::Nothing;
        };
        let better = refusing.beside(must).into_iter().filter(|(place, _)| *place < at);
        let mut must_not: Vec<&Pattern<'_>> = better.map(|(_, rule)| &rule.pattern).collect();
        let beside = allowing.beside(must);
        if !self.budget.pays((must_not.len() + beside.len()) as u64 / RULES_OF_A_STEP) {
            return Found::Unknown;
        }
        let Some(other) = deciding(at, beside, twins) else { return Found::Nothing };
        must_not.extend(&self.always_allowed);
        let normalisation = self.dialect.normalisation;
        search_lazily(&Question { must, must_not, other, normalisation }, self.budget)
    }

    /// What the matcher that judges rows says of a path.
    fn change(&mut self, compared: &[u8]) -> Option<Change> {
        let (old_allowed, old) = self.old.judge(compared);
        let (new_allowed, new) = self.new.judge(compared);
        if old_allowed == new_allowed {
            // Only programs that are damaged let the two ways differ.
            self.cut_off = true;
            return None;
        }
        Some(Change { path: spell(compared, self.dialect.normalisation), old, new })
    }
}

/// Of the rules `beside` a refusing rule, on the other side, those that can decide a path that it decides; `None` where every
/// such path is refused. By `twins` these have the patterns of rules of the refusing side: of those that outrank the rule
/// at `at`, no path that it decides matches any.
fn deciding<'q, 'p>(
    at: usize,
    beside: Vec<(usize, &'q Ruled<'p>)>,
    twins: &[Option<usize>],
) -> Option<Vec<(&'q Pattern<'p>, bool)>> {
    let mut deciding: Vec<(&Pattern<'_>, bool)> = Vec::new();
    let mut allows = true;
    for (place, rule) in beside {
        let twin = twins.get(place).copied().flatten();
        if twin.is_some_and(|twin| twin < at) {
            continue;
        }
        deciding.push((&rule.pattern, rule.allows));
        if twin == Some(at) {
            // It matches, so that no rule behind it decides.
            allows = rule.allows;
            break;
        }
    }
    match allows {
        true => Some(deciding),
        false => deciding.iter().any(|(_, allows)| *allows).then_some(deciding),
    }
}
