//! Puts an explanation together.
//!
//! Enters: a corpus, texts that it does not keep, a URL, agents. Leaves: an [`Explanation`]. Cost: see the module's head.
//! Must not know: where captures came from.

use std::collections::BTreeSet;
use std::fmt;

use super::groups::Known;
use super::notes::notes;
use super::operator::operator_of;
use super::other::Question;
use super::read_body::ReadBody;
use super::reason::reason;
use super::rules::rules;
use super::story::{
    AgentStory, AgentVerdict, AppliedStory, BodyStory, CaptureStory, Explanation, Hop,
};
use super::texts::KnownTexts;
use crate::agents::{Agent, AgentName};
use crate::compile::GroupProgram;
use crate::corpus::{Access, BodyId, Corpus, CorpusError, Outcome, Site, Status};
use crate::evaluate::{
    AskedUrl, Basis, GroupKind, Heard, Judged, JudgedBy, Settings, hear, judge_by_site,
};

/// Groups and user-agent lines that are listed for all agents together.
const MOST_LISTED: usize = 1 << 17;

/// Explains verdicts of one corpus.
#[derive(Clone)]
pub struct Explainer<'c> {
    corpus: &'c Corpus,
    twin: Option<&'c Corpus>,
    texts: &'c KnownTexts,
    settings: &'c Settings,
    hops: &'c [Hop],
    all: Vec<Agent>,
    bodies_are_beginnings: bool,
}

impl fmt::Debug for Explainer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explainer").field("settings", self.settings).finish_non_exhaustive()
    }
}

/// What all agents are asked about.
struct Asking<'a> {
    url: &'a str,
    target: &'a AskedUrl,
    capture: &'a CaptureStory,
    /// Its body, where the text is known.
    body: Option<&'a ReadBody<'a>>,
    /// Lines of groups that may be listed.
    room: usize,
}

impl<'c> Explainer<'c> {
    /// Explains what `corpus` answers under `settings`; `texts` are those of bodies that it does not keep.
    #[must_use]
    pub fn new(corpus: &'c Corpus, texts: &'c KnownTexts, settings: &'c Settings) -> Self {
        Explainer {
            corpus,
            twin: None,
            texts,
            settings,
            hops: &[],
            all: Vec::new(),
            bodies_are_beginnings: false,
        }
    }

    /// The same corpus opened in the other dialect: asked where the body's text is not known.
    #[must_use]
    pub fn with_twin(self, twin: Option<&'c Corpus>) -> Self {
        Explainer { twin, ..self }
    }

    /// The redirects on the way to the body, where the caller knows all of them.
    #[must_use]
    pub fn with_hops(self, hops: &'c [Hop]) -> Self {
        Explainer { hops, ..self }
    }

    /// Gives the verdict for each of these agents as well.
    #[must_use]
    pub fn with_all(self, all: Vec<Agent>) -> Self {
        Explainer { all, ..self }
    }

    /// Where `are_beginnings`, bodies were read no further than what counts of them: they are longer than what there is.
    #[must_use]
    pub fn with_beginnings(self, are_beginnings: bool) -> Self {
        Explainer { bodies_are_beginnings: are_beginnings, ..self }
    }

    /// Explains `url` for each agent, for a row of `time` (microseconds since 1970 UTC).
    ///
    /// # Errors
    /// A damaged corpus.
    pub fn explain(
        &self,
        url: &str,
        agents: &[Agent],
        time: Option<i64>,
    ) -> Result<Explanation, CorpusError> {
        let target = AskedUrl::read(url.as_bytes(), self.settings);
        let heard = target.as_ref().map(|target| hear(self.corpus, target, time, self.settings));
        let mut explanation = Explanation {
            url: url.to_owned(),
            settings: self.settings.clone(),
            limit: self.corpus.facts().limit,
            captures: Vec::new(),
            agents: Vec::new(),
            all_agents: Vec::new(),
            target,
        };
        match explanation.target.clone().zip(heard) {
            None => explanation.agents = agents.iter().map(|agent| self.unheard(agent)).collect(),
            Some((target, heard)) => self.tell(&mut explanation, &target, &heard, agents)?,
        }
        self.corpus.check()?;
        if let Some(twin) = self.twin {
            twin.check()?;
        }
        Ok(explanation)
    }

    fn tell(
        &self,
        explanation: &mut Explanation,
        target: &AskedUrl,
        heard: &Heard,
        agents: &[Agent],
    ) -> Result<(), CorpusError> {
        let mut decided: Vec<usize> = Vec::new();
        let mut verdicts: Vec<(usize, Judged<'_>)> = Vec::new();
        for agent in agents {
            let (at, judged) = self.decide(heard, agent, target);
            let known = decided.iter().position(|known| *known == at);
            if known.is_none() {
                explanation.captures.push(self.capture(heard, at, target)?);
                decided.push(at);
            }
            verdicts.push((known.unwrap_or(decided.len() - 1), judged));
        }
        let bodies: Vec<Option<ReadBody<'_>>> =
            explanation.captures.iter().map(|capture| self.read(capture)).collect();
        let room = MOST_LISTED / agents.len().max(1);
        for (agent, (place, judged)) in agents.iter().zip(&verdicts) {
            let Some(capture) = explanation.captures.get(*place) else { continue };
            let body = bodies.get(*place).and_then(Option::as_ref);
            let asking = Asking { url: &explanation.url, target, capture, body, room };
            let story = self.agent(&asking, agent, judged);
            explanation.agents.push(AgentStory { capture: Some(*place), ..story });
        }
        let groups: Vec<_> =
            bodies.into_iter().map(|body| body.map(|body| body.groups.into_lines())).collect();
        for (capture, groups) in explanation.captures.iter_mut().zip(groups) {
            if let (Some(body), Some(groups)) = (&mut capture.body, groups) {
                body.groups = groups;
            }
        }
        for agent in &self.all {
            let (_, judged) = self.decide(heard, agent, target);
            explanation.all_agents.push(in_short(agent, &judged));
        }
        Ok(())
    }

    /// The verdict for `agent`, and which of what was heard decides: as of ever, the first later visit that refuses.
    fn decide(&self, heard: &Heard, agent: &Agent, target: &AskedUrl) -> (usize, Judged<'c>) {
        let judge =
            |site: &Site| judge_by_site(self.corpus, site, Some(agent), target, self.settings);
        let now = judge(&heard.site);
        if now.allowed == Some(false) {
            return (0, now);
        }
        let later = heard.later.iter().map(judge).enumerate();
        let mut refusing = later.filter(|(_, judged)| judged.allowed == Some(false));
        refusing.next().map_or((0, now), |(at, judged)| (at + 1, judged))
    }

    /// The capture that decided: what counts first for 0, else a later visit.
    fn capture(
        &self,
        heard: &Heard,
        decided: usize,
        target: &AskedUrl,
    ) -> Result<CaptureStory, CorpusError> {
        let later = decided.checked_sub(1).and_then(|at| heard.later.get(at));
        let site = *later.unwrap_or(&heard.site);
        let body = match site.access {
            Access::Rules(body) => Some(self.body(body)?),
            _ => None,
        };
        let hops = match self.hops {
            [] => self.redirects(heard, &site),
            hops => hops.to_vec(),
        };
        Ok(CaptureStory {
            origin: heard.origin.clone(),
            is_twin: heard.origin != target.origin,
            site,
            access: word(site.access),
            hops,
            body,
        })
    }

    /// The redirects of a capture that was redirected.
    fn redirects(&self, heard: &Heard, site: &Site) -> Vec<Hop> {
        let origin = heard.found.filter(|_| site.redirected);
        let hops = origin.map(|origin| self.corpus.redirects(origin, site.time));
        let hop =
            |(url, status, to): (String, Status, String)| Hop { url, status: Some(status.0), to };
        hops.unwrap_or_default().into_iter().map(hop).collect()
    }

    fn body(&self, id: BodyId) -> Result<BodyStory, CorpusError> {
        let corpus = self.corpus;
        let (len, num_origins) = corpus.body_facts(id).unwrap_or_default();
        let digest = corpus.digest(id).copied().unwrap_or_default();
        let kept = match corpus.facts().has_texts {
            true => Some(corpus.text(id)?),
            false => self.texts.get(&digest).map(<[u8]>::to_vec),
        };
        let limit = corpus.facts().limit;
        Ok(BodyStory {
            id,
            digest,
            len,
            num_origins,
            flags: corpus.program(id).map(|program| program.flags()).unwrap_or_default(),
            text: kept.map(|text| limit.cut(&text).to_vec()),
            is_beginning: self.bodies_are_beginnings,
            groups: Vec::new(),
        })
    }

    /// The body of a capture, read once for all agents.
    fn read<'t>(&self, capture: &'t CaptureStory) -> Option<ReadBody<'t>> {
        let text = capture.body.as_ref()?.text.as_deref()?;
        Some(ReadBody::new(text, &self.settings.dialect, self.corpus.facts().limit))
    }

    fn agent(&self, asking: &Asking<'_>, agent: &Agent, judged: &Judged<'_>) -> AgentStory {
        let body = asking.body;
        let standings = body.map(|body| body.groups.standings(agent, known(judged, body, agent)));
        let standings = standings.unwrap_or_default();
        let program = judged.group.map(|by| by.program.group(by.group));
        let (rules, num_matching) = match &program {
            Some(program) => rules(program, &asking.target.compared, body.map(|body| &body.robots)),
            None => (Vec::new(), 0),
        };
        let other = self.question(asking, &agent.label()).ask_other(judged);
        let limit = self.corpus.facts().limit;
        AgentStory {
            allowed: judged.allowed,
            basis: judged.basis,
            reason: reason(judged.basis, agent, self.settings, Some(asking.capture), rules.first()),
            applied: judged.group.map(|by| applied(agent, &by)),
            records: body.map(|body| body.records(&standings)).unwrap_or_default(),
            groups: body
                .map(|body| body.groups.stories(&standings, asking.room))
                .unwrap_or_default(),
            num_groups: body.map_or(0, |body| body.groups.len()),
            rules,
            num_matching,
            notes: notes(agent, asking.capture, other.as_ref(), self.settings, limit),
            other,
            ..self.unheard(agent)
        }
    }

    /// The story of an agent that nothing was heard about.
    fn unheard(&self, agent: &Agent) -> AgentStory {
        AgentStory {
            agent: agent.label().into_owned(),
            operator: operator_of(agent, &self.settings.registry),
            names: agent.names().iter().map(name).collect(),
            capture: None,
            allowed: None,
            basis: Basis::BadUrl,
            reason: reason(Basis::BadUrl, agent, self.settings, None, None),
            applied: None,
            groups: Vec::new(),
            num_groups: 0,
            rules: Vec::new(),
            num_matching: 0,
            records: Vec::new(),
            other: None,
            notes: Vec::new(),
        }
    }

    fn question<'q>(&'q self, asking: &'q Asking<'_>, agent: &'q str) -> Question<'q> {
        Question {
            url: asking.url,
            agent,
            site: &asking.capture.site,
            body: asking.body,
            settings: self.settings,
            corpus: self.corpus,
            twin: self.twin,
        }
    }
}

fn applied(agent: &Agent, by: &JudgedBy<'_>) -> AppliedStory {
    AppliedStory {
        kind: by.kind,
        name: by.name.and_then(|at| agent.lookup_names().nth(at)).map(name),
        num_rules: num_lines(&by.program.group(by.group)),
    }
}

/// Lines whose rules can match: in dialect google a line may stand for two rules.
fn num_lines(group: &GroupProgram<'_>) -> usize {
    let lines: BTreeSet<u32> = group.rules().iter().map(|rule| rule.line).collect();
    lines.len()
}

/// How the body knows the agent: as it was judged, or where no rule was asked by its user-agent lines.
fn known(judged: &Judged<'_>, body: &ReadBody<'_>, agent: &Agent) -> Known {
    match judged.group {
        Some(by) if by.kind == GroupKind::Wildcard => Known::Wildcard,
        Some(by) => by.name.map_or(Known::Unknown, Known::Named),
        None => body.groups.known(agent),
    }
}

fn name(name: &AgentName) -> String {
    String::from_utf8_lossy(name.as_bytes()).into_owned()
}

fn in_short(agent: &Agent, judged: &Judged<'_>) -> AgentVerdict {
    AgentVerdict {
        agent: agent.label().into_owned(),
        allowed: judged.allowed,
        basis: judged.basis,
        line: judged.rule.map(|rule| rule.line),
        kind: judged.group.map(|by| by.kind),
    }
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Rules(_) => "rules",
        Access::RedirectUnresolved => "redirect_unresolved",
        Access::Closed(Outcome::NoCapture) => "no_capture",
        Access::Closed(Outcome::Unknown) => "unknown",
        Access::Closed(Outcome::Unavailable) => "unavailable",
        Access::Closed(Outcome::Unreachable) => "unreachable",
        Access::Closed(Outcome::Forbidden) => "forbidden",
    }
}
