//! What a row is told, found by looking at all captures of its origin, one definition after the other.

use robosift::corpus::{AsOf, Policy};
use robosift::evaluate::{Scope, Settings};

pub(crate) const DAY: i64 = 86_400_000_000;

/// A capture; one with status 200 has rules that refuse paths that begin with `refuses`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fetched {
    pub(crate) origin: &'static str,
    pub(crate) time: Option<i64>,
    pub(crate) status: i16,
    pub(crate) refuses: &'static str,
}

/// What a row is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) allowed: Option<bool>,
    pub(crate) basis: String,
    pub(crate) time: Option<i64>,
    pub(crate) gap_s: Option<i64>,
    pub(crate) status: Option<i16>,
    pub(crate) stale: Option<bool>,
    pub(crate) origin: String,
}

pub(crate) fn judge(
    captures: &[Fetched],
    settings: &Settings,
    url: &str,
    time: Option<i64>,
) -> Verdict {
    let (origin, path) = url.split_at(url.rfind('/').unwrap());
    let twin = match origin.strip_prefix("https:") {
        Some(rest) => format!("http:{rest}"),
        None => origin.replace("http:", "https:"),
    };
    let own = decide(&of_origin(captures, origin), settings, path, time);
    let other = match settings.scope {
        Scope::Host => decide(&of_origin(captures, &twin), settings, path, time),
        Scope::Origin => None,
    };
    let (decided, origin) = match (own, other) {
        (None, Some(decided)) => (Some(decided), twin),
        (own, _) => (own, origin.to_owned()),
    };
    match decided.flatten() {
        None => Verdict {
            allowed: None,
            basis: "no_capture".to_owned(),
            time: None,
            gap_s: None,
            status: None,
            stale: None,
            origin,
        },
        Some((capture, stale)) => {
            let (allowed, basis) = say(&capture, path, &settings.policy);
            let gap = time.zip(capture.time).map(|(row, capture)| row - capture);
            Verdict {
                allowed: Some(allowed),
                basis: basis.to_owned(),
                time: capture.time,
                gap_s: gap.map(|gap| gap / 1_000_000),
                status: Some(capture.status),
                stale: Some(stale),
                origin,
            }
        }
    }
}

/// Oldest first; one without time is older than any.
fn of_origin(captures: &[Fetched], origin: &str) -> Vec<Fetched> {
    let mut own: Vec<Fetched> =
        captures.iter().filter(|capture| capture.origin == origin).copied().collect();
    own.sort_by_key(|capture| capture.time.unwrap_or(i64::MIN));
    own
}

fn say(capture: &Fetched, path: &str, policy: &Policy) -> (bool, &'static str) {
    match (capture.status, policy.name) {
        (200, _) if !capture.refuses.is_empty() && path.starts_with(capture.refuses) => {
            (false, "rule")
        }
        (200, _) => (true, "no_rule"),
        (503, _) | (429, "google" | "closed") => (false, "unreachable"),
        (403, "closed") => (false, "forbidden"),
        _ => (true, "unavailable"),
    }
}

/// The capture that decides and whether it is a stale copy; outer `None`: nothing of this origin is in question.
fn decide(
    captures: &[Fetched],
    settings: &Settings,
    path: &str,
    time: Option<i64>,
) -> Option<Option<(Fetched, bool)>> {
    let at = match settings.moment.as_of {
        AsOf::Latest => None,
        AsOf::Date(date) => Some(date),
        AsOf::Row | AsOf::Ever => Some(time?),
    };
    let now = in_question(captures, settings, at)
        .and_then(|(recent, known)| visit(&recent, &known, &settings.policy));
    let (AsOf::Ever, Some(at)) = (settings.moment.as_of, at) else { return now.map(Some) };
    let later: Vec<Fetched> =
        captures.iter().filter(|capture| capture.time > Some(at)).copied().collect();
    if now.is_none() && later.is_empty() {
        return None;
    }
    let refuses = |(capture, _): &(Fetched, bool)| !say(capture, path, &settings.policy).0;
    if now.as_ref().is_some_and(refuses) {
        return Some(now);
    }
    let visits = visits(&later, captures, &settings.policy);
    Some(visits.into_iter().find(refuses).or(now))
}

/// The visits among `later`, oldest first, told apart from the newest backwards.
fn visits(later: &[Fetched], all: &[Fetched], policy: &Policy) -> Vec<(Fetched, bool)> {
    let mut rest = later.to_vec();
    let mut visits = Vec::new();
    while let Some(newest) = rest.last().copied() {
        let known: Vec<Fetched> =
            all.iter().filter(|capture| capture.time <= newest.time).copied().collect();
        visits.extend(visit(&rest, &known, policy));
        rest.retain(|capture| !is_within(capture, &newest, DAY));
    }
    visits.reverse();
    visits
}

/// Captures recent enough, the last one being the newest in question; and all up to that one.
fn in_question(
    captures: &[Fetched],
    settings: &Settings,
    at: Option<i64>,
) -> Option<(Vec<Fetched>, Vec<Fetched>)> {
    let Some(at) = at else { return Some((captures.to_vec(), captures.to_vec())) };
    let moment = settings.moment;
    let is_recent = |capture: &&Fetched| match moment.window {
        None => true,
        Some(window) => capture.time.is_some_and(|time| at - time <= window),
    };
    let before = captures.iter().filter(|c| c.time <= Some(at)).rfind(is_recent);
    let after = captures.iter().find(|capture| capture.time > Some(at));
    let after = after.filter(|after| {
        moment.nearest && moment.window.is_none_or(|window| after.time.unwrap() - at <= window)
    });
    let newest = match (before, after) {
        (before, None) => before?,
        (None, Some(after)) => after,
        (Some(before), Some(after)) => match before.time {
            Some(time) if at - time <= after.time.unwrap() - at => before,
            _ => after,
        },
    };
    let known: Vec<Fetched> = captures.iter().filter(|c| c.time <= newest.time).copied().collect();
    let recent = known.iter().filter(is_recent).copied().collect();
    Some((recent, known))
}

/// Whether `capture` is at most `span` older than `newest`.
fn is_within(capture: &Fetched, newest: &Fetched, span: i64) -> bool {
    match (capture.time, newest.time) {
        (Some(time), Some(newest)) => newest - time <= span,
        (time, newest) => time == newest,
    }
}

/// The capture that counts in the visit of the last of `recent`, or a stale copy of it.
fn visit(recent: &[Fetched], known: &[Fetched], policy: &Policy) -> Option<(Fetched, bool)> {
    let newest = recent.last()?;
    let of_visit: Vec<&Fetched> =
        recent.iter().filter(|capture| is_within(capture, newest, DAY)).collect();
    let successful = of_visit.iter().rev().find(|capture| capture.status == 200);
    let counts = *successful.unwrap_or(&newest);
    if say(counts, "/", policy).1 != "unreachable" {
        return Some((*counts, false));
    }
    let is_copy = |capture: &&Fetched| {
        policy.stale.is_some_and(|span| capture.status == 200 && is_within(capture, newest, span))
    };
    match known.iter().rev().find(is_copy) {
        Some(copy) => Some((*copy, true)),
        None => Some((*counts, false)),
    }
}
