//! Rows are judged by shards as by one build of all captures: every column, rule ids included, in all ways through the evaluator.

use std::sync::Arc;

use arrow::array::{ArrayRef, RecordBatch, StringArray, TimestampMicrosecondArray};
use robosift::corpus::Corpus;
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

use crate::cli::{Bench, HOUR};
use crate::crawl;
use crate::cut::{self, How, build, build_shards};
use crate::random::Random;

const ORIGINS: usize = 120;

/// Rows of all origins and of some that nobody captured, grouped by origin or mixed.
pub(crate) fn rows(is_mixed: bool) -> Vec<String> {
    let paths = ["/", "/p1/x", "/p2/", "/p0/a.pdf", "/chain3/x", "/robots.txt", "/%70/"];
    let names = (0..ORIGINS * 2 + 9).map(crawl::origin);
    let names = names.chain(["https://nobody.net".to_owned(), "nonsense".to_owned()]);
    let mut rows: Vec<String> =
        names.flat_map(|name| paths.map(|path| format!("{name}{path}"))).collect();
    let mut random = Random::new(9);
    (0..if is_mixed { rows.len() } else { 0 }).for_each(|at| {
        let other = random.below(at + 1);
        rows.swap(at, other);
    });
    rows
}

/// Writes `grouped.parquet` and `mixed.parquet`, with times.
pub(crate) fn write_rows(bench: &Bench) {
    for (name, is_mixed) in [("grouped.parquet", false), ("mixed.parquet", true)] {
        let rows = rows(is_mixed);
        let times = (0..rows.len() as i64).map(|row| 400_000 * HOUR + row * 7 % 50 * HOUR);
        let times = TimestampMicrosecondArray::from_iter_values(times).with_timezone("UTC");
        let urls: StringArray = rows.iter().map(|row| Some(row.as_str())).collect();
        bench.parquet(name, vec![("url", Arc::new(urls)), ("time", Arc::new(times))]);
    }
}

#[test]
fn the_binary_judges_alike() {
    let (bench, captures) = (Bench::new(), crawl::captures(11, ORIGINS));
    build(&bench.path("whole"), &captures, How::default());
    for shards in [1, 2, 5] {
        build_shards(&bench.path(&format!("root{shards}")), &captures, shards, How::default());
    }
    write_rows(&bench);
    for more in [
        "--agent GPTBot,CCBot mixed.parquet",
        "--agent GPTBot,CCBot grouped.parquet --dialect google",
        "--agent GPTBot mixed.parquet --time-column time --as-of row",
        "--agent GPTBot grouped.parquet --time-column time --as-of ever --policy google",
        "--agent CCBot mixed.parquet --stale 2d --scope host --policy closed",
        "--agent CCBot mixed.parquet --body-limit 60",
    ] {
        let judge = |corpus: &str| {
            let table = bench.verdicts(&format!("-q --columns full --corpus {corpus} {more}"));
            (table.names(), table.batch.columns().to_vec())
        };
        let whole = judge("whole");
        for shards in [1, 2, 5] {
            assert!(judge(&format!("root{shards}")) == whole, "{shards} shards: {more}");
        }
    }
}

fn judge(corpus: &Corpus, urls: &[String], columns: &[VerdictColumn]) -> RecordBatch {
    let settings = Settings::default();
    let asked = Asked::parse(["GPTBot", "CCBot"], &settings).unwrap();
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    let evaluator = Evaluator::try_new(corpus, settings, asked, columns, layout, suffix).unwrap();
    let urls: ArrayRef =
        Arc::new(urls.iter().map(|url| Some(url.as_str())).collect::<StringArray>());
    let rows = RowColumns::try_new(&urls, None, None).unwrap();
    evaluator.evaluate(&rows, 0, &mut Scratch::default(), &mut Tally::default()).unwrap()
}

#[test]
fn the_library_judges_alike_in_short_and_in_full() {
    let (bench, captures) = (Bench::new(), crawl::captures(12, ORIGINS));
    build(&bench.path("whole"), &captures, How::default());
    build_shards(&bench.path("root"), &captures, 5, How::default());
    let [whole, root] =
        ["whole", "root"].map(|name| Corpus::open(&bench.path(name), &Dialect::RFC9309).unwrap());
    for columns in ["standard", "full"] {
        let columns = VerdictColumn::parse_list(columns).unwrap();
        for is_mixed in [false, true] {
            let rows = rows(is_mixed);
            let (found, expected) = (judge(&root, &rows, &columns), judge(&whole, &rows, &columns));
            assert!(found == expected, "mixed: {is_mixed}");
        }
    }
}

/// A shard has all that its own origins need; only its numbers are its own.
#[test]
fn a_shard_alone_judges_its_own_rows_alike() {
    let (bench, captures) = (Bench::new(), crawl::captures(13, ORIGINS));
    build(&bench.path("whole"), &captures, How::default());
    build_shards(&bench.path("root"), &captures, 5, How::default());
    let whole = Corpus::open_any(&bench.path("whole")).unwrap();
    let columns = VerdictColumn::parse_list("full").unwrap();
    let is_number = |name: &str| name.starts_with("robots_rule_id");
    let mut judged = 0;
    for shard in 0..5 {
        let path = bench.path(&format!("root/shard-{shard:05}"));
        let alone = Corpus::open_any(&path).unwrap();
        let names = alone.origins().map(|origin| alone.origin_name(origin).to_owned());
        let rows: Vec<String> = names
            .flat_map(|name| ["/p1/x", "/p2", "/chain3/"].map(|p| format!("{name}{p}")))
            .collect();
        let (found, expected) = (judge(&alone, &rows, &columns), judge(&whole, &rows, &columns));
        for (at, field) in found.schema().fields().iter().enumerate() {
            let is_same = found.column(at) == expected.column(at);
            assert!(is_number(field.name()) || is_same, "{} of shard {shard}", field.name());
        }
        judged += rows.len();
        assert_eq!(rows.is_empty(), shard == 2);
    }
    assert_eq!(judged, whole.num_origins() * 3);
    assert_eq!(cut::cut(&captures, 5, true).len(), 5);
}
