//! Why a verdict is what it is, in a sentence.
//!
//! Enters: what was judged and the capture that answered. Leaves: one sentence without a full stop. Must not know: where it is shown.

use super::story::{CaptureStory, RuleStory};
use crate::agents::Agent;
use crate::corpus::Status;
use crate::evaluate::{Basis, Settings};
use crate::parse::Kind;

/// The sentence.
pub(super) fn reason(
    basis: Basis,
    agent: &Agent,
    settings: &Settings,
    capture: Option<&CaptureStory>,
    rule: Option<&RuleStory>,
) -> String {
    let Some(capture) = capture else {
        return "it is not an absolute http(s) URL with a host, so there is no origin to ask"
            .to_owned();
    };
    let policy = settings.policy.name;
    let status = status(capture.site.status.map(|status| status.0));
    match basis {
        Basis::BadUrl => "the URL is not an absolute http(s) URL with a host".to_owned(),
        Basis::BadAgent => "the agent is empty".to_owned(),
        Basis::RobotsTxt => {
            "the path is /robots.txt itself, which is always allowed (RFC 9309 section 2.2.2)"
                .to_owned()
        }
        Basis::NoCapture => no_capture(capture, &status),
        Basis::RedirectUnresolved => {
            let to = capture.hops.last().map_or("elsewhere", |hop| hop.to.as_str());
            format!("its robots.txt redirects to {to}, and what stands there is not known")
        }
        Basis::Unreachable => format!(
            "robots.txt was answered with {status}: unreachable, which policy {policy} takes as a refusal of everything"
        ),
        Basis::Forbidden => format!(
            "robots.txt was answered with {status}, which policy {policy} takes as a refusal of everything"
        ),
        Basis::Unavailable if capture.site.status.is_some_and(Status::is_redirect) => format!(
            "its robots.txt redirects more than five times, or to itself: unavailable, which policy {policy} takes as no rules at all"
        ),
        Basis::Unavailable => format!(
            "robots.txt was answered with {status}: unavailable, which policy {policy} takes as no rules at all"
        ),
        Basis::NotRobots => {
            "what was served as robots.txt is a web page or binary without one rule in a group"
                .to_owned()
        }
        Basis::NoRules => "robots.txt has no allow or disallow line in any group".to_owned(),
        Basis::NoGroup if agent.ignores_wildcard() => {
            "no group names the agent, which ignores that for *".to_owned()
        }
        Basis::NoGroup => "no group names the agent, and there is none for *".to_owned(),
        Basis::NoRule => "no rule of the group that applies matches the path".to_owned(),
        Basis::Rule => of_rule(rule),
    }
}

fn of_rule(rule: Option<&RuleStory>) -> String {
    let Some(rule) = rule else { return "a rule decides".to_owned() };
    let kind = if rule.kind == Kind::Allow { "Allow" } else { "Disallow" };
    let pattern = rule.written.as_ref().unwrap_or(&rule.pattern);
    format!("line {} decides: {kind}: {pattern}", rule.line)
}

fn no_capture(capture: &CaptureStory, status: &str) -> String {
    let origin = &capture.origin;
    match (capture.access, capture.site.time.or(capture.site.status.map(|_| 0))) {
        ("unknown", _) => {
            format!("robots.txt was answered with {status}, which is set to count as unknown")
        }
        (_, None) => format!("no capture of {origin}/robots.txt is known for the time in question"),
        _ => format!("{origin}/robots.txt was answered with {status}, but its body is not known"),
    }
}

/// `status 404`.
fn status(status: Option<i16>) -> String {
    match status {
        None => "no recorded status".to_owned(),
        Some(0) => "no answer (status 0)".to_owned(),
        Some(status) => format!("status {status}"),
    }
}
