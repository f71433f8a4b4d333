//! Rows of one origin in a row: resolved once, whatever their number.

use super::Settings;
use super::counts::Counts;
use super::later::Later;
use super::outcome::Outcome;
use super::resolved::Resolved;
use super::verdicts::Verdicts;
use crate::agents::Agent;
use crate::corpus::{Answered, AsOf, Corpus, OriginId, Site, Times};
use crate::text::origin::{UrlParts, write_origin};

/// The origin that the last row had, and what it answers the agents in question.
#[derive(Debug, Default)]
pub(super) struct Run<'c> {
    /// The authority as written where the run began, its scheme in front; empty where it was not.
    key: Vec<u8>,
    /// Its canonical origin; empty where it has none.
    own: Vec<u8>,
    /// The canonical origin whose captures answer: its own, or its twin under the other scheme.
    pub(super) origin: Vec<u8>,
    pub(super) site: Option<Site>,
    /// Its own place in the corpus.
    found: Option<OriginId>,
    /// The last origin that was looked for and that the corpus knew.
    last: Option<OriginId>,
    /// For which times of rows the site holds; `None` for rows without a time.
    times: Option<Times>,
    answers: Resolved<'c>,
    /// What the origin said later, where that counts too.
    later: Later<'c>,
    /// Agent by agent, which of the later ones decided the last row; past the end where none did.
    decided: Vec<usize>,
}

impl<'c> Run<'c> {
    /// Whether the run is that of the origin in `parts`.
    #[inline]
    pub(super) fn is_of(&self, parts: &UrlParts<'_>) -> bool {
        self.key.split_first().is_some_and(|(https, host_port)| {
            *https == u8::from(parts.https) && host_port == parts.host_port
        })
    }

    /// Makes the run that of the origin in `parts`, for a row of `time`; without parts, that of rows without an
    /// origin.
    pub(super) fn enter(
        &mut self,
        corpus: &'c Corpus,
        parts: Option<&UrlParts<'_>>,
        settings: &Settings,
        time: Option<i64>,
    ) {
        self.set_key(parts);
        let is_origin = parts.is_some_and(|parts| write_origin(parts, &mut self.own));
        if !is_origin {
            self.site = None;
            self.forget_answers();
            return;
        }
        self.found = corpus.find_after(self.last, &self.own);
        self.last = self.found.or(self.last);
        self.ask(corpus, settings, time);
    }

    /// Asks what the run's origin said for a row of `time`.
    pub(super) fn ask(&mut self, corpus: &'c Corpus, settings: &Settings, time: Option<i64>) {
        let said = said(corpus, settings, &self.own, self.found, time, &mut self.origin);
        self.site = Some(said.site);
        self.times = time.map(|_| said.times);
        self.later.clear();
        if let (AsOf::Ever, Some(origin), Some(time)) = (settings.moment.as_of, said.by, time) {
            self.later.ask(corpus, origin, &settings.policy, time);
        }
        self.answers.forget();
    }

    /// Whether what the origin said holds for a row of `time`, where times of rows decide.
    #[inline]
    pub(super) fn holds_at(&self, time: Option<i64>) -> bool {
        match (self.times, time) {
            (Some(times), Some(time)) => times.contains(time),
            (times, time) => times.is_none() && time.is_none(),
        }
    }

    /// As [`Run::enter`], where the canonical `origin` and what it said are known already. Without
    /// `parts` its spelling is not; without a site it is no origin.
    pub(super) fn enter_known(
        &mut self,
        parts: Option<&UrlParts<'_>>,
        origin: &[u8],
        site: Option<Site>,
    ) {
        self.set_key(parts);
        self.origin.clear();
        self.origin.extend_from_slice(origin);
        self.site = site;
        self.later.clear();
        self.forget_answers();
    }

    fn set_key(&mut self, parts: Option<&UrlParts<'_>>) {
        self.key.clear();
        if let Some(parts) = parts {
            self.key.push(u8::from(parts.https));
            self.key.extend_from_slice(parts.host_port);
        }
    }

    /// The agents are others, or the site is.
    pub(super) fn forget_answers(&mut self) {
        self.answers.forget();
        self.later.forget_answers();
    }

    /// Whether [`Run::resolve`] has to come before the next path.
    #[inline]
    pub(super) fn needs_answers(&self) -> bool {
        self.answers.is_empty()
    }

    /// Resolves the answers to `agents` anew. Meaningful only where the run has a site.
    pub(super) fn resolve<'a>(
        &mut self,
        corpus: &'c Corpus,
        agents: &(impl Iterator<Item = Option<&'a Agent>> + Clone),
        settings: &Settings,
    ) {
        let site = self.site.unwrap_or(Site::UNKNOWN);
        self.answers.resolve(corpus, &site, agents.clone(), settings);
        self.later.resolve(corpus, agents, settings);
    }

    /// Whether no answer depends on the path.
    #[inline]
    pub(super) fn is_fixed(&self) -> bool {
        self.answers.is_fixed() && self.later.is_fixed()
    }

    /// Whether what the origin said later counts too.
    #[inline]
    pub(super) fn has_later(&self) -> bool {
        !self.later.is_empty()
    }

    /// Walks each distinct group once for `path`.
    #[inline]
    pub(super) fn walk(&mut self, path: &[u8]) {
        self.answers.walk(path);
        self.later.walk(path);
    }

    /// Adds the verdicts for the path walked last, agent by agent.
    #[inline]
    pub(super) fn push_verdicts(&self, verdicts: &mut [Verdicts]) {
        self.answers.push_verdicts(verdicts);
    }

    /// As [`Run::push_verdicts`], where the first later visit that refuses decides; counts them too.
    pub(super) fn push_with_later(&mut self, verdicts: &mut [Verdicts], counts: &mut Counts) {
        self.decided.clear();
        for (agent, verdicts) in verdicts.iter_mut().enumerate() {
            let Some(now) = self.answers.verdict(agent) else { continue };
            let refusing = match now.0.is_refused() {
                true => None,
                false => self.later.refusing(agent),
            };
            let (at, site, (code, rule_id)) =
                refusing.unwrap_or((usize::MAX, self.site.unwrap_or(Site::UNKNOWN), now));
            self.decided.push(at);
            verdicts.push(code, rule_id);
            counts.add(agent, code, site.status.map(|status| status.0), 1);
        }
    }

    /// The site that decided the last row for the agent at `agent`.
    pub(super) fn site_of(&self, agent: usize) -> Option<&Site> {
        let decided = self.decided.get(agent).and_then(|at| self.later.at(*at));
        decided.map(|(site, _)| site).or(self.site.as_ref())
    }

    /// The verdict for the agent at `agent`, of the path walked last.
    #[inline]
    pub(super) fn outcome(&self, agent: usize) -> Outcome<'c> {
        let decided = self.decided.get(agent).and_then(|at| self.later.at(*at));
        decided.map_or(&self.answers, |(_, answers)| answers).outcome(agent)
    }
}

/// What is known of an origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said {
    pub(super) site: Site,
    /// Whose captures say so.
    pub(super) by: Option<OriginId>,
    times: Times,
}

/// What answers for the origin `own`, which stands at `found`: its own captures or, where that is asked for and none of
/// them is in question, its twin's. Later ones are in question too where what was said later counts. `origin` becomes the
/// name of the one that answers.
pub(super) fn said(
    corpus: &Corpus,
    settings: &Settings,
    own: &[u8],
    found: Option<OriginId>,
    time: Option<i64>,
    origin: &mut Vec<u8>,
) -> Said {
    let Settings { policy, moment, scope, .. } = settings;
    let answer = |origin| corpus.answer(origin, policy, moment, time);
    let nothing = Answered { site: None, times: Times::ALL };
    let has_later = |origin: Option<OriginId>| {
        let asked = origin.zip(time).filter(|_| moment.as_of == AsOf::Ever);
        asked.is_some_and(|(origin, time)| corpus.is_captured_after(origin, time))
    };
    let answered = found.map_or(nothing, answer);
    let mut said =
        Said { site: answered.site.unwrap_or(Site::UNKNOWN), by: found, times: answered.times };
    if answered.site.is_none() && !has_later(found) && scope.twin(own, origin) {
        let twin = corpus.find(origin);
        let answered = twin.map_or(nothing, answer);
        said.times = said.times.and(answered.times);
        if answered.site.is_some() || has_later(twin) {
            return Said { site: answered.site.unwrap_or(Site::UNKNOWN), by: twin, ..said };
        }
    }
    origin.clear();
    origin.extend_from_slice(own);
    said
}
