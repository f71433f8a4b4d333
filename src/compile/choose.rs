//! The one place where the representation of a group is chosen.

/// How a group is laid out in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Rules of its own.
    Rules {
        /// Literal rules as a trie; else in order of rank, their first octets compared as words.
        trie: bool,
        /// Wildcard rules with an index of grams; else in order of rank, compared one by one.
        index: bool,
    },
    /// A list of other groups, each judged by itself, the best answer taken.
    Compound,
}

/// Literal rules from which on a group has them as a trie.
///
/// In groups of 65 to 512 rules a trie would save some instructions a question, but it takes longer to
/// compile: worth it where thousands of rows ask one body, not for the sixty that an origin has on
/// average. In larger groups a scan costs many times as much (docs/BENCHMARKS.md).
const MIN_TRIE_LITERALS: usize = 512;

/// Wildcard rules from which on a group has an index of grams, whose cost does not depend on the number
/// of rules that have a gram (docs/BENCHMARKS.md has the counts that set this).
const MIN_INDEXED_WILDCARDS: usize = 96;

/// Who decides how rules are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormChoice {
    /// Measured thresholds.
    #[default]
    Measured,
    /// Every group as if it had few rules.
    ForFew,
    /// Every group as if it had many rules.
    ForMany,
}

/// Rules that merged groups may repeat, as a multiple of the rules the body has.
///
/// A name that stands over several groups has all their rules, and a body can make any number of
/// names share a large group: thousands of names times thousands of rules from 500 KiB. Copying all
/// of them would be quadratic, so past this factor merged groups become lists of groups.
const MERGED_RULES_FACTOR: usize = 2;

/// Merged rules that are always copied.
const MERGED_RULES_FLOOR: usize = 1_024;

/// Chooses forms while one body is compiled, and keeps account of what has been copied.
#[derive(Debug, Default)]
pub(super) struct Chooser {
    choice: FormChoice,
    merged_rules_left: usize,
}

impl Chooser {
    /// For a body with `num_rules` rules in groups.
    pub(super) fn new(num_rules: usize, choice: FormChoice) -> Self {
        let limit = num_rules.saturating_mul(MERGED_RULES_FACTOR);
        Chooser { choice, merged_rules_left: limit.saturating_add(MERGED_RULES_FLOOR) }
    }

    /// The form for a group that unites `num_parts` groups of the body, with so many rules of each
    /// kind.
    pub(super) fn form(
        &mut self,
        num_parts: usize,
        num_literals: usize,
        num_wildcards: usize,
    ) -> Form {
        if num_parts > 1 {
            match self.merged_rules_left.checked_sub(num_literals + num_wildcards) {
                Some(left) => self.merged_rules_left = left,
                None => return Form::Compound,
            }
        }
        let is_many = |count: usize, measured: usize| match self.choice {
            FormChoice::Measured => count >= measured,
            FormChoice::ForFew => false,
            FormChoice::ForMany => count > 0,
        };
        Form::Rules {
            trie: is_many(num_literals, MIN_TRIE_LITERALS),
            index: is_many(num_wildcards, MIN_INDEXED_WILDCARDS),
        }
    }
}
