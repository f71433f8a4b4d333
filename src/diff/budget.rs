//! How much work comparisons may take.
//!
//! Whether two groups differ can take steps that are exponential in their patterns with stars: what people write takes few,
//! and what somebody wrote to take many ends here. One budget is for all groups of a pair of bodies: each comparison may take
//! half of what is left, and a few steps whatever is left, so that hard ones leave something to easy ones behind them.

/// Steps of single patterns for all comparisons.
const MOST_STEPS: u64 = 1 << 25;

/// And for one search, so that one hard pattern leaves room for others.
const MOST_STEPS_OF_ONE: u64 = 1 << 22;

/// Steps that every comparison may take: enough for a few plain rules.
const FEWEST_STEPS: u64 = 1 << 9;

/// Rules that are read and made ready for all comparisons: a body can give thousands of agents the same thousands of rules.
const MOST_RULES: u64 = 1 << 23;

/// What is left of the work that comparisons may take.
#[derive(Debug)]
pub(super) struct Budget {
    left: u64,
    /// What the comparison under way may take of it.
    of_comparison: u64,
    rules_left: u64,
}

/// The part of a [`Budget`] that one search may take.
#[derive(Debug)]
pub(super) struct SearchBudget<'b> {
    all: &'b mut Budget,
    left: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { left: MOST_STEPS, of_comparison: 0, rules_left: MOST_RULES }
    }
}

impl Budget {
    /// A comparison begins.
    pub(super) fn begin(&mut self) {
        self.of_comparison = FEWEST_STEPS.max(self.left / 2);
    }

    /// For one search.
    pub(super) fn for_one_search(&mut self) -> SearchBudget<'_> {
        SearchBudget { all: self, left: MOST_STEPS_OF_ONE }
    }

    /// Takes `steps` off; false where they are not there, and then nothing is there any more for this comparison.
    pub(super) fn pays(&mut self, steps: u64) -> bool {
        let is_enough = self.of_comparison >= steps;
        self.of_comparison = self.of_comparison.saturating_sub(steps);
        self.left = self.left.saturating_sub(steps);
        is_enough
    }

    /// Whether the comparison under way may take no further step.
    pub(super) fn is_spent(&self) -> bool {
        self.of_comparison == 0
    }

    /// Takes off that so many rules are read.
    pub(super) fn pays_for_rules(&mut self, rules: usize) -> bool {
        let is_enough = self.rules_left > 0;
        self.rules_left = self.rules_left.saturating_sub(rules as u64);
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
