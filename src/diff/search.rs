//! The shortest path that one pattern matches, some do not, and a list of rules allows.
//!
//! ```text
//! must, must not, other rules ─▶ states of all patterns, octet by octet ─▶ path
//! ```
//!
//! Enters: patterns. Leaves: a path, or that there is none, or that the budget was met before either was known. The automata
//! of all patterns are walked side by side over classes of octets; what can no longer decide anything is dropped from a state, which is why
//! few states are met where rules are as people write them; and those that lead straight to the end come first. In the worst case they are exponential in the number of
//! patterns with stars: hence the budget. Must not know: bodies, lines, agents.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::rc::Rc;

use super::budget::Budget;
use super::pattern::{Pattern, State};
use crate::compile::narrow;
use crate::parse::Normalisation;

/// Octets that stand for all that no pattern asks for, those first that read well.
const PLAIN: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789-_.~ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// What a state costs besides the steps of its patterns: it is kept.
const COST_OF_STATE: u64 = 3;

/// What is looked for.
#[derive(Debug)]
pub(super) struct Question<'q, 'p> {
    /// Matches the path.
    pub(super) must: &'q Pattern<'p>,
    /// Do not.
    pub(super) must_not: Vec<&'q Pattern<'p>>,
    /// Rules of which the first that matches allows; none allows too. The best comes first.
    pub(super) other: Vec<(&'q Pattern<'p>, bool)>,
    /// Tells which octets a path may have.
    pub(super) normalisation: Normalisation,
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// The shortest path, in the form in which it is compared.
    Path(Vec<u8>),
    /// There is none.
    Nothing,
    /// More work than the budget allows.
    Unknown,
}

/// A pattern that may still decide, and its state. The first entry is `must`; then those that must not match; then other rules.
type Entry = (u32, State);

/// The last entry where a rule refuses for certain, unless one before it matches.
const REFUSED: Entry = (u32::MAX, 0);

/// A state that was reached, and how.
struct Node {
    state: Rc<[Entry]>,
    parent: Option<usize>,
    octet: u8,
    /// Octets that led here.
    depth: u32,
}

/// States that were reached, those that may lead to the shortest path first.
struct Frontier<'q> {
    nodes: Vec<Node>,
    /// Octets of the shortest path that can still come, octets so far, and the earliest of equal ones.
    waiting: BinaryHeap<(Reverse<u32>, u32, Reverse<usize>)>,
    depths: HashMap<Rc<[Entry]>, u32>,
    /// Octets that `must` needs at least, by its state.
    missing: &'q [u32],
}

impl Frontier<'_> {
    /// Takes a state in, unless it was reached with as few octets.
    fn reach(&mut self, state: Rc<[Entry]>, parent: Option<usize>, octet: u8) {
        let before = parent.and_then(|parent| self.nodes.get(parent));
        let depth = before.map_or(0, |node| node.depth) + 1;
        if self.depths.get(&state).is_some_and(|known| *known <= depth) {
            return;
        }
        let must = state.first().and_then(|(_, state)| usize::try_from(*state).ok());
        let missing = must.and_then(|state| self.missing.get(state)).copied().unwrap_or(0);
        self.waiting.push((
            Reverse(depth.saturating_add(missing)),
            depth,
            Reverse(self.nodes.len()),
        ));
        self.depths.insert(Rc::clone(&state), depth);
        self.nodes.push(Node { state, parent, octet, depth });
    }

    /// The next state to go on from: its place.
    fn next(&mut self) -> Option<usize> {
        while let Some((_, depth, Reverse(at))) = self.waiting.pop() {
            let node = self.nodes.get(at)?;
            // One that was reached by a shorter way since has its turn elsewhere.
            if self.depths.get(&node.state) == Some(&depth) {
                return Some(at);
            }
        }
        None
    }
}

/// Looks for it, those paths first that lead straight through `must`.
///
/// # Complexity
/// As many steps of single patterns as the budget has.
pub(super) fn search(question: &Question<'_, '_>, budget: &mut Budget) -> Found {
    let mut budget = budget.for_one_search();
    let Some(start) = question.start() else { return Found::Nothing };
    let missing = question.must.missing();
    let mut frontier = Frontier {
        nodes: Vec::new(),
        waiting: BinaryHeap::new(),
        depths: HashMap::new(),
        missing: &missing,
    };
    // All paths begin with a slash.
    frontier.reach(start, None, b'/');
    while let Some(at) = frontier.next() {
        let Some(state) = frontier.nodes.get(at).map(|node| Rc::clone(&node.state)) else { break };
        if question.is_met(&state) {
            return Found::Path(path(&frontier.nodes, at));
        }
        for octet in question.octets(&state) {
            if !budget.pays(COST_OF_STATE + state.len() as u64) {
                return Found::Unknown;
            }
            if let Some(next) = question.step(&state, octet) {
                frontier.reach(next, Some(at), octet);
            }
        }
    }
    Found::Nothing
}

/// The octets that led to a node.
fn path(nodes: &[Node], at: usize) -> Vec<u8> {
    let mut path = Vec::new();
    let mut next = nodes.get(at);
    while let Some(node) = next {
        path.push(node.octet);
        next = node.parent.and_then(|parent| nodes.get(parent));
    }
    path.reverse();
    path
}

impl Question<'_, '_> {
    /// The state after the first slash.
    fn start(&self) -> Option<Rc<[Entry]>> {
        let count = 1 + self.must_not.len() + self.other.len();
        let all = 0..narrow(count);
        let entries: Vec<Entry> =
            all.filter_map(|id| Some((id, self.pattern(id)?.start()))).collect();
        self.step(&entries, b'/')
    }

    fn pattern(&self, id: u32) -> Option<&Pattern<'_>> {
        let id = usize::try_from(id).ok()?;
        let Some(id) = id.checked_sub(1) else { return Some(self.must) };
        match id.checked_sub(self.must_not.len()) {
            None => self.must_not.get(id).copied(),
            Some(other) => self.other.get(other).map(|(pattern, _)| *pattern),
        }
    }

    /// Whether another rule allows; `None` where it is not one of these.
    fn way(&self, id: u32) -> Option<bool> {
        let other = usize::try_from(id).ok()?.checked_sub(1 + self.must_not.len())?;
        self.other.get(other).map(|(_, allows)| *allows)
    }

    /// The state after one more octet; `None` where no path from there on can be the one that is looked for.
    fn step(&self, state: &[Entry], octet: u8) -> Option<Rc<[Entry]>> {
        let mut next = Vec::with_capacity(state.len());
        let mut allows = state.last() != Some(&REFUSED);
        for (id, state) in state {
            let Some(pattern) = self.pattern(*id) else { continue };
            let reached = match pattern.is_certain(*state) {
                true => Some(*state),
                false => pattern.step(*state, octet),
            };
            let is_certain = reached.is_some_and(|reached| pattern.is_certain(reached));
            match self.way(*id) {
                None if *id == 0 && reached.is_none() => return None,
                None if *id > 0 && is_certain => return None,
                Some(way) if is_certain => {
                    // No rule behind it can decide.
                    allows = way;
                    break;
                }
                _ => next.extend(reached.map(|reached| (*id, reached))),
            }
        }
        self.drop_idle(&mut next, allows).then(|| next.into())
    }

    /// Drops other rules from the end whose way is the verdict without them; false where that is a refusal for good.
    fn drop_idle(&self, state: &mut Vec<Entry>, allows: bool) -> bool {
        while let Some((id, _)) = state.last()
            && self.way(*id) == Some(allows)
        {
            state.pop();
        }
        let is_open = state.last().is_some_and(|(id, _)| self.way(*id).is_some());
        if !allows && is_open {
            state.push(REFUSED);
        }
        allows || is_open
    }

    /// Whether a path that ends in this state is one.
    fn is_met(&self, state: &[Entry]) -> bool {
        for (id, state) in state {
            let is_match = self.pattern(*id).is_some_and(|pattern| pattern.accepts(*state));
            match self.way(*id) {
                None if *id == 0 && !is_match => return false,
                None if *id > 0 && is_match => return false,
                Some(way) if is_match => return way,
                _ => {}
            }
        }
        state.last() != Some(&REFUSED)
    }

    /// One octet for each class of octets that lead to the same state.
    fn octets(&self, state: &[Entry]) -> Vec<u8> {
        let mut telling = [false; 256];
        for (id, state) in state {
            let Some(pattern) = self.pattern(*id).filter(|p| !p.is_certain(*state)) else {
                continue;
            };
            pattern.for_each_telling(*state, |octet| {
                if let Some(told) = telling.get_mut(usize::from(octet)) {
                    *told = true;
                }
            });
        }
        let is_telling = |octet: &u8| telling.get(usize::from(*octet)) == Some(&true);
        let all = || 1..=u8::MAX;
        let mut others = PLAIN.iter().copied().chain(all());
        let other = others.find(|octet| !is_telling(octet) && self.may_be_in_path(*octet));
        let told = all().filter(is_telling).filter(|octet| self.may_be_in_path(*octet));
        other.into_iter().chain(told).collect()
    }

    /// Whether the form in which paths are compared can hold it.
    fn may_be_in_path(&self, octet: u8) -> bool {
        match self.normalisation {
            _ if octet == b'#' => false,
            // It ends the path.
            Normalisation::RuleOnly => octet != 0,
            Normalisation::BothSides => octet.is_ascii() && !matches!(octet, b'*' | b'$'),
        }
    }
}
