//! Which groups of the body each name stands over.
//!
//! Names are compared in lower case; groups that name the same agent are merged (RFC 9309 section
//! 2.2.1). Linear in the user-agent lines.

use std::collections::HashMap;

use foldhash::fast::RandomState;

use super::NameKind;
use super::ids::narrow;
use crate::parse::{Dialect, Robots, UserAgentLine};

/// A name in lower case and where it is compared.
pub(super) type Name = (NameKind, Vec<u8>);

/// Groups of the body that a name stands over, in order.
pub(super) type Parts = Vec<u32>;

/// All names of a body.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names in order of appearance.
    pub(super) named: Vec<(Name, Parts)>,
    /// The groups of `*`.
    pub(super) wildcard: Parts,
}

/// Collects the names that `robots` has under `dialect`.
pub(super) fn collect(robots: &Robots<'_>, dialect: &Dialect) -> Names {
    let mut index: HashMap<Name, usize, RandomState> = HashMap::default();
    let mut names = Names::default();
    for (part, group) in robots.groups.iter().enumerate() {
        for line in robots.user_agents_of(group) {
            if line.is_wildcard() {
                push_part(&mut names.wildcard, narrow(part));
                continue;
            }
            for name in names_of(line, dialect) {
                let at = *index.entry(name.clone()).or_insert(names.named.len());
                if at == names.named.len() {
                    names.named.push((name, Parts::new()));
                }
                push_part(&mut names.named[at].1, narrow(part));
            }
        }
    }
    names
}

/// A user-agent line may name the same agent twice within one group.
fn push_part(parts: &mut Parts, part: u32) {
    if parts.last() != Some(&part) {
        parts.push(part);
    }
}

/// The token of a line and, where the dialect knows names with other octets, its whole name. An
/// empty token is kept: it is what google/robotstxt compares an empty agent with.
fn names_of(line: &UserAgentLine<'_>, dialect: &Dialect) -> impl Iterator<Item = Name> + use<> {
    let (token, whole) = (line.token(), line.whole_name());
    let token_name = (NameKind::Token, token.to_ascii_lowercase());
    let whole_name = (dialect.whole_names && whole.len() > token.len())
        .then(|| (NameKind::Whole, whole.to_ascii_lowercase()));
    std::iter::once(token_name).chain(whole_name)
}
