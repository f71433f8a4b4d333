//! Who runs an agent, and whether they say that it honours robots.txt.
//!
//! Enters: an agent, a registry. Leaves: what the registry knows of it. Must not know: verdicts.

use crate::agents::Agent;
use crate::agents::registry::Registry;

/// What is known of who runs an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operator {
    /// Who runs it.
    pub name: String,
    /// What for.
    pub purpose: String,
    /// Whether they say that it honours robots.txt, in words.
    pub honours_robots: String,
    /// How sure that is, in words.
    pub confidence: String,
}

/// What is known of who runs `agent`: by the first of its names that has an entry.
pub(super) fn operator_of(agent: &Agent, registry: &Registry) -> Option<Operator> {
    let entry = registry.find_agent(agent)?;
    Some(Operator {
        name: entry.operator.clone(),
        purpose: entry.purpose.name().to_owned(),
        honours_robots: entry.honours_robots.name().to_owned(),
        confidence: entry.confidence.name().to_owned(),
    })
}
