//! Opens a root with its shards.
//!
//! Enters: the folder of the root, untrusted. Leaves: a [`Corpus`]. Cost: some reads of metadata for each shard. Must not know: rows.

use std::path::Path;
use std::sync::Arc;

use super::Shards;
use super::bodies::{PartBodies, ShardBodies};
use super::entries::{Entry, fingerprint, name};
use super::ranges::Ranges;
use crate::corpus::captures::Standing;
use crate::corpus::files::Folder;
use crate::corpus::format;
use crate::corpus::part::Part;
use crate::corpus::{Corpus, CorpusError, Facts};
use crate::parse::Dialect;

/// Opens the corpus whose root is `folder` at `path`, if it has shards; else gives `None`.
pub(in crate::corpus) fn open(
    path: &Path,
    folder: &Folder,
    facts: &Facts,
    dialect: &Dialect,
) -> Result<Option<Corpus>, CorpusError> {
    let Some(entries) = Entry::of_settings(&folder.manifest().settings) else { return Ok(None) };
    let failed = |what: &str| CorpusError::message(path, what);
    let entries = entries.ok_or_else(|| failed("the manifest does not say what shards need"))?;
    let (firsts, ranges) = firsts(&entries)
        .ok_or_else(|| failed("the manifest tells of more than there can be, or of no order"))?;
    if fingerprint(entries.iter().map(|entry| &entry.fingerprint)) != facts.fingerprint {
        return Err(failed(
            "the shards that the manifest names are not those that its fingerprint is of",
        ));
    }
    let numbers = folder.table(format::SHARD_NUMBERS, &format::SHARD_NUMBERS_SCHEMA)?;
    let bodies = folder.table(format::SHARD_BODIES, &format::SHARD_BODIES_SCHEMA)?;
    let (first_origins, first_bodies) = firsts;
    let bodies = Arc::new(ShardBodies::new(numbers, bodies, first_bodies.clone())?);
    let shards = entries.iter().enumerate().zip(first_bodies);
    let parts = shards.map(|((shard, entry), first)| {
        let standing = standing(shard, entry, &bodies, first);
        open_shard(path, (shard, entry), folder, facts, dialect, standing)
    });
    let parts: Vec<Part> = parts.collect::<Result<_, _>>()?;
    let mut parts = parts.into_iter();
    let head = parts.next().ok_or_else(|| failed("the manifest tells of no shard"))?;
    let shards = Shards { others: parts.collect(), bodies, first_origins, ranges };
    let damage = folder.damage().clone();
    Ok(Some(Corpus { head, shards: Some(Box::new(shards)), facts: facts.clone(), damage }))
}

/// Where the tables of a shard stand whose bodies begin at `first`.
fn standing(shard: usize, entry: &Entry, all: &Arc<ShardBodies>, first: u32) -> Standing {
    let len = u32::try_from(entry.bodies).unwrap_or(0);
    Standing {
        before: 0,
        part: crate::compile::narrow(shard),
        first_source: entry.first_source,
        bodies: Some(PartBodies { all: Arc::clone(all), first, len }),
    }
}

/// The folders of the shards of the corpus whose root is `folder` at `path`; none where it has no shards.
///
/// # Errors
/// A shard that is missing or another than the one that was settled; those of opening a folder.
pub(in crate::corpus) fn folders(path: &Path, folder: &Folder) -> Result<Vec<Folder>, CorpusError> {
    let entries = Entry::of_settings(&folder.manifest().settings).flatten().unwrap_or_default();
    let facts = Facts::of_manifest(path, folder.manifest())?;
    let entries = entries.iter().enumerate();
    entries.map(|entry| Ok(shard_folder(path, entry, folder, &facts)?.0)).collect()
}

/// The folder of one of the shards, which must be the one that was settled, and what it says of itself.
fn shard_folder(
    root: &Path,
    (shard, entry): (usize, &Entry),
    folder: &Folder,
    whole: &Facts,
) -> Result<(Folder, Facts), CorpusError> {
    let name = name(shard);
    let path = root.join(&name);
    if !Corpus::is_at(&path) {
        let message = format!("lacks its shard `{name}`: it was not copied whole");
        return Err(CorpusError::message(root, message));
    }
    let folder = Folder::open_noting(&path, folder.damage())?;
    let facts = Facts::of_manifest(&path, folder.manifest())?;
    let is_like = facts.limit == whole.limit && facts.has_texts == whole.has_texts;
    if facts.fingerprint != entry.fingerprint || !is_like {
        let message = format!(
            "its shard `{name}` is another than the one that was settled; bring that one back, or settle \
             the shards anew"
        );
        return Err(CorpusError::message(root, message));
    }
    Ok((folder, facts))
}

/// Opens one of the shards.
fn open_shard(
    root: &Path,
    (shard, entry): (usize, &Entry),
    folder: &Folder,
    whole: &Facts,
    dialect: &Dialect,
    standing: Standing,
) -> Result<Part, CorpusError> {
    let (folder, facts) = shard_folder(root, (shard, entry), folder, whole)?;
    facts.check_dialect(&root.join(name(shard)), dialect)?;
    let part = Part::open(&folder, &facts, dialect, standing)?;
    if part.origins.len() != entry.origins || part.bodies.len() != entry.bodies {
        let message = format!("the manifest does not tell what its shard `{}` holds", name(shard));
        return Err(CorpusError::message(root, message));
    }
    Ok(part)
}

type Firsts = (Vec<u32>, Vec<u32>);

/// The numbers of the first origin and of the first body of each shard, and their ranges; `None` where there are too many, or ranges
/// do not ascend.
fn firsts(entries: &[Entry]) -> Option<(Firsts, Ranges)> {
    let (mut origins, mut bodies) = ((Vec::new(), 0_u32), (Vec::new(), 0_u32));
    let mut ranges = Ranges::default();
    for (part, entry) in (0..).zip(entries) {
        origins.0.push(origins.1);
        bodies.0.push(bodies.1);
        origins.1 = origins.1.checked_add(u32::try_from(entry.origins).ok()?)?;
        bodies.1 = bodies.1.checked_add(u32::try_from(entry.bodies).ok()?)?;
        if let Some((first, _)) = &entry.range {
            ranges.add(first, part).then_some(())?;
        }
    }
    // Places of bodies are kept as numbers with a sign.
    i32::try_from(bodies.1).ok()?;
    Some(((origins.0, bodies.0), ranges))
}
