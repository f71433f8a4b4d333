//! Sorted captures and distinct bodies → the tables of a corpus.
//!
//! Enters: runs of captures, the texts of their bodies. Leaves: all tables, and what is known of the whole. Bodies
//! get the numbers of their first appearance, so that nothing depends on which thread read what. Memory: sixteen octets for each
//! distinct body, and a batch of each table. Must not know: where captures came from.

use std::collections::HashMap;
use std::path::PathBuf;

use foldhash::fast::RandomState;
use sha2::{Digest, Sha256};

use super::archived::ArchivedRows;
use super::filed::{Filed, FiledPlace, PayloadDigest};
use super::numbering::Numbering;
use super::out::Out;
use super::payloads;
use super::rows::PlaceRows;
use super::slots::SlotWriter;
use super::sorter::{Merge, Run};
use super::stop::BuildStop;
use crate::corpus::format::{self, ROWS_PER_BATCH};
use crate::corpus::{CaptureFlags, CorpusError, Status};

/// Octets of a capture's row and of a place's row in memory, roughly: room made beforehand.
const ROOM_OF_CAPTURE: usize = 72;
const ROOM_OF_PLACE: usize = 48;

/// What the names of files begin with that several runs were merged into.
pub(super) const MERGED: &str = "merged-";

/// How tables of captures are made.
#[derive(Clone, Debug, Default)]
pub(super) struct AssemblyPlan {
    /// Captures there are.
    pub(super) num_captures: u64,
    /// Distinct bodies there are.
    pub(super) num_bodies: u32,
    /// Whether some captures refer to others for their bodies.
    pub(super) has_revisits: bool,
    /// Whether what archives told is kept, to be merged.
    pub(super) keeps_archived: bool,
    /// The seed of the index' hashes.
    pub(super) seed: u64,
    /// Octets of names held before they go to a file of the folder.
    pub(super) memory: usize,
    /// Where files that do not stay are written.
    pub(super) folder: Option<PathBuf>,
    /// Asked before each capture.
    pub(super) stop: BuildStop,
}

/// What the captures came to.
#[derive(Debug)]
pub(super) struct Assembled {
    pub(super) numbering: Numbering,
    /// A hash over all captures, to which that of the bodies is added.
    pub(super) fingerprint: Sha256,
    pub(super) revisits_unresolved: u64,
    pub(super) num_origins: u64,
}

/// Merges `runs` and writes the tables of places, captures and names.
pub(super) fn assemble(
    runs: Vec<Run>,
    plan: &AssemblyPlan,
    out: &mut Out,
) -> Result<Assembled, CorpusError> {
    let payloads = match plan.has_revisits {
        true => payloads::bodies_of_revisits(&runs)?,
        false => HashMap::default(),
    };
    let mut assembly = Assembly::new(plan, payloads, out)?;
    let merge = Merge::new(runs, plan.folder.as_deref(), MERGED);
    let mut merge = merge.map_err(|error| CorpusError::spill(&error))?;
    while let Some(record) = merge.next().map_err(|error| CorpusError::spill(&error))? {
        plan.stop.check()?;
        assembly.add(&read(record)?, out)?;
    }
    assembly.finish(out)
}

/// Reads a record that a sorter gave back.
pub(super) fn read(record: &[u8]) -> Result<Filed<'_>, CorpusError> {
    let damaged = || CorpusError::spill(&std::io::ErrorKind::InvalidData.into());
    Filed::read(record).ok_or_else(damaged)
}

/// Tables under way.
struct Assembly {
    origins: PlaceRows,
    targets: PlaceRows,
    names: SlotWriter,
    archived: Option<ArchivedRows>,
    numbering: Numbering,
    fingerprint: Sha256,
    /// What goes into the fingerprint next: all of a capture at once.
    hashed: Vec<u8>,
    payloads: HashMap<PayloadDigest, u32, RandomState>,
    /// The name of the place at hand; its kind is that of the tables it goes to.
    name: String,
    place: Option<Placed>,
    earlier: Earlier,
    /// Whether any capture refers to another.
    has_revisits: bool,
    revisits_unresolved: u64,
}

/// A place that has its row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Placed {
    Origin(u32),
    Target,
}

/// The captures of the place at hand that have a body: what later ones may refer to.
#[derive(Default)]
struct Earlier {
    by_time: HashMap<i64, u32, RandomState>,
    by_payload: HashMap<PayloadDigest, u32, RandomState>,
    newest: Option<u32>,
}

impl Earlier {
    fn add(&mut self, capture: &Filed<'_>, body: u32) {
        self.by_time.extend(capture.time.map(|time| (time, body)));
        self.by_payload.extend(capture.payload.map(|payload| (payload, body)));
        self.newest = Some(body);
    }

    fn clear(&mut self) {
        self.by_time.clear();
        self.by_payload.clear();
        self.newest = None;
    }
}

impl Assembly {
    fn new(
        plan: &AssemblyPlan,
        payloads: HashMap<PayloadDigest, u32, RandomState>,
        out: &Out,
    ) -> Result<Self, CorpusError> {
        let room = usize::try_from(plan.num_captures).unwrap_or(0);
        let table = |name, schema, room| out.table(name, schema, ROWS_PER_BATCH, room);
        let origins = PlaceRows::new(
            table(format::ORIGINS, &format::ORIGINS_SCHEMA, room * ROOM_OF_PLACE)?,
            table(format::CAPTURES, &format::CAPTURES_SCHEMA, room * ROOM_OF_CAPTURE)?,
        );
        let targets = PlaceRows::new(
            table(format::TARGETS, &format::TARGETS_SCHEMA, 0)?,
            table(format::TARGET_CAPTURES, &format::TARGET_CAPTURES_SCHEMA, 0)?,
        );
        Ok(Assembly {
            origins,
            targets,
            names: SlotWriter::new(plan.seed, plan.memory, plan.folder.clone()),
            archived: plan.keeps_archived.then(ArchivedRows::new),
            numbering: Numbering::new(plan.num_bodies),
            fingerprint: Sha256::new(),
            hashed: Vec::new(),
            payloads,
            name: String::new(),
            place: None,
            earlier: Earlier::default(),
            has_revisits: plan.has_revisits,
            revisits_unresolved: 0,
        })
    }

    fn add(&mut self, capture: &Filed<'_>, out: &Out) -> Result<(), CorpusError> {
        let placed = self.enter(capture.place)?;
        let known = self.body_of(capture);
        let origin = match placed {
            Placed::Origin(origin) => Some(origin),
            Placed::Target => None,
        };
        let body = known.map(|known| self.numbering.number(known, origin));
        if let Some(body) = known.filter(|_| self.has_revisits) {
            self.earlier.add(capture, body);
        }
        self.remember(capture, body);
        self.archived.as_mut().map_or(Ok(()), |rows| rows.push(capture, out))?;
        let rows = match placed {
            Placed::Origin(_) => &mut self.origins,
            Placed::Target => &mut self.targets,
        };
        Ok(rows.push(capture, body)?)
    }

    /// Begins another place where the capture is of one.
    fn enter(&mut self, place: FiledPlace<'_>) -> Result<Placed, CorpusError> {
        let (name, is_origin) = match place {
            FiledPlace::Origin { name, .. } => (name, true),
            FiledPlace::Target { url } => (url, false),
        };
        if let Some(placed) = self.place
            && matches!(placed, Placed::Origin(_)) == is_origin
            && self.name == name
        {
            return Ok(placed);
        }
        name.clone_into(&mut self.name);
        self.earlier.clear();
        self.fingerprint.update((name.len() as u64).to_le_bytes());
        self.fingerprint.update(name);
        let placed = if is_origin {
            let origin = self.origins.begin(name)?;
            self.names.push(name.as_bytes(), origin)?;
            Placed::Origin(origin)
        } else {
            self.targets.begin(name)?;
            Placed::Target
        };
        self.place = Some(placed);
        Ok(placed)
    }

    /// The number that the body of a capture came in with; that of a revisit is the one it refers to.
    fn body_of(&mut self, capture: &Filed<'_>) -> Option<u32> {
        if capture.body.is_some() || !capture.flags.contains(CaptureFlags::REVISIT) {
            return capture.body;
        }
        // What it refers to is an error page or a redirect, of which no body is kept.
        if !capture.status.is_none_or(Status::may_have_rules) {
            return None;
        }
        let body = capture.refers_to.and_then(|time| self.earlier.by_time.get(&time));
        let body = body.or_else(|| self.earlier.by_payload.get(&capture.payload?));
        let body = body.or_else(|| self.payloads.get(&capture.payload?)).copied();
        let unmodified = capture.flags.contains(CaptureFlags::UNMODIFIED);
        let body = body.or_else(|| self.earlier.newest.filter(|_| unmodified));
        let is_imported = capture.flags.contains(CaptureFlags::IMPORTED);
        self.revisits_unresolved += u64::from(body.is_none() && !is_imported);
        body
    }

    /// Adds a capture to the fingerprint.
    fn remember(&mut self, capture: &Filed<'_>, body: Option<u32>) {
        let hashed = &mut self.hashed;
        hashed.clear();
        let numbers = [
            capture.time,
            capture.status.map(|status| status.0.into()),
            body.map(i64::from),
            Some(capture.flags.bits().into()),
        ];
        for number in numbers {
            hashed.push(u8::from(number.is_some()));
            hashed.extend(number.unwrap_or(0).to_le_bytes());
        }
        let redirect = capture.redirect.unwrap_or_default();
        hashed.extend((redirect.len() as u64).to_le_bytes());
        hashed.extend_from_slice(redirect.as_bytes());
        self.fingerprint.update(hashed);
    }

    fn finish(self, out: &mut Out) -> Result<Assembled, CorpusError> {
        let num_origins = self.origins.finish(out)?.into();
        self.targets.finish(out)?;
        self.names.write(out)?;
        self.archived.map_or(Ok(()), |rows| rows.finish(out))?;
        Ok(Assembled {
            numbering: self.numbering,
            fingerprint: self.fingerprint,
            revisits_unresolved: self.revisits_unresolved,
            num_origins,
        })
    }
}
