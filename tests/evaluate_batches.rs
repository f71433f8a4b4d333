//! Batches of many shapes: scattered rows, dictionaries, what a further batch allocates.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/counting.rs"]
mod counting;

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, StringDictionaryBuilder, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::Int32Type;
use counting::{alone, calls};
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture, Status};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

const ORIGINS: usize = 200;

fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    // Every seventh origin has no capture.
    for origin in (0..ORIGINS).filter(|origin| origin % 7 != 0) {
        let body = format!(
            "User-agent: GPTBot\nDisallow: /{}\n\nUser-agent: *\nDisallow: /private\nAllow: /*{}$\n",
            origin % 5,
            origin % 3
        );
        let (status, body) = match origin % 11 {
            0 => (Some(404), None),
            1 => (Some(503), None),
            2 => (Some(301), None),
            3 => (None, Some(String::from("\n# nothing\n"))),
            4 => (None, Some(format!("User-agent: GPTBot\nDisallow: /{origin}\n"))),
            5 => (None, Some(body.replace("*\n", "CCBot\n"))),
            _ => ([None, Some(200)][origin % 2], Some(body)),
        };
        builder
            .add(RawCapture {
                place: Place::Origin(format!("https://o{origin}.example").into_bytes()),
                body: body.map(String::into_bytes),
                status: status.map(Status),
                content_type: (origin % 2 == 0).then(|| String::from("text/html")),
                ..RawCapture::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

/// Rows grouped by origin; bad URLs, odd spellings and `/robots.txt` among them.
fn urls(per_origin: usize) -> StringArray {
    let url = |origin: usize, row: usize| match row % 9 {
        0 => format!("https://o{origin}.example/robots.txt"),
        1 => format!("https://O{origin}.Example:443/{row}?x=%41"),
        2 => format!("ftp://o{origin}.example/"),
        4 => format!("http://me@o{origin}.example/private#x"),
        5 => format!("https://o{origin}.example?q=\u{e9}"),
        6 => format!("https://o{origin}..example:99999/"),
        3 => format!("https://o{origin}.example/private/{row}"),
        _ => format!("https://o{origin}.example/{row}"),
    };
    let rows = (0..ORIGINS).flat_map(|origin| (0..per_origin).map(move |row| (origin, row)));
    rows.map(|(origin, row)| Some(url(origin, row))).collect()
}

fn evaluator<'c>(corpus: &'c Corpus, columns: &[VerdictColumn]) -> Evaluator<'c> {
    let settings = Settings::default();
    let asked = Asked::parse(["GPTBot", "CCBot"], &settings).unwrap();
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    Evaluator::try_new(corpus, settings, asked, columns, layout, suffix).unwrap()
}

/// All columns that do not say where a row stands.
fn columns() -> Vec<VerdictColumn> {
    VerdictColumn::ALL.into_iter().filter(|column| *column != VerdictColumn::Row).collect()
}

fn evaluate(evaluator: &Evaluator<'_>, urls: &ArrayRef) -> (RecordBatch, Tally) {
    let rows = RowColumns::try_new(urls, None, None).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    (evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap(), tally)
}

/// Numbers below `len` in an order that jumps about.
fn jumps(len: usize) -> UInt32Array {
    // A step that has no divisor in common with the length reaches every row once.
    let step = (len / 2 + 1..).find(|step| gcd(*step, len) == 1).unwrap();
    (0..len).map(|at| u32::try_from(at * step % len).unwrap()).collect::<Vec<u32>>().into()
}

fn gcd(one: usize, other: usize) -> usize {
    if other == 0 { one } else { gcd(other, one % other) }
}

#[test]
fn scattered_rows_have_the_verdicts_of_grouped_ones() {
    let _guard = alone();
    let corpus = corpus();
    let (all, standard) = (columns(), VerdictColumn::STANDARD.to_vec());
    for (columns, per_origin) in [(&all, 1), (&all, 25), (&standard, 1), (&standard, 25)] {
        let evaluator = evaluator(&corpus, columns);
        let grouped: ArrayRef = Arc::new(urls(per_origin));
        let order = jumps(grouped.len());
        let scattered = take(&grouped, &order, None).unwrap();
        let (verdicts, tally) = evaluate(&evaluator, &grouped);
        let (other_verdicts, other_tally) = evaluate(&evaluator, &scattered);
        assert_eq!(tally, other_tally);
        for (one, other) in verdicts.columns().iter().zip(other_verdicts.columns()) {
            assert_eq!(&take(one, &order, None).unwrap(), other);
        }
    }
}

#[test]
fn dictionaries_have_the_verdicts_of_plain_columns() {
    let _guard = alone();
    let corpus = corpus();
    let evaluator = evaluator(&corpus, &columns());
    let plain = urls(5);
    let mut builder = StringDictionaryBuilder::<Int32Type>::new();
    plain.iter().for_each(|url| builder.append_option(url));
    let (plain, dictionary): (ArrayRef, ArrayRef) = (Arc::new(plain), Arc::new(builder.finish()));
    assert_eq!(evaluate(&evaluator, &plain), evaluate(&evaluator, &dictionary));
}

#[test]
fn paths_with_an_origin_column_have_the_verdicts_of_urls() {
    let _guard = alone();
    let corpus = corpus();
    let evaluator = evaluator(&corpus, &columns());
    let rows = || (0..ORIGINS * 20).map(|row| (row * 31 % ORIGINS, row % 4));
    let urls = rows().map(|(o, path)| Some(format!("https://o{o}.example/{path}")));
    let urls: ArrayRef = Arc::new(urls.collect::<StringArray>());
    let paths: ArrayRef =
        Arc::new(rows().map(|(_, p)| Some(format!("/{p}"))).collect::<StringArray>());
    let mut origins = StringDictionaryBuilder::<Int32Type>::new();
    rows().for_each(|(o, _)| origins.append_value(format!("https://o{o}.example")));
    let origins: ArrayRef = Arc::new(origins.finish());
    let rows = RowColumns::try_new(&paths, None, Some(&origins)).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let verdicts = evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap();
    assert_eq!((verdicts, tally), evaluate(&evaluator, &urls));
}

/// What the second batch of some rows allocates, times it allocates.
fn allocations(evaluator: &Evaluator<'_>, urls: &ArrayRef) -> usize {
    let rows = RowColumns::try_new(urls, None, None).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let mut judge = || evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap();
    drop(judge());
    calls(judge).0
}

#[test]
fn a_further_batch_allocates_nothing_a_row_and_nothing_an_origin() {
    let _guard = alone();
    let corpus = corpus();
    let evaluator = evaluator(&corpus, &VerdictColumn::STANDARD).with_dictionaries();
    let grouped: ArrayRef = Arc::new(urls(20));
    let scattered = take(&grouped, &jumps(grouped.len()), None).unwrap();
    let few = allocations(&evaluator, &grouped.slice(0, 100));
    assert_eq!(allocations(&evaluator, &grouped), few);
    assert_eq!(allocations(&evaluator, &scattered), few);
    assert!(few < 150, "{few} allocations for eight columns");
}
