//! One path pattern as an automaton that reads a path octet by octet.
//!
//! Enters: a normalised pattern. Leaves: a state for each octet read. A pattern that matches can be matched with every literal
//! between stars at its leftmost place, so a state is one number: how much of the pattern is matched, behind the last star as
//! Knuth, Morris and Pratt count it. Cost: linear in the pattern once; a step is constant, spread over a path. Must not know: which way the rule goes.

use crate::compile::narrow;

/// What is matched of a pattern: so many of its octets.
pub(super) type State = u32;

/// No place to go back to: the pattern cannot match any more.
const NOWHERE: State = State::MAX;

/// A pattern, ready to be walked.
#[derive(Clone, Debug)]
pub(super) struct Pattern<'p> {
    /// Without its anchor.
    pub(super) text: &'p [u8],
    pub(super) anchored: bool,
    /// For each state where to go on when the octet there is another one: itself at the start of what stands behind a star.
    back: Vec<State>,
}

impl<'p> Pattern<'p> {
    /// Of a normalised pattern, its `$` included where it is `anchored`.
    pub(super) fn new(pattern: &'p [u8], anchored: bool) -> Self {
        let text = match pattern {
            [text @ .., b'$'] if anchored => text,
            text => text,
        };
        Pattern { text, anchored, back: back(text) }
    }

    /// Before the first octet.
    pub(super) fn start(&self) -> State {
        self.behind_stars(0)
    }

    /// After one more octet of the path; `None` where no path that goes on so can match.
    pub(super) fn step(&self, state: State, octet: u8) -> Option<State> {
        let mut state = state;
        loop {
            if self.octet(state) == Some(octet) {
                return Some(self.behind_stars(state.saturating_add(1)));
            }
            match self.back_of(state) {
                NOWHERE => return None,
                back if back == state => return Some(state),
                back => state = back,
            }
        }
    }

    /// Whether it matches all of `path`.
    pub(super) fn matches(&self, path: &[u8]) -> bool {
        let mut state = self.start();
        for octet in path {
            if self.is_certain(state) {
                return true;
            }
            match self.step(state, *octet) {
                Some(next) => state = next,
                None => return false,
            }
        }
        self.accepts(state)
    }

    /// Whether every path that goes on from here matches.
    pub(super) fn is_certain(&self, state: State) -> bool {
        self.is_end(state) && (!self.anchored || self.text.last() == Some(&b'*'))
    }

    /// Whether a path that ends here matches.
    pub(super) fn accepts(&self, state: State) -> bool {
        self.is_end(state)
    }

    /// The octets that lead elsewhere than all others do.
    pub(super) fn for_each_telling(&self, state: State, mut tell: impl FnMut(u8)) {
        let mut state = state;
        loop {
            self.octet(state).into_iter().for_each(&mut tell);
            match self.back_of(state) {
                NOWHERE => return,
                back if back == state => return,
                back => state = back,
            }
        }
    }

    /// By state, how many octets a path that matches has to go on with at least.
    pub(super) fn missing(&self) -> Vec<State> {
        let mut missing = vec![0; self.text.len()];
        let mut count: State = 0;
        for (octet, entry) in self.text.iter().zip(&mut missing).rev() {
            count = count.saturating_add(State::from(*octet != b'*'));
            *entry = count;
        }
        missing
    }

    /// What every path that matches begins with.
    pub(super) fn first_literal(&self) -> &'p [u8] {
        self.text.split(|octet| *octet == b'*').next().unwrap_or_default()
    }

    /// What is the same for the same patterns.
    pub(super) fn key(&self) -> (&'p [u8], bool) {
        (self.text, self.anchored)
    }

    fn is_end(&self, state: State) -> bool {
        usize::try_from(state).is_ok_and(|state| state >= self.text.len())
    }

    fn octet(&self, state: State) -> Option<u8> {
        self.text.get(usize::try_from(state).ok()?).copied()
    }

    fn back_of(&self, state: State) -> State {
        let state = usize::try_from(state).ok();
        state.and_then(|state| self.back.get(state)).copied().unwrap_or(NOWHERE)
    }

    /// Stars need no octets: a state never stands before one.
    fn behind_stars(&self, state: State) -> State {
        let mut state = state;
        while self.octet(state) == Some(b'*') {
            state = state.saturating_add(1);
        }
        state
    }
}

/// For each state, the end of the pattern too, where to go back to.
fn back(text: &[u8]) -> Vec<State> {
    let mut back = vec![NOWHERE; text.len() + 1];
    let mut start = None;
    for at in 0..=text.len() {
        let place = match start {
            None => NOWHERE,
            Some(start) if at == start => narrow(start),
            Some(start) => narrow(start + border(text, &back, start, at)),
        };
        if let Some(entry) = back.get_mut(at) {
            *entry = place;
        }
        if text.get(at) == Some(&b'*') {
            start = Some(at + 1);
        }
    }
    back
}

/// Octets of the longest proper border of `text[start..at]`; those of all shorter ones are in `back`.
fn border(text: &[u8], back: &[State], start: usize, at: usize) -> usize {
    let octet = text.get(at - 1);
    let mut state = at - 1;
    while state > start {
        let Some(shorter) = back.get(state).and_then(|back| usize::try_from(*back).ok()) else {
            return 0;
        };
        if text.get(shorter) == octet {
            return shorter + 1 - start;
        }
        state = shorter;
    }
    0
}
