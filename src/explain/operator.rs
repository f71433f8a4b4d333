//! Who runs an agent, and whether they say that it honours robots.txt.
//!
//! Enters: a product token. Leaves: what the registry of agents knows of it. This is the one place where explanations meet
//! the registry. Must not know: verdicts.

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

/// What is known of who runs the agent named `token`.
#[must_use]
pub fn operator_of(_token: &str) -> Option<Operator> {
    None
}
