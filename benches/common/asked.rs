//! Questions by file and agent, sorted into classes by the size of the group that applies.

use std::ops::Range;

use robosift::compile::{BodyLimit, GroupProgram, Program, compile};
use robosift::matching::best_of;
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;

use super::matcher::{Scratch, decide, group_of, num_rules, path_of};
use super::w1::{AGENTS, RealFile};

/// Classes of groups by their number of rules.
pub(crate) const CLASSES: [(&str, Range<usize>); 5] = [
    ("no rule", 0..1),
    ("1-8", 1..9),
    ("9-64", 9..65),
    ("65-512", 65..513),
    ("over 512", 513..usize::MAX),
];

/// A file and an agent: its group, the size of it, and what is asked.
pub(crate) struct Asked<'p> {
    pub(crate) group: Option<GroupProgram<'p>>,
    pub(crate) num_rules: usize,
    pub(crate) urls: &'p [Vec<u8>],
    /// The paths of the URLs as rules are compared with them.
    pub(crate) paths: &'p [Vec<u8>],
}

/// The programs of all files, in the default dialect.
pub(crate) fn programs(files: &[RealFile]) -> Vec<Program> {
    files.iter().map(|f| compile(&f.body, &Dialect::RFC9309, BodyLimit::NONE)).collect()
}

/// The paths of each file's URLs; an empty one where no rule is asked.
pub(crate) fn paths(files: &[RealFile]) -> Vec<Vec<Vec<u8>>> {
    let mut scratch = Scratch::default();
    let mut path = |url: &Vec<u8>| {
        path_of(url, &Dialect::RFC9309, &mut scratch).map(<[u8]>::to_vec).unwrap_or_default()
    };
    files.iter().map(|file| file.urls.iter().map(&mut path).collect()).collect()
}

/// One entry for each file and agent, by file.
pub(crate) fn ask<'p>(
    files: &'p [RealFile],
    paths: &'p [Vec<Vec<u8>>],
    programs: &'p [Program],
) -> Vec<Asked<'p>> {
    let files = files.iter().zip(paths).zip(programs);
    let pairs = files.flat_map(|file| AGENTS.map(|agent| (file, agent)));
    let asked = pairs.map(|(((file, paths), program), agent)| {
        let group = group_of(program, agent);
        let num_rules = num_rules(group.as_ref());
        Asked { group, num_rules, urls: &file.urls, paths }
    });
    asked.collect()
}

/// The line of the deciding rule, 0 for none.
#[inline]
pub(crate) fn judge(group: Option<&GroupProgram<'_>>, url: &[u8], scratch: &mut Scratch) -> u32 {
    decide(group, url, &Dialect::RFC9309, scratch).map_or(0, |rule| rule.line)
}

/// Answers all questions in order; a sum of lines, so that nothing can be left out.
#[inline]
pub(crate) fn judge_all<'a, 'p: 'a>(asked: impl IntoIterator<Item = &'a Asked<'p>>) -> u64 {
    let (mut scratch, mut sum) = (Scratch::default(), 0);
    for asked in asked {
        for url in asked.urls {
            sum += u64::from(judge(asked.group.as_ref(), url, &mut scratch));
        }
    }
    sum
}

/// As [`judge_all`], the paths being in hand.
#[inline]
pub(crate) fn judge_all_paths<'a, 'p: 'a>(asked: impl IntoIterator<Item = &'a Asked<'p>>) -> u64 {
    let mut sum = 0;
    for asked in asked {
        for path in asked.paths {
            sum += u64::from(judge_path(asked.group.as_ref(), path));
        }
    }
    sum
}

#[inline]
fn judge_path(group: Option<&GroupProgram<'_>>, path: &[u8]) -> u32 {
    group.and_then(|group| best_of(group, path, &mut ())).map_or(0, |rule| rule.line)
}

/// Compares every verdict with the plain matcher's.
pub(crate) fn assert_verdicts(files: &[RealFile], programs: &[Program]) {
    let (mut scratch, paths) = (Scratch::default(), paths(files));
    for (file, asked) in files.iter().zip(ask(files, &paths, programs).chunks(AGENTS.len())) {
        let naive = NaiveRobots::parse(&file.body, NaiveDialect::Rfc9309);
        for (agent, asked) in AGENTS.iter().zip(asked) {
            for (url, path) in file.urls.iter().zip(asked.paths) {
                let right = naive.judge(agent.as_bytes(), url).rule_line;
                let line = judge(asked.group.as_ref(), url, &mut scratch);
                assert_eq!(line, right, "{agent} {}", String::from_utf8_lossy(url));
                assert_eq!(judge_path(asked.group.as_ref(), path), right);
            }
        }
    }
}
