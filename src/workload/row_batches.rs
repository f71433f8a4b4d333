//! The rows of a workload as record batches.
//!
//! Enters: seed, origins, quotas. Leaves: batches of `url`, `agent`, `fetch_time`, grouped by origin in SURT order.
//! Cost: about 140 ns a row at 60 rows an origin; memory for one batch. Must not know: files.

use std::sync::Arc;

use arrow::array::{
    ArrayRef, RecordBatch, StringBuilder, StructArray, TimestampMillisecondBuilder,
};
use arrow::datatypes::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};

use super::origins::Origins;
use super::quotas::Quotas;
use super::random::{Random, Stream};
use super::schedule::{start_of_crawl, timestamp};
use super::urls::Site;
use super::vocabulary::ROW_AGENTS;

/// The most rows of a batch.
pub(crate) const BATCH_ROWS: usize = 65_536;
/// Octets set aside for the URLs of a batch.
const URL_CAPACITY: usize = BATCH_ROWS * 80;

/// The columns of rows.
pub(crate) fn row_schema() -> SchemaRef {
    let time = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("url", DataType::Utf8, false),
        Field::new("agent", DataType::Utf8, false),
        Field::new("fetch_time", time, false),
    ]))
}

/// The rows of one origin that are still to come.
struct Run {
    random: Random,
    name: String,
    site: Site,
    /// Agents of the first half, the third and the last quarter of the rows.
    agents: [&'static str; 3],
    /// Milliseconds of the epoch at which the crawl of the origin starts, and how long it goes on.
    start: u64,
    span: u64,
    row: u64,
    rows: u64,
}

/// Batches of rows, in order.
pub(crate) struct RowBatches {
    seed: u64,
    origins: Origins,
    quotas: Quotas,
    run: Option<Run>,
    fields: Fields,
    url: String,
}

impl RowBatches {
    pub(crate) fn new(seed: u64, rows: u64, origins: Origins) -> Self {
        let quotas = Quotas::new(seed, rows, origins.count());
        let fields = row_schema().fields().clone();
        Self { seed, origins, quotas, run: None, fields, url: String::new() }
    }

    /// Moves on to the next origin; false after the last.
    fn next_run(&mut self) -> bool {
        let Some((origin, rows)) = self.quotas.next() else { return false };
        let mut name = self.run.take().map_or_else(String::new, |run| run.name);
        name.clear();
        self.origins.write_name(origin, &mut name);
        self.run = Some(Run::new(self.seed, origin, name, rows));
        true
    }
}

impl Run {
    fn new(seed: u64, origin: u64, name: String, rows: u64) -> Self {
        let mut random = Random::new(seed, Stream::Rows, origin);
        let site = Site::draw(&mut random);
        let first = random.weighted(ROW_AGENTS);
        let agents = if random.chance(4_000) {
            [first; 3]
        } else {
            [first, random.weighted(ROW_AGENTS), random.weighted(ROW_AGENTS)]
        };
        // One origin in two hundred is crawled an hour before its robots.txt.
        let lead = if random.chance(50) { 3_600_000 } else { 0 };
        let start = start_of_crawl(seed, origin) * 1_000 + 2_000 - lead;
        let span = (rows * 15_000).min(86_400_000);
        Self { random, name, site, agents, start, span, row: 0, rows }
    }

    /// The agent of the current row.
    fn agent(&self) -> &'static str {
        let quarter = self.row * 4 / self.rows;
        self.agents[match quarter {
            0 | 1 => 0,
            2 => 1,
            _ => 2,
        }]
    }
}

impl Iterator for RowBatches {
    type Item = RecordBatch;

    fn next(&mut self) -> Option<RecordBatch> {
        let mut urls = StringBuilder::with_capacity(BATCH_ROWS, URL_CAPACITY);
        let mut agents = StringBuilder::with_capacity(BATCH_ROWS, BATCH_ROWS * 8);
        let mut times = TimestampMillisecondBuilder::with_capacity(BATCH_ROWS);
        let mut num_rows = 0;
        while num_rows < BATCH_ROWS {
            if self.run.as_ref().is_none_or(|run| run.row == run.rows) && !self.next_run() {
                break;
            }
            let Some(run) = &mut self.run else { break };
            run.site.write_url(&mut run.random, &run.name, (run.row, run.rows), &mut self.url);
            urls.append_value(&self.url);
            agents.append_value(run.agent());
            times.append_value(timestamp(run.start + run.random.below(run.span)));
            run.row += 1;
            num_rows += 1;
        }
        if num_rows == 0 {
            return None;
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(urls.finish()),
            Arc::new(agents.finish()),
            Arc::new(times.finish().with_timezone("UTC")),
        ];
        Some(RecordBatch::from(StructArray::new(self.fields.clone(), columns, None)))
    }
}
