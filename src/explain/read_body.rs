//! A body as explanations need it, read once for all agents.
//!
//! Enters: its octets. Leaves: what was parsed of it, its groups by name, the records one asks about, programs for
//! dialects. Cost: one pass; a compilation for each set of dialect flags on which programs depend. Must not know: who asks.

use std::cell::RefCell;
use std::collections::HashMap;

use super::groups::{BodyGroups, Standings};
use super::records::{belongs_to_group, records};
use super::story::RecordStory;
use super::ways::compile_flags;
use crate::compile::{BodyLimit, Program, ProgramRef, compile};
use crate::parse::{Dialect, Robots, parse};

/// A body whose text is known.
pub(super) struct ReadBody<'t> {
    text: &'t [u8],
    limit: BodyLimit,
    pub(super) robots: Robots<'t>,
    pub(super) groups: BodyGroups,
    /// With their groups.
    records: Vec<(Option<usize>, RecordStory)>,
    /// By the flags that they depend on.
    programs: RefCell<HashMap<u8, Program>>,
}

impl<'t> ReadBody<'t> {
    /// Reads `text`, which is no longer than `limit`.
    pub(super) fn new(text: &'t [u8], dialect: &Dialect, limit: BodyLimit) -> Self {
        let robots = parse(text, dialect);
        let groups = BodyGroups::new(&robots, dialect, belongs_to_group);
        let records = records(&robots);
        ReadBody { text, limit, robots, groups, records, programs: RefCell::default() }
    }

    /// What `ask` answers of the program for a dialect, which is compiled once.
    pub(super) fn with_program<A>(
        &self,
        dialect: &Dialect,
        ask: impl FnOnce(ProgramRef<'_>) -> A,
    ) -> A {
        let mut programs = self.programs.borrow_mut();
        let program = programs
            .entry(compile_flags(dialect))
            .or_insert_with(|| compile(self.text, dialect, self.limit));
        ask(program.view())
    }

    /// The records that one asks about, and whether they concern an agent to which groups stand so.
    pub(super) fn records(&self, standings: &Standings) -> Vec<RecordStory> {
        let story = |(group, record): &(Option<usize>, RecordStory)| {
            let applies = |place| standings.get(place).is_some_and(Option::is_none);
            RecordStory { applies: group.as_ref().is_none_or(applies), ..record.clone() }
        };
        self.records.iter().map(story).collect()
    }
}
