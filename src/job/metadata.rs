//! How an output came about, as key-value metadata of the file.

use crate::corpus::{Corpus, hex};
use crate::evaluate::{Asked, Settings};

/// What the caller knows of a run besides its settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provenance {
    /// The command, or what stands for it, without what has no influence on the output.
    pub command: String,
    /// Rows of the policy that were set otherwise, as given: `403=disallow`.
    pub status_overrides: Vec<String>,
    /// Octets of a body that are read, 0 for all.
    pub body_limit: usize,
    /// Which visit of an origin counts.
    pub as_of: String,
    /// The column with the agents, where there is one.
    pub agent_column: Option<String>,
}

/// The entries, all with keys that begin with `robosift.`, in a fixed order.
#[must_use]
pub fn provenance(
    corpus: &Corpus,
    settings: &Settings,
    asked: &Asked,
    run: &Provenance,
) -> Vec<(String, String)> {
    let agents = match asked {
        Asked::Agents(agents) => {
            agents.iter().map(|agent| agent.label().into_owned()).collect::<Vec<_>>().join("\n")
        }
        Asked::Column => format!("column {}", run.agent_column.as_deref().unwrap_or("agent")),
    };
    let stale =
        settings.policy.stale.map_or("off".to_owned(), |span| format!("{} s", span / 1_000_000));
    let window = settings.moment.window;
    let window = window.map_or("any".to_owned(), |span| format!("{} s", span / 1_000_000));
    let fingerprint = hex(&corpus.facts().fingerprint);
    [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("dialect", settings.dialect.name.to_owned()),
        ("policy", settings.policy.name.to_owned()),
        ("status_overrides", run.status_overrides.join(",")),
        ("stale", stale),
        ("capture_window", window),
        ("nearest", settings.moment.nearest.to_string()),
        ("scope", settings.scope.name().to_owned()),
        ("no_capture", settings.no_capture.name().to_owned()),
        ("body_limit", run.body_limit.to_string()),
        ("as_of", run.as_of.clone()),
        ("agents", agents),
        ("agent_kind", settings.agent_kind.name().to_owned()),
        ("fallback", settings.fallback.name().to_owned()),
        ("registry", settings.registry.version().to_owned()),
        ("corpus", fingerprint),
        ("command", run.command.clone()),
    ]
    .into_iter()
    .map(|(key, value)| (format!("robosift.{key}"), value))
    .collect()
}
