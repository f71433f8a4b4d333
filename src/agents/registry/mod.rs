//! The registry: what is known of crawlers, and named sets of them.
//!
//! Enters: our data file `data/agents.toml`, and a user's own of the same form. Leaves: an [`Entry`]
//! for a name, the agents of a set, and the known names that identification strings are searched for.
//!
//! Cost: our file is read once, on first use; a look-up is one hash probe.
//!
//! Must not know: bodies, verdicts, columns. docs/AGENTS.md tells what the fields mean.

mod entry;
mod error;
mod names;
mod near;
mod read;
mod sets;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use sha2::{Digest, Sha256};

pub use entry::{Confidence, Entry, Honours, Purpose, Status};
pub use error::{RegistryError, UnknownSet};
pub use names::names;
pub(super) use names::{is_word_octet, name_len_at};
pub use sets::{AgentSet, Members};

use super::Agent;

/// The file as embedded.
const SOURCE: &str = include_str!("../../../data/agents.toml");

/// Where our file lies in the source tree, for messages.
const SOURCE_PATH: &str = "data/agents.toml";

/// A test reads the file and fails with its error; a program built of a broken one would know no agents.
static BUILTIN: LazyLock<Contents> = LazyLock::new(|| {
    let contents = read::read(Path::new(SOURCE_PATH), SOURCE).unwrap_or_default();
    let entries = contents.entries.into_iter().map(|(_, entry)| entry).collect();
    Contents::new(contents.version, entries, contents.sets, &[])
});

/// The version of the built-in registry, the date its data is as of (`2026-11-30`): recorded with results,
/// since names of the registry stand before others.
pub fn version() -> &'static str {
    &BUILTIN.version
}

/// What is known of crawlers. Cheap to clone; the default is [`Registry::builtin`].
///
/// # Examples
/// ```
/// use robosift::agents::registry::{Purpose, Registry};
/// let registry = Registry::builtin();
/// let entry = registry.find("googlebot-news").ok_or("not known")?;
/// assert_eq!(entry.purpose, Purpose::Search);
/// assert_eq!(entry.lookup_order, ["Googlebot-News", "Googlebot", "*"]);
/// assert!(registry.set("ai-training").is_some_and(|agents| agents.contains(&"GPTBot")));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry(Source);

#[derive(Clone, Default)]
enum Source {
    /// Not read before something of it is needed.
    #[default]
    Builtin,
    WithFile(Arc<Contents>),
}

struct Contents {
    version: String,
    entries: Vec<Entry>,
    sets: Vec<AgentSet>,
    /// Tokens and aliases, in lower case, and where their entries stand.
    by_name: HashMap<String, usize>,
}

impl Contents {
    /// `own` are the places of entries whose aliases go before those of others.
    fn new(version: String, entries: Vec<Entry>, sets: Vec<AgentSet>, own: &[usize]) -> Contents {
        let mut by_name = HashMap::new();
        for (at, entry) in entries.iter().enumerate() {
            by_name.insert(entry.token.to_ascii_lowercase(), at);
        }
        let others = 0..entries.len();
        for at in own.iter().copied().chain(others) {
            for alias in entries.get(at).into_iter().flat_map(|entry| &entry.aliases) {
                by_name.entry(alias.to_ascii_lowercase()).or_insert(at);
            }
        }
        Contents { version, entries, sets, by_name }
    }
}

impl Registry {
    /// The registry that comes with the program.
    #[must_use]
    pub fn builtin() -> &'static Registry {
        &Registry(Source::Builtin)
    }

    fn contents(&self) -> &Contents {
        match &self.0 {
            Source::Builtin => &BUILTIN,
            Source::WithFile(contents) => contents,
        }
    }

    /// The built-in registry with a file of the same form on top: entries take the place of those with the
    /// same token, sets of those with the same name; others are added behind. The version tells of both.
    ///
    /// # Errors
    /// A file that cannot be read or is not of that form; the message names file and line.
    pub fn with_file(path: impl AsRef<Path>) -> Result<Registry, RegistryError> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|error| {
            RegistryError::new(path, None, format!("the registry file cannot be read: {error}"))
        })?;
        Registry::with_text(path, &text)
    }

    /// As [`Registry::with_file`], of a file that was read already; `path` is for messages.
    ///
    /// # Errors
    /// A text that is not of that form.
    pub fn with_text(path: &Path, text: &str) -> Result<Registry, RegistryError> {
        let added = read::read(path, text)?;
        let mut entries = BUILTIN.entries.clone();
        let same_token = |one: &Entry, other: &Entry| one.token.eq_ignore_ascii_case(&other.token);
        let own = added.entries.into_iter();
        let own = own.map(|(line, entry)| (line, put(&mut entries, entry, same_token)));
        let own: Vec<(usize, usize)> = own.collect();
        let mut sets = BUILTIN.sets.clone();
        for set in added.sets {
            put(&mut sets, set, |one, other| one.name == other.name);
        }
        let version = version_with(&added.version, text);
        let places: Vec<usize> = own.iter().map(|(_, at)| *at).collect();
        let contents = Contents::new(version, entries, sets, &places);
        let registry = Registry(Source::WithFile(Arc::new(contents)));
        match own.iter().find_map(|(line, at)| Some((*line, registry.hidden_alias(*at)?))) {
            None => Ok(registry),
            Some((line, alias)) => Err(RegistryError::new(
                path,
                Some(line),
                format!(
                    "the alias `{alias}` is the token of another agent: leave it out, or write that agent's entry anew"
                ),
            )),
        }
    }

    /// An alias of the entry at `at` under which another one is found.
    fn hidden_alias(&self, at: usize) -> Option<&str> {
        let aliases = self.contents().entries.get(at)?.aliases.iter();
        let mut hidden = aliases.filter(|alias| self.place(alias) != Some(at));
        hidden.next().map(String::as_str)
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.contents().by_name.get(&name.to_ascii_lowercase()).copied()
    }

    /// The version: a date; with a user's file also that file's own version and the beginning of its digest.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.contents().version
    }

    /// All entries, in the order of the registry.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.contents().entries
    }

    /// The entry of a token or an alias, ignoring ASCII case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Entry> {
        self.contents().entries.get(self.place(name)?)
    }

    /// The entry that stands for an agent: that of the first of its names that has one.
    #[must_use]
    pub fn find_agent(&self, agent: &Agent) -> Option<&Entry> {
        let names = agent.names().iter();
        names
            .filter_map(|name| std::str::from_utf8(name.as_bytes()).ok())
            .find_map(|n| self.find(n))
    }

    /// Tokens and aliases that differ little from `name`, the nearest first: what may have been meant.
    ///
    /// # Complexity
    /// Octets of the name times octets of all names.
    #[must_use]
    pub fn near(&self, name: &str) -> Vec<&str> {
        near::near(name, self.contents().entries.iter().flat_map(Entry::names))
    }

    /// All sets, in the order of the registry.
    #[must_use]
    pub fn sets(&self) -> &[AgentSet] {
        &self.contents().sets
    }

    /// The agents of a set, in its order, given with or without its `@`; `*` is the wildcard agent.
    #[must_use]
    pub fn set(&self, name: &str) -> Option<Vec<&str>> {
        let set = self.contents().sets.iter().find(|set| set.is_called(name))?;
        Some(set.agents(&self.contents().entries))
    }

    /// The sets that an agent is in, by any of its names.
    #[must_use]
    pub fn sets_of(&self, entry: &Entry) -> Vec<&AgentSet> {
        let is_own = |agent: &&str| entry.names().any(|name| name.eq_ignore_ascii_case(agent));
        let has_it = |set: &&AgentSet| set.agents(&self.contents().entries).iter().any(is_own);
        self.contents().sets.iter().filter(has_it).collect()
    }

    /// Puts in the place of each `@set` its agents; the same agent given twice stays once.
    ///
    /// # Errors
    /// A set that the registry does not have.
    pub fn expand<'t>(
        &'t self,
        agents: impl IntoIterator<Item = &'t str>,
    ) -> Result<Vec<&'t str>, UnknownSet> {
        let mut expanded: Vec<&str> = Vec::new();
        let mut known = HashSet::new();
        for agent in agents {
            let named = match agent.strip_prefix('@') {
                None => vec![agent],
                Some(set) => self.set(set).ok_or_else(|| self.unknown_set(set))?,
            };
            expanded
                .extend(named.into_iter().filter(|name| known.insert(name.to_ascii_lowercase())));
        }
        Ok(expanded)
    }

    /// What to say of a set that is not there.
    #[must_use]
    pub fn unknown_set(&self, name: &str) -> UnknownSet {
        let asked = name.strip_prefix('@').unwrap_or(name).to_owned();
        UnknownSet {
            asked,
            known: self.contents().sets.iter().map(|set| set.name.clone()).collect(),
        }
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registry").field(&self.contents().version).finish()
    }
}

/// Puts `new` in the place of the same one, or behind all; says where.
fn put<T>(all: &mut Vec<T>, new: T, is_same: impl Fn(&T, &T) -> bool) -> usize {
    match all.iter().position(|old| is_same(old, &new)) {
        Some(at) => {
            if let Some(old) = all.get_mut(at) {
                *old = new;
            }
            at
        }
        None => {
            all.push(new);
            all.len() - 1
        }
    }
}

/// The version of the built-in registry with a file on top: two files never share one.
fn version_with(own: &str, text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    let digest: String = digest.iter().take(6).map(|octet| format!("{octet:02x}")).collect();
    let own = if own.is_empty() { String::new() } else { format!("{own}-") };
    format!("{}+{own}{digest}", version())
}
