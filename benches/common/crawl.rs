//! A small made-up crawl in memory: its corpus, and batches of rows about it.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{
    Array, ArrayRef, AsArray, Int16Array, Int64Array, RecordBatch, TimestampMicrosecondArray,
    UInt64Array,
};
use arrow::compute::{concat, take};
use robosift::compile::BodyLimit;
use robosift::corpus::{Corpus, CorpusBuilder, Place, RawCapture, Status};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::parse::Dialect;
use robosift::table::Octets;
use robosift::workload::Workload;

use super::w1::Random;

/// The agents asked for; one of them is the first.
pub(crate) const AGENTS: [&str; 10] = [
    "GPTBot",
    "CCBot",
    "ClaudeBot",
    "Googlebot",
    "bingbot",
    "Bytespider",
    "PerplexityBot",
    "Applebot",
    "Amazonbot",
    "FacebookBot",
];

/// Rows of a batch, as the stream hands them over.
const BATCH_ROWS: usize = 8_192;

/// A crawl that is ready to be judged.
pub(crate) struct Crawl {
    workload: Workload,
    pub(crate) corpus: Corpus,
    /// The URLs in the order of the crawl, grouped by origin.
    pub(crate) grouped: Vec<ArrayRef>,
    /// The same URLs in any order.
    pub(crate) shuffled: Vec<ArrayRef>,
    /// The place in the order of the crawl of each shuffled URL.
    order: UInt64Array,
}

impl Crawl {
    /// So many rows over so many origins; the same arguments give the same crawl.
    pub(crate) fn new(rows: u64, origins: u64) -> Self {
        let workload = Workload::try_new(rows, origins, 1).unwrap();
        let columns: Vec<ArrayRef> =
            workload.row_batches().map(|b| Arc::clone(b.column_by_name("url").unwrap())).collect();
        let columns: Vec<&dyn Array> = columns.iter().map(AsRef::as_ref).collect();
        let urls = concat(&columns).unwrap();
        let order = shuffle(rows);
        let shuffled = take(urls.as_ref(), &order, None).unwrap();
        let corpus = corpus(&workload);
        Crawl { workload, corpus, grouped: cut(&urls), shuffled: cut(&shuffled), order }
    }

    pub(crate) fn num_rows(&self) -> u64 {
        self.workload.rows()
    }

    /// Asks for the first `agents` of [`AGENTS`], standard columns.
    pub(crate) fn evaluator(&self, agents: usize) -> Evaluator<'_> {
        let settings = Settings::default();
        let asked = Asked::parse(AGENTS[..agents].iter().copied(), &settings).unwrap();
        let columns = VerdictColumn::STANDARD;
        let (layout, suffix) = (Layout::Wide, Suffix::Auto);
        Evaluator::try_new(&self.corpus, settings, asked, &columns, layout, suffix).unwrap()
    }

    /// Compares the verdicts of one and ten agents, grouped and shuffled, with each other and, where an
    /// origin has one capture and that is a body, with the plain matcher's.
    pub(crate) fn assert_verdicts(&self) {
        let (one, ten) = (self.evaluator(1), self.evaluator(AGENTS.len()));
        let grouped = rule_ids(&evaluate(&ten, &self.grouped));
        let shuffled = rule_ids(&evaluate(&ten, &self.shuffled));
        for (ids, shuffled_ids) in grouped.iter().zip(&shuffled) {
            let taken = take(ids, &self.order, None).unwrap();
            assert_eq!(taken.as_ref(), shuffled_ids as &dyn Array);
        }
        assert_eq!(rule_ids(&evaluate(&one, &self.grouped)), grouped[..1]);
        self.assert_as_naive(&grouped);
    }

    fn assert_as_naive(&self, ids: &[Int64Array]) {
        let bodies = only_bodies(&self.workload);
        let mut compared = 0;
        let rows = self.grouped.iter().flat_map(|batch| batch.as_string::<i32>().iter());
        for (row, url) in rows.enumerate() {
            let url = url.unwrap();
            let Some(naive) = bodies.get(origin(url)) else { continue };
            for (agent, ids) in AGENTS.iter().zip(ids) {
                let right = naive.judge(agent.as_bytes(), url.as_bytes()).rule_line;
                let line = if ids.is_null(row) { 0 } else { ids.value(row) & 0xFFFF_FFFF };
                assert_eq!(line, i64::from(right), "{agent} {url}");
                compared += 1;
            }
        }
        assert!(compared > 0, "no row was compared");
    }
}

/// Judges batches in order.
pub(crate) fn evaluate(evaluator: &Evaluator<'_>, batches: &[ArrayRef]) -> Vec<RecordBatch> {
    let (mut scratch, mut tally, mut first_row) = (Scratch::default(), Tally::default(), 0);
    let judged = batches.iter().map(|urls| {
        let rows = RowColumns::try_new(urls, None, None).unwrap();
        let batch = evaluator.evaluate(&rows, first_row, &mut scratch, &mut tally).unwrap();
        first_row += urls.len() as u64;
        batch
    });
    judged.collect()
}

/// The rule ids of each agent.
fn rule_ids(judged: &[RecordBatch]) -> Vec<Int64Array> {
    let schema = judged[0].schema();
    let is_id = |name: &str| name.starts_with(VerdictColumn::RuleId.name());
    let columns = (0..schema.fields().len()).filter(|column| is_id(schema.field(*column).name()));
    let ids = columns.map(|column| {
        let parts: Vec<&dyn Array> = judged.iter().map(|b| b.column(column).as_ref()).collect();
        concat(&parts).unwrap().as_primitive().clone()
    });
    ids.collect()
}

fn cut(urls: &ArrayRef) -> Vec<ArrayRef> {
    let starts = (0..urls.len()).step_by(BATCH_ROWS);
    starts.map(|start| urls.slice(start, BATCH_ROWS.min(urls.len() - start))).collect()
}

fn shuffle(rows: u64) -> UInt64Array {
    let mut order: Vec<u64> = (0..rows).collect();
    let mut random = Random(7);
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    order.into()
}

/// Scheme and authority of a URL of the workload.
fn origin(url: &str) -> &str {
    let path = url.char_indices().filter(|(_, letter)| *letter == '/').nth(2);
    &url[..path.map_or(url.len(), |(at, _)| at)]
}

fn corpus(workload: &Workload) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::NONE);
    workload
        .robots_batches()
        .flat_map(|batch| captures(&batch))
        .for_each(|raw| builder.add(raw).unwrap());
    builder.finish().unwrap()
}

pub(crate) fn captures(batch: &RecordBatch) -> Vec<RawCapture> {
    let column = |name: &str| batch.column_by_name(name).unwrap();
    let octets = |name: &str| Octets::try_new(column(name).as_ref()).unwrap();
    let (origins, bodies) = (octets("origin"), octets("body"));
    let (types, redirects) = (octets("content_type"), octets("redirect"));
    let statuses: &Int16Array = column("status").as_primitive();
    let times: &TimestampMicrosecondArray = column("fetch_time").as_primitive();
    let text = |octets: &[u8]| String::from_utf8_lossy(octets).into_owned();
    let captures = (0..batch.num_rows()).map(|row| RawCapture {
        place: Place::Origin(origins.value(row).unwrap().to_vec()),
        body: bodies.value(row).map(<[u8]>::to_vec),
        status: Some(Status(statuses.value(row))),
        time: Some(times.value(row)),
        redirect: redirects.value(row).map(text),
        content_type: types.value(row).map(text),
        ..RawCapture::default()
    });
    captures.collect()
}

/// What the plain matcher makes of origins with one capture that is a body.
fn only_bodies(workload: &Workload) -> HashMap<String, NaiveRobots> {
    let mut bodies: HashMap<String, Vec<RawCapture>> = HashMap::new();
    for raw in workload.robots_batches().flat_map(|batch| captures(&batch)) {
        let Place::Origin(origin) = &raw.place else { continue };
        bodies.entry(String::from_utf8_lossy(origin).into_owned()).or_default().push(raw);
    }
    let read = |captures: Vec<RawCapture>| match captures.as_slice() {
        [RawCapture { status: Some(Status(200)), body: Some(body), .. }] => {
            Some(NaiveRobots::parse(body, NaiveDialect::Rfc9309))
        }
        _ => None,
    };
    bodies.into_iter().filter_map(|(origin, raw)| Some((origin, read(raw)?))).collect()
}
