//! Whose groups an agent goes by where none is its own.
//!
//! Enters: an agent and a registry. Leaves: the agent with the further names that its crawler looks for, and
//! whether it ignores `*`. Cost: a few look-ups, once per distinct agent.
//!
//! RFC 9309 knows no such chains; operators document them (Googlebot-News goes by Googlebot's group), and
//! whoever asks decides whether they count.

use super::registry::Registry;
use super::{Agent, AgentName};

impl Agent {
    /// The same agent, with the lookup order that `registry` has for it: that of the first of its names that has
    /// an entry. Names of the order that are not its own are looked for behind all of its own. Without an entry nothing
    /// changes, nor for `*`.
    #[must_use]
    pub fn with_fallback(mut self, registry: &Registry) -> Self {
        let Some(entry) = registry.find_agent(&self) else { return self };
        let order = entry.lookup_order.iter().filter(|name| *name != "*");
        let mut further: Vec<AgentName> = Vec::new();
        for name in order.filter_map(|name| AgentName::of(name.as_bytes())) {
            if !self.names.contains(&name) && !further.contains(&name) {
                further.push(name);
            }
        }
        self.ignores_wildcard = entry.honours_wildcard == Some(false);
        self.fallback = further.into();
        self
    }

    /// Names that are looked for where a body has none of [`Agent::names`], in this order; empty unless the
    /// agent was made [with a fallback](Agent::with_fallback).
    pub fn fallback_names(&self) -> &[AgentName] {
        &self.fallback
    }

    /// All names in the order in which they are looked for: its own, then those of the fallback.
    pub fn lookup_names(&self) -> impl Iterator<Item = &AgentName> {
        self.names.iter().chain(&self.fallback)
    }

    /// Whether the `*` group never applies: known of an agent made [with a fallback](Agent::with_fallback) alone.
    pub fn ignores_wildcard(&self) -> bool {
        self.ignores_wildcard
    }
}
