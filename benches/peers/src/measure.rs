//! What a matcher has to offer to be measured, and the measuring.

use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::time::{Duration, Instant};

use crate::files::File;
use crate::median::median;
use crate::table::Line;
use crate::w1::AGENTS;

/// How often a matcher has to read a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reads {
    /// Once for all agents and URLs.
    Once,
    /// Once for each agent.
    PerAgent,
    /// For each question: its time a URL includes parsing.
    PerQuestion,
}

/// A body that is ready to be asked about.
pub(crate) trait Matcher<'f>: Sized + 'f {
    /// Crate, version, form.
    const NAME: &'static str;
    const READS: Reads;
    /// It is asked for paths; else for whole URLs, which it splits itself.
    const TAKES_PATHS: bool = false;
    /// A URL or a path, as octets or as text.
    type Question: ?Sized + 'f;
    /// What stays from one file to the next.
    type Scratch: Default;

    /// Reads a body for all [`AGENTS`].
    fn read(file: &'f File) -> Self;

    /// Reads a body and drops what came of it: what is timed as parsing.
    fn read_once(file: &'f File) {
        black_box(Self::read(file));
    }

    /// The questions about a file, in the form that is taken.
    fn questions(file: &'f File) -> Vec<&'f Self::Question>;

    /// One question, to the agent of that number.
    fn is_allowed(
        &self,
        agent: usize,
        question: &Self::Question,
        scratch: &mut Self::Scratch,
    ) -> bool;

    /// All questions to one agent about one file; how many are allowed.
    #[inline]
    fn count_allowed(
        &self,
        agent: usize,
        questions: &[&Self::Question],
        scratch: &mut Self::Scratch,
    ) -> usize {
        questions.iter().filter(|question| self.is_allowed(agent, question, scratch)).count()
    }
}

/// More time than this is not spent on one part of one matcher; it has run at least once then.
const MOST_TIME: Duration = Duration::from_secs(30);

/// A matcher under way: its verdicts, and its figures so far.
pub(crate) struct Entry<'f> {
    name: &'static str,
    reads: Reads,
    takes_paths: bool,
    /// `None` where it panicked.
    verdicts: Vec<Option<bool>>,
    octets: usize,
    match_all: Part<'f>,
    read_all: Part<'f>,
}

/// Work to be timed, and the seconds of its runs.
struct Part<'f> {
    work: Box<dyn Fn() -> usize + 'f>,
    seconds: Vec<f64>,
}

impl<'f> Part<'f> {
    fn new(work: impl Fn() -> usize + 'f) -> Self {
        Part { work: Box::new(work), seconds: Vec::new() }
    }

    fn run(&mut self) {
        if self.seconds.iter().sum::<f64>() < MOST_TIME.as_secs_f64() {
            let started = Instant::now();
            black_box((self.work)());
            self.seconds.push(started.elapsed().as_secs_f64());
        }
    }

    fn seconds(&self) -> f64 {
        median(self.seconds.clone())
    }
}

/// The questions to one agent about one file.
struct Asked<'f, Q: ?Sized> {
    file: usize,
    agent: usize,
    questions: Vec<&'f Q>,
}

/// Reads all files and asks everything once. What panics is counted and left out of the timing.
pub(crate) fn prepare<'f, M: Matcher<'f>>(files: &'f [File]) -> Entry<'f> {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let ready: Vec<Option<M>> =
        files.iter().map(|file| catch_unwind(AssertUnwindSafe(|| M::read(file))).ok()).collect();
    let (mut verdicts, mut asked) = (Vec::new(), Vec::new());
    for (number, (file, ready)) in files.iter().zip(&ready).enumerate() {
        for agent in 0..AGENTS.len() {
            let mut questions = M::questions(file);
            let ask = |question: &&M::Question| ask(ready.as_ref()?, agent, question);
            let answers: Vec<Option<bool>> = questions.iter().map(ask).collect();
            let mut answered = answers.iter();
            questions.retain(|_| answered.next().is_some_and(Option::is_some));
            asked.push(Asked { file: number, agent, questions });
            verdicts.extend(answers);
        }
    }
    set_hook(hook);
    let readable: Vec<&File> =
        files.iter().zip(&ready).filter_map(|(file, ready)| ready.as_ref().map(|_| file)).collect();
    let octets = readable.iter().map(|file| file.body.len()).sum();
    Entry {
        name: M::NAME,
        reads: M::READS,
        takes_paths: M::TAKES_PATHS,
        verdicts,
        octets,
        match_all: Part::new(move || count_all(&ready, &asked)),
        read_all: Part::new(move || readable.iter().map(|file| M::read_once(file)).count()),
    }
}

/// One verdict; `None` where the matcher panics.
fn ask<'f, M: Matcher<'f>>(ready: &M, agent: usize, question: &M::Question) -> Option<bool> {
    let mut scratch = M::Scratch::default();
    catch_unwind(AssertUnwindSafe(|| ready.is_allowed(agent, question, &mut scratch))).ok()
}

fn count_all<'f, M: Matcher<'f>>(ready: &[Option<M>], asked: &[Asked<'f, M::Question>]) -> usize {
    let mut scratch = M::Scratch::default();
    let counts = asked.iter().map(|asked| match &ready[asked.file] {
        Some(ready) => ready.count_allowed(asked.agent, &asked.questions, &mut scratch),
        None => 0,
    });
    counts.sum()
}

impl Entry<'_> {
    /// Times one pass over all rows and, where that can be told apart, one over all bodies.
    pub(crate) fn run(&mut self) {
        self.match_all.run();
        if self.reads != Reads::PerQuestion {
            self.read_all.run();
        }
    }

    /// The figures, and how often the verdicts are `right`.
    pub(crate) fn line(&self, right: &[bool]) -> Line {
        let times = if self.reads == Reads::PerAgent { AGENTS.len() } else { 1 };
        let read = (self.octets * times) as f64 / 1e6 / self.read_all.seconds();
        let answered = self.verdicts.iter().flatten().count();
        Line {
            name: self.name.to_owned(),
            reads: self.reads,
            takes_paths: self.takes_paths,
            nanos: self.match_all.seconds() * 1e9 / answered.max(1) as f64,
            megabytes: (self.reads != Reads::PerQuestion).then_some(read),
            agreement: agreement(&self.verdicts, right),
            panics: self.verdicts.len() - answered,
            runs: self.match_all.seconds.len(),
        }
    }
}

/// The share of rows with the right verdict.
pub(crate) fn agreement(verdicts: &[Option<bool>], right: &[bool]) -> f64 {
    let agreeing = verdicts.iter().zip(right).filter(|(verdict, right)| **verdict == Some(**right));
    agreeing.count() as f64 / right.len().max(1) as f64
}
