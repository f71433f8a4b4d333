//! What became of sites, and how often.

/// What became of a site for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SiteChange {
    /// Something was allowed; now nothing is.
    ClosedWholly,
    /// Paths closed, and none was seen to open; some are still allowed.
    PartlyClosed,
    /// Some paths closed, others opened.
    ClosedAndOpened,
    /// Paths opened, and none closed; some were allowed before.
    PartlyOpened,
    /// Nothing was allowed; now something is.
    OpenedWholly,
    /// Every path has the verdict it had.
    Unchanged,
    /// On one side or both it is not known what is allowed.
    Unknown,
    /// No path was seen to close, but to know that none did would take too much work; some may have opened.
    Undecided,
}

impl SiteChange {
    /// All of them, in the order in which they are shown.
    pub const ALL: [SiteChange; 8] = [
        SiteChange::ClosedWholly,
        SiteChange::PartlyClosed,
        SiteChange::ClosedAndOpened,
        SiteChange::PartlyOpened,
        SiteChange::OpenedWholly,
        SiteChange::Unchanged,
        SiteChange::Unknown,
        SiteChange::Undecided,
    ];

    /// The word in outputs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SiteChange::ClosedWholly => "closed_wholly",
            SiteChange::PartlyClosed => "partly_closed",
            SiteChange::ClosedAndOpened => "closed_and_opened",
            SiteChange::PartlyOpened => "partly_opened",
            SiteChange::OpenedWholly => "opened_wholly",
            SiteChange::Unchanged => "unchanged",
            SiteChange::Unknown => "unknown",
            SiteChange::Undecided => "undecided",
        }
    }

    /// Whether a path closed.
    #[must_use]
    pub fn closes(self) -> bool {
        matches!(
            self,
            SiteChange::ClosedWholly | SiteChange::PartlyClosed | SiteChange::ClosedAndOpened
        )
    }

    /// Whether a path closed or opened.
    #[must_use]
    pub fn is_change(self) -> bool {
        self.closes() || matches!(self, SiteChange::PartlyOpened | SiteChange::OpenedWholly)
    }

    fn place(self) -> usize {
        SiteChange::ALL.iter().position(|change| *change == self).unwrap_or(0)
    }
}

/// How many origins of both corpora changed in which way for an agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AgentCounts {
    /// The agent as it was asked for.
    pub agent: String,
    /// Origins that answer it as they answer `*`, on both sides: counted there. Only where agents are those that bodies name.
    pub as_wildcard: u64,
    by_change: [u64; SiteChange::ALL.len()],
}

impl AgentCounts {
    pub(super) fn new(agent: String) -> Self {
        AgentCounts { agent, ..AgentCounts::default() }
    }

    pub(super) fn add(&mut self, change: SiteChange) {
        if let Some(count) = self.by_change.get_mut(change.place()) {
            *count += 1;
        }
    }

    /// Origins of which that became.
    #[must_use]
    pub fn count(&self, change: SiteChange) -> u64 {
        self.by_change.get(change.place()).copied().unwrap_or(0)
    }

    /// Origins that were counted for the agent by itself.
    #[must_use]
    pub fn num_origins(&self) -> u64 {
        self.by_change.iter().sum()
    }
}
