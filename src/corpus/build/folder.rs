//! Raw captures → a corpus in a folder, built out of core and taken up again where it was cut off.
//!
//! ```text
//! OUTPUT.partial/  journal  runs …  texts places   until all sources are read
//! OUTPUT.partial/corpus/                           while tables are written
//! OUTPUT/                                          when whole: a rename
//! ```
//!
//! Enters: captures of numbered sources, from as many threads as one likes. Leaves: the folder; the same octets for the
//! same sources. Memory: what the plan allows, and some fifty octets for each distinct body. Disk: the
//! captures once more beside the corpus, until it is done.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::bodies::Bodies;
use super::intake::Intake;
use super::journal::{Journal, Seal};
use super::programs::BodyPlan;
use super::rests::{clear, output_is_there, refuse_strange, remove_unsealed};
use super::sorter::Run;
use super::stop::BuildStop;
use super::texts::Texts;
use crate::compile::{BodyLimit, Wanted};
use crate::corpus::files::{sync_folder, sync_name};
use crate::corpus::{CaptureSink, CorpusError, Counts, RawCapture, Sentences};
use crate::parse::Dialect;

/// At most so much reading is lost when a build is cut off, beside the source at hand.
const SEAL_EVERY: Duration = Duration::from_secs(60);

/// What the names of runs begin with.
pub(super) const RUN: &str = "run-";

/// What is built, from what, with how much.
#[derive(Clone, Debug)]
pub struct FolderPlan {
    /// The folder that the corpus is to stand in.
    pub output: PathBuf,
    /// The names of all sources, in the order in which equal captures of theirs count.
    pub sources: Vec<String>,
    /// How many octets of a body are read.
    pub limit: BodyLimit,
    /// Keep the texts of bodies.
    pub texts: bool,
    /// Octets of memory to stay within, roughly.
    pub memory: usize,
    /// Threads that captures come from.
    pub threads: usize,
    /// What else the captures depend on, in any form: a build is only taken up again for the same.
    pub origin_of_captures: String,
}

/// A build under way.
#[derive(Debug)]
pub struct FolderBuild {
    pub(super) plan: FolderPlan,
    pub(super) work: PathBuf,
    bodies: Bodies,
    journal: Mutex<Journal>,
    sealed: Mutex<Sealed>,
    next_run: AtomicU32,
    was_resumed: bool,
    stop: BuildStop,
}

/// All that is sealed so far.
#[derive(Debug, Default)]
struct Sealed {
    runs: Vec<String>,
    /// By source.
    done: Vec<bool>,
    counts: Counts,
    skipped: Sentences,
}

/// What reading came to.
#[derive(Debug)]
pub(super) struct Intook {
    pub(super) plan: FolderPlan,
    pub(super) work: PathBuf,
    /// Its lock.
    pub(super) journal: Journal,
    pub(super) runs: Vec<Run>,
    pub(super) texts: Texts,
    pub(super) counts: Counts,
    pub(super) skipped: Sentences,
    pub(super) stop: BuildStop,
}

impl FolderPlan {
    /// Where the build's files stand until the corpus is whole.
    #[must_use]
    pub fn work_folder(&self) -> PathBuf {
        // Beside the output, not in it, be it given as `corpus/`.
        let mut name = self.output.components().as_path().as_os_str().to_owned();
        name.push(".partial");
        name.into()
    }

    pub(super) fn bodies(&self) -> BodyPlan {
        BodyPlan {
            dialects: Dialect::ALL.to_vec(),
            limit: self.limit,
            wanted: Wanted::All,
            texts: self.texts,
            stop: BuildStop::default(),
        }
    }

    fn fingerprint(&self) -> String {
        format!(
            "{} {:?} {} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            self.limit,
            self.texts,
            self.origin_of_captures,
            self.sources
        )
    }
}

impl FolderBuild {
    /// Begins a build, or takes the one up again that was cut off, if `resume` says so and there is one.
    ///
    /// # Errors
    /// An output that is there already; a build of it that is under way, or one of other sources that was cut off; files that
    /// cannot be made.
    pub fn begin(plan: FolderPlan, resume: bool) -> Result<Self, CorpusError> {
        let work = plan.work_folder();
        let io = |error| CorpusError::io(&work, error);
        let journal_path = work.join("journal");
        if Journal::is_held(&journal_path) {
            let message = "another build of it is under way";
            return Err(CorpusError::message(&plan.output, message));
        }
        if plan.output.exists() {
            return Err(output_is_there(&plan.output, &work));
        }
        if resume && Journal::is_begun(&journal_path) {
            return FolderBuild::take_up(plan, &work, &journal_path);
        }
        if work.exists() {
            // Cut off, and not to be taken up again.
            refuse_strange(&work)?;
            clear(&work).map_err(io)?;
        }
        fs::create_dir_all(&work).map_err(io)?;
        let texts = Texts::in_folder(&work, 0, |_, _| ()).map_err(io)?;
        let journal = Journal::create(&journal_path, &plan.fingerprint()).map_err(io)?;
        sync_folder(&work).and_then(|()| sync_name(&work)).map_err(io)?;
        let sealed = Sealed { done: vec![false; plan.sources.len()], ..Sealed::default() };
        Ok(FolderBuild {
            bodies: Bodies::new(texts, plan.memory / 4),
            plan,
            work,
            journal: Mutex::new(journal),
            sealed: Mutex::new(sealed),
            next_run: AtomicU32::new(0),
            was_resumed: false,
            stop: BuildStop::default(),
        })
    }

    fn take_up(plan: FolderPlan, work: &Path, journal: &Path) -> Result<Self, CorpusError> {
        let io = |error| CorpusError::io(work, error);
        let (journal, known, seals) = Journal::reopen(journal).map_err(io)?;
        if known != plan.fingerprint() {
            let message = "is a build of other sources or settings that was cut off; remove it, or \
                           build without --resume, which starts anew";
            return Err(CorpusError::message(work, message));
        }
        let mut sealed = Sealed { done: vec![false; plan.sources.len()], ..Sealed::default() };
        // Threads flush before they wait for the journal, so the last seal need not be the one that knows of most.
        let num_texts = seals.iter().map(|seal| seal.num_texts).max().unwrap_or(0);
        seals.into_iter().for_each(|seal| sealed.add(seal));
        let mut known = Vec::new();
        let texts =
            Texts::in_folder(work, num_texts, |digest, number| known.push((digest, number)));
        let bodies = Bodies::new(texts.map_err(io)?, plan.memory / 4);
        known.into_iter().for_each(|(digest, number)| bodies.restore(&digest, number));
        remove_unsealed(work, &sealed.runs).map_err(io)?;
        if let Some(gone) = sealed.runs.iter().find(|run| !work.join(run).is_file()) {
            let message = format!("lacks `{gone}`, which was sealed; build without --resume");
            return Err(CorpusError::message(work, message));
        }
        let numbers =
            sealed.runs.iter().filter_map(|run| run.strip_prefix(RUN)?.parse::<u32>().ok());
        let next_run = AtomicU32::new(numbers.max().map_or(0, |last| last.saturating_add(1)));
        Ok(FolderBuild {
            bodies,
            plan,
            work: work.to_path_buf(),
            journal: Mutex::new(journal),
            sealed: Mutex::new(sealed),
            next_run,
            was_resumed: true,
            stop: BuildStop::default(),
        })
    }

    /// Whether an earlier build was taken up again.
    #[must_use]
    pub fn was_resumed(&self) -> bool {
        self.was_resumed
    }

    /// Whether a source was read whole already.
    #[must_use]
    pub fn is_done(&self, source: u32) -> bool {
        let sealed = self.sealed.lock().unwrap_or_else(PoisonError::into_inner);
        usize::try_from(source).ok().and_then(|at| sealed.done.get(at)).copied().unwrap_or(false)
    }

    /// What ends this build from another thread.
    #[must_use]
    pub fn stop(&self) -> BuildStop {
        self.stop.clone()
    }

    /// A sink for one thread.
    #[must_use]
    pub fn intake(&self) -> FolderIntake<'_> {
        FolderIntake {
            build: self,
            intake: Intake::default(),
            budget: self.plan.memory / 2 / self.plan.threads.max(1),
            pending: Seal::default(),
            sealed: Instant::now(),
        }
    }

    /// Ends reading: all sinks are finished.
    pub(super) fn into_read(self) -> Result<Intook, CorpusError> {
        let texts = self.bodies.into_texts().map_err(|error| CorpusError::spill(&error))?;
        let sealed = self.sealed.into_inner().unwrap_or_else(PoisonError::into_inner);
        let runs = sealed.runs.iter().map(|name| Run::File(self.work.join(name))).collect();
        let Sealed { counts, skipped, .. } = sealed;
        let journal = self.journal.into_inner().unwrap_or_else(PoisonError::into_inner);
        let stop = self.stop;
        let (plan, work) = (self.plan, self.work);
        Ok(Intook { plan, work, journal, runs, texts, counts, skipped, stop })
    }

    fn seal(&self, mut seal: Seal) -> Result<(), CorpusError> {
        // All texts that the runs refer to were pushed before; none of them is lost once this is flushed.
        let io = |error| CorpusError::spill(&error);
        seal.num_texts = self.bodies.flush().map_err(io)?;
        // What is in a file that was brought to the disk is lost with its name, which stands in the folder.
        if !seal.runs.is_empty() {
            sync_folder(&self.work).map_err(io)?;
        }
        let mut journal = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        journal.add(&seal).map_err(io)?;
        self.sealed.lock().unwrap_or_else(PoisonError::into_inner).add(seal);
        Ok(())
    }
}

impl Sealed {
    fn add(&mut self, seal: Seal) {
        for source in &seal.sources {
            let done = usize::try_from(*source).ok().and_then(|at| self.done.get_mut(at));
            done.into_iter().for_each(|done| *done = true);
        }
        self.counts.add(&seal.counts);
        self.runs.extend(seal.runs);
        self.skipped.add(seal.skipped);
    }
}

/// Takes the captures of one thread.
#[derive(Debug)]
pub struct FolderIntake<'b> {
    build: &'b FolderBuild,
    intake: Intake,
    /// Octets of captures held before they are spilled.
    budget: usize,
    /// Runs and sources that are not sealed yet.
    pending: Seal,
    /// When the last seal was made.
    sealed: Instant,
}

impl FolderIntake<'_> {
    /// What comes from now on is of this source.
    pub fn begin(&mut self, source: u32) {
        self.intake.begin(source);
        self.pending.sources.push(source);
    }

    /// The source begun last has been read whole; `skipped` is what was passed over in it.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn end(&mut self, skipped: Sentences) -> Result<(), CorpusError> {
        self.pending.skipped.add(skipped);
        // A large source was spilled meanwhile: it is sealed as soon as it is whole. Sources that are read slowly are
        // sealed by the clock, so that little is lost when a build is cut off.
        let is_small = self.intake.sorter.memory_usage() <= self.budget / 2;
        if self.pending.runs.is_empty() && is_small && self.sealed.elapsed() < SEAL_EVERY {
            return Ok(());
        }
        self.seal()
    }

    /// Seals what is left.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn finish(mut self) -> Result<(), CorpusError> {
        self.seal()
    }

    fn seal(&mut self) -> Result<(), CorpusError> {
        self.sealed = Instant::now();
        self.spill()?;
        let mut seal = std::mem::take(&mut self.pending);
        seal.counts = std::mem::take(&mut self.intake.counts);
        match seal.sources.is_empty() {
            true => Ok(()),
            false => self.build.seal(seal),
        }
    }

    fn spill(&mut self) -> Result<(), CorpusError> {
        if self.intake.sorter.is_empty() {
            return Ok(());
        }
        let name = format!("{RUN}{:06}", self.build.next_run.fetch_add(1, Ordering::Relaxed));
        let path = self.build.work.join(&name);
        self.intake.sorter.spill(&path).map_err(|error| CorpusError::io(&path, error))?;
        self.pending.runs.push(name);
        Ok(())
    }
}

impl CaptureSink for FolderIntake<'_> {
    fn add(&mut self, capture: RawCapture) -> Result<(), CorpusError> {
        self.add_lent(RawCapture { body: None, ..capture }, capture.body.as_deref())
    }

    fn add_lent(&mut self, capture: RawCapture, body: Option<&[u8]>) -> Result<(), CorpusError> {
        self.build.stop.check()?;
        self.intake.add(&capture, body, &self.build.bodies)?;
        match self.intake.sorter.memory_usage() > self.budget {
            true => self.spill(),
            false => Ok(()),
        }
    }

    fn is_of(&mut self, part: u32) {
        self.intake.is_of(part);
    }

    fn num_without_status(&self) -> u64 {
        self.intake.counts.without_status
    }
}
