//! Why two ways of judging answer one question differently: which of their settings makes it.
//!
//! Enters: two [`Way`]s, rows that they judge differently. Leaves: a [`Cause`] for each. Cost: the question is asked once for
//! each setting in which the ways differ, and once for each way; a body is compiled once for each dialect flag that rules
//! depend on, and kept while there is room: whoever asks of one body after the other pays least. Where no answer depends on the path, an origin is asked once. Must not know: files, columns.

use std::collections::HashMap;
use std::fmt;

use super::clause::fewest;
use super::programs::Programs;
use super::ways::{Aspect, Mixture, Side, Way, Ways, compile_flags};
use crate::agents::Agent;
use crate::compile::{BodyLimit, Program, compile};
use crate::corpus::{Access, BodyId, CorpusError, Site};
use crate::evaluate::{
    AskedUrl, Basis, GroupKind, Judged, RowColumns, Settings, hear, judge_by_program, judge_by_site,
};

/// Origins whose cause is kept.
const KEPT_ORIGINS: usize = 16_384;

/// What differs between two verdicts, the first that does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Differing {
    /// Whether the URL may be crawled.
    Verdict,
    /// The rule that decided.
    Rule,
    /// What decided, where that was no rule.
    Basis,
    /// Why the group of the same rule applied.
    Group,
}

impl Differing {
    /// All of them.
    pub const ALL: [Differing; 4] =
        [Differing::Verdict, Differing::Rule, Differing::Basis, Differing::Group];

    /// The word for tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Differing::Verdict => "verdict",
            Differing::Rule => "rule",
            Differing::Basis => "basis",
            Differing::Group => "group",
        }
    }
}

/// The settings that make one answer the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Their names: flags of [`Dialect`](crate::parse::Dialect), or arguments of the command line.
    pub names: Vec<&'static str>,
    /// They make it together; else each does so alone.
    pub together: bool,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(if self.together { "+" } else { "," }))
    }
}

/// A row that is judged differently.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The batch, with the times of rows where one of the ways needs them.
    pub rows: &'a RowColumns<'a>,
    /// The row.
    pub row: usize,
    /// The agent as it was given; `None` where there is none.
    pub agent: Option<&'a [u8]>,
}

/// What is told apart.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Answer {
    allowed: Option<bool>,
    basis: Basis,
    group: Option<GroupKind>,
    /// Digest of the body and line.
    rule: Option<([u8; 32], u32)>,
}

/// Which program: captures, body, flags of the dialect, limit.
type ProgramKey = (Side, u32, u8, usize);

/// Finds causes. Belongs to one thread.
pub struct Causes<'c> {
    ways: Ways<'c>,
    mixtures: HashMap<u32, Mixture>,
    programs: Programs<ProgramKey>,
    num_compiled: u64,
    of_origins: HashMap<(String, Vec<u8>, Differing), Option<Cause>>,
}

impl fmt::Debug for Causes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Causes").finish_non_exhaustive()
    }
}

impl<'c> Causes<'c> {
    /// For differences between what `left` and what `right` answers.
    #[must_use]
    pub fn new(left: Way<'c>, right: Way<'c>) -> Self {
        Causes {
            ways: Ways::new(left, right),
            mixtures: HashMap::new(),
            programs: Programs::default(),
            num_compiled: 0,
            of_origins: HashMap::new(),
        }
    }

    /// How often a body was compiled so far: what causes cost, for the most part.
    #[must_use]
    pub fn num_compiled(&self) -> u64 {
        self.num_compiled
    }

    /// What makes the left answer the right one; `None` where that cannot be told.
    ///
    /// # Errors
    /// A damaged corpus.
    pub fn find(
        &mut self,
        asked: &Asked<'_>,
        differing: Differing,
    ) -> Result<Option<Cause>, CorpusError> {
        let key = self.origin_key(asked, differing);
        if let Some(known) = key.as_ref().and_then(|key| self.of_origins.get(key)) {
            return Ok(known.clone());
        }
        let (found, by_path) = self.ask_all(asked, differing);
        self.ways.left.corpus.check()?;
        self.ways.right.corpus.check()?;
        if let Some(key) = key.filter(|_| !by_path) {
            if self.of_origins.len() >= KEPT_ORIGINS {
                self.of_origins.clear();
            }
            self.of_origins.insert(key, found.clone());
        }
        Ok(found)
    }

    /// Under which a cause that depends on no path is kept: not where the time of the row counts, nor for the path that may
    /// be exempt.
    fn origin_key(
        &self,
        asked: &Asked<'_>,
        differing: Differing,
    ) -> Option<(String, Vec<u8>, Differing)> {
        let settings = [&self.ways.left.settings, &self.ways.right.settings];
        if settings.iter().any(|settings| settings.moment.needs_row_time()) {
            return None;
        }
        let url = asked.rows.url(asked.row)?;
        if memchr::memmem::find(&url, b"/robots.txt").is_some() {
            return None;
        }
        let url = AskedUrl::of_row(asked.rows, asked.row, &self.ways.left.settings)?;
        Some((url.origin, asked.agent.unwrap_or_default().to_vec(), differing))
    }

    /// The cause, and whether an answer depended on the path.
    fn ask_all(&mut self, asked: &Asked<'_>, differing: Differing) -> (Option<Cause>, bool) {
        let all = mask(0..self.ways.aspects.len());
        let mut by_path = false;
        let Some(wanted) = self.ask(all, asked, &mut by_path) else { return (None, true) };
        let numbers: Vec<usize> = (0..self.ways.aspects.len()).collect();
        let needed = fewest(&numbers, |numbers| {
            let answer = self.ask(mask(numbers.iter().map(|n| **n)), asked, &mut by_path);
            answer.is_some_and(|answer| match differing {
                Differing::Verdict => answer.allowed == wanted.allowed,
                _ => answer == wanted,
            })
        });
        let needed: Vec<usize> = needed.into_iter().copied().collect();
        // Those that make it alone are given each by itself; a set was needed where the first does not.
        let together = needed.len() > 1
            && needed.first().is_some_and(|first| {
                let alone = self.ask(mask([*first]), asked, &mut by_path);
                !alone.is_some_and(|answer| match differing {
                    Differing::Verdict => answer.allowed == wanted.allowed,
                    _ => answer == wanted,
                })
            });
        let names = needed.iter().filter_map(|n| self.ways.aspects.get(*n)).map(Aspect::name);
        let names: Vec<&'static str> = names.collect();
        let cause = (!names.is_empty()).then_some(Cause { names, together });
        (cause, by_path)
    }

    /// The answer of the left way with these aspects of the right one; `None` where it cannot be had.
    fn ask(&mut self, aspects: u32, asked: &Asked<'_>, by_path: &mut bool) -> Option<Answer> {
        let mixture = self.mixture(aspects);
        let settings = &mixture.settings;
        let corpus = self.ways.of(mixture.captures).corpus;
        let agent = asked.agent.and_then(|text| settings.read_agent(text));
        let Some(url) = AskedUrl::of_row(asked.rows, asked.row, settings) else {
            let (allowed, basis) = (None, Basis::BadUrl);
            return Some(Answer { allowed, basis, group: None, rule: None });
        };
        let heard = hear(corpus, &url, asked.rows.time(asked.row), settings);
        let question = Question { mixture: &mixture, url: &url, agent: agent.as_ref() };
        let now = self.judge(&question, &heard.site, by_path)?;
        if now.allowed == Some(false) {
            return Some(now);
        }
        for site in &heard.later {
            let later = self.judge(&question, site, by_path)?;
            if later.allowed == Some(false) {
                return Some(later);
            }
        }
        Some(now)
    }

    fn mixture(&mut self, aspects: u32) -> Mixture {
        if let Some(known) = self.mixtures.get(&aspects) {
            return known.clone();
        }
        let (mut mixed, right) = (self.ways.pure(Side::Left), self.ways.pure(Side::Right));
        for (number, aspect) in self.ways.aspects.iter().enumerate() {
            if aspects & mask([number]) != 0 {
                aspect.take(&mut mixed, &right);
            }
        }
        self.mixtures.insert(aspects, mixed.clone());
        mixed
    }

    fn judge(
        &mut self,
        question: &Question<'_>,
        site: &Site,
        by_path: &mut bool,
    ) -> Option<Answer> {
        let Question { mixture, url, agent } = *question;
        let captures = self.ways.of(mixture.captures).corpus;
        let Access::Rules(body) = site.access else {
            let judged = judge_by_site(captures, site, agent, url, &mixture.settings);
            return Some(answer(&judged, None, by_path));
        };
        let digest = captures.digest(body).copied();
        match self.ways.compiled_for(mixture) {
            Some(side) => {
                let corpus = self.ways.of(side).corpus;
                let judged = judge_by_site(corpus, site, agent, url, &mixture.settings);
                Some(answer(&judged, digest, by_path))
            }
            None => {
                let program = self.program(mixture, body)?;
                let settings: &Settings = &mixture.settings;
                let judged = judge_by_program(program.view(), site, agent, url, settings);
                Some(answer(&judged, digest, by_path))
            }
        }
    }

    /// The program of a body in a mixture.
    fn program(&mut self, mixture: &Mixture, body: BodyId) -> Option<&Program> {
        let Mixture { limit, captures, .. } = mixture;
        let dialect = &mixture.settings.dialect;
        let key = (*captures, body.number(), compile_flags(dialect), limit.octets());
        if self.programs.get(&key).is_none() {
            let text = self.text(*captures, *limit, body)?;
            self.num_compiled += 1;
            return self.programs.add(key, compile(&text, dialect, *limit));
        }
        self.programs.get(&key)
    }

    fn text(&self, captures: Side, limit: BodyLimit, body: BodyId) -> Option<Vec<u8>> {
        let usable = |side: &Side| self.ways.same_captures || *side == captures;
        let sides = [captures, Side::Left, Side::Right].into_iter().filter(usable);
        let mut corpora = sides.map(|side| self.ways.of(side).corpus);
        let text = corpora.find(|corpus| corpus.facts().has_texts)?.text(body).ok()?;
        Some(limit.cut(&text).to_vec())
    }
}

#[derive(Clone, Copy)]
struct Question<'q> {
    mixture: &'q Mixture,
    url: &'q AskedUrl,
    agent: Option<&'q Agent>,
}

fn answer(judged: &Judged<'_>, digest: Option<[u8; 32]>, by_path: &mut bool) -> Answer {
    *by_path |= judged.group.is_some() || judged.basis == Basis::RobotsTxt;
    Answer {
        allowed: judged.allowed,
        basis: judged.basis,
        group: judged.group.map(|by| by.kind),
        rule: judged.rule.map(|rule| (digest.unwrap_or_default(), rule.line)),
    }
}

/// These numbers as bits.
fn mask(numbers: impl IntoIterator<Item = usize>) -> u32 {
    numbers.into_iter().fold(0, |bits, number| bits | 1_u32.unbounded_shl(shift(number)))
}

fn shift(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
