//! One question as the evaluator asks it, programs ready: split the URL, prepare its path, match.

use robosift::compile::{GroupProgram, NameKind, Program};
use robosift::matching::{Match, best_of, prepare};
use robosift::parse::{Dialect, PathStart};
use robosift::text::origin::{Prefix, split};
use robosift::text::path::{PathTraits, google_path_after, path_after_authority};

/// What stays between questions: the origin of the last one, and buffers.
#[derive(Default)]
pub(crate) struct Scratch {
    prefix: Prefix,
    path: Vec<u8>,
    normalised: Vec<u8>,
}

/// The group that applies to an agent given as a token.
pub(crate) fn group_of<'p>(program: &'p Program, agent: &str) -> Option<GroupProgram<'p>> {
    let group = program.find(NameKind::Token, agent.as_bytes()).or_else(|| program.wildcard());
    group.map(|group| program.group(group))
}

/// How many rules a group has; 0 for no group.
pub(crate) fn num_rules(group: Option<&GroupProgram<'_>>) -> usize {
    group.map_or(0, GroupProgram::num_rules)
}

/// The rule that decides about `url`, if any.
#[inline]
pub(crate) fn decide<'p>(
    group: Option<&GroupProgram<'p>>,
    url: &[u8],
    dialect: &Dialect,
    scratch: &mut Scratch,
) -> Option<Match<'p>> {
    let path = path_of(url, dialect, scratch)?;
    group.and_then(|group| best_of(group, path, &mut ()))
}

/// The path of `url` as rules are compared with it; `None` where no rule is asked.
#[inline]
pub(crate) fn path_of<'s>(
    url: &'s [u8],
    dialect: &Dialect,
    scratch: &'s mut Scratch,
) -> Option<&'s [u8]> {
    let rest = match scratch.prefix.rest_of(url) {
        Some(rest) => rest,
        None => {
            let parts = split(url)?;
            scratch.prefix.set(url, parts.rest);
            parts.rest
        }
    };
    let traits = PathTraits::of(rest);
    let path = match dialect.path_start {
        PathStart::AfterAuthority => path_after_authority(rest, traits),
        PathStart::FirstSlashQuestionOrSemicolon => google_path_after(url, rest, traits),
    };
    let path = path.octets(&mut scratch.path);
    if dialect.robots_txt_allowed && path == b"/robots.txt" {
        return None;
    }
    Some(prepare(path, traits, dialect, &mut scratch.normalised))
}
