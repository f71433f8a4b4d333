//! Rows that jump from origin to origin, judged a window at a time.
//!
//! Such a row finds nothing of its origin in the processor's caches, and each step on the way to its
//! rules waits for the one before. Here each step is taken for all rows of a window before the next
//! one is, so that their waits overlap; when paths are compared, all is at hand.
//!
//! Enters: a batch's rows, [`Briefs`]. Leaves: verdicts and counts, the same as row by row. Cost: one
//! split and one look-up a row; memory for a window.

use super::ahead::{CACHE_LINE, MAX_FETCHED, WINDOW};
use super::briefs::{AgentBrief, Brief, Briefs, OriginBrief};
use super::counts::Counts;
use super::origins::Origins;
use super::target::{Named, Target};
use super::verdicts::{Code, Verdicts, push_all};
use super::{Basis, RowColumns, Settings};
use crate::compile::{GroupPlace, ProgramRef};
use crate::corpus::{Corpus, NameHash, OriginId};
use crate::matching::{self, Match};
use crate::text::origin::{UrlParts, write_origin};

/// What rows are judged by.
#[derive(Clone, Copy)]
pub(super) struct Judge<'c, 'b> {
    pub(super) corpus: &'c Corpus,
    pub(super) settings: &'b Settings,
    pub(super) briefs: &'b Briefs<'c>,
}

/// Buffers, kept from batch to batch.
#[derive(Debug, Default)]
pub(super) struct Buffers<'c> {
    /// A path with a `/` put before it.
    path: Vec<u8>,
    /// A path normalised.
    normalised: Vec<u8>,
    /// Canonical origins that rows spell otherwise, one after the other.
    names: Vec<u8>,
    name: Vec<u8>,
    /// Groups walked for a path, with the rule that decides.
    walked: Vec<(GroupPlace, Option<Match<'c>>)>,
}

/// A row on its way.
#[derive(Clone, Copy, Default)]
struct Row<'a, 'c, 'b> {
    /// What it asks about; `None` for a bad URL.
    target: Option<Target<'a>>,
    name: Name<'a>,
    hash: NameHash,
    origin: Option<OriginId>,
    brief: Option<&'b OriginBrief<'c>>,
}

/// A canonical origin.
#[derive(Clone, Copy)]
enum Name<'a> {
    /// Looked for already.
    Found(Option<OriginId>),
    /// As the row spells it.
    InRow(&'a [u8]),
    /// Where it stands among the names written.
    Written(usize, usize),
}

impl Default for Name<'_> {
    fn default() -> Self {
        Name::InRow(&[])
    }
}

impl<'a> Name<'a> {
    #[inline]
    fn octets<'n>(self, names: &'n [u8]) -> &'n [u8]
    where
        'a: 'n,
    {
        match self {
            Name::Found(_) => &[],
            Name::InRow(name) => name,
            Name::Written(start, end) => names.get(start..end).unwrap_or_default(),
        }
    }
}

impl<'c, 'b> Judge<'c, 'b> {
    /// Judges all rows of a batch.
    pub(super) fn judge(
        &self,
        rows: &RowColumns<'_>,
        origins: &mut Origins,
        buffers: &mut Buffers<'c>,
        verdicts: &mut [Verdicts],
        counts: &mut Counts,
    ) {
        counts.start_statuses(self.briefs.statuses().len());
        let mut window = [Row::default(); WINDOW];
        for from in (0..rows.len()).step_by(WINDOW) {
            let window = &mut window[..WINDOW.min(rows.len() - from)];
            self.split(rows, origins, from, window, buffers);
            self.find(window, &buffers.names);
            for row in window {
                self.judge_row(row, buffers, verdicts, counts);
            }
        }
        counts.add_codes(verdicts);
    }

    /// Splits URLs and hashes their origins.
    fn split<'a>(
        &self,
        rows: &RowColumns<'a>,
        origins: &mut Origins,
        from: usize,
        window: &mut [Row<'a, 'c, 'b>],
        buffers: &mut Buffers<'c>,
    ) {
        buffers.names.clear();
        for (at, row) in (from..).zip(window) {
            *row = Row::default();
            let Some((target, name)) = rows.whole_target(at, self.settings) else { continue };
            let name = match (name, target.named) {
                (Some(name), _) => Some(Name::InRow(name)),
                (None, Named::Parts(parts)) => written(&parts, buffers),
                (None, Named::Value(value)) => self.of_value(rows, origins, value, buffers),
                (None, Named::AsBefore) => None,
            };
            let Some(name) = name else { continue };
            row.hash = self.corpus.hash(name.octets(&buffers.names));
            row.name = name;
            row.target = Some(target);
        }
    }

    /// The origin of a row that is a value of a dictionary.
    fn of_value<'a>(
        &self,
        rows: &RowColumns<'a>,
        origins: &mut Origins,
        value: usize,
        buffers: &mut Buffers<'c>,
    ) -> Option<Name<'a>> {
        match origins.known(self.corpus, rows, value, self.settings) {
            Some(known) => known.site.map(|_| Name::Found(known.found)),
            None => written(&rows.parts_of_value(value)?, buffers),
        }
    }

    /// Finds the origins and fetches their rules. What a step reads is read for all rows before it is needed for one.
    fn find(&self, window: &mut [Row<'_, 'c, 'b>], names: &[u8]) {
        for row in window.iter_mut() {
            row.origin = match row.name {
                Name::Found(found) => found,
                _ => self.corpus.likely(row.hash),
            };
        }
        wait_for(window.iter().map(|row| self.briefs.of_origin(row.origin).name.len()));
        wait_for(window.iter().map(|row| {
            let brief = self.briefs.of_origin(row.origin);
            let ends = brief.name.first().zip(brief.name.last());
            ends.map_or(0, |(first, last)| usize::from(first ^ last)) ^ self.num_groups(brief)
        }));
        for row in window.iter_mut() {
            row.brief = Some(self.briefs.of_origin(self.found(row, names)));
        }
        wait_for(window.iter().filter_map(|row| row.brief).map(|brief| self.fetched(brief)));
    }

    /// The origin of a row, where the corpus has it.
    fn found(&self, row: &Row<'_, 'c, 'b>, names: &[u8]) -> Option<OriginId> {
        let name = match row.name {
            Name::Found(found) => return found,
            name => name.octets(names),
        };
        let likely = row.origin.filter(|_| self.briefs.of_origin(row.origin).name == name);
        likely.or_else(|| self.corpus.find_hashed(row.hash, name))
    }

    /// How many of the agents have a group.
    fn num_groups(&self, brief: &OriginBrief<'c>) -> usize {
        match self.briefs.read(brief) {
            Brief::Fixed(_) => 0,
            Brief::Body(_, agents) => agents.iter().filter(|agent| agent.group().is_some()).count(),
        }
    }

    /// Reads the groups of a body that are asked.
    fn fetched(&self, brief: &OriginBrief<'c>) -> usize {
        let Brief::Body(_, agents) = self.briefs.read(brief) else { return 0 };
        groups(agents).fold(0, |all, (program, group)| {
            let lines = program.octets_in(group, MAX_FETCHED).iter().step_by(CACHE_LINE);
            lines.fold(all, |all, octet| all ^ usize::from(*octet))
        })
    }

    /// Adds the verdicts of one row.
    #[inline]
    fn judge_row(
        &self,
        row: &Row<'_, 'c, 'b>,
        buffers: &mut Buffers<'c>,
        verdicts: &mut [Verdicts],
        counts: &mut Counts,
    ) {
        let (Some(target), Some(origin)) = (&row.target, row.brief) else {
            return push_all(verdicts, Code::new(None, Basis::BadUrl, None));
        };
        let dialect = &self.settings.dialect;
        let Buffers { path, normalised, walked, .. } = buffers;
        let path = target.path.octets(path);
        if dialect.robots_txt_allowed && path == b"/robots.txt" {
            return push_all(verdicts, Code::new(Some(true), Basis::RobotsTxt, None));
        }
        match self.briefs.read(origin) {
            Brief::Fixed(code) => {
                push_all(verdicts, code);
                counts.add_status(origin.status, code, verdicts.len() as u64);
            }
            Brief::Body(body, agents) => {
                let path = matching::prepare(path, target.traits, dialect, normalised);
                walked.clear();
                for (agent, verdicts) in agents.iter().zip(verdicts) {
                    let group = agent.group();
                    let rule =
                        group.and_then(|(program, group)| walk(program, group, path, walked));
                    let (code, rule_id) = agent.codes.verdict(body, rule.as_ref());
                    verdicts.push(code, rule_id);
                    counts.add_status(origin.status, code, 1);
                }
            }
        }
    }
}

/// The rule of `group` that decides; each group is walked once a path.
#[inline]
fn walk<'c>(
    program: ProgramRef<'c>,
    group: GroupPlace,
    path: &[u8],
    walked: &mut Vec<(GroupPlace, Option<Match<'c>>)>,
) -> Option<Match<'c>> {
    if let Some((_, rule)) = walked.iter().find(|(known, _)| *known == group) {
        return *rule;
    }
    let rule = matching::best_of(&program.group_in(group), path, &mut ());
    walked.push((group, rule));
    rule
}

/// The groups of agents, the same one after the other once.
fn groups<'c>(agents: &[AgentBrief<'c>]) -> impl Iterator<Item = (ProgramRef<'c>, GroupPlace)> {
    let same = |one: &AgentBrief<'_>, other: &AgentBrief<'_>| {
        one.group().map(|(_, group)| group) == other.group().map(|(_, group)| group)
    };
    agents.chunk_by(same).filter_map(|run| run.first()?.group())
}

/// Writes a canonical origin.
#[cold]
fn written<'a>(parts: &UrlParts<'_>, buffers: &mut Buffers<'_>) -> Option<Name<'a>> {
    if !write_origin(parts, &mut buffers.name) {
        return None;
    }
    let start = buffers.names.len();
    buffers.names.extend_from_slice(&buffers.name);
    Some(Name::Written(start, buffers.names.len()))
}

/// Makes the processor fetch what `read` reads, before anything that follows.
#[inline]
fn wait_for(read: impl Iterator<Item = usize>) {
    std::hint::black_box(read.fold(0, |all, one| all ^ one));
}
