//! How rows are to be judged.

use crate::agents::registry::Registry;
use crate::agents::{Agent, AgentKind, NameRules};
use crate::corpus::{Moment, Policy};
use crate::parse::Dialect;

/// Everything that decides a verdict besides the rows and the corpus.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How bodies are read and rules compared; the corpus must have been built for it.
    pub dialect: Dialect,
    /// What statuses mean.
    pub policy: Policy,
    /// As of when rows are judged, and by captures of which age.
    pub moment: Moment,
    /// Whose captures answer for an origin.
    pub scope: Scope,
    /// The verdict where nothing was captured.
    pub no_capture: NoCapture,
    /// How agents given as text are read.
    pub agent_kind: AgentKind,
    /// Whether agents go by the groups that their operators document.
    pub fallback: Fallback,
    /// What is known of agents.
    pub registry: Registry,
}

impl Settings {
    /// The dialect's rules for names.
    #[must_use]
    pub fn name_rules(&self) -> NameRules {
        NameRules { cut_version: self.dialect.cut_version, whole_names: self.dialect.whole_names }
    }

    /// Reads an agent as these settings say; `None` is the basis `bad_agent`.
    #[must_use]
    pub fn read_agent(&self, text: &[u8]) -> Option<Agent> {
        let agent = Agent::parse(text, self.agent_kind, self.name_rules())?;
        Some(match self.fallback {
            Fallback::None => agent,
            Fallback::Documented => agent.with_fallback(&self.registry),
        })
    }
}

/// Which group applies to an agent that a body does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fallback {
    /// That of `*`, as RFC 9309 says.
    #[default]
    None,
    /// As the registry has it for the agent: that of another agent before that of `*`, or never that of `*`.
    Documented,
}

impl Fallback {
    /// The word on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fallback::None => "none",
            Fallback::Documented => "documented",
        }
    }
}

/// Whose captures answer for an origin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Its own alone.
    #[default]
    Origin,
    /// Where it has none in question, those of the same host under the other scheme, both at their default ports.
    Host,
}

impl Scope {
    /// The word on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scope::Origin => "origin",
            Scope::Host => "host",
        }
    }

    /// The origin that answers where `origin` does not, written into `out`; false where there is none.
    pub(super) fn twin(self, origin: &[u8], out: &mut Vec<u8>) -> bool {
        let (scheme, host): (&[u8], &[u8]) = match origin.strip_prefix(b"https://") {
            Some(host) => (b"http://", host),
            None => (b"https://", origin.strip_prefix(b"http://").unwrap_or_default()),
        };
        // What follows an address in brackets would be a port.
        let has_port = match host.strip_prefix(b"[") {
            Some(_) => !host.ends_with(b"]"),
            None => host.contains(&b':'),
        };
        out.clear();
        out.extend_from_slice(scheme);
        out.extend_from_slice(host);
        self == Scope::Host && !host.is_empty() && !has_port
    }
}

/// The verdict of rows with basis `no_capture`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoCapture {
    /// Null: a study that counts unknown as open is wrong.
    #[default]
    Unknown,
    /// Allowed.
    Allow,
    /// Disallowed.
    Disallow,
}

impl NoCapture {
    /// The value in the `robots_allowed` column.
    #[must_use]
    pub fn allowed(self) -> Option<bool> {
        match self {
            NoCapture::Unknown => None,
            NoCapture::Allow => Some(true),
            NoCapture::Disallow => Some(false),
        }
    }

    /// The word on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            NoCapture::Unknown => "unknown",
            NoCapture::Allow => "allow",
            NoCapture::Disallow => "disallow",
        }
    }
}
