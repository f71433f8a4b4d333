//! The manifest of a folder: which files, how long, with which checksum, and what the owner says of them.
//!
//! ```text
//! {"checksum": "<SHA-256 of the manifest's text>", "manifest": {"format_version": 1, "files": {…}, …}}
//! ```
//!
//! Enters: JSON text, untrusted. Leaves: a [`Manifest`] whose file names stay in the folder. Fields that this
//! version does not know are passed over. Opens no file.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::FilesError;
use super::table::TableShape;

/// What this code writes and reads. To be raised when an older reader would misread.
pub const FORMAT_VERSION: u32 = 1;

/// The manifest's own name in the folder.
pub const MANIFEST_NAME: &str = "manifest.json";

/// What a folder holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Manifest {
    /// What wrote it, with its version; for people.
    pub tool: String,
    /// Its files by name.
    pub files: BTreeMap<String, FileEntry>,
    /// Numbers that the owner wants to know without opening a file.
    pub counts: BTreeMap<String, u64>,
    /// What the owner was asked to build: whole numbers, texts, flags, and lists and maps of them.
    pub settings: Map<String, Value>,
}

/// One file of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileEntry {
    /// Its length in octets.
    pub len: u64,
    /// The one sum over its checksums.
    pub root: u64,
    /// Where it is a table: its shape.
    pub table: Option<TableShape>,
}

impl Manifest {
    /// The text of `manifest.json`; `None` for settings that JSON text does not keep exactly, such as fractions.
    #[must_use]
    pub fn to_json(&self) -> Option<String> {
        let manifest = self.to_value();
        let text = json!({ "checksum": checksum(&manifest), "manifest": manifest }).to_string();
        // Read as every later reader will, so that no folder is written that cannot be opened.
        let read = Manifest::from_json(&Arc::from(MANIFEST_NAME), text.as_bytes());
        read.is_ok_and(|read| read == *self).then_some(text)
    }

    /// Reads the text of `manifest.json`; messages call it `name`.
    ///
    /// # Errors
    /// Text that is damaged, of another version, or names files outside the folder.
    pub fn from_json(name: &Arc<str>, text: &[u8]) -> Result<Self, FilesError> {
        let damaged = |what: &str| FilesError::damaged(name, 0, what);
        let outer: Value =
            serde_json::from_slice(text).map_err(|error| damaged(&error.to_string()))?;
        let manifest = outer.get("manifest").ok_or_else(|| damaged("no manifest"))?;
        // Before the checksum, which another version may make in another way.
        match manifest.get("format_version").and_then(Value::as_u64) {
            Some(version) if version == u64::from(FORMAT_VERSION) => {}
            Some(version) => return Err(FilesError::version(name, version, FORMAT_VERSION)),
            None => return Err(damaged("no format version")),
        }
        let expected = outer.get("checksum").and_then(Value::as_str);
        if expected != Some(&checksum(manifest)) {
            return Err(damaged("the manifest's checksum does not match"));
        }
        Manifest::from_value(manifest).ok_or_else(|| damaged("a field is missing or mistyped"))
    }

    fn to_value(&self) -> Value {
        let files = self.files.iter().map(|(name, entry)| (name.clone(), entry.to_value()));
        json!({
            "format_version": FORMAT_VERSION,
            "tool": self.tool,
            "files": files.collect::<Map<_, _>>(),
            "counts": self.counts,
            "settings": self.settings,
        })
    }

    fn from_value(value: &Value) -> Option<Self> {
        let files = value.get("files")?.as_object()?.iter();
        let entry = |(name, value): (&String, &Value)| {
            is_plain_name(name).then(|| FileEntry::from_value(value))?.map(|e| (name.clone(), e))
        };
        let counts = value.get("counts")?.as_object()?.iter();
        let count = |(name, value): (&String, &Value)| Some((name.clone(), value.as_u64()?));
        Some(Manifest {
            tool: value.get("tool")?.as_str()?.to_owned(),
            files: files.map(entry).collect::<Option<_>>()?,
            counts: counts.map(count).collect::<Option<_>>()?,
            settings: value.get("settings")?.as_object()?.clone(),
        })
    }
}

impl FileEntry {
    fn to_value(self) -> Value {
        // The root as text: many readers of JSON keep 53 bits of a number.
        let mut fields = json!({ "len": self.len, "root": format!("{:016x}", self.root) });
        if let (Some(table), Some(fields)) = (self.table, fields.as_object_mut()) {
            fields.insert("num_rows".to_owned(), table.num_rows.into());
            fields.insert("rows_per_batch".to_owned(), table.rows_per_batch.into());
        }
        fields
    }

    fn from_value(value: &Value) -> Option<Self> {
        let table = match value.get("num_rows") {
            None => None,
            Some(num_rows) => Some(TableShape {
                num_rows: num_rows.as_u64()?,
                rows_per_batch: u32::try_from(value.get("rows_per_batch")?.as_u64()?).ok()?,
            }),
        };
        let root = u64::from_str_radix(value.get("root")?.as_str()?, 16).ok()?;
        Some(FileEntry { len: value.get("len")?.as_u64()?, root, table })
    }
}

/// Whether a name stays in its folder, on any system: letters, digits, `_`, `-` and inner dots.
pub(super) fn is_plain_name(name: &str) -> bool {
    let is_plain = |octet: u8| octet.is_ascii_alphanumeric() || b"_-.".contains(&octet);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(is_plain)
}

/// SHA-256 over the text that this crate writes for a value, in hexadecimal.
fn checksum(manifest: &Value) -> String {
    let digest = Sha256::digest(manifest.to_string());
    digest.iter().map(|octet| format!("{octet:02x}")).collect()
}
