//! Named sets of agents.

use super::entry::{Entry, Purpose, Status};

/// A named set of agents.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentSet {
    /// The name, without `@`.
    pub name: String,
    /// What its agents have in common.
    pub about: String,
    /// Where the choice stands, empty where it is the registry's own.
    pub source: String,
    /// Who is in it.
    pub members: Members,
}

/// Who is in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Members {
    /// These agents, in this order; `*` is the wildcard agent. Not all need to have an entry.
    Listed(Vec<String>),
    /// All agents with one of these purposes as their chief one, in the order of the registry.
    /// Those that are only proposed are left out.
    ByPurpose {
        /// The purposes.
        purposes: Vec<Purpose>,
        /// Tokens that are left out all the same.
        except: Vec<String>,
    },
}

impl AgentSet {
    /// Whether this is its name, given with or without `@`, ignoring ASCII case.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.strip_prefix('@').unwrap_or(name))
    }

    /// The agents of the set, in its order.
    pub(super) fn agents<'r>(&'r self, entries: &'r [Entry]) -> Vec<&'r str> {
        match &self.members {
            Members::Listed(agents) => agents.iter().map(String::as_str).collect(),
            Members::ByPurpose { purposes, except } => {
                let is_member = |entry: &&Entry| {
                    purposes.contains(&entry.purpose)
                        && entry.status != Status::Proposed
                        && !except.iter().any(|token| token.eq_ignore_ascii_case(&entry.token))
                };
                entries.iter().filter(is_member).map(|entry| entry.token.as_str()).collect()
            }
        }
    }
}
