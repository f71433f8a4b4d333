//! Fields → groups: which rules stand under which user-agent lines.

use super::field::trim;
use super::read::read;
use super::{Dialect, Field, Key};
use crate::text::room::emptied;

/// A body's content in the order of its lines, borrowed from it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Robots<'b> {
    /// The user-agent lines of all groups, group after group.
    pub user_agents: Vec<UserAgentLine<'b>>,
    /// The rules of all groups, group after group.
    pub rules: Vec<Rule<'b>>,
    /// The groups, each a range of the two lists.
    pub groups: Vec<Group>,
    /// All other records.
    pub records: Vec<Record<'b>>,
    /// Rules before the first user-agent line: they belong to no group and count for nothing.
    pub stray_rules: u32,
    /// Lines longer than [`LONG_LINE`](super::LONG_LINE), whether the dialect cuts them or not.
    pub long_lines: u32,
    /// Nothing but line ends, TABs, printable ASCII and DEL stands in the body.
    pub is_plain_text: bool,
}

/// A user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UserAgentLine<'b> {
    /// Its line number.
    pub line: u32,
    /// The value as written.
    pub value: &'b [u8],
}

impl<'b> UserAgentLine<'b> {
    /// `*` alone, or `*` and a blank and anything: the group for everyone else.
    #[must_use]
    pub fn is_wildcard(&self) -> bool {
        matches!(self.value, [b'*'] | [b'*', b' ' | b'\t'..=b'\r', ..])
    }

    /// The value cut at the first octet that no product token has (RFC 9309 section 2.2.1).
    #[must_use]
    pub fn token(&self) -> &'b [u8] {
        let is_token_octet = |o: &u8| o.is_ascii_alphabetic() || matches!(o, b'_' | b'-');
        let end = self.value.iter().position(|o| !is_token_octet(o)).unwrap_or(self.value.len());
        &self.value[..end]
    }

    /// The value up to a `/` or `(`, without blanks at its end: how names with other octets are
    /// known.
    #[must_use]
    pub fn whole_name(&self) -> &'b [u8] {
        let end = memchr::memchr2(b'/', b'(', self.value).unwrap_or(self.value.len());
        trim(&self.value[..end])
    }
}

/// Which way a rule goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `Disallow:`
    Disallow,
    /// `Allow:`
    Allow,
}

/// An allow or disallow line inside a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule<'b> {
    /// Its line number.
    pub line: u32,
    /// Allow or disallow.
    pub kind: Kind,
    /// The path pattern as written; may be empty.
    pub pattern: &'b [u8],
}

/// A stack of user-agent lines and the rules up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Where its user-agent lines begin and end in [`Robots::user_agents`].
    pub user_agents: (usize, usize),
    /// Where its rules begin and end in [`Robots::rules`]; may be an empty range.
    pub rules: (usize, usize),
}

/// A line that is neither a user-agent line nor a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'b> {
    /// Its line number.
    pub line: u32,
    /// The key as written.
    pub name: &'b [u8],
    /// The value as written.
    pub value: &'b [u8],
    /// Index of the group it stands in, if it stands in one.
    pub group: Option<usize>,
}

impl<'b> Robots<'b> {
    /// Nothing, in the memory of what an earlier body had.
    pub(crate) fn emptied<'n>(self) -> Robots<'n> {
        Robots {
            user_agents: emptied(self.user_agents),
            rules: emptied(self.rules),
            groups: emptied(self.groups),
            ..Robots::default()
        }
    }

    /// The user-agent lines of `group`.
    #[must_use]
    pub fn user_agents_of(&self, group: &Group) -> &[UserAgentLine<'b>] {
        self.user_agents.get(group.user_agents.0..group.user_agents.1).unwrap_or_default()
    }

    /// The rules of `group`.
    #[must_use]
    pub fn rules_of(&self, group: &Group) -> &[Rule<'b>] {
        self.rules.get(group.rules.0..group.rules.1).unwrap_or_default()
    }

    pub(super) fn add(&mut self, line: u32, field: &Field<'b>) {
        match field.key {
            Key::UserAgent => self.add_user_agent(UserAgentLine { line, value: field.value }),
            Key::Allow => self.add_rule(Rule { line, kind: Kind::Allow, pattern: field.value }),
            Key::Disallow => {
                self.add_rule(Rule { line, kind: Kind::Disallow, pattern: field.value });
            }
            Key::Other => self.records.push(Record {
                line,
                name: field.name,
                value: field.value,
                group: self.groups.len().checked_sub(1),
            }),
        }
    }

    /// A user-agent line joins the stack above it, unless a rule has closed that one.
    fn add_user_agent(&mut self, user_agent: UserAgentLine<'b>) {
        let num_rules = self.rules.len();
        let stack_is_open = self.groups.last().is_some_and(|g| g.rules.0 == num_rules);
        if !stack_is_open {
            self.close_group();
            self.groups.push(Group {
                user_agents: (self.user_agents.len(), self.user_agents.len()),
                rules: (num_rules, num_rules),
            });
        }
        self.user_agents.push(user_agent);
        if let Some(group) = self.groups.last_mut() {
            group.user_agents.1 = self.user_agents.len();
        }
    }

    /// A rule joins the last group, which does not know of it before it is closed.
    #[inline]
    pub(super) fn add_rule(&mut self, rule: Rule<'b>) {
        if self.groups.is_empty() {
            self.stray_rules = self.stray_rules.saturating_add(1);
        } else {
            self.rules.push(rule);
        }
    }

    /// Gives the last group the rules read since it began.
    pub(super) fn close_group(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.rules.1 = self.rules.len();
        }
    }
}

/// Parses a body.
///
/// # Complexity
/// Linear in the body, in time and space: an entry of 56 octets for each other record, which may
/// have as few as three.
///
/// # Examples
/// ```
/// use robosift::parse::{Dialect, parse};
/// let robots = parse(b"User-agent: a\nUser-agent: b\nDisallow: /x\n", &Dialect::RFC9309);
/// assert_eq!(robots.groups.len(), 1);
/// assert_eq!(robots.rules[0].line, 3);
/// ```
#[must_use]
pub fn parse<'b>(body: &'b [u8], dialect: &Dialect) -> Robots<'b> {
    read(body, dialect, true, Robots::default())
}

/// Parses a body and leaves out its other records, which no verdict needs.
///
/// # Complexity
/// As [`parse`].
#[must_use]
pub fn parse_groups<'b>(body: &'b [u8], dialect: &Dialect) -> Robots<'b> {
    parse_groups_in(Robots::default(), body, dialect)
}

/// As [`parse_groups`], in the room that an earlier body took.
#[must_use]
pub(crate) fn parse_groups_in<'b>(
    room: Robots<'_>,
    body: &'b [u8],
    dialect: &Dialect,
) -> Robots<'b> {
    read(body, dialect, false, room.emptied())
}
