//! Makes one corpus of shards that were built apart.
//!
//! Enters: a folder of shards, each a corpus. Leaves: beside them the tables that number their bodies together, and the manifest of the
//! whole. Cost: reads the bodies' digests and the captures of redirect targets, once. Must not know: how shards were built.

use std::fs;
use std::path::Path;

use super::entries::{self, Entry, fingerprint, name};
use super::numbering::{Numbering, numbered};
use super::tables;
use crate::corpus::part::Part;
use crate::corpus::targets::Merged;
use crate::corpus::{Corpus, CorpusError, Counts, Facts};
use crate::text::origin::Origin;

/// What shards came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShardsReport {
    /// Shards, empty ones included.
    pub shards: u64,
    /// Origins of all of them.
    pub origins: u64,
    /// Distinct bodies.
    pub bodies: u64,
    /// What came into all of them.
    pub counts: Counts,
}

/// Makes one corpus of the shards `root/shard-00000`, `root/shard-00001` and so on: rule ids, numbers of bodies and verdicts are
/// then those of one build of all captures. Shards hold ranges of the SURT order that ascend and do not overlap, of origins and of the
/// URLs of other origins that are their own; any may be empty. Where `root` was settled before, that is done anew.
///
/// # Errors
/// No shards, or one that is missing between others, not whole, damaged, or not like the first in dialects, body limit or texts;
/// ranges that overlap; more bodies than there are numbers; those of the disk.
///
/// # Complexity
/// Linear in bodies and in the captures of URLs other than `/robots.txt`. Memory: an entry of 36 octets in a hash table for each distinct
/// body, and four octets for each body of each shard.
pub fn settle_shards(root: &Path) -> Result<ShardsReport, CorpusError> {
    let shards = open_all(root)?;
    check_alike(root, &shards)?;
    let mut entries = entries(root, &shards)?;
    number_sources(&shards, &mut entries)?;
    let parts: Vec<&Part> = shards.iter().map(|shard| &shard.head).collect();
    let numbering = numbered(&parts)?;
    // What was read of a damaged shard must not be written down.
    shards.iter().try_for_each(Corpus::check)?;
    check_numbers(root, &numbering, &entries)?;
    let facts = facts(&shards)
        .ok_or_else(|| CorpusError::message(root, format!("holds no shard `{}`", name(0))))?;
    tables::write(root, &numbering, &entries, &facts)?;
    Ok(ShardsReport {
        shards: entries.len() as u64,
        origins: entries.iter().map(|entry| entry.origins).sum(),
        bodies: numbering.bodies.len() as u64,
        counts: facts.counts,
    })
}

/// Opens the shards in `root`, of which none is missing.
fn open_all(root: &Path) -> Result<Vec<Corpus>, CorpusError> {
    let io = |error| CorpusError::io(root, error);
    let mut last = None;
    for entry in fs::read_dir(root).map_err(io)? {
        let name = entry.map_err(io)?.file_name();
        last = last.max(entries::number(&name.to_string_lossy()));
    }
    let failed = |message: String| CorpusError::message(root, message);
    let last = last.ok_or_else(|| failed(format!("holds no shard `{}`", name(0))))?;
    let mut shards = Vec::new();
    for shard in 0..=last {
        let path = root.join(name(shard));
        if !Corpus::is_at(&path) {
            return Err(failed(format!("shard `{}` is missing, or not whole", name(shard))));
        }
        let corpus = Corpus::open_any(&path)?;
        if corpus.num_shards().is_some() {
            return Err(failed(format!("shard `{}` has shards itself", name(shard))));
        }
        shards.push(corpus);
    }
    Ok(shards)
}

/// Shards that are asked as one were built alike.
fn check_alike(root: &Path, shards: &[Corpus]) -> Result<(), CorpusError> {
    let said = |facts: &Facts| {
        let dialects: Vec<_> = facts.dialects.iter().map(|dialect| dialect.name).collect();
        (dialects, facts.limit, facts.has_texts)
    };
    let first = shards.first().map(|shard| said(&shard.facts));
    let other = shards.iter().position(|shard| Some(said(&shard.facts)) != first);
    other.map_or(Ok(()), |shard| {
        let (name, first) = (name(shard), name(0));
        let message = format!(
            "shard `{name}` has other dialects, another body limit or other texts than `{first}`"
        );
        Err(CorpusError::message(root, message))
    })
}

/// What the manifest is to say of each shard, whose ranges must ascend.
fn entries(root: &Path, shards: &[Corpus]) -> Result<Vec<Entry>, CorpusError> {
    let mut entries: Vec<Entry> = Vec::with_capacity(shards.len());
    for corpus in shards {
        let range = range(&corpus.head);
        corpus.check()?;
        if let Some((first, _)) = &range {
            check_ascends(root, &entries, first)?;
        }
        entries.push(Entry {
            fingerprint: corpus.facts.fingerprint,
            range,
            origins: corpus.head.origins.len(),
            bodies: corpus.head.bodies.len(),
            first_source: 0,
        });
    }
    Ok(entries)
}

/// Whether the range that begins at `first` stands after those of the shards `before`.
fn check_ascends(root: &Path, before: &[Entry], first: &str) -> Result<(), CorpusError> {
    let with_range = before.iter().enumerate().rev();
    let mut with_range = with_range.filter_map(|(at, entry)| Some((at, &entry.range.as_ref()?.1)));
    let Some((at, last)) = with_range.next().filter(|(_, last)| first <= last.as_str()) else {
        return Ok(());
    };
    let (this, that) = (name(before.len()), name(at));
    let message = format!(
        "the range of shard `{this}` begins at {first}, within or before that of shard `{that}`, which ends \
         at {last}"
    );
    Err(CorpusError::message(root, message))
}

/// The first and the last SURT key of a shard's origins and of other URLs that are its own.
fn range(part: &Part) -> Option<(String, String)> {
    let last = part.origins.len().checked_sub(1).and_then(|last| u32::try_from(last).ok());
    let origins = [last.map(|_| 0), last].into_iter().flatten();
    let origins = origins.filter_map(|row| part.origins.name(row));
    let targets = Merged::new(std::iter::once(part)).map(|target| target.url);
    let keys = origins.chain(targets).filter_map(|url| Some(Origin::parse(url)?.surt()));
    keys.fold(None, |range, key| match range {
        None => Some((key.clone(), key)),
        Some((first, last)) if key < first => Some((key, last)),
        Some((first, last)) if key > last => Some((first, key)),
        within => within,
    })
}

/// Numbers sources: those of all shards once where each names the same, else those of one shard after those of the other.
fn number_sources(shards: &[Corpus], entries: &mut [Entry]) -> Result<(), CorpusError> {
    let names = shards.iter().map(Corpus::source_names).collect::<Result<Vec<_>, _>>()?;
    if names.windows(2).all(|pair| matches!(pair, [one, other] if one == other)) {
        return Ok(());
    }
    let mut next = 0_u32;
    for (entry, names) in entries.iter_mut().zip(names) {
        entry.first_source = next;
        next = next.saturating_add(crate::compile::narrow(names.len()));
    }
    Ok(())
}

/// Numbers of origins and of bodies are kept in 31 bits.
fn check_numbers(root: &Path, numbering: &Numbering, entries: &[Entry]) -> Result<(), CorpusError> {
    let origins: u64 = entries.iter().map(|entry| entry.origins).sum();
    let most = u64::from(u32::MAX >> 1);
    match origins <= most && numbering.numbers.len() as u64 <= most {
        true => Ok(()),
        false => Err(CorpusError::message(root, "more origins or bodies than there are numbers")),
    }
}

/// What is known of the whole; `None` where there is none.
fn facts(shards: &[Corpus]) -> Option<Facts> {
    let mut facts = Facts { seed: 0, counts: Counts::default(), ..shards.first()?.facts.clone() };
    shards.iter().for_each(|shard| facts.counts.add(&shard.facts.counts));
    facts.fingerprint = fingerprint(shards.iter().map(|shard| &shard.facts.fingerprint));
    Some(facts)
}
