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
use crate::corpus::{BodyId, Corpus, NameHash, OriginId};
use crate::matching::{self, Match};
use crate::text::origin::{UrlParts, write_origin};

/// What rows are judged by.
#[derive(Clone, Copy)]
pub(super) struct Judge<'c, 'b> {
    pub(super) corpus: &'c Corpus,
    pub(super) settings: &'b Settings,
    pub(super) briefs: &'b Briefs,
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
struct Row<'a> {
    /// What it asks about; `None` for a bad URL.
    target: Option<Target<'a>>,
    name: Name<'a>,
    hash: NameHash,
    origin: Option<OriginId>,
    brief: Option<OriginBrief>,
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

impl<'c> Judge<'c, '_> {
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
            self.fetch(window);
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
        window: &mut [Row<'a>],
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

    /// Finds the origins. What the next step reads is read for all rows before it is needed for one.
    fn find(&self, window: &mut [Row<'_>], names: &[u8]) {
        for row in window.iter_mut() {
            row.origin = match row.name {
                Name::Found(found) => found,
                _ => self.corpus.likely(row.hash),
            };
        }
        let rows = window.iter();
        wait_for(rows.map(|row| {
            let name = row.origin.map_or(0, |origin| self.corpus.origin_octets(origin).len());
            name ^ self.briefs.of_origin(row.origin).status as usize
        }));
        wait_for(window.iter().map(|row| {
            let name = row.origin.map(|origin| self.corpus.origin_octets(origin));
            let ends = name.and_then(|name| Some(name.first()? ^ name.last()?));
            usize::from(ends.unwrap_or(0))
        }));
        for row in window.iter_mut() {
            let found = match row.name {
                Name::Found(found) => found,
                name => self.corpus.find_hashed(row.hash, name.octets(names)),
            };
            row.brief = Some(self.briefs.of_origin(found));
        }
    }

    /// Reads where programs are, then of each the groups asked.
    fn fetch(&self, window: &[Row<'_>]) {
        let bodies = window.iter().filter_map(|row| match self.briefs.read(row.brief?) {
            Brief::Fixed(_) => None,
            Brief::Body(body, agents) => Some((self.program(body)?, agents)),
        });
        wait_for(bodies.clone().map(|(program, agents)| {
            program.octets().len() ^ usize::from(agents.first().is_some_and(|a| a.group.is_some()))
        }));
        wait_for(bodies.map(|(program, agents)| {
            groups(agents).fold(0, |all, group| {
                let octets = program.octets_in(group, MAX_FETCHED).iter();
                let lines = octets.step_by(CACHE_LINE);
                lines.fold(all, |all, octet| all ^ usize::from(*octet))
            })
        }));
    }

    fn program(&self, body: BodyId) -> Option<ProgramRef<'c>> {
        self.corpus.program(body)
    }

    /// Adds the verdicts of one row.
    #[inline]
    fn judge_row(
        &self,
        row: &Row<'_>,
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
                let program = self.program(body);
                walked.clear();
                for (agent, verdicts) in agents.iter().zip(verdicts) {
                    let rule = agent
                        .group
                        .zip(program)
                        .and_then(|(group, program)| walk(program, group, path, walked));
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
fn groups(agents: &[AgentBrief]) -> impl Iterator<Item = GroupPlace> {
    let runs = agents.chunk_by(|one, other| one.group == other.group);
    runs.filter_map(|run| run.first()?.group)
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
