//! What one should know besides a verdict and what led to it.
//!
//! Enters: an agent, the capture that answered, what the other dialect says. Leaves: sentences. Cost: constant. Must not know:
//! rules.

use super::story::{BodyStory, CaptureStory, OtherDialect};
use crate::agents::Agent;
use crate::compile::BodyLimit;
use crate::evaluate::Settings;

/// All of it, for one agent.
pub(super) fn notes(
    agent: &Agent,
    capture: &CaptureStory,
    other: Option<&OtherDialect>,
    settings: &Settings,
    limit: BodyLimit,
) -> Vec<String> {
    let mut notes = Vec::new();
    if agent.has_unnameable_name() {
        notes.push(format!(
            "in dialect {} no file can name {}: its rules for it are read as rules for another name",
            settings.dialect.name,
            agent.label()
        ));
    }
    notes.extend(unverified_order(agent, settings));
    if let Some(body) = &capture.body {
        notes.extend(body.text.is_none().then(|| without_text(other)));
        notes.extend(over(body, limit));
    }
    notes
}

/// What is not known where the corpus keeps no texts.
fn without_text(other: Option<&OtherDialect>) -> String {
    let kept = "the corpus keeps no texts of bodies: lines are shown as programs know them";
    let unknown = match other {
        None => ", and what the other dialect says is not known",
        Some(other) if other.needs_text => {
            ", and which clauses make the other dialect differ is not known"
        }
        Some(_) => "",
    };
    format!("{kept}{unknown}")
}

/// That a body was not read to its end.
fn over(body: &BodyStory, limit: BodyLimit) -> Option<String> {
    let is_over = usize::try_from(body.len).is_ok_and(|len| len > limit.octets());
    let len = match body.is_beginning {
        true => format!("more than {}", body.len),
        false => body.len.to_string(),
    };
    let read = limit.octets();
    (is_over || body.is_beginning)
        .then(|| format!("the body has {len} octets, of which {read} were read (--body-limit)"))
}

/// That the order in which the agent looks for groups is not verified, where it has one.
fn unverified_order(agent: &Agent, settings: &Settings) -> Option<String> {
    let has_order = !agent.fallback_names().is_empty() || agent.ignores_wildcard();
    let entry = settings.registry.find_agent(agent).filter(|_| has_order)?;
    (!entry.confidence.is_verified()).then(|| {
        format!(
            "the fallback of {} is not verified: the registry marks its entry as {}",
            entry.token,
            entry.confidence.name()
        )
    })
}
