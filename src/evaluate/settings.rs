//! How rows are to be judged.

use crate::agents::{AgentKind, NameRules};
use crate::corpus::Policy;
use crate::parse::Dialect;

/// Everything that decides a verdict besides the rows and the corpus.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// How bodies are read and rules compared; the corpus must have been built for it.
    pub dialect: Dialect,
    /// What statuses mean.
    pub policy: Policy,
    /// The verdict where nothing was captured.
    pub no_capture: NoCapture,
    /// How agents given as text are read.
    pub agent_kind: AgentKind,
}

impl Settings {
    /// The dialect's rules for names.
    #[must_use]
    pub fn name_rules(&self) -> NameRules {
        NameRules { cut_version: self.dialect.cut_version, whole_names: self.dialect.whole_names }
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
