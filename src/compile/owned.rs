//! A program that owns its octets.

use super::{BodyFlags, GroupId, GroupPlace, GroupProgram, NameKind, ProgramRef};

/// The compiled rules of one body: position-independent octets, the same in memory and on disk.
///
/// # Examples
/// ```
/// use robosift::compile::{BodyLimit, NameKind, compile};
/// use robosift::parse::Dialect;
/// let program = compile(b"User-agent: *\nDisallow: /x\n", &Dialect::RFC9309, BodyLimit::DEFAULT);
/// assert!(program.wildcard().is_some());
/// assert!(program.find(NameKind::Token, b"examplebot").is_none());
/// assert_eq!(program.memory_usage(), 89);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    octets: Box<[u8]>,
}

impl Program {
    pub(super) fn new(octets: Vec<u8>) -> Self {
        Program { octets: octets.into_boxed_slice() }
    }

    /// A program of the octets that [`Program::octets`] gave; see [`ProgramRef::from_octets`].
    #[must_use]
    pub fn from_octets(octets: Vec<u8>) -> Option<Self> {
        ProgramRef::from_octets(&octets).is_some().then(|| Program::new(octets))
    }

    /// The program, borrowed.
    #[must_use]
    #[inline]
    pub fn view(&self) -> ProgramRef<'_> {
        ProgramRef::of_written(&self.octets)
    }

    /// The program's octets.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The program's octets, given away.
    #[must_use]
    pub fn into_octets(self) -> Vec<u8> {
        self.octets.into_vec()
    }

    /// Heap octets held.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        self.octets.len()
    }

    /// See [`ProgramRef::flags`].
    #[must_use]
    pub fn flags(&self) -> BodyFlags {
        self.view().flags()
    }

    /// See [`ProgramRef::num_rules`].
    #[must_use]
    pub fn num_rules(&self) -> u32 {
        self.view().num_rules()
    }

    /// See [`ProgramRef::wildcard`].
    #[must_use]
    pub fn wildcard(&self) -> Option<GroupId> {
        self.view().wildcard()
    }

    /// See [`ProgramRef::find`].
    #[must_use]
    pub fn find(&self, kind: NameKind, text: &[u8]) -> Option<GroupId> {
        self.view().find(kind, text)
    }

    /// See [`ProgramRef::group`].
    #[must_use]
    pub fn group(&self, group: GroupId) -> GroupProgram<'_> {
        self.view().group(group)
    }

    /// See [`ProgramRef::place`].
    #[must_use]
    pub fn place(&self, group: GroupId) -> GroupPlace {
        self.view().place(group)
    }

    /// See [`ProgramRef::empty_rule_line`].
    #[must_use]
    pub fn empty_rule_line(&self, group: GroupId) -> u32 {
        self.view().empty_rule_line(group)
    }
}
