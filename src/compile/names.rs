//! Which groups of the body each name stands over.
//!
//! Names are compared in lower case; groups that name the same agent are merged (RFC 9309 section
//! 2.2.1). Sorted once; nothing is allocated for a name.

use std::cmp::Ordering;

use super::ids::{narrow, widen};
use super::layout::name_hash;
use super::{NameKind, Wanted};
use crate::parse::{Dialect, Robots, UserAgentLine};
use crate::text::room::{emptied, empty};

/// A name and the groups of the body that it stands over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'b> {
    pub(super) hash: u32,
    pub(super) kind: NameKind,
    /// As the first line that gives it writes it.
    pub(super) text: &'b [u8],
    /// Where its groups begin and end in [`Names::parts`].
    parts: (usize, usize),
}

/// All names of a body, in the order in which programs keep them.
#[derive(Debug, Default)]
pub(super) struct Names<'b> {
    pub(super) names: Vec<Name<'b>>,
    /// Groups of the names, in order, without repetition within a name.
    parts: Vec<u32>,
    /// The groups of `*`.
    pub(super) wildcard: Vec<u32>,
    claims: Vec<Claim<'b>>,
}

impl<'b> Names<'b> {
    /// No names, in the memory of those of an earlier body.
    pub(super) fn emptied<'n>(self) -> Names<'n> {
        Names {
            names: emptied(self.names),
            parts: emptied(self.parts),
            wildcard: emptied(self.wildcard),
            claims: emptied(self.claims),
        }
    }

    /// The groups that `name` stands over, in the order of the body.
    pub(super) fn parts_of(&self, name: &Name<'b>) -> &[u32] {
        self.parts.get(name.parts.0..name.parts.1).unwrap_or_default()
    }

    /// Marks the groups of the body that any name or `*` stands over.
    pub(super) fn mark_parts_in_use(&self, in_use: &mut [bool]) {
        for part in self.parts.iter().chain(&self.wildcard) {
            if let Some(in_use) = in_use.get_mut(widen(*part)) {
                *in_use = true;
            }
        }
    }

    /// Collects the wanted names that `robots` has under `dialect`, and `*`.
    pub(super) fn collect(&mut self, robots: &Robots<'b>, dialect: &Dialect, wanted: &Wanted) {
        if *wanted == Wanted::All {
            self.claims.reserve_exact(robots.user_agents.len());
        }
        for (part, group) in robots.groups.iter().enumerate() {
            let part = narrow(part);
            for line in robots.user_agents_of(group) {
                if line.is_wildcard() {
                    push_part(&mut self.wildcard, 0, part);
                } else if wanted.may_begin(line.value) {
                    let claims = claims_of(line, part, dialect);
                    self.claims.extend(claims.filter(|c| wanted.has(c.hash, c.kind, c.text)));
                }
            }
        }
        self.claims.sort_unstable_by(Claim::order);
        self.unite_claims();
    }

    /// Makes one name of all neighbouring claims of the same.
    fn unite_claims(&mut self) {
        for claims in self.claims.chunk_by(Claim::same_name) {
            let Some(first) = claims.first() else { continue };
            let from = self.parts.len();
            claims.iter().for_each(|claim| push_part(&mut self.parts, from, claim.part));
            let parts = (from, self.parts.len());
            self.names.push(Name { hash: first.hash, kind: first.kind, text: first.text, parts });
        }
        empty(&mut self.claims);
    }
}

/// One user-agent line's claim of a group.
#[derive(Clone, Copy, Debug)]
struct Claim<'b> {
    hash: u32,
    kind: NameKind,
    text: &'b [u8],
    part: u32,
}

impl Claim<'_> {
    fn same_name(&self, other: &Self) -> bool {
        (self.hash, self.kind) == (other.hash, other.kind)
            && self.text.eq_ignore_ascii_case(other.text)
    }

    fn order(&self, other: &Self) -> Ordering {
        let by_text = || lower(self.text).cmp(lower(other.text));
        (self.hash, self.kind)
            .cmp(&(other.hash, other.kind))
            .then_with(by_text)
            .then(self.part.cmp(&other.part))
    }
}

fn lower(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().map(u8::to_ascii_lowercase)
}

/// Adds `part` unless the last one since `from` is the same: a line may name an agent twice within
/// one group.
fn push_part(parts: &mut Vec<u32>, from: usize, part: u32) {
    if parts.get(from..).and_then(<[u32]>::last) != Some(&part) {
        parts.push(part);
    }
}

/// The token of a line and, where the dialect knows names with other octets, its whole name. An
/// empty token is kept: it is what google/robotstxt compares an empty agent with.
fn claims_of<'b>(
    line: &UserAgentLine<'b>,
    part: u32,
    dialect: &Dialect,
) -> impl Iterator<Item = Claim<'b>> + use<'b> {
    let claim = move |kind, text| Claim { hash: name_hash(kind, text), kind, text, part };
    let token = line.token();
    let whole = if dialect.whole_names { line.whole_name() } else { token };
    let whole = (whole.len() > token.len()).then(|| claim(NameKind::Whole, whole));
    std::iter::once(claim(NameKind::Token, token)).chain(whole)
}
