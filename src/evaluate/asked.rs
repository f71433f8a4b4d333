//! Which agents are asked for.

use std::collections::HashSet;
use std::fmt;

use super::Settings;
use crate::agents::{Agent, AgentName};
use crate::compile::{NameKind, Wanted};

/// The agents of a run.
#[derive(Clone, Debug)]
pub enum Asked {
    /// The same for every row.
    Agents(Vec<Agent>),
    /// Each row names its own.
    Column,
}

/// A list of agents that cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedError(String);

impl fmt::Display for AskedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for AskedError {}

impl AskedError {
    pub(super) fn new(message: String) -> Self {
        AskedError(message)
    }
}

impl Asked {
    /// Reads agents given as text, with the fallbacks that the settings ask for; the same one given twice is asked once.
    ///
    /// # Errors
    /// No agent at all, or an empty one.
    pub fn parse<'t>(
        texts: impl IntoIterator<Item = &'t str>,
        settings: &Settings,
    ) -> Result<Self, AskedError> {
        let mut agents: Vec<Agent> = Vec::new();
        for text in texts {
            let agent = settings.read_agent(text.as_bytes()).ok_or_else(|| {
                AskedError(format!(
                    "`{text}` is not an agent: give a product token such as GPTBot, or *"
                ))
            })?;
            if !agents.iter().any(|known| known.label().eq_ignore_ascii_case(&agent.label())) {
                agents.push(agent);
            }
        }
        if agents.is_empty() {
            return Err(AskedError("no agent is asked for: give --agent GPTBot, or --agent-column NAME where each row names \
                 its own".to_owned()));
        }
        Ok(Asked::Agents(agents))
    }

    /// Checks that each agent has column names of its own, as the wide layout needs.
    ///
    /// # Errors
    /// Two agents whose column suffixes are the same.
    pub fn check_suffixes(&self) -> Result<(), AskedError> {
        let mut suffixes = HashSet::new();
        match self.agents().iter().find(|agent| !suffixes.insert(agent.suffix())) {
            None => Ok(()),
            Some(twin) => Err(AskedError(format!(
                "two agents would share the column suffix `_{}`; ask for them in separate runs or \
                 with --layout long",
                twin.suffix()
            ))),
        }
    }

    /// The names that programs have to answer for: all of them where each row names its own agent.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        match self {
            Asked::Agents(agents) => Wanted::only(agents.iter().flat_map(names)),
            Asked::Column => Wanted::All,
        }
    }

    /// Checks that programs that answer for `wanted` answer for these agents.
    ///
    /// # Errors
    /// An agent with a name that is not among them.
    pub(super) fn check_wanted(&self, wanted: &Wanted) -> Result<(), AskedError> {
        let is_unwanted =
            |agent: &&Agent| !names(agent).all(|(kind, name)| wanted.contains(kind, name));
        match (self, self.agents().iter().find(is_unwanted)) {
            (Asked::Column, _) if *wanted != Wanted::All => Err(AskedError(
                "the corpus was compiled for some agents alone, but each row names its own"
                    .to_owned(),
            )),
            (_, Some(agent)) => Err(AskedError(format!(
                "the corpus was compiled for other agents than {}",
                agent.label()
            ))),
            _ => Ok(()),
        }
    }

    /// The agents that are the same for every row.
    #[must_use]
    pub fn agents(&self) -> &[Agent] {
        match self {
            Asked::Agents(agents) => agents,
            Asked::Column => &[],
        }
    }
}

/// The names that are looked for, as programs keep them.
fn names(agent: &Agent) -> impl Iterator<Item = (NameKind, &[u8])> {
    agent.lookup_names().filter_map(|name| match name {
        AgentName::Wildcard => None,
        AgentName::Token(token) => Some((NameKind::Token, &**token)),
        AgentName::Whole(name) => Some((NameKind::Whole, &**name)),
    })
}
