//! Reading a [`Program`](super::Program): names, groups and rules straight from its octets.
//!
//! Every read is bounds-checked and answers with "nothing there" beyond the end, and no count is
//! believed beyond the program's length, so that no octets whatever make a panic or an endless search.
//! Finding a name is a binary search over hashes, all else is constant.

use std::borrow::Cow;

use super::gram_index::GramIndex;
use super::ids::widen;
use super::layout;
use super::records::Records;
use super::rule_set::{Literals, RuleSet, Wildcards};
use super::trie::Trie;
use super::words::Words;

/// A [`Program`](super::Program) where it stands: in memory of its own, or in a mapped file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramRef<'p> {
    octets: &'p [u8],
}

/// What is worth knowing about the body a program was compiled from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyFlags(u32);

impl BodyFlags {
    /// Octets past the body limit were ignored (RFC 9309 section 2.5).
    pub const OVER_LIMIT: BodyFlags = BodyFlags(1);
    /// It begins like a web page.
    pub const WEB_PAGE: BodyFlags = BodyFlags(1 << 1);
    /// It holds octets that no text has.
    pub const BINARY: BodyFlags = BodyFlags(1 << 2);
    /// A line is longer than 16,663 octets, which Google's parser would cut.
    pub const LONG_LINE: BodyFlags = BodyFlags(1 << 3);
    /// It is not UTF-8.
    pub const NOT_UTF8: BodyFlags = BodyFlags(1 << 4);
    /// It begins with a byte order mark, whole or partial.
    pub const BYTE_ORDER_MARK: BodyFlags = BodyFlags(1 << 5);
    /// Nothing but blanks stands in it.
    pub const BLANK: BodyFlags = BodyFlags(1 << 6);

    /// The flags as a bit set.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Whether all flags of `other` are set.
    #[must_use]
    pub fn contains(self, other: BodyFlags) -> bool {
        self.0 & other.0 == other.0
    }

    /// With the flags of `other` set too when `condition` holds.
    #[must_use]
    pub fn with(self, other: BodyFlags, condition: bool) -> BodyFlags {
        if condition { BodyFlags(self.0 | other.0) } else { self }
    }
}

/// Which part of a user-agent value a name is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameKind {
    /// The value cut at the first octet outside `[A-Za-z_-]`.
    Token,
    /// The value up to a `/` or `(`.
    Whole,
}

/// A group of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroupId(pub(super) u32);

/// Where a group stands among its program's octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupPlace {
    at: u32,
    /// All but the texts of its rules.
    len: u32,
    /// Where the program's texts begin.
    texts: u32,
}

/// A group's rules, ready to be matched.
#[derive(Clone, Copy, Debug)]
pub enum GroupProgram<'p> {
    /// Rules of its own: of those that match, the one of best rank decides.
    Rules(RuleSet<'p>),
    /// Several groups that apply together; the best of their answers decides.
    Compound(Compound<'p>),
}

impl<'p> GroupProgram<'p> {
    /// Its rules, the one of best rank first: that is how they decide.
    #[must_use]
    pub fn rules(&self) -> Vec<super::RuleProgram<'p>> {
        let sets: Vec<RuleSet<'p>> = match self {
            GroupProgram::Rules(rules) => vec![*rules],
            GroupProgram::Compound(parts) => parts.parts().collect(),
        };
        let of_set = |set: RuleSet<'p>| (0..set.len()).filter_map(move |at| set.rule(at));
        let mut rules: Vec<super::RuleProgram<'p>> = sets.into_iter().flat_map(of_set).collect();
        rules.sort_by_key(super::RuleProgram::rank);
        rules
    }

    /// Number of rules that can match.
    #[must_use]
    pub fn num_rules(&self) -> usize {
        match self {
            GroupProgram::Rules(rules) => rules.len(),
            GroupProgram::Compound(parts) => parts.parts().map(|part| part.len()).sum(),
        }
    }
}

/// Groups that apply together.
#[derive(Clone, Copy, Debug)]
pub struct Compound<'p> {
    groups: &'p [[u8; 4]],
    program: ProgramRef<'p>,
}

impl<'p> Compound<'p> {
    /// The groups, each by itself.
    pub fn parts(&self) -> impl Iterator<Item = RuleSet<'p>> + use<'p> {
        let program = self.program;
        self.groups.iter().filter_map(move |group| {
            match program.group(GroupId(u32::from_le_bytes(*group))) {
                GroupProgram::Rules(rules) => Some(rules),
                GroupProgram::Compound(_) => None,
            }
        })
    }
}

impl<'p> ProgramRef<'p> {
    /// A program of the octets that [`ProgramRef::octets`] gave; `None` where they do not begin as a whole
    /// program does. Damage further in shows in answers and in their cost, and in nothing worse.
    #[must_use]
    #[inline]
    pub fn from_octets(octets: &'p [u8]) -> Option<Self> {
        let program = ProgramRef { octets };
        let is_whole = program.word(0) == layout::MAGIC
            && program.word(layout::TOTAL_LEN_AT) == super::narrow(octets.len());
        is_whole.then_some(program)
    }

    /// Of octets that were just written.
    pub(super) fn of_written(octets: &'p [u8]) -> Self {
        ProgramRef { octets }
    }

    /// The program's octets.
    #[must_use]
    pub fn octets(&self) -> &'p [u8] {
        self.octets
    }

    /// What is worth knowing about the body.
    #[must_use]
    pub fn flags(&self) -> BodyFlags {
        BodyFlags(self.word(layout::FLAGS_AT))
    }

    /// Allow and disallow lines in groups, empty ones too.
    #[must_use]
    pub fn num_rules(&self) -> u32 {
        self.word(layout::NUM_RULES_AT)
    }

    /// The group for everyone that no other group names.
    #[must_use]
    pub fn wildcard(&self) -> Option<GroupId> {
        self.word(layout::WILDCARD_AT).checked_sub(1).map(GroupId)
    }

    /// The group that names `text` (any case).
    ///
    /// # Complexity
    /// Logarithmic in the number of names, and one comparison of the name.
    #[must_use]
    pub fn find(&self, kind: NameKind, text: &[u8]) -> Option<GroupId> {
        // Agents' names are in lower case already: nothing is copied for them.
        let lower = match text.iter().any(u8::is_ascii_uppercase) {
            true => Cow::Owned(text.to_ascii_lowercase()),
            false => Cow::Borrowed(text),
        };
        let wanted = (layout::name_hash(kind, &lower), kind, &*lower);
        let names = self.records::<{ layout::NAME_LEN }>(
            self.word(layout::NAMES_AT),
            self.word(layout::NUM_NAMES_AT),
        );
        let found = names.binary_search_by(|name| self.name_key(name).cmp(&wanted)).ok()?;
        Some(GroupId(word_of(&names[found], 12) & !layout::WHOLE_NAME))
    }

    /// All names with their groups, in no order that matters.
    pub fn names(&self) -> impl Iterator<Item = (NameKind, &'p [u8], GroupId)> + use<'p> {
        let program = *self;
        let names = self.records::<{ layout::NAME_LEN }>(
            self.word(layout::NAMES_AT),
            self.word(layout::NUM_NAMES_AT),
        );
        names.iter().map(move |name| {
            let (_, kind, text) = program.name_key(name);
            (kind, text, GroupId(word_of(name, 12) & !layout::WHOLE_NAME))
        })
    }

    /// What names are sorted by.
    fn name_key(&self, name: &[u8]) -> (u32, NameKind, &'p [u8]) {
        let whole = word_of(name, 12) & layout::WHOLE_NAME != 0;
        let kind = if whole { NameKind::Whole } else { NameKind::Token };
        (word_of(name, 0), kind, self.text(word_of(name, 4), word_of(name, 8)))
    }

    /// The rules of `group`.
    #[must_use]
    pub fn group(&self, group: GroupId) -> GroupProgram<'p> {
        self.read_group(self.group_at(group), self.word(layout::TEXTS_AT)).0
    }

    /// Where `group` stands.
    #[must_use]
    pub fn place(&self, group: GroupId) -> GroupPlace {
        let (at, texts) = (self.group_at(group), self.word(layout::TEXTS_AT));
        let end = self.read_group(at, texts).1;
        GroupPlace { at: super::narrow(at), len: super::narrow(end.saturating_sub(at)), texts }
    }

    /// The rules of the group that stands there: what is read lies together, which by the group's
    /// number it does not.
    #[must_use]
    #[inline]
    pub fn group_in(&self, place: GroupPlace) -> GroupProgram<'p> {
        self.read_group(widen(place.at), place.texts).0
    }

    /// The octets of a group, at most `max`: with all that follows it in the program where that is
    /// not more, else without the texts of its rules.
    #[must_use]
    #[inline]
    pub fn octets_in(&self, place: GroupPlace, max: usize) -> &'p [u8] {
        let to_end = self.tail(widen(place.at));
        match to_end.get(..max) {
            None => to_end,
            Some(first) => first.get(..widen(place.len)).unwrap_or(first),
        }
    }

    /// The group that stands at `at`, and where it ends.
    #[inline]
    fn read_group(&self, at: usize, texts: u32) -> (GroupProgram<'p>, usize) {
        // No group has more entries than the program has words, whatever a damaged one claims.
        let count = self.word(at.saturating_add(4)).min(super::narrow(self.octets.len() / 4));
        let body = super::narrow(at + layout::GROUP_HEADER_LEN);
        if self.word(at) == layout::FORM_COMPOUND {
            let groups = self.records(body, count);
            let end = widen(body).saturating_add(groups.len() * 4);
            return (GroupProgram::Compound(Compound { groups, program: *self }), end);
        }
        let count = count.min(super::narrow(self.octets.len() / layout::RULE_LEN));
        let num_wildcards = widen(self.word(at + 12).min(count));
        let form = self.word(at);
        let (literals, at) = match form & !layout::FORM_INDEXED {
            layout::FORM_TRIE => self.trie(widen(body), texts),
            _ => self.scan(widen(body), widen(count) - num_wildcards),
        };
        let is_indexed = form & layout::FORM_INDEXED != 0;
        let index_len = if is_indexed { GramIndex::len_of(num_wildcards) } else { 0 };
        let rules = at.saturating_add(layout::index_at(num_wildcards)).saturating_add(index_len);
        let end = rules.saturating_add(widen(count).saturating_mul(layout::RULE_LEN));
        let rules = RuleSet {
            literals,
            wildcards: Wildcards { octets: self.tail(at), count: num_wildcards, is_indexed },
            records: Records {
                rules: self.records(super::narrow(rules), count),
                texts: self.tail(widen(texts)),
            },
        };
        (GroupProgram::Rules(rules), end)
    }

    /// Literal rules in the scan form, and where they end.
    fn scan(&self, at: usize, count: usize) -> (Literals<'p>, usize) {
        let words = Words { octets: self.tail(at), count };
        (Literals::Scan(words), at.saturating_add(count.saturating_mul(layout::WORD_LEN)))
    }

    /// Literal rules in the trie form, and where they end.
    fn trie(&self, at: usize, texts: u32) -> (Literals<'p>, usize) {
        let (num_leaves, root) = (self.word(at), self.word(at.saturating_add(4)));
        let num_nodes = num_leaves.saturating_sub(1);
        let nodes = at.saturating_add(layout::TRIE_HEADER_LEN);
        let leaves = nodes.saturating_add(widen(num_nodes).saturating_mul(layout::NODE_LEN));
        let trie = Trie {
            root,
            nodes: self.records(super::narrow(nodes), num_nodes),
            leaves: self.records(super::narrow(leaves), num_leaves),
            texts: self.tail(widen(texts)),
        };
        let end = leaves.saturating_add(widen(num_leaves).saturating_mul(layout::LEAF_LEN));
        (Literals::Trie(trie), end)
    }

    /// The first line with an empty pattern, an allow line before a disallow line; 0 where there is
    /// none. Such a rule matches nothing, yet Google's matcher reports its line when no other does.
    #[must_use]
    pub fn empty_rule_line(&self, group: GroupId) -> u32 {
        self.word(self.group_at(group) + 8)
    }

    fn group_at(&self, group: GroupId) -> usize {
        let entry = widen(group.0).saturating_mul(4).saturating_add(widen(self.groups_at()));
        widen(self.word(entry))
    }

    fn groups_at(&self) -> u32 {
        self.word(layout::GROUPS_AT)
    }

    fn word(&self, at: usize) -> u32 {
        self.octets
            .get(at..)
            .and_then(|tail| tail.first_chunk::<4>())
            .map_or(0, |word| u32::from_le_bytes(*word))
    }

    fn tail(&self, at: usize) -> &'p [u8] {
        self.octets.get(at..).unwrap_or_default()
    }

    fn text(&self, at: u32, len: u32) -> &'p [u8] {
        self.slice(self.word(layout::TEXTS_AT).saturating_add(at), len)
    }

    fn slice(&self, at: u32, len: u32) -> &'p [u8] {
        let at = widen(at);
        self.octets.get(at..at.saturating_add(widen(len))).unwrap_or_default()
    }

    fn records<const N: usize>(&self, at: u32, count: u32) -> &'p [[u8; N]] {
        self.slice(at, count.saturating_mul(super::narrow(N))).as_chunks::<N>().0
    }
}

#[inline]
pub(super) fn word_of(record: &[u8], at: usize) -> u32 {
    record
        .get(at..)
        .and_then(|tail| tail.first_chunk::<4>())
        .map_or(0, |word| u32::from_le_bytes(*word))
}
