//! robosift itself: whole URLs, split and matched, in both dialects; and paths, as some peers take them.

use robosift::compile::{BodyLimit, Program, compile};
use robosift::matching::{best_of, prepare};
use robosift::parse::{Dialect, Kind};
use robosift::text::path::PathTraits;

use crate::files::File;
use crate::matcher::{Scratch, decide, group_of};
use crate::measure::{Matcher, Reads};
use crate::w1::AGENTS;

/// The line of the Google dialect.
pub(crate) const GOOGLE: &str = "robosift, google";

/// RFC 9309 with the leniencies it permits, the default.
pub(crate) struct Rfc9309(Program);

/// As Google's matcher.
pub(crate) struct Google(Program);

/// The default dialect, given the path of each URL.
pub(crate) struct Paths(Program);

impl<'f> Matcher<'f> for Paths {
    const NAME: &'static str = "robosift, rfc9309, paths";
    const READS: Reads = Reads::Once;
    const TAKES_PATHS: bool = true;
    type Question = str;
    type Scratch = Vec<u8>;

    fn read(file: &File) -> Self {
        Paths(compile(&file.body, &Dialect::RFC9309, BodyLimit::NONE))
    }

    fn questions(file: &'f File) -> Vec<&'f str> {
        file.paths.iter().map(String::as_str).collect()
    }

    fn is_allowed(&self, agent: usize, path: &str, scratch: &mut Vec<u8>) -> bool {
        self.count_allowed(agent, &[path], scratch) == 1
    }

    fn count_allowed(&self, agent: usize, paths: &[&str], scratch: &mut Vec<u8>) -> usize {
        let group = group_of(&self.0, AGENTS[agent]);
        let is_allowed = |path: &&&str| {
            let path = path.as_bytes();
            let path = prepare(path, PathTraits::of(path), &Dialect::RFC9309, scratch);
            let rule = group.as_ref().and_then(|group| best_of(group, path, &mut ()));
            rule.is_none_or(|rule| rule.kind == Kind::Allow)
        };
        paths.iter().filter(is_allowed).count()
    }
}

impl<'f> Matcher<'f> for Rfc9309 {
    const NAME: &'static str = "robosift, rfc9309";
    const READS: Reads = Reads::Once;
    type Question = [u8];
    type Scratch = Scratch;

    fn read(file: &File) -> Self {
        Rfc9309(compile(&file.body, &Dialect::RFC9309, BodyLimit::NONE))
    }

    fn questions(file: &'f File) -> Vec<&'f [u8]> {
        file.urls.iter().map(Vec::as_slice).collect()
    }

    fn is_allowed(&self, agent: usize, url: &[u8], scratch: &mut Scratch) -> bool {
        count(&self.0, agent, &[url], &Dialect::RFC9309, scratch) == 1
    }

    fn count_allowed(&self, agent: usize, urls: &[&[u8]], scratch: &mut Scratch) -> usize {
        count(&self.0, agent, urls, &Dialect::RFC9309, scratch)
    }
}

impl<'f> Matcher<'f> for Google {
    const NAME: &'static str = GOOGLE;
    const READS: Reads = Reads::Once;
    type Question = [u8];
    type Scratch = Scratch;

    fn read(file: &File) -> Self {
        Google(compile(&file.body, &Dialect::GOOGLE, BodyLimit::NONE))
    }

    fn questions(file: &'f File) -> Vec<&'f [u8]> {
        file.urls.iter().map(Vec::as_slice).collect()
    }

    fn is_allowed(&self, agent: usize, url: &[u8], scratch: &mut Scratch) -> bool {
        count(&self.0, agent, &[url], &Dialect::GOOGLE, scratch) == 1
    }

    fn count_allowed(&self, agent: usize, urls: &[&[u8]], scratch: &mut Scratch) -> usize {
        count(&self.0, agent, urls, &Dialect::GOOGLE, scratch)
    }
}

/// Looks the agent's group up, as the evaluator does for each run of rows of one origin.
#[inline]
fn count(
    program: &Program,
    agent: usize,
    urls: &[&[u8]],
    dialect: &Dialect,
    scratch: &mut Scratch,
) -> usize {
    let group = group_of(program, AGENTS[agent]);
    let is_allowed = |url: &&&[u8]| {
        let rule = decide(group.as_ref(), url, dialect, scratch);
        rule.is_none_or(|rule| rule.kind == Kind::Allow)
    };
    urls.iter().filter(is_allowed).count()
}
