//! Reading a [`Program`]: names, groups and rules straight from its octets.
//!
//! Every read is bounds-checked and answers with "nothing there" beyond the end, so that no octets
//! whatever make a panic. Finding a name is a binary search over hashes, all else is constant.

use super::grams::Grams;
use super::ids::widen;
use super::layout;
use crate::parse::Kind;

/// The compiled rules of one body: position-independent octets, the same in memory and on disk.
///
/// # Examples
/// ```
/// use robosift::compile::{BodyLimit, NameKind, compile};
/// use robosift::parse::Dialect;
/// let program = compile(b"User-agent: *\nDisallow: /x\n", &Dialect::RFC9309, BodyLimit::DEFAULT);
/// assert!(program.wildcard().is_some());
/// assert!(program.find(NameKind::Token, b"examplebot").is_none());
/// assert_eq!(program.memory_usage(), 102);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    octets: Box<[u8]>,
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

/// A group's rules, ready to be matched.
#[derive(Clone, Copy, Debug)]
pub enum GroupProgram<'p> {
    /// Rules in order of rank: the first that matches decides.
    Scan(Scan<'p>),
    /// Several groups that apply together; the best of their answers decides.
    Compound(Compound<'p>),
}

/// A word or a mask.
type Word = [u8; layout::WORD_LEN];

/// Rules in order of rank: more octets first, allow before disallow, earlier line before later.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'p> {
    /// The first octets after `/` that each rule asks for.
    words: &'p [Word],
    /// Which octets of the words count.
    masks: &'p [Word],
    /// What wildcard rules need a path to hold.
    grams: &'p [[u8; layout::WORD_LEN]],
    num_wildcards: u32,
    rules: &'p [[u8; layout::RULE_LEN]],
    texts: &'p [u8],
}

/// Groups that apply together.
#[derive(Clone, Copy, Debug)]
pub struct Compound<'p> {
    groups: &'p [[u8; 4]],
    program: &'p Program,
}

impl<'p> Compound<'p> {
    /// The groups, each by itself.
    pub fn parts(&self) -> impl Iterator<Item = Scan<'p>> + use<'p> {
        let program = self.program;
        self.groups.iter().filter_map(move |group| {
            match program.group(GroupId(u32::from_le_bytes(*group))) {
                GroupProgram::Scan(scan) => Some(scan),
                GroupProgram::Compound(_) => None,
            }
        })
    }
}

/// One rule of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuleProgram<'p> {
    /// The normalised pattern, its `$` included.
    pub pattern: &'p [u8],
    /// The line it stands on.
    pub line: u32,
    /// Allow or disallow.
    pub kind: Kind,
    /// The pattern's last octet is the anchor.
    pub anchored: bool,
    /// The pattern holds a wildcard.
    pub wildcard: bool,
}

impl Program {
    pub(super) fn new(octets: Vec<u8>) -> Self {
        Program { octets: octets.into_boxed_slice() }
    }

    /// The program's octets.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// Heap octets held.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        self.octets.len()
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
        let lower = text.to_ascii_lowercase();
        let wanted = (layout::name_hash(kind, &lower), kind, lower.as_slice());
        let names = self.records::<{ layout::NAME_LEN }>(
            self.word(layout::NAMES_AT),
            self.word(layout::NUM_NAMES_AT),
        );
        let found = names.binary_search_by(|name| self.name_key(name).cmp(&wanted)).ok()?;
        Some(GroupId(word_of(&names[found], 12) & !layout::WHOLE_NAME))
    }

    /// What names are sorted by.
    fn name_key(&self, name: &[u8]) -> (u32, NameKind, &[u8]) {
        let whole = word_of(name, 12) & layout::WHOLE_NAME != 0;
        let kind = if whole { NameKind::Whole } else { NameKind::Token };
        (word_of(name, 0), kind, self.text(word_of(name, 4), word_of(name, 8)))
    }

    /// The rules of `group`.
    #[must_use]
    pub fn group(&self, group: GroupId) -> GroupProgram<'_> {
        let at = self.group_at(group);
        let count = self.word(at + 4);
        let body = super::narrow(at + layout::GROUP_HEADER_LEN);
        if self.word(at) == layout::FORM_COMPOUND {
            return GroupProgram::Compound(Compound {
                groups: self.records(body, count),
                program: self,
            });
        }
        let masks = body.saturating_add(count.saturating_mul(8));
        let grams = masks.saturating_add(count.saturating_mul(8));
        let rules = grams.saturating_add(count.saturating_mul(8));
        GroupProgram::Scan(Scan {
            words: self.records(body, count),
            masks: self.records(masks, count),
            grams: self.records(grams, count),
            num_wildcards: self.word(at + 12),
            rules: self.records(rules, count),
            texts: self.octets.get(widen(self.word(layout::TEXTS_AT))..).unwrap_or_default(),
        })
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

    fn text(&self, at: u32, len: u32) -> &[u8] {
        self.slice(self.word(layout::TEXTS_AT).saturating_add(at), len)
    }

    fn slice(&self, at: u32, len: u32) -> &[u8] {
        let at = widen(at);
        self.octets.get(at..at.saturating_add(widen(len))).unwrap_or_default()
    }

    fn records<const N: usize>(&self, at: u32, count: u32) -> &[[u8; N]] {
        self.slice(at, count.saturating_mul(super::narrow(N))).as_chunks::<N>().0
    }
}

impl<'p> Scan<'p> {
    /// Number of rules that can match.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no rule that can match.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Rules with a wildcard.
    #[must_use]
    pub fn num_wildcards(&self) -> u32 {
        self.num_wildcards
    }

    /// The ranks of the rules whose first octets agree with `path`, best first.
    ///
    /// # Complexity
    /// Eight rules at a time, some two nanoseconds each eight.
    #[inline]
    pub fn candidates(&self, path: &[u8]) -> Candidates<'p> {
        Candidates {
            word: layout::first_word(path.get(1..).unwrap_or_default()),
            words: self.words,
            masks: self.masks,
            base: 0,
            hits: 0,
        }
    }

    /// What the wildcard rule at `rank` needs a path to hold.
    #[inline]
    pub(crate) fn grams(&self, rank: usize) -> Grams {
        self.grams.get(rank).map_or(Grams::MAX, |grams| Grams::from_le_bytes(*grams))
    }

    /// The rule at `rank`.
    #[must_use]
    #[inline]
    pub fn rule(&self, rank: usize) -> Option<RuleProgram<'p>> {
        let record = self.rules.get(rank)?;
        let flags = word_of(record, 12);
        let at = widen(word_of(record, 0));
        let len = widen(word_of(record, 4));
        Some(RuleProgram {
            pattern: self.texts.get(at..at.saturating_add(len)).unwrap_or_default(),
            line: word_of(record, 8),
            kind: if flags & layout::RULE_ALLOW != 0 { Kind::Allow } else { Kind::Disallow },
            anchored: flags & layout::RULE_ANCHORED != 0,
            wildcard: flags & layout::RULE_WILDCARD != 0,
        })
    }
}

/// Iterator over candidates: rules whose first octets agree with a path.
#[derive(Clone, Debug)]
pub struct Candidates<'p> {
    word: u64,
    words: &'p [Word],
    masks: &'p [Word],
    /// Rank after the last of the rules that `hits` is about.
    base: usize,
    /// One bit for each rule looked at and not handed out yet.
    hits: u32,
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.hits == 0 {
            let lanes = (self.words.first_chunk(), self.masks.first_chunk());
            let len = match lanes {
                (Some(words), Some(masks)) => {
                    self.hits = agreeing::<{ layout::LANES }>(self.word, words, masks);
                    layout::LANES
                }
                _ if self.words.is_empty() => return None,
                _ => {
                    self.hits = agreeing_few(self.word, self.words, self.masks);
                    self.words.len()
                }
            };
            self.words = self.words.get(len..).unwrap_or_default();
            self.masks = self.masks.get(len..).unwrap_or_default();
            self.base += layout::LANES;
        }
        let first = self.hits.trailing_zeros();
        self.hits &= self.hits - 1;
        Some(self.base - layout::LANES + widen(first))
    }
}

/// Which of `N` rules agree with the path's first octets, one bit each.
#[inline]
fn agreeing<const N: usize>(word: u64, words: &[Word; N], masks: &[Word; N]) -> u32 {
    let mut hits = 0;
    for lane in 0..N {
        hits |= u32::from(agrees(word, &words[lane], &masks[lane])) << lane;
    }
    hits
}

/// As [`agreeing`], of the last few rules of a group.
#[inline]
fn agreeing_few(word: u64, words: &[Word], masks: &[Word]) -> u32 {
    let pairs = words.iter().zip(masks).enumerate();
    pairs.fold(0, |hits, (lane, (wanted, mask))| {
        hits | u32::from(agrees(word, wanted, mask)) << lane
    })
}

#[inline]
fn agrees(word: u64, wanted: &Word, mask: &Word) -> bool {
    (word ^ u64::from_le_bytes(*wanted)) & u64::from_le_bytes(*mask) == 0
}

/// Octets of a pattern that begins with `/` which the comparison of words covers.
pub(crate) const COMPARED_OCTETS: usize = 1 + layout::WORD_LEN;

impl RuleProgram<'_> {
    /// Octets of the normalised pattern, `*` and `$` counted (RFC 9309 section 2.2.2).
    #[must_use]
    pub fn specificity(&self) -> u32 {
        super::narrow(self.pattern.len())
    }
}

#[inline]
fn word_of(record: &[u8], at: usize) -> u32 {
    record
        .get(at..)
        .and_then(|tail| tail.first_chunk::<4>())
        .map_or(0, |word| u32::from_le_bytes(*word))
}
