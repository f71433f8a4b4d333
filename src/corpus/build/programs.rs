//! Distinct bodies → the tables of programs, texts and rules.
//!
//! Enters: bodies in the order of their final numbers. Leaves: the tables, and their digests added to the fingerprint. Bodies
//! of a batch are compiled on all threads. Memory: a batch of bodies with their programs. Must not know: captures.

use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{
    Array, ArrayRef, FixedSizeBinaryBuilder, Int32Builder, Int64Builder, LargeBinaryArray,
    LargeBinaryBuilder,
};
use arrow::error::ArrowError;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::bodies::BodyDigest;
use super::numbering::Numbering;
use super::out::{Out, OutTable};
use super::rows::write;
use super::rules::{BodyRules, RuleTable};
use super::stop::BuildStop;
use super::texts::{Octets, Text, Texts};
use crate::compile::{BodyLimit, Compiler, Program, Wanted, is_alike};
use crate::corpus::CorpusError;
use crate::corpus::files::FilesError;
use crate::corpus::format::{self, BODIES_PER_BATCH};
use crate::corpus::frames;
use crate::parse::{Dialect, Robots, parse_groups_in};

/// Octets of a program for each of its text, roughly: room made beforehand in memory.
const ROOM_OF_PROGRAM: u64 = 2;

/// Octets of texts that are compiled at a time: their rules take several times as much until they are written.
const PIECE_OCTETS: u64 = 16 << 20;

/// How bodies are compiled and what is kept of them.
#[derive(Clone, Debug)]
pub(super) struct BodyPlan {
    pub(super) dialects: Vec<Dialect>,
    pub(super) limit: BodyLimit,
    pub(super) wanted: Wanted,
    /// Keep the texts.
    pub(super) texts: bool,
    /// Asked before each piece.
    pub(super) stop: BuildStop,
}

/// Compiles all bodies and writes their tables.
pub(super) fn write_bodies(
    mut texts: Texts,
    numbering: &Numbering,
    plan: &BodyPlan,
    mut rules: Option<&mut RuleTable>,
    fingerprint: &mut Sha256,
    out: &mut Out,
) -> Result<(), CorpusError> {
    let room = usize::try_from(texts.num_octets().saturating_mul(ROOM_OF_PROGRAM)).unwrap_or(0);
    let mut programs = ProgramRows::new(out.table(
        format::PROGRAMS,
        &format::PROGRAMS_SCHEMA,
        BODIES_PER_BATCH,
        room,
    )?);
    let mut kept = match plan.texts {
        true => {
            let table = out.table(format::TEXTS, &format::TEXTS_SCHEMA, BODIES_PER_BATCH, 0)?;
            Some((table, LargeBinaryBuilder::new()))
        }
        false => None,
    };
    let order: Vec<(u32, u32)> = numbering.order().collect();
    let workers = Workers { plan, idle: Mutex::default() };
    let per_batch = usize::try_from(BODIES_PER_BATCH).unwrap_or(1);
    let mut first = 0;
    for batch in order.chunks(per_batch) {
        let mut rest = batch;
        while !rest.is_empty() {
            plan.stop.check()?;
            let (piece, num_origins) = take_piece(&mut texts, &mut rest, first)?;
            first += crate::compile::narrow(piece.len());
            let with_rules = rules.is_some();
            let compiled: Vec<Compiled> = piece
                .into_par_iter()
                .map_init(
                    || workers.lend(),
                    |lent, (body, text)| lent.compile(body, text, with_rules),
                )
                .collect::<Result<_, _>>()?;
            for (body, num_origins) in compiled.iter().zip(num_origins) {
                fingerprint.update(body.digest);
                programs.push(body, num_origins)?;
                if let (Some(rules), Some(of_body)) = (rules.as_deref_mut(), &body.rules) {
                    rules.push(of_body, num_origins)?;
                }
                if let Some((_, frames)) = &mut kept {
                    frames.append_value(&body.frame);
                }
            }
        }
        programs.write()?;
        if let Some((table, frames)) = &mut kept {
            write(table, vec![Arc::new(frames.finish()) as ArrayRef])?;
        }
    }
    out.close(programs.table)?;
    match kept {
        Some((table, _)) => Ok(out.close(table)?),
        None => Ok(()),
    }
}

/// Bodies by final number, with how many origins serve each.
type Piece = (Vec<(u32, Text)>, Vec<u32>);

/// Takes the first of `rest`, of bounded octets together; `first` is the final number of the first of them.
fn take_piece(
    texts: &mut Texts,
    rest: &mut &[(u32, u32)],
    first: u32,
) -> Result<Piece, CorpusError> {
    let (mut piece, mut num_origins, mut octets) = (Vec::new(), Vec::new(), 0);
    for (number, (known, origins)) in (first..).zip(rest.iter()) {
        if octets >= PIECE_OCTETS {
            break;
        }
        let text = texts.take(*known).map_err(|error| CorpusError::spill(&error))?;
        octets += text.len;
        piece.push((number, text));
        num_origins.push(*origins);
    }
    *rest = rest.get(piece.len()..).unwrap_or_default();
    Ok((piece, num_origins))
}

/// A body with its programs.
struct Compiled {
    digest: BodyDigest,
    len: u64,
    rfc9309: Option<Vec<u8>>,
    /// None where it is the same.
    google: Option<Vec<u8>>,
    /// The text compressed, where it came so or is kept.
    frame: Vec<u8>,
    rules: Option<BodyRules>,
}

/// What bodies are compiled with on one thread each, used again: it has room for most bodies after some.
struct Workers<'p> {
    plan: &'p BodyPlan,
    idle: Mutex<Vec<Worker>>,
}

/// Compiles bodies on one thread.
#[derive(Default)]
struct Worker {
    compilers: Vec<(Dialect, Compiler)>,
    /// What a body was parsed into, emptied.
    room: Robots<'static>,
}

/// A worker that goes back when this is dropped.
struct Lent<'w> {
    plan: &'w BodyPlan,
    idle: &'w Mutex<Vec<Worker>>,
    worker: Worker,
}

impl Workers<'_> {
    fn lend(&self) -> Lent<'_> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let worker = idle.unwrap_or_else(|| Worker::new(self.plan));
        Lent { plan: self.plan, idle: &self.idle, worker }
    }
}

impl Worker {
    fn new(plan: &BodyPlan) -> Self {
        let compiler = |dialect: &Dialect| {
            let compiler = Compiler::new(*dialect, plan.limit);
            (*dialect, compiler.with_wanted(plan.wanted.clone()))
        };
        let compilers = plan.dialects.iter().map(compiler).collect();
        Worker { compilers, room: Robots::default() }
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let worker = std::mem::take(&mut self.worker);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(worker);
    }
}

impl Lent<'_> {
    /// Compiles a body for all dialects; its rules are read by the first.
    fn compile(
        &mut self,
        body: u32,
        text: Text,
        with_rules: bool,
    ) -> Result<Compiled, CorpusError> {
        let octets = text.decompressed().map_err(|error| CorpusError::spill(&error))?;
        let mut compiled = Compiled {
            digest: text.digest,
            len: text.len,
            rfc9309: None,
            google: None,
            rules: None,
            frame: Vec::new(),
        };
        match self.worker.compilers.as_mut_slice() {
            // What it was parsed into is let go before the program is written.
            [(dialect, compiler)] if !with_rules => {
                compiled.keep(dialect, compiler.compile(&octets));
            }
            _ => self.compile_all(body, &octets, with_rules, &mut compiled),
        }
        drop(octets);
        compiled.frame = match text.octets {
            Octets::Compressed(frame) => frame,
            Octets::Plain(octets) if self.plan.texts => {
                frames::compressed(&octets, |frame| Ok(frame.to_vec()))
                    .map_err(|error| CorpusError::spill(&error))?
            }
            Octets::Plain(_) => Vec::new(),
        };
        Ok(compiled)
    }

    /// Parses a body once for all that is made of it, but where dialects read other lines.
    fn compile_all(&mut self, body: u32, octets: &[u8], with_rules: bool, compiled: &mut Compiled) {
        let worker = &mut self.worker;
        let Some((first, _)) = worker.compilers.first() else { return };
        let first = *first;
        let robots =
            parse_groups_in(std::mem::take(&mut worker.room), self.plan.limit.cut(octets), &first);
        let is_read_alike = robots.long_lines == 0;
        let num_programs = if is_alike(&robots) { 1 } else { worker.compilers.len() };
        for (dialect, compiler) in worker.compilers.iter_mut().take(num_programs) {
            let program = match is_read_alike || *dialect == first {
                true => compiler.compile_parsed(octets, &robots),
                false => compiler.compile(octets),
            };
            compiled.keep(dialect, program);
        }
        if compiled.rfc9309.is_some() && compiled.google == compiled.rfc9309 {
            compiled.google = None;
        }
        compiled.rules =
            with_rules.then(|| BodyRules::new(body, &robots, &first, &compiled.digest));
        worker.room = robots.emptied();
    }
}

impl Compiled {
    fn keep(&mut self, dialect: &Dialect, program: Program) {
        let program = Some(program.into_octets());
        match dialect.name == Dialect::GOOGLE.name {
            true => self.google = program,
            false => self.rfc9309 = program,
        }
    }
}

/// Rows of the table of programs.
struct ProgramRows {
    table: OutTable,
    digest: FixedSizeBinaryBuilder,
    len: Int64Builder,
    num_origins: Int32Builder,
    rfc9309: LargeBinaryBuilder,
    google: LargeBinaryBuilder,
}

impl ProgramRows {
    fn new(table: OutTable) -> Self {
        ProgramRows {
            table,
            digest: FixedSizeBinaryBuilder::new(32),
            len: Int64Builder::new(),
            num_origins: Int32Builder::new(),
            rfc9309: LargeBinaryBuilder::new(),
            google: LargeBinaryBuilder::new(),
        }
    }

    fn push(&mut self, body: &Compiled, num_origins: u32) -> Result<(), CorpusError> {
        let arrow = |error: ArrowError| FilesError::arrow(&format::PROGRAMS.into(), error);
        self.digest.append_value(body.digest).map_err(arrow)?;
        self.len.append_value(body.len.cast_signed());
        self.num_origins.append_value(num_origins.cast_signed());
        self.rfc9309.append_option(body.rfc9309.as_deref());
        self.google.append_option(body.google.as_deref());
        Ok(())
    }

    fn write(&mut self) -> Result<(), FilesError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.digest.finish()),
            Arc::new(self.len.finish()),
            Arc::new(self.num_origins.finish()),
            Arc::new(finish(&mut self.rfc9309)),
            Arc::new(finish(&mut self.google)),
        ];
        write(&mut self.table, columns)
    }
}

/// Ends a batch; room is made for as much again, which the next one mostly takes.
fn finish(column: &mut LargeBinaryBuilder) -> LargeBinaryArray {
    let array = column.finish();
    *column = LargeBinaryBuilder::with_capacity(array.len(), array.value_data().len());
    array
}
