//! Every question of the shared real vectors: the compiled matcher answers as the plain one does,
//! and both as the vectors say.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

mod both_matchers;
#[path = "common/shared_data.rs"]
mod shared_data;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::Int32Type;
use both_matchers::{Compiled, DIALECTS, compare};
use rayon::prelude::*;
use robosift::matching::naive::{NaiveAnswer, NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;
use robosift::table::{BatchLimits, Octets, ParquetFile};
use std::collections::BTreeMap;

const NUM_BODIES: usize = 2_522;
const NUM_ROWS: usize = 553_406;

/// Every so many rows the whole library call is made, which compiles the body anew.
const JUDGE_EVERY: usize = 50;

/// One row of the vectors.
struct Question {
    agent: Vec<u8>,
    url: Vec<u8>,
    /// Verdict and line of the deciding rule in both dialects, rfc9309 first.
    wanted: [(Option<bool>, u32); 2],
    /// The raw matching line in dialect google.
    google_line: u32,
}

/// Hands the batches of some columns of a shared file to `take`.
fn read(name: &str, columns: &[&str], mut take: impl FnMut(&[ArrayRef])) -> Option<()> {
    let file = ParquetFile::open(&shared_data::shared(&format!("data/{name}"))?).unwrap();
    let columns: Vec<_> = columns.iter().map(|column| file.column(column).unwrap()).collect();
    let limits = BatchLimits { rows: 65_536, octets: 64 << 20 };
    for group in 0..file.num_row_groups() {
        for batch in file.read(group, &columns, limits).unwrap() {
            take(&batch.unwrap());
        }
    }
    Some(())
}

fn number(array: &ArrayRef, row: usize) -> u32 {
    u32::try_from(array.as_primitive::<Int32Type>().value(row)).unwrap()
}

fn truth(array: &ArrayRef, row: usize) -> Option<bool> {
    array.is_valid(row).then(|| array.as_boolean().value(row))
}

fn bodies() -> Option<BTreeMap<u32, Vec<u8>>> {
    let mut bodies = BTreeMap::new();
    read("real_robots.parquet", &["robots_id", "body"], |batch| {
        let texts = Octets::try_new(batch[1].as_ref()).unwrap();
        for row in 0..texts.len() {
            bodies.insert(number(&batch[0], row), texts.value(row).unwrap().to_vec());
        }
    })?;
    Some(bodies)
}

const COLUMNS: [&str; 8] = [
    "robots_id",
    "agent",
    "url",
    "allowed",
    "rule_line",
    "line",
    "rfc9309_allowed",
    "rfc9309_rule_line",
];

fn questions() -> Option<BTreeMap<u32, Vec<Question>>> {
    let mut questions: BTreeMap<u32, Vec<Question>> = BTreeMap::new();
    read("real_vectors.parquet", &COLUMNS, |batch| {
        let octets = |at: usize| Octets::try_new(batch[at].as_ref()).unwrap();
        let (agents, urls) = (octets(1), octets(2));
        for row in 0..urls.len() {
            let google = (truth(&batch[3], row), number(&batch[4], row));
            let rfc9309 = (truth(&batch[6], row), number(&batch[7], row));
            questions.entry(number(&batch[0], row)).or_default().push(Question {
                agent: agents.value(row).unwrap().to_vec(),
                url: urls.value(row).unwrap().to_vec(),
                wanted: [rfc9309, google],
                google_line: number(&batch[5], row),
            });
        }
    })?;
    Some(questions)
}

/// One question in one dialect, both matchers and the vectors; what is wrong.
fn mistake(
    body: &[u8],
    (at, question): (usize, &Question),
    compiled: &Compiled,
    naive: &NaiveRobots,
    dialect: usize,
) -> Option<String> {
    let Question { agent, url, wanted, google_line } = question;
    let plain = naive.judge(agent, url);
    let mut found = compiled.answer(agent, url);
    if matches!(plain.basis, "robots_txt" | "bad_url" | "bad_agent") {
        found = plain;
    }
    let is_google = DIALECTS[dialect].1 == NaiveDialect::Google;
    let is_wanted = |answer: &NaiveAnswer| {
        (answer.allowed, answer.rule_line) == wanted[dialect]
            && (!is_google || answer.matching_line == *google_line)
    };
    if found != plain || !is_wanted(&plain) {
        let name = DIALECTS[dialect].0.name;
        let (agent, url) = (agent.escape_ascii(), url.escape_ascii());
        return Some(format!(
            "{name} `{agent}` `{url}`: program {found:?}, naive {plain:?}, vector {wanted:?} {google_line}"
        ));
    }
    (at % JUDGE_EVERY == 0).then(|| compare(body, agent, url, compiled, naive).err()).flatten()
}

#[test]
fn fast_equals_naive_and_the_vectors_on_every_real_question_in_both_dialects() {
    let (Some(bodies), Some(questions)) = (bodies(), questions()) else { return };
    assert_eq!(bodies.len(), NUM_BODIES);
    assert_eq!(questions.values().map(Vec::len).sum::<usize>(), NUM_ROWS);
    assert_eq!(Dialect::ALL.map(|dialect| dialect.name), DIALECTS.map(|(dialect, _)| dialect.name));
    let questions: Vec<_> = questions.into_iter().collect();
    let mistakes: Vec<String> = questions
        .par_iter()
        .flat_map_iter(|(id, questions)| {
            let body = &bodies[id];
            (0..DIALECTS.len()).flat_map(move |dialect| {
                let compiled = Compiled::new(body, DIALECTS[dialect].0);
                let naive = NaiveRobots::parse(body, DIALECTS[dialect].1);
                let found = questions
                    .iter()
                    .enumerate()
                    .filter_map(|question| mistake(body, question, &compiled, &naive, dialect));
                found.collect::<Vec<_>>()
            })
        })
        .collect();
    let shown = mistakes.iter().take(20).cloned().collect::<Vec<_>>().join("\n");
    assert!(mistakes.is_empty(), "{} mistakes:\n{shown}", mistakes.len());
}
