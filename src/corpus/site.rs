//! What an origin said: the visit that counts, redirects followed, the policy applied.
//!
//! Enters: an origin, a policy, which captures are in question. Leaves: a [`Site`]. Cost: linear in the captures of a visit,
//! and in those of at most five redirect targets; stale copies are looked for among all older captures. Must not know: rows.

use super::captures::{Capture, Captures};
use super::moment::Times;
use super::{BodyId, CaptureFlags, Corpus, Moment, OriginId, Outcome, Policy, Status};

const DAY: i64 = 86_400_000_000;

/// Redirects that are followed (RFC 9309 section 2.3.1.2).
const MAX_HOPS: usize = 5;

/// How access to an origin's robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// A body was received: its rules apply.
    Rules(BodyId),
    /// A redirect leads to what the corpus does not hold.
    RedirectUnresolved,
    /// No body; what that means is the policy's to say.
    Closed(Outcome),
}

/// What an origin said at one time, under one policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// How access ended.
    pub access: Access,
    /// The recorded status of the capture that decided (the last hop's).
    pub status: Option<Status>,
    /// The time of the capture, of the first hop where it was redirected.
    pub time: Option<i64>,
    /// A redirect was followed.
    pub redirected: bool,
    /// Facts about the capture that decided (the last hop's).
    pub flags: CaptureFlags,
    /// An older capture stands in for an unreachable one.
    pub stale: bool,
}

impl Site {
    /// An origin of which nothing is known.
    pub const UNKNOWN: Site = Site {
        access: Access::Closed(Outcome::NoCapture),
        status: None,
        time: None,
        redirected: false,
        flags: CaptureFlags::from_bits(0),
        stale: false,
    };
}

/// What an origin said as of some time, and how long that held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    /// What it said; `None` where no capture is in question.
    pub site: Option<Site>,
    /// Times of rows for which it is the same.
    pub times: Times,
}

impl Corpus {
    /// What `origin` said on its newest visit (`--as-of latest`).
    ///
    /// The captures of the 24 hours up to the newest one are its visit. In it a successful capture
    /// beats a redirect that leads to rules, and that one beats the others; then the newest wins.
    #[must_use]
    pub fn latest(&self, origin: OriginId, policy: &Policy) -> Site {
        self.answer(origin, policy, &Moment::default(), None).site.unwrap_or(Site::UNKNOWN)
    }

    /// What `origin` said as of `moment`, for a row of `row_time`. Where the row's time decides and is not known,
    /// nothing is in question.
    #[must_use]
    pub fn answer(
        &self,
        origin: OriginId,
        policy: &Policy,
        moment: &Moment,
        row_time: Option<i64>,
    ) -> Answered {
        let Ok(time) = moment.time(row_time) else {
            return Answered { site: None, times: Times::ALL };
        };
        let question = moment.in_question(self.captures_of(origin), time);
        let times = if moment.needs_row_time() { question.times } else { Times::ALL };
        Answered { site: self.site(question.recent, question.known, policy), times }
    }

    /// Whether `origin` was captured after `row_time`.
    ///
    /// # Complexity
    /// Logarithmic in its captures.
    #[must_use]
    pub fn is_captured_after(&self, origin: OriginId, row_time: i64) -> bool {
        let all = self.captures_of(origin);
        all.until(row_time).len() < all.len()
    }

    /// What the last of `recent` and its visit mean; `known` are all captures up to it.
    fn site(&self, recent: Captures<'_>, known: Captures<'_>, policy: &Policy) -> Option<Site> {
        let newest = recent.last()?;
        let mut visit = visit(recent, &newest);
        let successful = visit.clone().find(Capture::is_successful);
        Some(match successful {
            Some(capture) => self.follow(&capture, policy),
            None => {
                let redirected = visit.find_map(|capture| self.rules_of(&capture, policy));
                redirected.unwrap_or_else(|| self.without_rules(&newest, known, policy))
            }
        })
    }

    /// What the newest capture of a visit means in which none leads to rules; `known` are all captures up to it.
    pub(super) fn without_rules(
        &self,
        newest: &Capture<'_>,
        known: Captures<'_>,
        policy: &Policy,
    ) -> Site {
        let site = self.follow(newest, policy);
        match (site.access, policy.stale) {
            (Access::Closed(Outcome::Unreachable), Some(stale)) => {
                self.stale_copy(known, newest, stale, policy).unwrap_or(site)
            }
            _ => site,
        }
    }

    /// The newest successful capture that is at most `stale` older than the visit.
    fn stale_copy(
        &self,
        captures: Captures<'_>,
        newest: &Capture<'_>,
        stale: i64,
        policy: &Policy,
    ) -> Option<Site> {
        let mut copies = captures.iter().rev().filter(|c| is_within(c.time, newest.time, stale));
        let site = copies.find_map(|copy| self.rules_of(&copy, policy))?;
        Some(Site { stale: true, ..site })
    }

    /// What `capture` means where it is, or leads to, a body whose rules apply.
    pub(super) fn rules_of(&self, capture: &Capture<'_>, policy: &Policy) -> Option<Site> {
        let site = self.follow(capture, policy);
        matches!(site.access, Access::Rules(_)).then_some(site)
    }

    /// Follows redirects from `first` and says what the last capture means.
    pub(super) fn follow(&self, first: &Capture<'_>, policy: &Policy) -> Site {
        let mut capture = *first;
        let mut hops = 0;
        while capture.status.is_some_and(Status::is_redirect) {
            if hops == MAX_HOPS {
                return site(first, &capture, Access::Closed(Outcome::Unavailable));
            }
            let Some(target) = self.target(&capture, first) else {
                return site(first, &capture, Access::RedirectUnresolved);
            };
            capture = target;
            hops += 1;
        }
        site(first, &capture, access(&capture, policy))
    }

    /// The redirects that were followed from the capture of `origin` at `time`, a site's: for each what was asked for, the
    /// status, and where it leads, absolute. The last may lead to what the corpus does not hold.
    #[must_use]
    pub fn redirects(&self, origin: OriginId, time: Option<i64>) -> Vec<(String, Status, String)> {
        let is_redirect =
            |capture: &Capture<'_>| capture.status.filter(|status| status.is_redirect());
        let mut captures = self.captures(origin).rev();
        let first = captures.find(|c| c.time == time && is_redirect(c).is_some());
        let mut url = format!("{}/robots.txt", self.origin_name(origin));
        let (mut hops, mut next) = (Vec::new(), first);
        while let (Some(capture), Some(first)) = (next, first)
            && let Some(status) = is_redirect(&capture)
            && hops.len() <= MAX_HOPS
        {
            let to = capture.redirect().unwrap_or_default().to_owned();
            hops.push((std::mem::replace(&mut url, to.clone()), status, to));
            next = self.target(&capture, &first);
        }
        hops
    }

    /// The capture of the redirect's target that is nearest in time, within 24 hours; of two equally near ones the later.
    /// One without a time counts where there is no other.
    ///
    /// # Complexity
    /// Logarithmic: many origins may redirect to one URL that was captured for each of them.
    fn target(&self, capture: &Capture<'_>, first: &Capture<'_>) -> Option<Capture<'_>> {
        let captures = self.captures_of_redirect(capture)?;
        let Some(time) = first.time else { return captures.last() };
        let before = captures.until(time);
        let after = captures.after(before);
        let after = after.first().and_then(|first| after.until(first.time?).last());
        let near = [after, before.last()].into_iter().flatten();
        let near = near.filter_map(|target| Some((target.time?.abs_diff(time), target)));
        let near = near.filter(|(gap, _)| *gap <= DAY.unsigned_abs());
        let nearest = near.min_by_key(|(gap, _)| *gap).map(|(_, target)| target);
        nearest.or_else(|| captures.until(i64::MIN).last().filter(|target| target.time.is_none()))
    }
}

/// The captures of the 24 hours up to `newest`, the last of `captures`; newest first.
pub(super) fn visit<'c>(
    captures: Captures<'c>,
    newest: &Capture<'c>,
) -> impl Iterator<Item = Capture<'c>> + Clone + use<'c> {
    let time = newest.time;
    captures.iter().rev().take_while(move |capture| is_within(capture.time, time, DAY))
}

fn site(first: &Capture<'_>, last: &Capture<'_>, access: Access) -> Site {
    Site {
        access,
        status: last.status,
        time: first.time,
        redirected: first.status.is_some_and(Status::is_redirect),
        flags: last.flags,
        stale: false,
    }
}

/// What a capture that is no redirect means.
fn access(capture: &Capture<'_>, policy: &Policy) -> Access {
    let body = capture.body.map_or(Access::Closed(Outcome::NoCapture), Access::Rules);
    match capture.status {
        None => body,
        Some(status) if status.may_have_rules() => body,
        Some(status) => Access::Closed(policy.outcome(status)),
    }
}

/// Whether `time` is at most `span` before `newest`. A capture without a time belongs only to others
/// without one.
fn is_within(time: Option<i64>, newest: Option<i64>, span: i64) -> bool {
    match (time, newest) {
        (Some(time), Some(newest)) => newest.saturating_sub(time) <= span,
        (time, newest) => time == newest,
    }
}
