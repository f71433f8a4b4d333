//! Rows judged, added to the columns that are built row by row.

use super::build::{ColumnBuilder, RowFacts};
use super::outcome::Outcome;
use super::{Asked, Basis, Evaluator, Layout, Scratch};

/// A column under way: made of the batch's verdicts when all are known, or built row by row.
pub(super) enum Making {
    OfVerdicts,
    RowByRow(ColumnBuilder),
}

/// What the verdicts of a row rest on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RowKind {
    BadUrl,
    RobotsTxt,
    /// What the site answers.
    Judged,
}

impl<'c> Evaluator<'c> {
    /// Adds one row to the columns that are built row by row.
    pub(super) fn append(
        &self,
        row: u64,
        time: Option<i64>,
        kind: RowKind,
        scratch: &Scratch<'c>,
        making: &mut [Making],
    ) {
        let has_origin = kind != RowKind::BadUrl;
        let site = |agent: usize| match kind {
            RowKind::BadUrl => None,
            RowKind::RobotsTxt => scratch.run.site.as_ref(),
            RowKind::Judged => scratch.run.site_of(agent),
        };
        let origin = has_origin.then_some(scratch.run.origin.as_slice());
        let facts = |agent: usize| match &self.asked {
            Asked::Agents(agents) => RowFacts {
                row,
                origin,
                site: site(agent),
                time,
                agent: agents.get(agent),
                agent_text: self.labels.get(agent).map(String::as_str),
            },
            Asked::Column => RowFacts {
                row,
                origin,
                site: site(agent),
                time,
                agent: scratch.row_agent.read.as_deref(),
                agent_text: scratch.row_agent.text(),
            },
        };
        let outcome = |agent: usize| match kind {
            RowKind::BadUrl => Outcome::fixed(None, Basis::BadUrl),
            RowKind::RobotsTxt if self.has_agent(scratch) => {
                Outcome::fixed(Some(true), Basis::RobotsTxt)
            }
            RowKind::RobotsTxt => Outcome::fixed(None, Basis::BadAgent),
            RowKind::Judged => scratch.run.outcome(agent),
        };
        let in_row = if self.layout == Layout::Long { self.num_agents() } else { 1 };
        for at in 0..in_row {
            for (slot, making) in self.slots.iter().zip(making.iter_mut()) {
                if let Making::RowByRow(builder) = making {
                    let agent = if in_row > 1 { at } else { slot.agent.unwrap_or(0) };
                    builder.append(self.corpus, &outcome(agent), &facts(agent));
                }
            }
        }
    }
}
