//! Sealed captures → a corpus folder under its final name.
//!
//! Enters: a build whose sources are all read. Leaves: the folder, whole or not at all. Cost: captures are merged on one thread,
//! bodies compiled on all. Must not know: where captures came from.

use std::fs;
use std::sync::Arc;

use arrow::array::{ArrayRef, LargeStringBuilder};
use sha2::Digest;

use super::assemble::{AssemblyPlan, assemble};
use super::folder::{FolderBuild, Intook};
use super::out::Out;
use super::programs::{BodyPlan, write_bodies};
use super::rests::clear;
use super::rows::write;
use super::rules::RuleTable;
use crate::corpus::facts::Built;
use crate::corpus::files::{FilesError, FolderWriter, sync_name};
use crate::corpus::format::{ROWS_PER_BATCH, RULES, SOURCES, SOURCES_SCHEMA};
use crate::corpus::{CorpusError, Counts, Facts, Sentences};

/// What was built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildReport {
    /// What came in.
    pub counts: Counts,
    /// Origins with a capture of `/robots.txt`.
    pub origins: u64,
    /// Distinct bodies.
    pub bodies: u64,
    /// Octets of the corpus' files, but for checksums and manifest.
    pub octets: u64,
    /// What was passed over, one sentence each.
    pub skipped: Sentences,
}

impl FolderBuild {
    /// Merges, numbers and compiles on the current pool, and gives the corpus its name.
    ///
    /// # Errors
    /// Those of the disk. What was read stays, for another attempt.
    ///
    /// # Complexity
    /// `n log n` in captures, linear in the octets of distinct bodies.
    pub fn finish(self) -> Result<BuildReport, CorpusError> {
        let Intook { plan, work, mut journal, runs, texts, mut counts, skipped, stop } =
            self.into_read()?;
        let folder = work.join("corpus");
        let io = |error| CorpusError::io(&folder, error);
        if folder.exists() {
            fs::remove_dir_all(&folder).map_err(io)?;
        }
        let tool = concat!("robosift ", env!("CARGO_PKG_VERSION"));
        let mut out = Out::Folder(FolderWriter::create(&folder, tool)?);
        let assembly = AssemblyPlan {
            num_captures: counts.captures + counts.imported,
            num_bodies: texts.len(),
            has_revisits: counts.may_have_revisits(),
            keeps_archived: plan.texts,
            seed: texts.seed(),
            memory: plan.memory / 4,
            folder: Some(work.clone()),
            stop: stop.clone(),
        };
        write_sources(&plan.sources, &mut out)?;
        let mut assembled = assemble(runs, &assembly, &mut out)?;
        counts.revisits_unresolved = assembled.revisits_unresolved;
        let mut rules = RuleTable::new(out.file(RULES)?)?;
        let fingerprint = &mut assembled.fingerprint;
        let rules_too = Some(&mut rules);
        write_bodies(
            texts,
            &assembled.numbering,
            &BodyPlan { stop: stop.clone(), ..plan.bodies() },
            rules_too,
            fingerprint,
            &mut out,
        )?;
        out.close_file(rules.finish()?)?;
        let fingerprint: [u8; 32] = assembled.fingerprint.finalize().into();
        let mut writer = out.into_folder()?;
        let BodyPlan { dialects, limit, wanted, texts, .. } = plan.bodies();
        let built = Built { seed: assembly.seed, fingerprint, counts };
        let facts = Facts::new(dialects, limit, wanted, texts, built);
        let settings = facts.settings().into_iter();
        settings.for_each(|(name, value)| writer.setting(name, value));
        counts.named().into_iter().for_each(|(name, number)| writer.count(name, number));
        let bodies = assembled.numbering.order().len() as u64;
        writer.count("bodies", bodies);
        writer.count("origins", assembled.num_origins);
        let manifest = writer.finish()?;
        stop.check()?;
        journal.end().map_err(|error| CorpusError::spill(&error))?;
        fs::rename(&folder, &plan.output).map_err(|error| CorpusError::io(&plan.output, error))?;
        sync_name(&plan.output).map_err(|error| CorpusError::io(&plan.output, error))?;
        // The corpus is whole; what is left of the build is in nobody's way.
        let _ = clear(&work);
        drop(journal);
        let octets = manifest.files.values().map(|file| file.len).sum();
        Ok(BuildReport { counts, origins: assembled.num_origins, bodies, octets, skipped })
    }
}

fn write_sources(sources: &[String], out: &mut Out) -> Result<(), FilesError> {
    let mut table = out.table(SOURCES, &SOURCES_SCHEMA, ROWS_PER_BATCH, 0)?;
    let per_batch = usize::try_from(ROWS_PER_BATCH).unwrap_or(1);
    for batch in sources.chunks(per_batch) {
        let mut names = LargeStringBuilder::new();
        batch.iter().for_each(|name| names.append_value(name));
        write(&mut table, vec![Arc::new(names.finish()) as ArrayRef])?;
    }
    out.close(table)
}
