//! One URL asked of a corpus, with all that led to the verdict: for who explains one.
//!
//! Enters: a corpus or one compiled body, a URL, an agent. Leaves: whose captures answer, and a [`Judged`] that holds
//! the group and the rule. The same functions answer rows. Cost: one look-up and one walk of a group; nothing of
//! the corpus is read but what concerns the URL. Must not know: how an explanation is shown.

use super::outcome::{Answer, Outcome, answer, answer_of_body};
use super::run::said;
use super::target::{Named, Target, is_text};
use super::{Basis, GroupKind, RowColumns, Settings};
use crate::agents::Agent;
use crate::compile::{GroupId, ProgramRef};
use crate::corpus::{AsOf, BodyId, Corpus, OriginId, Policy, Site};
use crate::matching::{self, Match};
use crate::text::origin::{self, UrlParts};

/// A URL as verdicts know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedUrl {
    /// Its canonical origin.
    pub origin: String,
    /// Path and query as they stand in it, beginning with `/`.
    pub path: Vec<u8>,
    /// The form in which the dialect compares them with rules.
    pub compared: Vec<u8>,
}

impl AskedUrl {
    /// Reads a URL; `None` is the basis `bad_url`.
    ///
    /// # Complexity
    /// Linear in the URL.
    #[must_use]
    pub fn read(url: &[u8], settings: &Settings) -> Option<Self> {
        let (target, parts) = Target::of_url(url, settings.dialect.path_start)?;
        AskedUrl::of(&target, &parts, settings).filter(|_| is_text(url))
    }

    /// What a row asks about; `None` is the basis `bad_url`.
    ///
    /// # Complexity
    /// Linear in the URL.
    #[must_use]
    pub fn of_row(rows: &RowColumns<'_>, row: usize, settings: &Settings) -> Option<Self> {
        let (target, _) = rows.whole_target(row, settings)?;
        let parts = match target.named {
            Named::Parts(parts) => parts,
            Named::Value(value) => rows.parts_of_value(value)?,
            Named::AsBefore => return None,
        };
        AskedUrl::of(&target, &parts, settings)
    }

    fn of(target: &Target<'_>, parts: &UrlParts<'_>, settings: &Settings) -> Option<Self> {
        let mut origin = Vec::new();
        let is_origin = origin::write_origin(parts, &mut origin);
        let (mut path, mut compared) = (Vec::new(), Vec::new());
        let path = target.path.octets(&mut path).to_vec();
        let prepared =
            matching::prepare(&path, target.traits, &settings.dialect, &mut compared).to_vec();
        let origin = String::from_utf8(origin).ok().filter(|_| is_origin)?;
        Some(AskedUrl { origin, path, compared: prepared })
    }

    /// Whether it is the path that its dialect always allows.
    fn is_robots_txt(&self, settings: &Settings) -> bool {
        settings.dialect.robots_txt_allowed && self.path == b"/robots.txt"
    }
}

/// Whose captures answer for a URL, and what they said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    /// The canonical origin whose captures answer: the URL's own, or its twin under the other scheme.
    pub origin: String,
    /// Its place in the corpus; `None` where that has no capture of it.
    pub found: Option<OriginId>,
    /// What it said as of the moment in question.
    pub site: Site,
    /// What it said on later visits, oldest first, where those count too.
    pub later: Vec<Site>,
}

/// What the corpus heard of the origin of `url`, for a row of `time` (microseconds since 1970 UTC).
///
/// # Complexity
/// One look-up, and as [`Corpus::answer`].
#[must_use]
pub fn hear(corpus: &Corpus, url: &AskedUrl, time: Option<i64>, settings: &Settings) -> Heard {
    let mut origin = Vec::new();
    let own = url.origin.as_bytes();
    let said = said(corpus, settings, own, corpus.find(own), time, &mut origin);
    let later = match (settings.moment.as_of, said.by, time) {
        (AsOf::Ever, Some(by), Some(time)) => later(corpus, by, &settings.policy, time),
        _ => Vec::new(),
    };
    let origin = String::from_utf8_lossy(&origin).into_owned();
    Heard { origin, found: said.by, site: said.site, later }
}

/// What an origin said on each visit after `time`, oldest first.
fn later(corpus: &Corpus, origin: OriginId, policy: &Policy, time: i64) -> Vec<Site> {
    let mut visits = corpus.visits(origin, policy);
    let later = visits.later_than(time);
    let whole = (0..later.num_whole).rev().filter_map(|number| visits.site(number));
    later.cut.into_iter().chain(whole).collect()
}

/// The verdict on one URL for one agent, and what led to it.
#[derive(Clone, Copy, Debug)]
pub struct Judged<'c> {
    /// Whether it may be crawled; `None` where that is unknown.
    pub allowed: Option<bool>,
    /// What decided.
    pub basis: Basis,
    /// The group that applied.
    pub group: Option<JudgedBy<'c>>,
    /// The rule that decided.
    pub rule: Option<Match<'c>>,
}

/// A group that applied to an agent.
#[derive(Clone, Copy, Debug)]
pub struct JudgedBy<'c> {
    /// The program it is a group of.
    pub program: ProgramRef<'c>,
    /// Which of the program's groups.
    pub group: GroupId,
    /// Why it applied.
    pub kind: GroupKind,
    /// Which of the agent's names the body knows; `None` for `*`.
    pub name: Option<usize>,
}

/// Judges by what an origin said, [`Heard::site`] or one of [`Heard::later`].
///
/// # Complexity
/// One walk of a group.
#[must_use]
pub fn judge_by_site<'c>(
    corpus: &'c Corpus,
    site: &Site,
    agent: Option<&Agent>,
    url: &AskedUrl,
    settings: &Settings,
) -> Judged<'c> {
    match url.is_robots_txt(settings) {
        true => of_robots_txt(agent),
        false => judged(answer(corpus, site, agent, settings), url),
    }
}

/// Judges by one compiled body, as if the origin had said that at `site`.
///
/// # Complexity
/// One walk of a group.
#[must_use]
pub fn judge_by_program<'c>(
    program: ProgramRef<'c>,
    site: &Site,
    agent: Option<&Agent>,
    url: &AskedUrl,
    settings: &Settings,
) -> Judged<'c> {
    match agent {
        _ if url.is_robots_txt(settings) => of_robots_txt(agent),
        None => judged(Answer::Fixed(None, Basis::BadAgent), url),
        Some(agent) => judged(answer_of_body(program, BodyId::new(0), site, agent), url),
    }
}

fn of_robots_txt<'c>(agent: Option<&Agent>) -> Judged<'c> {
    let (allowed, basis) = match agent {
        Some(_) => (Some(true), Basis::RobotsTxt),
        None => (None, Basis::BadAgent),
    };
    Judged { allowed, basis, group: None, rule: None }
}

fn judged<'c>(answer: Answer<'c>, url: &AskedUrl) -> Judged<'c> {
    let outcome = match answer {
        Answer::Fixed(allowed, basis) => Outcome::fixed(allowed, basis),
        Answer::Group(applied) => {
            let group = applied.program.group(applied.group);
            Outcome::of_group(applied, matching::best_of(&group, &url.compared, &mut ()))
        }
    };
    let group = outcome.applied.map(|applied| JudgedBy {
        program: applied.program,
        group: applied.group,
        kind: applied.kind,
        name: applied.name,
    });
    Judged { allowed: outcome.allowed, basis: outcome.basis, group, rule: outcome.rule }
}
