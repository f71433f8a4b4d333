//! The one place where the representation of a group is chosen.

/// How a group's rules are laid out in a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The rules in order of rank, their first octets compared as words.
    Scan,
    /// A list of other groups, each judged by itself, the best answer taken.
    Compound,
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
#[derive(Debug)]
pub(super) struct Chooser {
    merged_rules_left: usize,
}

impl Chooser {
    /// For a body with `num_rules` rules in groups.
    pub(super) fn new(num_rules: usize) -> Self {
        let limit = num_rules.saturating_mul(MERGED_RULES_FACTOR);
        Chooser { merged_rules_left: limit.saturating_add(MERGED_RULES_FLOOR) }
    }

    /// The form for a group that unites `num_parts` groups of the body with `num_rules` rules.
    pub(super) fn form(&mut self, num_parts: usize, num_rules: usize) -> Form {
        if num_parts == 1 {
            return Form::Scan;
        }
        match self.merged_rules_left.checked_sub(num_rules) {
            Some(left) => {
                self.merged_rules_left = left;
                Form::Scan
            }
            None => Form::Compound,
        }
    }
}
