//! Half a million real rows in both dialects: the rows on which the vectors themselves disagree, each with its clause.

use crate::adds_up;
use crate::cli::{Bench, Table};
use crate::shared_data::shared;

const ROWS: usize = 553_406;

#[test]
fn real_rows_differ_where_the_vectors_do() {
    let names = ["data/real_robots.parquet", "data/real_vectors.parquet"];
    let [Some(robots), Some(vectors)] = names.map(shared) else { return };
    let bench = Bench::new();
    let (robots, rows) = (robots.to_str().unwrap(), vectors.to_str().unwrap());
    let fixed = ["compare", "--corpus", robots, "--agent-column", "agent", "--body-limit", "0"];
    let sides = ["--left", "rfc9309", "--right", "google", "-o", "out.parquet", "--json", rows];
    let json = bench.run(&[&fixed[..], &sides].concat()).ends_with(0).json();
    let (ours, theirs) = (bench.table("out.parquet"), Table::read(&vectors));
    assert_eq!(json["rows"], ROWS);
    adds_up(&json, ours.num_rows());
    let kinds = ours.texts("robots_difference");
    let rows_of = |kind: &str| -> Vec<usize> {
        let rows = ours.ints("robots_row").into_iter().zip(&kinds);
        let rows = rows.filter(|(_, known)| known.as_deref() == Some(kind));
        rows.map(|(row, _)| usize::try_from(row.unwrap()).unwrap()).collect()
    };
    let pairs = theirs.bools("rfc9309_allowed").into_iter().zip(theirs.bools("allowed"));
    let expected = pairs.enumerate().filter(|(_, (left, right))| left != right).map(|(row, _)| row);
    assert_eq!(rows_of("verdict"), expected.collect::<Vec<_>>());
    let clauses = &json["clauses"];
    assert!(clauses.get("unknown").is_none(), "{clauses}");
    let counts = |clause: &str| {
        ["verdict", "rule", "basis"].map(|kind| clauses[clause][kind].as_u64().unwrap_or(0))
    };
    // As in docs/CONFORMANCE.md.
    assert_eq!(counts("normalisation"), [14_564, 1_213, 0]);
    assert_eq!(counts("robots_txt_allowed"), [335, 411, 4_307]);
    assert_eq!(counts("index_html"), [20, 11, 0]);
    assert_eq!(counts("path_start"), [10, 0, 0]);
}
