//! How much work a comparison may take.
//!
//! Whether two groups differ can take steps that are exponential in their patterns with stars: what people write takes few,
//! and what somebody wrote to take many ends here.

/// Steps of single patterns for all searches of a comparison.
const MOST_STEPS: u64 = 1 << 24;

/// And for one of them, so that one hard pattern leaves room for others.
const MOST_STEPS_OF_ONE: u64 = 1 << 22;

/// What is left of the work that a comparison may take.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
}

/// The part of a [`Budget`] that one search may take.
#[derive(Debug)]
pub(super) struct SearchBudget<'b> {
    all: &'b mut Budget,
    left: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: MOST_STEPS }
    }
}

impl Budget {
    /// For one search.
    pub(super) fn for_one_search(&mut self) -> SearchBudget<'_> {
        SearchBudget { all: self, left: MOST_STEPS_OF_ONE }
    }

    /// Takes `steps` off; false where they are not there.
    pub(super) fn pays(&mut self, steps: u64) -> bool {
        let is_enough = self.left >= steps;
        self.left = self.left.saturating_sub(steps);
        is_enough
    }
}

impl SearchBudget<'_> {
    /// Takes `steps` off; false where they are not there.
    pub(super) fn pays(&mut self, steps: u64) -> bool {
        let is_enough = self.left >= steps;
        self.left = self.left.saturating_sub(steps);
        is_enough && self.all.pays(steps)
    }
}
