//! Where members begin in the decoded octets, as far as it still matters, and the record at hand.
//!
//! Positions are numbers of decoded octets from the file's beginning. A file may have a member for
//! every octet: what is kept is bounded, and each start is looked at a few times at most.

use std::collections::VecDeque;

use super::members::RECORD_START;

struct Member {
    at: u64,
    /// Octets of the file before it.
    offset: u64,
}

/// The record at hand.
#[derive(Clone, Copy, Default)]
pub(super) struct Record {
    pub(super) at: u64,
    /// Octets of the file before it, or before its member.
    pub(super) offset: u64,
    /// Whether its member begins with it.
    pub(super) begins_member: bool,
}

#[derive(Default)]
pub(super) struct Marks {
    /// The member that the next octet is in, and those after it that are known.
    members: VecDeque<Member>,
    record: Record,
    /// Up to here it is known which members begin with a record.
    checked: u64,
}

impl Marks {
    pub(super) fn record(&self) -> Record {
        self.record
    }

    /// A member begins at `at`; one before it without octets is forgotten.
    pub(super) fn push(&mut self, at: u64, offset: u64) {
        if self.members.back().is_some_and(|member| member.at == at) {
            self.members.pop_back();
        }
        self.members.push_back(Member { at, offset });
    }

    pub(super) fn clear(&mut self) {
        self.members.clear();
    }

    pub(super) fn begin_record(&mut self, at: u64) {
        self.forget_passed(at);
        let member = self.members.front().filter(|member| member.at <= at);
        self.record = Record {
            at,
            offset: member.map_or(at, |member| member.offset),
            begins_member: member.is_some_and(|member| member.at == at),
        };
        self.checked = at;
    }

    /// Starts of members after that of the record and before `end` which were not checked with all the
    /// octets that tell a record.
    pub(super) fn unchecked(&self, end: u64) -> impl Iterator<Item = u64> {
        let (record, checked) = (self.record.at, self.checked);
        let starts = self.members.iter().rev().map(|member| member.at);
        starts
            .take_while(move |at| at + RECORD_START.len() as u64 > checked)
            .filter(move |at| *at > record && *at < end)
    }

    /// All starts are checked with the octets up to `checked`.
    pub(super) fn set_checked(&mut self, checked: u64) {
        self.checked = checked;
    }

    /// Whether a member begins at `position`.
    pub(super) fn has_start(&self, position: u64) -> bool {
        self.members.binary_search_by_key(&position, |member| member.at).is_ok()
    }

    /// Where the last member begins, if it is the one at `offset` in the file.
    pub(super) fn start_of(&self, offset: u64) -> Option<u64> {
        self.members.back().filter(|member| member.offset == offset).map(|member| member.at)
    }

    /// Drops the members before the one that `position` is in.
    pub(super) fn forget_passed(&mut self, position: u64) {
        while self.members.get(1).is_some_and(|member| member.at <= position) {
            self.members.pop_front();
        }
    }

    /// Drops checked members inside of a record that ends at `end` or later: all but the last, in
    /// which the next record may begin.
    pub(super) fn forget_inside(&mut self, end: u64) {
        // Line ends may follow the record in its last member.
        const MARGIN: u64 = 4 * RECORD_START.len() as u64;
        self.forget_passed(self.checked.min(end).saturating_sub(MARGIN));
    }
}
