//! The records of one body for one agent, without a corpus.
//!
//! Enters: a body, an agent. Leaves: crawl delays, sitemaps and signals, each with whether it applies to the agent. Cost: one pass
//! over the body, and names times user-agent lines. Must not know: URLs.

use super::groups::{groups, known_by_lines};
use super::records::{belongs_to_group, records};
use super::story::RecordStory;
use crate::agents::Agent;
use crate::parse::{Dialect, parse};

/// The records of `body` that one asks about, in its order; those of groups that are not the agent's do not apply.
///
/// # Examples
/// ```
/// use robosift::agents::{Agent, AgentKind};
/// use robosift::evaluate::Settings;
/// use robosift::explain::records_of;
/// let settings = Settings::default();
/// let agent = settings.read_agent(b"GPTBot").unwrap();
/// let body = b"User-agent: GPTBot\nCrawl-delay: 5\n\nUser-agent: *\nCrawl-delay: 1\n";
/// let records = records_of(body, &agent, &settings.dialect);
/// let applying: Vec<&str> = records.iter().filter(|r| r.applies).map(|r| r.value.as_str()).collect();
/// assert_eq!(applying, ["5"]);
/// ```
#[must_use]
pub fn records_of(body: &[u8], agent: &Agent, dialect: &Dialect) -> Vec<RecordStory> {
    let robots = parse(body, dialect);
    let known = known_by_lines(&robots, agent, dialect);
    records(&robots, &groups(&robots, agent, known, dialect, belongs_to_group))
}
