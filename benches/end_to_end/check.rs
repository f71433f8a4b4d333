//! Verdicts of a sample of rows against the plain matcher.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int16Type, Int64Type};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::matching::naive::{NaiveDialect, NaiveRobots};
use robosift::text::origin::Origin;

use super::files::tables;

/// One row in so many is checked, of the first of these.
const STEP: usize = 97;
const ROWS: usize = 200_000;

/// Asserts that sampled verdicts on captures with a body are those of the plain matcher.
pub(crate) fn verdicts(folder: &Path, rows: &Path, out: &Path, agent: &str) {
    let bodies = bodies(&folder.join("robots.parquet"));
    let (rows, out) = (batches(&tables(rows)[0]), batches(&tables(out)[0]));
    let mut checked = 0;
    for (rows, out) in rows.zip(out).take(ROWS.div_ceil(BATCH_ROWS)) {
        let urls = rows.column_by_name("url").unwrap().as_string::<i32>();
        let allowed = out.column_by_name("robots_allowed").unwrap().as_boolean();
        let rule = out.column_by_name("robots_rule_id").unwrap().as_primitive::<Int64Type>();
        for row in (0..rows.num_rows()).step_by(STEP) {
            let url = urls.value(row).as_bytes();
            let Some(Some(body)) = Origin::parse(url).map(|o| bodies.get(o.as_str())) else {
                continue;
            };
            let answer =
                NaiveRobots::parse(body, NaiveDialect::Rfc9309).judge(agent.as_bytes(), url);
            assert_eq!(allowed.value(row), answer.allowed == Some(true), "row {row}");
            let line = if rule.is_valid(row) { rule.value(row) & 0xFFFF_FFFF } else { 0 };
            assert_eq!(line, i64::from(answer.rule_line), "row {row}");
            checked += 1;
        }
    }
    assert!(checked > 100, "only {checked} rows could be checked");
}

const BATCH_ROWS: usize = 65_536;

fn batches(table: &Path) -> impl Iterator<Item = RecordBatch> + use<> {
    let file = File::open(table).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    reader.with_batch_size(BATCH_ROWS).build().unwrap().map(Result::unwrap)
}

/// Octets of a body up to which all of it counts.
const MAX_BODY: usize = 500 << 10;

/// Bodies of origins with one capture, and that a success.
fn bodies(robots: &Path) -> HashMap<String, Vec<u8>> {
    let (mut bodies, mut captures) = (HashMap::new(), HashMap::<String, u32>::new());
    for batch in batches(robots) {
        let origins = batch.column_by_name("origin").unwrap().as_string::<i32>();
        let body = batch.column_by_name("body").unwrap().as_binary::<i32>();
        let status = batch.column_by_name("status").unwrap().as_primitive::<Int16Type>();
        for row in 0..batch.num_rows() {
            let origin = origins.value(row).to_owned();
            *captures.entry(origin.clone()).or_default() += 1;
            if status.value(row) == 200 && (1..MAX_BODY).contains(&body.value(row).len()) {
                bodies.insert(origin, body.value(row).to_vec());
            }
        }
    }
    bodies.retain(|origin, _| captures.get(origin) == Some(&1));
    bodies
}
