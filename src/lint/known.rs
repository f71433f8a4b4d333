//! Names of known crawlers, arranged for looking up and for finding what a misspelt one means.
//!
//! Enters: a registry. Leaves: whether a name is known; known names that begin with a letter. Cost: the names, once. Must not
//! know: lines.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};

use crate::agents::registry::Registry;

/// A name in lower case, and as it is written.
pub(super) type KnownName = (Vec<u8>, String);

/// The crawlers that are known. Cheap to clone; the default is those of the built-in registry.
#[derive(Clone)]
pub struct KnownAgents(Arc<HashMap<u8, Vec<KnownName>>>);

static BUILTIN: LazyLock<KnownAgents> = LazyLock::new(|| KnownAgents::of(Registry::builtin()));

impl KnownAgents {
    /// Those of a registry: tokens and aliases.
    ///
    /// # Complexity
    /// Linear in the registry, but for sorting.
    #[must_use]
    pub fn of(registry: &Registry) -> Self {
        let entries = registry.entries().iter().flat_map(|entry| entry.names());
        let mut names: Vec<KnownName> =
            entries.map(|name| (name.to_ascii_lowercase().into_bytes(), name.to_owned())).collect();
        names.sort();
        let mut known: HashMap<u8, Vec<KnownName>> = HashMap::new();
        for name in names {
            known.entry(name.0.first().copied().unwrap_or(0)).or_default().push(name);
        }
        KnownAgents(Arc::new(known))
    }

    /// Whether this is the name of one, ignoring ASCII case.
    pub(super) fn has(&self, name: &[u8]) -> bool {
        let lower = name.to_ascii_lowercase();
        self.beginning_as(&lower).iter().any(|(known, _)| *known == lower)
    }

    /// Those that begin with the first octet of `lower`.
    pub(super) fn beginning_as(&self, lower: &[u8]) -> &[KnownName] {
        let names = lower.first().and_then(|first| self.0.get(first));
        names.map(Vec::as_slice).unwrap_or_default()
    }
}

impl Default for KnownAgents {
    fn default() -> Self {
        BUILTIN.clone()
    }
}

impl fmt::Debug for KnownAgents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let num_names: usize = self.0.values().map(Vec::len).sum();
        f.debug_struct("KnownAgents").field("num_names", &num_names).finish()
    }
}
