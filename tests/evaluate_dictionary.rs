//! Dictionary columns: the verdicts of plain ones, and the work of their values, not of their rows.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/counting.rs"]
mod counting;

use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, Int16Array, RecordBatch, StringArray,
};
use arrow::compute::cast;
use arrow::datatypes::Int16Type;
use counting::{alone, calls};
use proptest::prelude::*;
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture, Status};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

/// Origins as rows spell them: canonical, otherwise, not in the corpus, none at all.
const ORIGINS: [&str; 10] = [
    "https://a.example",
    "https://A.Example:443",
    "http://b.example",
    "https://c.example",
    "https://d.example/",
    "https://%61.example",
    "https://e..example",
    "https://unheard.example",
    "ftp://a.example",
    "",
];

const PATHS: [&str; 7] = ["/", "/private/x", "", "/robots.txt", "?q=%41", "x", "/\u{e9}$"];

const AGENTS: [&str; 5] = ["GPTBot", "gptbot", "CCBot/2.0", "***", ""];

fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    let bodies = [
        ("https://a.example", Some(200), "User-agent: GPTBot\nDisallow: /private\n"),
        ("http://b.example", Some(200), "User-agent: *\nDisallow: /\nAllow: /private/x\n"),
        ("https://c.example", Some(404), ""),
        ("https://d.example", Some(503), ""),
    ];
    for (origin, status, body) in bodies {
        builder
            .add(RawCapture {
                place: Place::Origin(origin.as_bytes().to_vec()),
                body: (status == Some(200)).then(|| body.as_bytes().to_vec()),
                status: status.map(Status),
                ..RawCapture::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

fn evaluator<'c>(corpus: &'c Corpus, asked: Asked, columns: &[VerdictColumn]) -> Evaluator<'c> {
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    Evaluator::try_new(corpus, Settings::default(), asked, columns, layout, suffix).unwrap()
}

fn two_agents() -> Asked {
    Asked::parse(["GPTBot", "CCBot"], &Settings::default()).unwrap()
}

/// A dictionary with `values` as they are, twice and null ones too; keys may be null.
fn dictionary(values: &[Option<String>], keys: &[Option<usize>]) -> ArrayRef {
    let keys: Int16Array = keys.iter().map(|key| key.map(|k| i16::try_from(k).unwrap())).collect();
    let values: ArrayRef = Arc::new(values.iter().cloned().collect::<StringArray>());
    Arc::new(DictionaryArray::<Int16Type>::try_new(keys, values).unwrap())
}

/// The same rows as a plain column.
fn plain(array: &ArrayRef) -> ArrayRef {
    let dictionary = array.as_dictionary::<Int16Type>();
    cast(array, &dictionary.value_type()).unwrap()
}

fn texts(texts: &[&str]) -> Vec<Option<String>> {
    texts.iter().map(|text| Some((*text).to_owned())).chain([None]).collect()
}

/// Some values of a list, and keys of rows.
fn rows_of(
    values: Vec<Option<String>>,
    num_rows: usize,
) -> impl Strategy<Value = (Vec<Option<String>>, Vec<Option<usize>>)> {
    let values = prop::collection::vec(prop::sample::select(values), 1..12);
    values.prop_flat_map(move |values| {
        let key = prop::option::weighted(0.95, 0..values.len());
        (Just(values), prop::collection::vec(key, num_rows))
    })
}

fn urls() -> Vec<Option<String>> {
    let urls = ORIGINS.iter().flat_map(|o| PATHS.map(|path| Some(format!("{o}{path}"))));
    urls.chain([None]).collect()
}

/// Judges batches one after the other, as one evaluator and its scratch do.
fn judge(
    evaluator: &Evaluator<'_>,
    batches: &[(ArrayRef, Option<ArrayRef>, Option<ArrayRef>)],
) -> (Vec<RecordBatch>, Tally) {
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let judged = batches.iter().map(|(url, agent, origin)| {
        let rows = RowColumns::try_new(url, agent.as_ref(), origin.as_ref()).unwrap();
        evaluator.evaluate(&rows, 7, &mut scratch, &mut tally).unwrap()
    });
    (judged.collect(), tally)
}

type Batch = (ArrayRef, Option<ArrayRef>, Option<ArrayRef>);

/// Asserts that dictionaries have the verdicts of plain columns, cut in three batches and whole.
fn assert_as_plain(evaluator: &Evaluator<'_>, whole: &Batch) {
    let cut = |from: usize, len: usize| {
        let cut = |array: &ArrayRef| array.slice(from, len);
        (cut(&whole.0), whole.1.as_ref().map(cut), whole.2.as_ref().map(cut))
    };
    let num_rows = whole.0.len();
    let cuts = [cut(0, 3), cut(3, num_rows - 5), cut(num_rows - 2, 2), whole.clone()];
    let of_plain: Vec<Batch> = cuts
        .iter()
        .map(|(url, agent, origin)| {
            (plain(url), agent.as_ref().map(plain), origin.as_ref().map(plain))
        })
        .collect();
    assert_eq!(judge(evaluator, &cuts), judge(evaluator, &of_plain));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn dictionaries_of_urls_have_the_verdicts_of_plain_columns(
        (values, keys) in rows_of(urls(), 150),
    ) {
        let _guard = alone();
        let corpus = corpus();
        let batch = (dictionary(&values, &keys), None, None);
        for columns in [&VerdictColumn::ALL[..], &VerdictColumn::STANDARD] {
            assert_as_plain(&evaluator(&corpus, two_agents(), columns), &batch);
        }
        let with_dictionaries = evaluator(&corpus, two_agents(), &VerdictColumn::STANDARD);
        assert_as_plain(&with_dictionaries.with_dictionaries(), &batch);
        let (urls, agents) = (dictionary(&values, &keys), dictionary(&texts(&AGENTS), &vec![Some(0); 150]));
        let column = evaluator(&corpus, Asked::Column, &VerdictColumn::STANDARD);
        assert_as_plain(&column, &(urls, Some(agents), None));
    }

    #[test]
    fn dictionaries_of_origins_and_agents_have_the_verdicts_of_plain_columns(
        (paths, path_keys) in rows_of(texts(&PATHS), 150),
        (origins, origin_keys) in rows_of(texts(&ORIGINS), 150),
        (agents, agent_keys) in rows_of(texts(&AGENTS), 150),
        absolute in prop::collection::vec(0_usize..8, 150),
    ) {
        let _guard = alone();
        let corpus = corpus();
        // Some rows hold whole URLs although there is an origin column.
        let (mut paths, mut path_keys) = (paths, path_keys);
        paths.push(Some("https://a.example/private".to_owned()));
        for (key, _) in path_keys.iter_mut().zip(&absolute).filter(|(_, kind)| **kind == 0) {
            *key = Some(paths.len() - 1);
        }
        let origin = Some(dictionary(&origins, &origin_keys));
        let agent = Some(dictionary(&agents, &agent_keys));
        let path = dictionary(&paths, &path_keys);
        for columns in [&VerdictColumn::ALL[..], &VerdictColumn::STANDARD] {
            let of_two = evaluator(&corpus, two_agents(), columns);
            assert_as_plain(&of_two, &(path.clone(), None, origin.clone()));
            let of_column = evaluator(&corpus, Asked::Column, columns);
            assert_as_plain(&of_column, &(path.clone(), agent.clone(), origin.clone()));
        }
    }
}

/// What the second batch allocates of rows that name `values` in turn, as a dictionary or plain.
fn allocations(evaluator: &Evaluator<'_>, rows: impl Fn() -> Batch) -> usize {
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let (first, second) = (rows(), rows());
    let mut judge = |batch: &Batch| {
        let rows = RowColumns::try_new(&batch.0, batch.1.as_ref(), batch.2.as_ref()).unwrap();
        evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap()
    };
    drop(judge(&first));
    calls(|| judge(&second)).0
}

/// Hosts that have to be percent-decoded cost allocations, and agents that are read do: so those of a
/// batch count how often each is looked at.
#[test]
fn values_are_looked_at_once_whatever_the_number_of_rows() {
    let _guard = alone();
    let corpus = corpus();
    let urls: Vec<Option<String>> =
        (0..10).map(|at| Some(format!("https://%6{at}.example/x"))).collect();
    let origins: Vec<Option<String>> =
        (0..10).map(|at| Some(format!("https://%6{at}.example"))).collect();
    let keys = |len: usize| (0..len).map(|row| Some(row * 7 % 10)).collect::<Vec<_>>();
    let agents: Vec<Option<String>> = (0..10).map(|at| Some("x".repeat(2_000 + at))).collect();
    let paths = |len: usize| dictionary(&texts(&["/x"]), &vec![Some(0); len]);
    let (of_two, of_column) = (
        evaluator(&corpus, two_agents(), &VerdictColumn::STANDARD).with_dictionaries(),
        evaluator(&corpus, Asked::Column, &VerdictColumn::STANDARD).with_dictionaries(),
    );
    let of_urls = |len: usize| (dictionary(&urls, &keys(len)), None, None);
    let of_origins = |len: usize| (paths(len), None, Some(dictionary(&origins, &keys(len))));
    let of_agents = |len: usize| (paths(len), Some(dictionary(&agents, &keys(len))), None);
    type Rows<'r> = &'r dyn Fn(usize) -> Batch;
    let cases: [(&Evaluator<'_>, Rows<'_>); 3] =
        [(&of_two, &of_urls), (&of_two, &of_origins), (&of_column, &of_agents)];
    for (evaluator, rows) in cases {
        let (few, many) =
            (allocations(evaluator, || rows(20)), allocations(evaluator, || rows(2_000)));
        assert!(many < few + 20, "{few} for 20 rows, {many} for 2,000");
        let plain_rows = || {
            let (url, agent, origin) = rows(2_000);
            (plain(&url), agent.as_ref().map(plain), origin.as_ref().map(plain))
        };
        let of_plain = allocations(evaluator, plain_rows);
        assert!(of_plain > many + 1_000, "{of_plain} of plain columns, {many} of dictionaries");
    }
}

/// The same dictionary with a further batch is not looked at again.
#[test]
fn what_is_known_of_values_is_kept_as_long_as_they_come() {
    let _guard = alone();
    let corpus = corpus();
    let of_two = evaluator(&corpus, two_agents(), &VerdictColumn::STANDARD).with_dictionaries();
    let values: Vec<Option<String>> =
        (0..500).map(|at| Some(format!("https://%61{at}.example/x"))).collect();
    let keys: Vec<Option<usize>> = (0..1_000).map(|row| Some(row * 7 % 500)).collect();
    let kept = dictionary(&values, &keys);
    let again = allocations(&of_two, || (kept.slice(0, 600), None, None));
    let anew = allocations(&of_two, || (dictionary(&values, &keys).slice(0, 600), None, None));
    assert!(again + 500 < anew, "{again} with the same dictionary, {anew} with another");
}
