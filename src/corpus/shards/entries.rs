//! What the manifest of a root says of its shards, and how they are named.
//!
//! Enters: JSON, untrusted; a folder. Leaves: entries, names. Must not know: what stands in shards.

use std::path::Path;

use serde_json::{Map, Value, json};

use sha2::{Digest, Sha256};

use crate::corpus::facts::read_fingerprint;
use crate::corpus::hex;

/// The setting that lists shards.
pub(super) const SHARDS: &str = "shards";

/// What the names of shards begin with.
const NAME: &str = "shard-";

/// One shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) fingerprint: [u8; 32],
    /// The first and the last SURT key of its origins and of the other URLs that are its own; `None` where it has none.
    pub(super) range: Option<(String, String)>,
    pub(super) origins: u64,
    pub(super) bodies: u64,
    /// The number of its first source.
    pub(super) first_source: u32,
}

/// The name of a shard.
pub(super) fn name(shard: usize) -> String {
    format!("{NAME}{shard:05}")
}

/// Whether a folder holds shards that were not settled.
pub(in crate::corpus) fn is_unsettled(folder: &Path) -> bool {
    folder.join(name(0)).join(crate::corpus::files::MANIFEST_NAME).is_file()
}

/// Which shard a name is that of, also of one that is not whole; `None` for other names.
pub(super) fn number(name: &str) -> Option<usize> {
    let digits = name.strip_prefix(NAME)?;
    let digits = digits.strip_suffix(".partial").unwrap_or(digits);
    digits.bytes().all(|octet| octet.is_ascii_digit()).then(|| digits.parse().ok())?
}

impl Entry {
    /// All of them, as a setting.
    pub(super) fn to_setting(entries: &[Entry]) -> Value {
        let entries = entries.iter().enumerate();
        entries.map(|(shard, entry)| entry.to_value(&name(shard))).collect()
    }

    /// Those that settings list: `None` where they list none, `Some(None)` where they are not understood.
    pub(super) fn of_settings(settings: &Map<String, Value>) -> Option<Option<Vec<Entry>>> {
        let entries = settings.get(SHARDS)?;
        let entries = entries.as_array().map(|entries| entries.iter().enumerate());
        Some(entries.and_then(|mut entries| {
            entries.try_fold(Vec::new(), |mut all, (shard, entry)| {
                all.push(Entry::from_value(entry, &name(shard))?);
                Some(all)
            })
        }))
    }

    fn to_value(&self, name: &str) -> Value {
        let mut value = json!({
            "name": name,
            "fingerprint": hex(&self.fingerprint),
            "origins": self.origins,
            "bodies": self.bodies,
            "first_source": self.first_source,
        });
        if let (Some((first, last)), Some(fields)) = (&self.range, value.as_object_mut()) {
            fields.insert("first".to_owned(), json!(first));
            fields.insert("last".to_owned(), json!(last));
        }
        value
    }

    /// One that has this name: shards are opened by names of ours, not by what a manifest says.
    fn from_value(value: &Value, name: &str) -> Option<Entry> {
        let text = |name: &str| value.get(name)?.as_str();
        let number = |name: &str| value.get(name)?.as_u64();
        let range = text("first").zip(text("last"));
        (text("name") == Some(name)).then_some(())?;
        Some(Entry {
            fingerprint: read_fingerprint(text("fingerprint")?)?,
            range: range.map(|(first, last)| (first.to_owned(), last.to_owned())),
            origins: number("origins")?,
            bodies: number("bodies")?,
            first_source: u32::try_from(number("first_source")?).ok()?,
        })
    }
}

/// The fingerprint of shards with these: their SHA-256, one after the other.
pub(super) fn fingerprint<'s>(shards: impl Iterator<Item = &'s [u8; 32]>) -> [u8; 32] {
    let mut whole = Sha256::new();
    shards.for_each(|shard| whole.update(shard));
    whole.finalize().into()
}
