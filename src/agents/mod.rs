//! Agents: what was asked for, as names to look up in a body's groups.
//!
//! Enters: the text of an agent as a person or a column gives it, any octets: a product token
//! (`GPTBot`), a name with other octets (`archive.org_bot`), or an identification string
//! (`Mozilla/5.0 (compatible; GPTBot/1.2; +https://…)`). Leaves: an [`Agent`], at most
//! [`MAX_NAMES`] names in order of standing; the first that a body names wins, then `*`. On request
//! the names that the [`registry`] has for its crawler's own lookup order stand between.
//!
//! Cost: linear in the octets of the text, once per distinct agent; nothing here runs per row.
//!
//! Must not know: bodies, groups, columns, or what a dialect is. A caller turns its dialect flags
//! into [`NameRules`].

pub mod browser_words;
mod fallback;
mod identification;
pub mod registry;

use std::borrow::Cow;

/// Most names kept of one identification string. Real ones hold one to three; the cap bounds what
/// a hostile column can make every later lookup cost.
pub const MAX_NAMES: usize = 16;

/// Rules for reading an agent's name that a dialect sets; built by the caller from its flags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NameRules {
    /// Cut a version from a given token: `ExampleBot/1.0` asks for `ExampleBot` (rfc9309).
    pub cut_version: bool,
    /// Names with octets outside `[A-Za-z_-]` can be named by a body (rfc9309) or never (google).
    pub whole_names: bool,
}

/// How an agent given as text is to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AgentKind {
    /// A product token or a name with other octets.
    Token,
    /// An identification string, the value of a `User-Agent` header.
    Header,
    /// A header where the text holds a parenthesis, or a blank and a slash; else a token.
    #[default]
    Auto,
}

impl AgentKind {
    /// The word on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            AgentKind::Token => "token",
            AgentKind::Header => "header",
            AgentKind::Auto => "auto",
        }
    }
}

/// One name to look up in a body's groups.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum AgentName {
    /// `*`: asks for the wildcard group only.
    Wildcard,
    /// Lower case, octets `[a-z_-]` only: compared with the cut value of user-agent lines.
    Token(Box<[u8]>),
    /// Lower case, holds other octets: compared with the whole value up to `/` or `(` (rfc9309);
    /// in google no user-agent line can hold it.
    Whole(Box<[u8]>),
}

impl AgentName {
    /// Classes a name that is already trimmed; `None` when it is empty. ASCII case is folded,
    /// octets above 0x7F stay as they are.
    fn of(name: &[u8]) -> Option<Self> {
        if name.is_empty() {
            return None;
        }
        let lower = name.to_ascii_lowercase().into_boxed_slice();
        let is_token = lower.iter().all(|o| matches!(o, b'a'..=b'z' | b'_' | b'-'));
        Some(if is_token { Self::Token(lower) } else { Self::Whole(lower) })
    }

    /// The name's octets, `*` for the wildcard.
    pub fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Wildcard => b"*",
            Self::Token(name) | Self::Whole(name) => name,
        }
    }
}

/// What was asked for: names in order of standing; the first that a body names wins, then `*`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agent {
    text: Box<[u8]>,
    names: Box<[AgentName]>,
    /// Names of other agents, looked for behind its own.
    fallback: Box<[AgentName]>,
    ignores_wildcard: bool,
    whole_names: bool,
}

impl Agent {
    /// Reads an agent; `None` is the basis `bad_agent`: nothing but blanks, or nothing left once a
    /// version is cut.
    ///
    /// An identification string without any product name (a plain browser) is not a bad agent: it
    /// has no names, so only `*` can apply.
    ///
    /// Source: RFC 9309 section 2.2.1 (product tokens); RFC 9110 section
    /// 10.1.5 (`User-Agent`). Time linear in `text`, memory one copy of it.
    pub fn parse(text: &[u8], kind: AgentKind, rules: NameRules) -> Option<Self> {
        let trimmed = trim_blanks(text);
        if trimmed.is_empty() {
            return None;
        }
        let is_header = match kind {
            AgentKind::Token => false,
            AgentKind::Header => true,
            AgentKind::Auto => looks_like_identification(trimmed),
        };
        // Where versions are not cut, a token is compared as it is given, blanks and all.
        let token = if rules.cut_version { trimmed } else { text };
        let names = if is_header {
            identification::read_names(trimmed)
        } else {
            vec![read_token(token, rules)?]
        };
        Some(Self {
            text: text.into(),
            names: names.into(),
            fallback: Box::default(),
            ignores_wildcard: false,
            whole_names: rules.whole_names,
        })
    }

    /// Names in order of standing, without duplicates, at most [`MAX_NAMES`]; empty for an
    /// identification string that names no product.
    pub fn names(&self) -> &[AgentName] {
        &self.names
    }

    /// The text as given, for output; octets that are not UTF-8 become U+FFFD.
    pub fn label(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.text)
    }

    /// The suffix for column names: the first name (without any name the text, trimmed), lower
    /// case, every octet outside `[a-z0-9]` as `_`. Different agents may fold to one suffix: the
    /// caller must refuse that.
    pub fn suffix(&self) -> String {
        let name = self.names.first().map_or(trim_blanks(&self.text), AgentName::as_bytes);
        let fold = |octet: &u8| match octet.to_ascii_lowercase() {
            kept @ (b'a'..=b'z' | b'0'..=b'9') => char::from(kept),
            _ => '_',
        };
        name.iter().map(fold).collect()
    }

    /// True when a name has octets that no user-agent line can hold under the rules given
    /// (dialect google): worth one warning for each agent.
    pub fn has_unnameable_name(&self) -> bool {
        !self.whole_names && self.names.iter().any(|name| matches!(name, AgentName::Whole(_)))
    }
}

/// Reads a product token or a name with other octets; `text` is not empty.
fn read_token(text: &[u8], rules: NameRules) -> Option<AgentName> {
    let mut name = text;
    if rules.cut_version {
        name = before(name, |octet| octet == b'/');
    }
    if rules.whole_names {
        name = before(name, |octet| octet == b'(');
    }
    match if rules.cut_version { trim_blanks(name) } else { name } {
        b"*" => Some(AgentName::Wildcard),
        name => AgentName::of(name),
    }
}

/// Whether kind `auto` reads a trimmed text as an identification string.
fn looks_like_identification(text: &[u8]) -> bool {
    let holds = |wanted: fn(u8) -> bool| text.iter().any(|&octet| wanted(octet));
    holds(|octet| matches!(octet, b'(' | b')')) || (holds(is_blank) && holds(|o| o == b'/'))
}

/// The octets before the first that satisfies `ends`, all of them where none does.
fn before(text: &[u8], ends: impl Fn(u8) -> bool) -> &[u8] {
    text.split(|&octet| ends(octet)).next().unwrap_or_default()
}

/// Blank, tab, line ends, VT and FF, which the parser trims around values as well.
fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t'..=b'\r')
}

/// Cuts from both ends the octets that satisfy `unwanted`.
fn trim(mut text: &[u8], unwanted: impl Fn(u8) -> bool) -> &[u8] {
    while let Some((&octet, rest)) = text.split_first()
        && unwanted(octet)
    {
        text = rest;
    }
    while let Some((&octet, rest)) = text.split_last()
        && unwanted(octet)
    {
        text = rest;
    }
    text
}

/// Cuts blanks from both ends.
fn trim_blanks(text: &[u8]) -> &[u8] {
    trim(text, is_blank)
}
