//! Rows of files through two evaluators.

use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::SchemaRef;

use super::table::{self, Difference, Differences, Said};
use super::tally::{CompareTally, Pairs};
use crate::corpus::Corpus;
use crate::evaluate::{Asked, BatchVerdicts, Code, Evaluator, RowColumns, Scratch};
use crate::explain::{self, Cause, Causes, Differing, Way};
use crate::job::columns::{FilePlan, Needs, RowNames};
use crate::job::error::EvalError;
use crate::stream::Judge;
use crate::table::{Column, ParquetFile};

/// Judges rows in two ways and gives those that differ; its outputs are to be
/// [gathered](crate::stream::run_gathered).
#[derive(Debug)]
pub struct CompareJob<'c> {
    left: Evaluator<'c>,
    right: Evaluator<'c>,
    /// Both corpora hold the same captures: rule ids mean the same.
    same_captures: bool,
    /// The agents asked for as given; none where rows name theirs.
    agents: Vec<String>,
    names: RowNames,
}

/// An input file.
#[derive(Debug)]
pub struct CompareFile {
    columns: FilePlan,
    path: String,
}

/// Scratch of one unit of work.
#[derive(Debug)]
pub struct CompareState<'c> {
    left: Scratch<'c>,
    right: Scratch<'c>,
    causes: Causes<'c>,
}

/// Which row differs, for which agent, and in what.
type Place = (usize, usize, Differing);

impl<'c> CompareJob<'c> {
    /// For two evaluators that were made without columns.
    ///
    /// # Errors
    /// They were asked for different agents.
    pub fn try_new(
        left: Evaluator<'c>,
        right: Evaluator<'c>,
        names: RowNames,
    ) -> Result<Self, EvalError> {
        let agents = |evaluator: &Evaluator<'_>| match evaluator.asked() {
            Asked::Column => None,
            Asked::Agents(agents) => {
                Some(agents.iter().map(|agent| agent.label().into_owned()).collect::<Vec<_>>())
            }
        };
        let asked = agents(&left);
        if asked != agents(&right) {
            let message = "both ways have to be asked for the same agents";
            return Err(EvalError::message(message.to_owned()));
        }
        let fingerprints = [&left, &right].map(|side| side.corpus().facts().fingerprint);
        let [one, other] = fingerprints;
        let (same_captures, agents) = (one == other, asked.unwrap_or_default());
        Ok(CompareJob { left, right, same_captures, agents, names })
    }

    /// What differs first between two verdicts on a row.
    fn differing(&self, [left, right]: [Said; 2]) -> Option<Differing> {
        let same_rule = match self.same_captures {
            true => left.rule_id == right.rule_id,
            false => rule(left, self.left.corpus()) == rule(right, self.right.corpus()),
        };
        let (one, other) = (left.code, right.code);
        match () {
            () if one == other && same_rule => None,
            () if one.allowed() != other.allowed() => Some(Differing::Verdict),
            () if !same_rule => Some(Differing::Rule),
            () if one.decided_by() != other.decided_by() => Some(Differing::Basis),
            () => Some(Differing::Group),
        }
    }

    /// Counts the pairs of a batch and finds those that differ, in the order of rows, then of agents.
    fn places(
        &self,
        rows: &RowColumns<'_>,
        [left, right]: [&BatchVerdicts<'_>; 2],
        tally: &mut CompareTally,
    ) -> Vec<Place> {
        let mut places = Vec::new();
        for agent in 0..self.agents.len().max(1) {
            let mut counting = Counting::new(tally);
            let codes = left.codes(agent).iter().zip(right.codes(agent));
            let rules = left.rule_ids(agent).iter().zip(right.rule_ids(agent));
            for (row, (codes, rules)) in codes.zip(rules).enumerate() {
                counting.count(self.agent(rows, row, agent), [*codes.0, *codes.1]);
                let left = Said { code: *codes.0, rule_id: *rules.0 };
                let right = Said { code: *codes.1, rule_id: *rules.1 };
                if let Some(differing) = self.differing([left, right]) {
                    counting.pairs.add_differing(differing);
                    places.push((row, agent, differing));
                }
            }
            counting.tell();
        }
        places.sort_unstable_by_key(|(row, agent, _)| (*row, *agent));
        places
    }

    /// What makes each of these places differ, in their order. Places of one body are asked about one after the other, so that
    /// it is compiled anew once, however rows are mixed.
    fn causes(
        &self,
        causes: &mut Causes<'c>,
        rows: &RowColumns<'_>,
        [left, right]: [&BatchVerdicts<'_>; 2],
        places: &[Place],
    ) -> Result<Vec<Option<Cause>>, EvalError> {
        let body = |(row, agent, _): Place| {
            let rules = [left, right].map(|side| said(side, row, agent)?.rule());
            rules.into_iter().flatten().next().map(|(body, _)| body.number())
        };
        let mut by_body: Vec<_> = places.iter().map(|place| body(*place)).enumerate().collect();
        by_body.sort_by_key(|(_, body)| *body);
        let mut found = vec![None; places.len()];
        for (at, _) in by_body {
            let (Some(place), Some(found)) = (places.get(at), found.get_mut(at)) else { continue };
            let (row, agent, differing) = *place;
            let asked = explain::Asked { rows, row, agent: self.agent(rows, row, agent) };
            *found = causes.find(&asked, differing).map_err(EvalError::corpus)?;
        }
        Ok(found)
    }

    /// The agent of a row.
    fn agent<'r>(&'r self, rows: &RowColumns<'r>, row: usize, agent: usize) -> Option<&'r [u8]> {
        match self.agents.get(agent) {
            Some(label) => Some(label.as_bytes()),
            None => rows.agent(row),
        }
    }

    fn way(evaluator: &Evaluator<'c>) -> Way<'c> {
        Way { corpus: evaluator.corpus(), settings: evaluator.settings().clone() }
    }
}

/// What a way says of a row.
fn said(verdicts: &BatchVerdicts<'_>, row: usize, agent: usize) -> Option<Said> {
    let code = verdicts.codes(agent).get(row).copied()?;
    Some(Said { code, rule_id: verdicts.rule_ids(agent).get(row).copied().unwrap_or(0) })
}

/// What a rule is, whichever corpus it is of.
fn rule(said: Said, corpus: &Corpus) -> Option<([u8; 32], u32)> {
    let (body, line) = said.rule()?;
    Some((corpus.digest(body).copied().unwrap_or_default(), line))
}

/// Pairs of rows that have the same agent, told when that changes.
struct Counting<'t, 'r> {
    tally: &'t mut CompareTally,
    agent: Option<&'r [u8]>,
    pairs: Pairs,
    /// Neighbouring rows that have the same pair.
    pair: Option<[Code; 2]>,
    times: u64,
}

impl<'t, 'r> Counting<'t, 'r> {
    fn new(tally: &'t mut CompareTally) -> Self {
        Counting { tally, agent: None, pairs: Pairs::default(), pair: None, times: 0 }
    }

    fn count(&mut self, agent: Option<&'r [u8]>, pair: [Code; 2]) {
        if self.agent != agent {
            self.tell();
            self.agent = agent;
        }
        if self.pair != Some(pair) {
            self.end_run();
            self.pair = Some(pair);
        }
        self.times += 1;
    }

    fn end_run(&mut self) {
        if let Some([left, right]) = self.pair {
            self.pairs.add(left, right, std::mem::take(&mut self.times));
        }
    }

    fn tell(&mut self) {
        self.end_run();
        if self.pairs.total() > 0 {
            let label = String::from_utf8_lossy(self.agent.unwrap_or_default());
            *self.tally.agent(&label) += &std::mem::take(&mut self.pairs);
        }
    }
}

impl<'c> Judge for CompareJob<'c> {
    type Tally = CompareTally;
    type Plan = CompareFile;
    type State = CompareState<'c>;
    type Error = EvalError;

    fn schema(&self) -> SchemaRef {
        table::schema()
    }

    fn plan(&self, file: &ParquetFile) -> Result<(CompareFile, Vec<Column>), EvalError> {
        let needs_times = self.left.needs_times() || self.right.needs_times();
        let agent = matches!(self.left.asked(), Asked::Column);
        let needs = Needs { agent, uses_times: needs_times, needs_times };
        let (plan, columns) = self.names.plan(file, needs)?;
        let path = file.path().display().to_string();
        Ok((CompareFile { columns: plan, path }, columns))
    }

    fn state(&self) -> CompareState<'c> {
        let causes = Causes::new(Self::way(&self.left), Self::way(&self.right));
        CompareState { left: Scratch::default(), right: Scratch::default(), causes }
    }

    fn judge(
        &self,
        plan: &CompareFile,
        state: &mut CompareState<'c>,
        columns: &[ArrayRef],
        num_rows: usize,
        first_row: u64,
        tally: &mut CompareTally,
    ) -> Result<RecordBatch, EvalError> {
        let all = plan.columns.rows(columns, num_rows)?;
        // Rows without times are judged faster where these decide nothing.
        let timeless = plan.columns.rows_without_times(columns, num_rows)?;
        let rows_of = |side: &Evaluator<'_>| if side.needs_times() { &all } else { &timeless };
        let CompareState { left, right, causes } = state;
        let compiled_before = causes.num_compiled();
        let left = self.left.verdicts(rows_of(&self.left), left, &mut tally.left)?;
        let right = self.right.verdicts(rows_of(&self.right), right, &mut tally.right)?;
        tally.rows += num_rows as u64;
        let places = self.places(&all, [&left, &right], tally);
        let found = self.causes(causes, &all, [&left, &right], &places)?;
        tally.num_compiled += causes.num_compiled() - compiled_before;
        let mut differences = Differences::default();
        for ((row, agent, differing), cause) in places.into_iter().zip(found) {
            let clause = cause.map(|cause| cause.to_string());
            let counted = (clause.clone().unwrap_or_default(), differing);
            *tally.clauses.entry(counted).or_default() += 1;
            let Some(sides) = said(&left, row, agent).zip(said(&right, row, agent)) else {
                continue;
            };
            let url = all.url(row);
            let difference = Difference {
                file: &plan.path,
                row: first_row + row as u64,
                url: url.as_deref(),
                agent: self.agent(&all, row, agent),
                kind: differing.name(),
                clause: clause.as_deref(),
                sides: sides.into(),
            };
            differences.push(&difference, [self.left.corpus(), self.right.corpus()]);
        }
        Ok(differences.finish()?)
    }
}
