//! Real files beside each other: every path that is said to have changed did, by the plain matcher.

use std::fs::File;

use arrow::array::AsArray;
use arrow::datatypes::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::diff::agents_named;
use robosift::parse::Dialect;

use super::asking::{check_witnesses, diff};
use super::shared_data::shared;

/// Pairs that are compared.
const MOST_PAIRS: usize = 400;

fn bodies(name: &str) -> Option<Vec<Vec<u8>>> {
    let file = File::open(shared(name)?).unwrap();
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap().build().unwrap();
    let mut bodies = Vec::new();
    for batch in reader {
        let batch = batch.unwrap();
        let column = batch.column_by_name("body").expect("a column body");
        let column = arrow::compute::cast(column, &DataType::Binary).unwrap();
        let column = column.as_binary::<i32>();
        bodies.extend(column.iter().flatten().map(<[u8]>::to_vec));
    }
    Some(bodies)
}

#[test]
fn neighbouring_real_files() {
    let Some(mut bodies) = bodies("data/real_robots.parquet") else { return };
    bodies.dedup();
    // From everywhere in the file, and few enough for a build without optimisation.
    let stride = (bodies.len() / MOST_PAIRS).max(1);
    let (mut num_changes, mut num_cut_off) = (0, 0);
    for pair in bodies.windows(2).step_by(stride) {
        let [old, new] = pair else { continue };
        let named = agents_named(new, &Dialect::RFC9309);
        let named = named.first().and_then(|name| std::str::from_utf8(name).ok());
        let agents = ["*"].into_iter().chain(named);
        for agent in agents {
            for dialect in Dialect::ALL {
                let found = diff(old, new, agent, dialect);
                check_witnesses(old, new, agent, dialect, &found);
                num_changes += found.comparison.closed.len() + found.comparison.opened.len();
                num_cut_off += usize::from(found.comparison.cut_off);
            }
        }
    }
    assert!(num_changes > 1_000, "{num_changes} changes");
    assert_eq!(num_cut_off, 0, "comparisons that took too much work");
}
