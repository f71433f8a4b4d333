//! What an explanation holds: plain data, in the order in which one would tell it.
//!
//! Text that comes from bodies is given as it stands, control characters and all (octets that are not UTF-8 as U+FFFD):
//! who shows it escapes it.

use super::clause::Clause;
use super::operator::Operator;
use crate::compile::{BodyFlags, BodyLimit};
use crate::corpus::{BodyId, Site};
use crate::evaluate::{AskedUrl, Basis, GroupKind, Settings};
use crate::parse::{Dialect, Kind};

/// Why a URL's verdict is what it is, for each agent that was asked.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The URL as given.
    pub url: String,
    /// The URL as read; `None` where it is no absolute http(s) URL with a host.
    pub target: Option<AskedUrl>,
    /// How it was judged.
    pub settings: Settings,
    /// How many octets of a body were read.
    pub limit: BodyLimit,
    /// What was captured; mostly one. As of ever, one for each visit that decided for some agent.
    pub captures: Vec<CaptureStory>,
    /// The agents that were asked, in order.
    pub agents: Vec<AgentStory>,
    /// Verdicts for all known agents, where that was asked for.
    pub all_agents: Vec<AgentVerdict>,
}

/// The capture that answered.
#[derive(Clone, Debug)]
pub struct CaptureStory {
    /// The origin whose captures answered.
    pub origin: String,
    /// It is not the URL's own origin but the same host under the other scheme.
    pub is_twin: bool,
    /// Status, time, and how access ended.
    pub site: Site,
    /// How access ended, in a word: `rules`, `redirect_unresolved`, `no_capture`, `unknown`, `unavailable`,
    /// `unreachable`, `forbidden`.
    pub access: &'static str,
    /// Redirects on the way, as far as they are known.
    pub hops: Vec<Hop>,
    /// The body whose rules apply.
    pub body: Option<BodyStory>,
}

/// A redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// What was asked for.
    pub url: String,
    /// The status of the answer.
    pub status: Option<i16>,
    /// Where it leads.
    pub to: String,
}

/// A body.
#[derive(Clone, Debug)]
pub struct BodyStory {
    /// Its number in the corpus.
    pub id: BodyId,
    /// SHA-256 of all its octets.
    pub digest: [u8; 32],
    /// Its octets, those past the limit too.
    pub len: u64,
    /// How many origins of the corpus serve it.
    pub num_origins: u64,
    /// What is worth knowing about it.
    pub flags: BodyFlags,
    /// The octets that were read; `None` where the corpus keeps no texts. Then lines cannot be shown, and what programs
    /// know has to do.
    pub text: Option<Vec<u8>>,
    /// It is the beginning of a longer one: its digest and its length are those of what was read.
    pub is_beginning: bool,
    /// Its groups, whoever asks; none where its text is not known.
    pub groups: Vec<GroupLines>,
}

/// The verdict for one agent and what led to it.
#[derive(Clone, Debug)]
pub struct AgentStory {
    /// The agent as given.
    pub agent: String,
    /// Its names in order of standing: the first that a body names counts.
    pub names: Vec<String>,
    /// Which of the captures decided; `None` for a bad URL.
    pub capture: Option<usize>,
    /// Whether it may fetch the URL; `None` where that is unknown.
    pub allowed: Option<bool>,
    /// What decided.
    pub basis: Basis,
    /// Why, in a sentence.
    pub reason: String,
    /// The group that applied.
    pub applied: Option<AppliedStory>,
    /// All groups of the body, in its order; none where its text is not known. Where that would be too many for all the agents
    /// that were asked, only groups that have to do with the agent: those that apply, that are for `*`, that name it.
    pub groups: Vec<GroupStory>,
    /// How many groups the body has.
    pub num_groups: usize,
    /// The rules that match, the one that decides first; at most [`AgentStory::MOST_RULES`].
    pub rules: Vec<RuleStory>,
    /// How many rules match.
    pub num_matching: usize,
    /// Crawl delays, signals and sitemaps.
    pub records: Vec<RecordStory>,
    /// What the other dialect says; `None` where that cannot be told without the body's text.
    pub other: Option<OtherDialect>,
    /// Who runs it and whether they say that it honours robots.txt.
    pub operator: Option<Operator>,
    /// What else one should know.
    pub notes: Vec<String>,
}

impl AgentStory {
    /// Rules that are kept of those that match: some bodies have a hundred thousand.
    pub const MOST_RULES: usize = 1_000;

    /// The line that decides.
    #[must_use]
    pub fn deciding_line(&self) -> Option<u32> {
        self.rules.first().map(|rule| rule.line)
    }
}

/// The group that applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppliedStory {
    /// Why it did.
    pub kind: GroupKind,
    /// The name by which the body knows the agent; `None` for `*`.
    pub name: Option<String>,
    /// Its rules that can match.
    pub num_rules: usize,
}

/// A group of the body, whoever asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupLines {
    /// Its user-agent lines: line numbers and values.
    pub user_agents: Vec<(u32, String)>,
    /// Its first line.
    pub first_line: u32,
    /// The line of its last rule, crawl delay or signal, or else of its last user-agent line.
    pub last_line: u32,
    /// Its rules, empty ones too.
    pub num_rules: usize,
}

/// A group of the body, as it stands to an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupStory {
    /// Its user-agent lines: line numbers and values; the first of them where not all groups are listed.
    pub user_agents: Vec<(u32, String)>,
    /// How many user-agent lines it has.
    pub num_user_agents: usize,
    /// Its first line.
    pub first_line: u32,
    /// The line of its last rule, crawl delay or signal, or else of its last user-agent line.
    pub last_line: u32,
    /// Its rules, empty ones too.
    pub num_rules: usize,
    /// Why it does not apply; `None` where it does.
    pub passed_over: Option<PassedOver>,
}

/// Why a group does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassedOver {
    /// It names other agents.
    NamesOthers,
    /// It is for `*`, and another group names the agent.
    Hidden,
    /// It is for `*`, which the agent ignores.
    Ignored,
    /// It names the agent by this name, and another group by one of higher standing.
    Outranked(String),
}

impl PassedOver {
    /// The word for it.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            PassedOver::NamesOthers => "names_others",
            PassedOver::Hidden => "hidden",
            PassedOver::Ignored => "ignored",
            PassedOver::Outranked(_) => "outranked",
        }
    }
}

/// A rule that matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleStory {
    /// Its line.
    pub line: u32,
    /// Allow or disallow.
    pub kind: Kind,
    /// The pattern as written; `None` where the body's text is not known.
    pub written: Option<String>,
    /// The pattern as compared.
    pub pattern: String,
    /// Octets of the normalised pattern.
    pub specificity: u32,
    /// What became of it.
    pub standing: RuleStanding,
}

/// What became of a rule that matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleStanding {
    /// It decides.
    Decides,
    /// It has fewer octets than the one that decides.
    LessSpecific,
    /// It has as many octets, but disallows: allow wins (RFC 9309 section 2.2.2).
    AllowWins,
    /// It has as many octets and goes the same way, but stands later.
    Later,
}

impl RuleStanding {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RuleStanding::Decides => "decides",
            RuleStanding::LessSpecific => "less_specific",
            RuleStanding::AllowWins => "allow_wins",
            RuleStanding::Later => "later",
        }
    }
}

/// A line that is neither a user-agent line nor a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordStory {
    /// Its line.
    pub line: u32,
    /// What it is.
    pub kind: RecordKind,
    /// Its key as written.
    pub name: String,
    /// Its value as written.
    pub value: String,
    /// It concerns the agent: it stands in a group that applies, or in none, or concerns the whole file.
    pub applies: bool,
}

/// What other records are told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// `Crawl-delay`, which RFC 9309 does not know.
    CrawlDelay,
    /// `Sitemap`, which concerns the whole file.
    Sitemap,
    /// What may be done with what was fetched: `Content-Signal`, `Content-Usage` and their like.
    Signal,
}

impl RecordKind {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordKind::CrawlDelay => "crawl_delay",
            RecordKind::Sitemap => "sitemap",
            RecordKind::Signal => "signal",
        }
    }
}

/// What the other dialect says.
#[derive(Clone, Debug)]
pub struct OtherDialect {
    /// Which one.
    pub dialect: Dialect,
    /// Its verdict.
    pub allowed: Option<bool>,
    /// Its basis.
    pub basis: Basis,
    /// The line of its deciding rule.
    pub line: Option<u32>,
    /// Verdict, basis and line are not all the same.
    pub differs: bool,
    /// The clauses that make the difference; none where there is none. Where the body's text is not known, only those on which
    /// programs do not depend are tried.
    pub clauses: Vec<&'static Clause>,
    /// There is a difference, and without the body's text it is not known which clauses make it.
    pub needs_text: bool,
}

/// A verdict in short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentVerdict {
    /// The agent.
    pub agent: String,
    /// Whether it may fetch the URL.
    pub allowed: Option<bool>,
    /// What decided.
    pub basis: Basis,
    /// The line of the deciding rule.
    pub line: Option<u32>,
    /// Which group applied.
    pub kind: Option<GroupKind>,
}
