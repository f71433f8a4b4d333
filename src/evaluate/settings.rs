//! How rows are to be judged.

use crate::agents::{AgentKind, NameRules};
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
}

impl Settings {
    /// The dialect's rules for names.
    #[must_use]
    pub fn name_rules(&self) -> NameRules {
        NameRules { cut_version: self.dialect.cut_version, whole_names: self.dialect.whole_names }
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
