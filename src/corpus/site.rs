//! What an origin said: the visit that counts, redirects followed, the policy applied.
//!
//! Linear in the origin's captures, and in those of at most five redirect targets.

use super::{BodyId, Capture, Corpus, OriginId, Outcome, Policy, Status};

const DAY: i64 = 86_400_000_000;

/// Redirects that are followed (RFC 9309 section 2.3.1.2).
const MAX_HOPS: usize = 5;

/// How access to an origin's robots.txt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The declared type was that of a web page or of something that is no text.
    pub page_or_binary_type: bool,
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
        page_or_binary_type: false,
        stale: false,
    };
}

impl Corpus {
    /// What `origin` said on its newest visit (`--as-of latest`).
    ///
    /// The captures of the 24 hours up to the newest one are its visit. In it a successful capture
    /// beats a redirect that leads to rules, and that one beats the others; then the newest wins.
    #[must_use]
    pub fn latest(&self, origin: OriginId, policy: &Policy) -> Site {
        let captures = self.captures(origin);
        let Some(newest) = captures.last() else { return Site::UNKNOWN };
        let mut visit = captures.iter().rev().take_while(|c| is_within(c.time, newest.time, DAY));
        let successful = visit.clone().find(|capture| capture.is_successful());
        let site = match successful {
            Some(capture) => self.follow(capture, policy),
            None => {
                let redirected = visit.find_map(|capture| self.rules_of(capture, policy));
                redirected.unwrap_or_else(|| self.follow(newest, policy))
            }
        };
        match (site.access, policy.stale) {
            (Access::Closed(Outcome::Unreachable), Some(stale)) => {
                self.stale_copy(captures, newest, stale, policy).unwrap_or(site)
            }
            _ => site,
        }
    }

    /// The newest successful capture that is at most `stale` older than the visit.
    fn stale_copy(
        &self,
        captures: &[Capture],
        newest: &Capture,
        stale: i64,
        policy: &Policy,
    ) -> Option<Site> {
        let mut copies = captures.iter().rev().filter(|c| is_within(c.time, newest.time, stale));
        let site = copies.find_map(|copy| self.rules_of(copy, policy))?;
        Some(Site { stale: true, ..site })
    }

    /// What `capture` means where it is, or leads to, a body whose rules apply.
    fn rules_of(&self, capture: &Capture, policy: &Policy) -> Option<Site> {
        let site = self.follow(capture, policy);
        matches!(site.access, Access::Rules(_)).then_some(site)
    }

    /// Follows redirects from `first` and says what the last capture means.
    fn follow(&self, first: &Capture, policy: &Policy) -> Site {
        let mut capture = first;
        let mut hops = 0;
        while capture.status.is_some_and(Status::is_redirect) {
            if hops == MAX_HOPS {
                return site(first, capture, Access::Closed(Outcome::Unavailable));
            }
            let Some(target) = self.target(capture, first) else {
                return site(first, capture, Access::RedirectUnresolved);
            };
            capture = target;
            hops += 1;
        }
        site(first, capture, access(capture, policy))
    }

    /// The capture of the redirect's target that is nearest in time, within 24 hours.
    fn target(&self, capture: &Capture, first: &Capture) -> Option<&Capture> {
        let captures = self.captures_of_url(capture.redirect.as_deref()?);
        let gap = |target: &&Capture| distance(target.time, first.time);
        captures.iter().rev().filter(|target| gap(target) <= DAY.unsigned_abs()).min_by_key(gap)
    }
}

fn site(first: &Capture, last: &Capture, access: Access) -> Site {
    Site {
        access,
        status: last.status,
        time: first.time,
        redirected: first.status.is_some_and(Status::is_redirect),
        page_or_binary_type: last.flags.page_or_binary_type,
        stale: false,
    }
}

/// What a capture that is no redirect means.
fn access(capture: &Capture, policy: &Policy) -> Access {
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

/// Microseconds between two captures; none where one of them has no time.
fn distance(one: Option<i64>, other: Option<i64>) -> u64 {
    one.zip(other).map_or(0, |(one, other)| one.abs_diff(other))
}
