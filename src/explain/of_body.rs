//! The records of one body for one agent, without a corpus.
//!
//! Enters: a body, an agent. Leaves: crawl delays, sitemaps and signals, each with whether it applies to the agent. Cost: one pass
//! over the body, and names times user-agent lines. Must not know: URLs.

use super::read_body::ReadBody;
use super::story::RecordStory;
use crate::agents::Agent;
use crate::compile::BodyLimit;
use crate::parse::Dialect;

/// The records of `body` that one asks about, in its order; those of groups that are not the agent's do not apply.
///
/// # Examples
/// ```
/// use robosift::agents::{Agent, AgentKind};
/// use robosift::evaluate::Settings;
/// use robosift::explain::records_of;
/// let settings = Settings::default();
/// let agent = settings.read_agent(b"GPTBot").unwrap();
/// let body = b"User-agent: GPTBot\nCrawl-delay: 5\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 1\n";
/// let records = records_of(body, &agent, &settings.dialect);
/// let applying: Vec<&str> = records.iter().filter(|r| r.applies).map(|r| r.value.as_str()).collect();
/// assert_eq!(applying, ["5"]);
/// ```
#[must_use]
pub fn records_of(body: &[u8], agent: &Agent, dialect: &Dialect) -> Vec<RecordStory> {
    let body = ReadBody::new(body, dialect, BodyLimit::NONE);
    body.records(&body.groups.standings(agent, body.groups.known(agent)))
}
