//! The visits of an origin, each found once however often it is asked which of them were later than some time.
//!
//! Enters: an origin, a policy, times. Leaves: what each visit after a time says. Visits are formed from the newest capture back,
//! so that the time decides only where they end: it may cut one in two. Cost: linear in the captures after the earliest time that was
//! asked about, for all questions together; a question costs a search. Must not know: rows.

use super::captures::{Capture, Captures};
use super::site::visit;
use super::{Corpus, OriginId, Policy, Site};

/// The visits of an origin, as far back as was asked.
#[derive(Debug)]
pub struct Visits<'c> {
    corpus: &'c Corpus,
    policy: Policy,
    all: Captures<'c>,
    /// Those older than all visits found.
    rest: Captures<'c>,
    /// Newest first.
    found: Vec<Visit<'c>>,
}

/// Which visits were later than a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaterVisits {
    /// So many, numbered from the newest one back, were later as a whole.
    pub num_whole: usize,
    /// What the captures after that time say of a visit that had begun by then.
    pub cut: Option<Site>,
}

/// One visit, and which of its captures decide: a cut leaves the newer ones in question.
#[derive(Debug)]
struct Visit<'c> {
    captures: Captures<'c>,
    /// The newest successful capture.
    successful: Option<(Capture<'c>, Site)>,
    /// The newest capture that is or leads to rules, of those after the successful one.
    with_rules: Option<(Capture<'c>, Site)>,
    /// What the newest capture says, which counts where the others do not; found when it is asked for.
    newest: Option<Site>,
}

impl Corpus {
    /// The visits of `origin`, to be asked which were later than some time (`--as-of ever`).
    #[must_use]
    pub fn visits(&self, origin: OriginId, policy: &Policy) -> Visits<'_> {
        let all = self.captures_of(origin);
        let policy = policy.clone();
        Visits { corpus: self, policy, all, rest: all, found: Vec::new() }
    }
}

impl Visits<'_> {
    /// The visits after `row_time`.
    ///
    /// # Complexity
    /// Logarithmic in captures, and linear in those after `row_time` of which no visit was found yet.
    pub fn later_than(&mut self, row_time: i64) -> LaterVisits {
        let until = self.all.until(row_time);
        while !self.rest.after(until).is_empty() {
            self.find_next();
        }
        let is_whole = |visit: &Visit<'_>| visit.captures.is_after(until);
        let num_whole = self.found.partition_point(is_whole);
        let cut = self.found.get_mut(num_whole).and_then(|visit| {
            let in_question = visit.captures.after(until);
            visit.site(in_question, self.corpus, self.all, &self.policy)
        });
        LaterVisits { num_whole, cut }
    }

    /// What the visit with this number says, from 0 for the newest one; `None` where it was not found.
    pub fn site(&mut self, number: usize) -> Option<Site> {
        let visit = self.found.get_mut(number)?;
        visit.site(visit.captures, self.corpus, self.all, &self.policy)
    }

    /// Makes a visit of the newest captures that are of none.
    fn find_next(&mut self) {
        let Some(newest) = self.rest.last() else { return };
        let (mut successful, mut with_rules) = (None, None);
        for capture in visit(self.rest, &newest) {
            if capture.is_successful() {
                successful = Some((capture, self.corpus.follow(&capture, &self.policy)));
                break;
            }
            let rules = || self.corpus.rules_of(&capture, &self.policy);
            with_rules = with_rules.or_else(|| rules().map(|site| (capture, site)));
        }
        let len = visit(self.rest, &newest).count();
        // Never none of them: what a damaged file says of one capture may change nothing but the answer.
        let rest = self.rest.without_last(len.max(1));
        let captures = self.rest.after(rest);
        self.found.push(Visit { captures, successful, with_rules, newest: None });
        self.rest = rest;
    }
}

impl<'c> Visit<'c> {
    /// What it says where these of its captures are in question; `None` where none is.
    fn site(
        &mut self,
        in_question: Captures<'c>,
        corpus: &Corpus,
        all: Captures<'c>,
        policy: &Policy,
    ) -> Option<Site> {
        let newest = in_question.last()?;
        let deciding = [&self.successful, &self.with_rules].into_iter().flatten();
        let mut deciding = deciding.filter(|(capture, _)| in_question.contain(capture));
        if let Some((_, site)) = deciding.next() {
            return Some(*site);
        }
        let known = all.until_end_of(self.captures);
        Some(*self.newest.get_or_insert_with(|| corpus.without_rules(&newest, known, policy)))
    }
}
