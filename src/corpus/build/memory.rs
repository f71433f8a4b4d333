//! Raw captures → a [`Corpus`] in memory.

use sha2::Digest;

use super::assemble::{AssemblyPlan, assemble};
use super::bodies::Bodies;
use super::intake::Intake;
use super::out::{MemoryTables, Out};
use super::programs::{BodyPlan, write_bodies};
use super::stop::BuildStop;
use super::texts::Texts;
use crate::compile::{BodyLimit, Wanted};
use crate::corpus::facts::Built;
use crate::corpus::{CaptureSink, Corpus, CorpusError, Facts, RawCapture};
use crate::parse::Dialect;

/// Takes captures in and makes a corpus of them, in memory.
///
/// # Examples
/// ```
/// use robosift::compile::BodyLimit;
/// use robosift::corpus::{CorpusBuilder, Place, RawCapture};
/// use robosift::parse::Dialect;
/// let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
/// builder.add(RawCapture {
///     place: Place::Origin(b"https://example.com".to_vec()),
///     body: Some(b"User-agent: *\nDisallow: /x\n".to_vec()),
///     ..RawCapture::default()
/// })?;
/// let corpus = builder.finish()?;
/// assert!(corpus.find(b"https://example.com").is_some());
/// # Ok::<(), robosift::corpus::CorpusError>(())
/// ```
#[derive(Debug)]
pub struct CorpusBuilder {
    plan: BodyPlan,
    bodies: Bodies,
    intake: Intake,
}

impl CorpusBuilder {
    /// For programs of `dialect` that read bodies up to `limit`.
    #[must_use]
    pub fn new(dialect: Dialect, limit: BodyLimit) -> Self {
        let dialects = vec![dialect];
        CorpusBuilder {
            plan: BodyPlan {
                dialects,
                limit,
                wanted: Wanted::All,
                texts: false,
                stop: BuildStop::default(),
            },
            bodies: Bodies::new(Texts::Memory(Vec::new()), usize::MAX),
            intake: Intake::default(),
        }
    }

    /// Compiles for these names alone: the corpus then answers no other agent.
    #[must_use]
    pub fn with_wanted(mut self, wanted: Wanted) -> Self {
        self.plan.wanted = wanted;
        self
    }

    /// Keeps the texts of bodies, compressed, for [`Corpus::text`].
    #[must_use]
    pub fn with_texts(mut self) -> Self {
        self.plan.texts = true;
        self
    }

    /// Takes one capture in. One whose place is not an absolute http(s) origin or URL is counted
    /// and left out.
    ///
    /// # Errors
    /// None but those that would be a fault of ours.
    pub fn add(&mut self, raw: RawCapture) -> Result<(), CorpusError> {
        self.add_lent(RawCapture { body: None, ..raw }, raw.body.as_deref())
    }

    /// Sorts, numbers and compiles, on all threads of the current pool.
    ///
    /// # Errors
    /// None but those that would be a fault of ours.
    ///
    /// # Complexity
    /// Linear in the octets of the distinct bodies, `n log n` in captures.
    pub fn finish(self) -> Result<Corpus, CorpusError> {
        let Intake { sorter, mut counts, .. } = self.intake;
        let texts = self.bodies.into_texts().map_err(|error| CorpusError::spill(&error))?;
        let plan = AssemblyPlan {
            num_captures: counts.captures + counts.imported,
            num_bodies: texts.len(),
            has_revisits: counts.may_have_revisits(),
            keeps_archived: false,
            seed: texts.seed(),
            memory: usize::MAX,
            folder: None,
            stop: BuildStop::default(),
        };
        let mut out = Out::Memory(MemoryTables::default());
        let mut assembled = assemble(vec![sorter.into_run()], &plan, &mut out)?;
        write_bodies(
            texts,
            &assembled.numbering,
            &self.plan,
            None,
            &mut assembled.fingerprint,
            &mut out,
        )?;
        counts.revisits_unresolved = assembled.revisits_unresolved;
        let fingerprint = assembled.fingerprint.finalize().into();
        let BodyPlan { dialects, limit, wanted, texts, .. } = self.plan;
        let built = Built { seed: plan.seed, fingerprint, counts };
        let facts = Facts::new(dialects, limit, wanted, texts, built);
        Corpus::of_tables(out.into_memory(), facts)
    }
}

impl CaptureSink for CorpusBuilder {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        CorpusBuilder::add(self, capture)
    }

    fn add_lent(&mut self, capture: RawCapture, body: Option<&[u8]>) -> Result<(), CorpusError> {
        self.intake.add(&capture, body, &self.bodies)
    }

    fn num_without_status(&self) -> u64 {
        self.intake.counts.without_status
    }
}
