//! What a site answers all agents in question.
//!
//! Enters: a judge, agents. Leaves: for each agent a [`Side`] and a key that is the same where the side is. Must not know: the
//! other side.

use super::side::Side;
use crate::agents::Agent;
use crate::compile::GroupId;
use crate::evaluate::{AskedUrl, Basis, Judged, Settings};

/// A question that every site can be asked; what it answers does not matter, only on what that depends.
const ANY_URL: &[u8] = b"http://any.example/";

/// Two agents with one key are answered alike by one body.
pub(super) type Key = (Option<GroupId>, Option<bool>, Basis);

/// What a site answers one agent.
#[derive(Clone, Debug)]
pub(super) struct AgentAnswer<'c> {
    pub(super) key: Key,
    pub(super) side: Side<'c>,
}

/// What a site answers each agent, in their order.
pub(super) fn answers<'c>(
    agents: &[Agent],
    settings: &Settings,
    judge: impl Fn(&Agent, &AskedUrl) -> Judged<'c>,
) -> Vec<AgentAnswer<'c>> {
    let Some(url) = AskedUrl::read(ANY_URL, settings) else { return Vec::new() };
    let answer = |agent| {
        let judged = judge(agent, &url);
        let key = match &judged.group {
            Some(by) => (Some(by.group), None, Basis::Rule),
            None => (None, judged.allowed, judged.basis),
        };
        AgentAnswer { key, side: Side::of(&judged) }
    };
    agents.iter().map(answer).collect()
}
