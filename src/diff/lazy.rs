//! A search that knows only the patterns it needs.
//!
//! Enters: a [`Question`]. Leaves: what [`search`] would find. Patterns that forbid a path are left out until a path is found that they forbid: a few of them
//! tell what all of them do, and each one left out halves, in the worst case, the states of a search. A path that is the shortest
//! without some of them, and that none of them forbids, is the shortest. Cost: as many searches as patterns are taken
//! in, each of them short. Must not know: what the patterns are rules of.

use super::budget::Budget;
use super::pattern::Pattern;
use super::search::{Found, Question, search};

/// Answers the question.
pub(super) fn search_lazily(question: &Question<'_, '_>, budget: &mut Budget) -> Found {
    let mut taken = Taken {
        must_not: vec![false; question.must_not.len()],
        other: question.other.iter().map(|(_, allows)| *allows).collect(),
    };
    loop {
        let found = search(&taken.part_of(question), budget);
        let Found::Path(path) = &found else { return found };
        if !budget.pays((question.must_not.len() + question.other.len()) as u64) {
            return Found::Unknown;
        }
        match taken.take_forbidding(question, path) {
            Verdict::Allowed => return found,
            Verdict::Forbidden => {}
            Verdict::Contradiction => return Found::Unknown,
        }
    }
}

/// Which patterns of a question are taken in so far. Rules that allow are from the start: without them more would be forbidden.
struct Taken {
    must_not: Vec<bool>,
    other: Vec<bool>,
}

/// What all patterns say of a path that was found with some of them.
enum Verdict {
    Allowed,
    /// By one that was not taken in; now it is.
    Forbidden,
    /// By one that was taken in, which cannot be.
    Contradiction,
}

impl Taken {
    fn part_of<'q, 'p>(&self, question: &Question<'q, 'p>) -> Question<'q, 'p> {
        let must_not = question.must_not.iter().zip(&self.must_not);
        let other = question.other.iter().zip(&self.other);
        Question {
            must: question.must,
            must_not: must_not.filter(|(_, taken)| **taken).map(|(not, _)| *not).collect(),
            other: other.filter(|(_, taken)| **taken).map(|(rule, _)| *rule).collect(),
            normalisation: question.normalisation,
        }
    }

    fn take_forbidding(&mut self, question: &Question<'_, '_>, path: &[u8]) -> Verdict {
        let matching = |pattern: &&Pattern<'_>| pattern.matches(path);
        let must_not = question.must_not.iter().position(matching);
        let other = question.other.iter().position(|(pattern, _)| matching(pattern));
        let refusing = other.filter(|at| question.other.get(*at).is_some_and(|(_, way)| !way));
        let taken = match (must_not, refusing) {
            (Some(at), _) => self.must_not.get_mut(at),
            (None, Some(at)) => self.other.get_mut(at),
            (None, None) => return Verdict::Allowed,
        };
        match taken {
            Some(taken) if !*taken => {
                *taken = true;
                Verdict::Forbidden
            }
            _ => Verdict::Contradiction,
        }
    }
}
