//! What each origin answers the agents asked, in brief, for rows that jump from origin to origin.
//!
//! Enters: a corpus, agents that are the same for every row. Leaves: 24 octets an origin and 32 for each
//! pair of body and agent, so that a row touches little memory and reads no table. Cost: made once, in
//! a pass over all origins and one over all bodies. Holds as long as no answer depends on the time of
//! a row.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::outcome::{Answer, Applied, answer, answer_of_rules};
use super::verdicts::{Code, GroupCodes};
use super::{Basis, Settings};
use crate::agents::Agent;
use crate::compile::{GroupPlace, ProgramRef};
use crate::corpus::{Access, BodyId, Corpus, OriginId, Site};

/// Answers are numbered: below it stand codes, which are the verdict for every agent and path, from it
/// on bodies.
const NUM_CODES: u32 = 256;

/// What an origin answers.
#[derive(Clone, Copy, Debug)]
pub(super) struct OriginBrief<'c> {
    /// Its canonical name.
    pub(super) name: &'c [u8],
    answers: u32,
    /// Which of the distinct statuses is recorded.
    pub(super) status: u32,
}

/// What a body answers one agent.
#[derive(Clone, Copy, Debug)]
pub(super) struct AgentBrief<'c> {
    /// The body's rules, where a group of them applies.
    program: Option<ProgramRef<'c>>,
    group: GroupPlace,
    /// The verdicts there can be.
    pub(super) codes: GroupCodes,
}

/// What all agents are answered.
#[derive(Clone, Copy, Debug)]
pub(super) enum Brief<'c, 'b> {
    /// The same whatever the agent and the path.
    Fixed(Code),
    /// It depends on a body, agent by agent.
    Body(BodyId, &'b [AgentBrief<'c>]),
}

/// The briefs of all origins.
#[derive(Debug)]
pub(super) struct Briefs<'c> {
    origins: Vec<OriginBrief<'c>>,
    /// That of origins without a capture.
    unknown: OriginBrief<'c>,
    /// Body by body, for each agent.
    bodies: Vec<AgentBrief<'c>>,
    num_agents: usize,
    /// Recorded statuses, each once.
    statuses: Vec<Option<i16>>,
}

impl<'c> Briefs<'c> {
    /// Resolves what all origins of `corpus` answer `agents`.
    pub(super) fn new(corpus: &'c Corpus, agents: &[Agent], settings: &Settings) -> Self {
        let mut statuses = Statuses::default();
        let mut brief = |name, site: &Site| OriginBrief {
            name,
            answers: answers(corpus, site, agents, settings),
            status: statuses.number(site),
        };
        let unknown = brief(&[], &Site::UNKNOWN);
        let Settings { policy, moment, .. } = settings;
        let origins = corpus.origins().map(|origin| {
            let site = corpus.answer(origin, policy, moment, None).site;
            brief(corpus.origin_octets(origin), &site.unwrap_or(Site::UNKNOWN))
        });
        let origins = origins.collect();
        let bodies = corpus
            .body_ids()
            .flat_map(|body| agents.iter().map(move |agent| AgentBrief::new(corpus, body, agent)));
        let (bodies, num_agents) = (bodies.collect(), agents.len());
        Briefs { origins, unknown, bodies, num_agents, statuses: statuses.distinct }
    }

    /// That of an origin, or of one that the corpus does not know.
    #[inline]
    pub(super) fn of_origin(&self, origin: Option<OriginId>) -> &OriginBrief<'c> {
        let known = origin.and_then(|origin| self.origins.get(origin.index()));
        known.unwrap_or(&self.unknown)
    }

    /// What the brief of an origin says.
    #[inline]
    pub(super) fn read(&self, origin: &OriginBrief<'c>) -> Brief<'c, '_> {
        match u8::try_from(origin.answers) {
            Ok(code) => Brief::Fixed(Code::of_index(code)),
            Err(_) => {
                let body = BodyId::new(origin.answers - NUM_CODES);
                let from = body.index().saturating_mul(self.num_agents);
                let agents = self.bodies.get(from..from.saturating_add(self.num_agents));
                Brief::Body(body, agents.unwrap_or_default())
            }
        }
    }

    /// The statuses that briefs number.
    pub(super) fn statuses(&self) -> &[Option<i16>] {
        &self.statuses
    }
}

/// The number of what `site` answers.
fn answers(corpus: &Corpus, site: &Site, agents: &[Agent], settings: &Settings) -> u32 {
    let with_rules =
        |body: &BodyId| corpus.program(*body).is_some_and(|program| program.num_rules() > 0);
    match site.access {
        Access::Rules(body) if with_rules(&body) => body.number().saturating_add(NUM_CODES),
        _ => match answer(corpus, site, agents.first(), settings) {
            Answer::Fixed(allowed, basis) => u32::from(Code::new(allowed, basis, None).index()),
            // Only a body with rules has a group.
            Answer::Group(_) => u32::from(Code::new(None, Basis::NoCapture, None).index()),
        },
    }
}

impl<'c> AgentBrief<'c> {
    fn new(corpus: &'c Corpus, body: BodyId, agent: &Agent) -> Self {
        let program = corpus.program(body);
        let applied = program.and_then(|program| match answer_of_rules(program, body, agent) {
            Answer::Group(Applied { group, kind, .. }) => Some((program.place(group), kind)),
            Answer::Fixed(..) => None,
        });
        match applied {
            Some((group, kind)) => AgentBrief { program, group, codes: GroupCodes::of_group(kind) },
            None => {
                let code = Code::new(Some(true), Basis::NoGroup, None);
                let (program, group) = (None, GroupPlace::default());
                AgentBrief { program, group, codes: GroupCodes::fixed(code) }
            }
        }
    }

    /// The group that applies, with its program.
    #[inline]
    pub(super) fn group(&self) -> Option<(ProgramRef<'c>, GroupPlace)> {
        self.program.map(|program| (program, self.group))
    }
}

/// Distinct statuses in order of appearance.
#[derive(Default)]
struct Statuses {
    distinct: Vec<Option<i16>>,
    numbers: HashMap<Option<i16>, u32, RandomState>,
}

impl Statuses {
    fn number(&mut self, site: &Site) -> u32 {
        let status = site.status.map(|status| status.0);
        *self.numbers.entry(status).or_insert_with(|| {
            self.distinct.push(status);
            crate::compile::narrow(self.distinct.len() - 1)
        })
    }
}
