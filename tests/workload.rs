//! Made-up crawls: exact totals, the same octets for the same arguments, order, whole files.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tests report what fails by failing; shares of counts are small"
)]

use std::fs;
use std::path::Path;

use arrow::array::{AsArray, RecordBatch};
use arrow::datatypes::{
    DataType, Int16Type, TimeUnit, TimestampMicrosecondType, TimestampMillisecondType,
};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use robosift::workload::{Workload, WorkloadSummary};

/// Sizes as (rows, origins): one row an origin, odd ratios, long tails, a single origin.
const SIZES: [(u64, u64); 9] = [
    (1, 1),
    (7, 7),
    (10_000, 7),
    (10_000, 1),
    (10_000, 10_000),
    (10_000, 9_999),
    (200_000, 10_000),
    (123_457, 1_234),
    (300_000, 5_000),
];

fn workload(rows: u64, origins: u64, seed: u64) -> Workload {
    Workload::try_new(rows, origins, seed).unwrap()
}

fn write(workload: &Workload, folder: &Path) -> WorkloadSummary {
    workload.write(folder, &mut |_| {}).unwrap()
}

fn strings(batch: &RecordBatch, column: &str) -> Vec<String> {
    let array = batch.column_by_name(column).unwrap().as_string::<i32>();
    array.iter().map(|value| value.unwrap_or_default().to_owned()).collect()
}

fn urls(workload: &Workload) -> impl Iterator<Item = String> {
    workload.row_batches().flat_map(|batch| strings(&batch, "url"))
}

/// Scheme, host and port of an absolute http(s) URL, written plainly.
fn origin_of(url: &str) -> Option<String> {
    let lower = url.to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://")?;
    if scheme != "http" && scheme != "https" {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = match scheme {
        "https" => authority.strip_suffix(":443").unwrap_or(authority),
        _ => authority.strip_suffix(":80").unwrap_or(authority),
    };
    let authority = authority.trim_end_matches('.');
    (!authority.is_empty()).then(|| format!("{scheme}://{authority}"))
}

/// Reversed labels joined by commas, port, scheme.
fn surt(origin: &str) -> (String, u16, String) {
    let (scheme, authority) = origin.split_once("://").unwrap();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "0"));
    let labels: Vec<&str> = host.rsplit('.').collect();
    (labels.join(","), port.parse().unwrap(), scheme.to_owned())
}

/// The origins of the rows in order of first appearance, with the length of each run.
fn runs(workload: &Workload) -> Vec<(String, u64)> {
    let mut runs: Vec<(String, u64)> = Vec::new();
    for origin in urls(workload).filter_map(|url| origin_of(&url)) {
        match runs.last_mut() {
            Some((last, count)) if *last == origin => *count += 1,
            _ => runs.push((origin, 1)),
        }
    }
    runs
}

#[test]
fn totals_are_exact() {
    for (rows, origins) in SIZES {
        for seed in [1, 99] {
            let counted: usize =
                workload(rows, origins, seed).row_batches().map(|batch| batch.num_rows()).sum();
            assert_eq!(counted as u64, rows, "{rows} rows over {origins} origins");
        }
    }
}

#[test]
fn every_origin_has_rows_and_one_run_of_them() {
    for (rows, origins) in [(300_000, 5_000), (60_000, 1_000), (10_000, 7)] {
        let runs = runs(&workload(rows, origins, 3));
        let found = runs.len() as u64;
        // An origin whose only rows are bad URLs cannot be seen from the rows.
        assert!(found <= origins && found * 1_000 >= origins * 997, "{found} of {origins}");
    }
}

#[test]
fn origins_come_in_surt_order() {
    for seed in [1, 2, 3] {
        let runs = runs(&workload(400_000, 400_000, seed));
        assert!(runs.len() > 390_000);
        for pair in runs.windows(2) {
            let [(left, _), (right, _)] = pair else { unreachable!() };
            assert!(surt(left) < surt(right), "{left} before {right}");
        }
    }
}

#[test]
fn rows_an_origin_have_a_long_tail() {
    let mut counts: Vec<u64> = runs(&workload(600_000, 10_000, 1)).iter().map(|r| r.1).collect();
    counts.sort_unstable();
    let at = |share: f64| counts[(counts.len() as f64 * share) as usize];
    assert!((8..=30).contains(&at(0.5)), "median {}", at(0.5));
    assert!((200..=1_000).contains(&at(0.99)), "p99 {}", at(0.99));
    assert!(*counts.last().unwrap() > 3_000, "max {:?}", counts.last());
}

#[test]
fn rows_belong_to_origins_of_the_robots_table() {
    let workload = workload(300_000, 5_000, 5);
    let known: std::collections::HashSet<String> =
        workload.robots_batches().flat_map(|batch| strings(&batch, "origin")).collect();
    let unknown = urls(&workload)
        .filter(|url| origin_of(url).is_none_or(|origin| !known.contains(&origin)))
        .count();
    assert!((100..=10_000).contains(&unknown), "{unknown} of 300,000");
}

#[test]
fn captures_come_in_the_order_of_rows() {
    let workload = workload(50_000, 50_000, 8);
    let mut last = (String::new(), 0, String::new());
    let (mut last_time, mut several) = (0, 0);
    for batch in workload.robots_batches() {
        let times = batch.column_by_name("fetch_time").unwrap();
        let times = times.as_primitive::<TimestampMicrosecondType>();
        for (row, origin) in strings(&batch, "origin").iter().enumerate() {
            let (key, time) = (surt(origin), times.value(row));
            assert!(last <= key, "{last:?} before {key:?}");
            if last == key {
                several += 1;
                assert!(time - last_time >= 2 * 3_600 * 1_000_000, "{origin}");
            }
            (last, last_time) = (key, time);
        }
    }
    assert!((400..=1_200).contains(&several), "{several} later captures");
}

#[test]
fn columns_have_the_promised_types() {
    let workload = workload(100, 10, 1);
    let rows = workload.row_batches().next().unwrap().schema();
    let millis = DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()));
    let micros = DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()));
    let found: Vec<_> = rows.fields().iter().map(|f| (f.name().as_str(), f.data_type())).collect();
    assert_eq!(
        found,
        [("url", &DataType::Utf8), ("agent", &DataType::Utf8), ("fetch_time", &millis)]
    );
    let robots = workload.robots_batches().next().unwrap().schema();
    let found: Vec<_> =
        robots.fields().iter().map(|f| (f.name().as_str(), f.data_type())).collect();
    assert_eq!(
        found,
        [
            ("origin", &DataType::Utf8),
            ("body", &DataType::Binary),
            ("status", &DataType::Int16),
            ("fetch_time", &micros),
            ("content_type", &DataType::Utf8),
            ("redirect", &DataType::Utf8),
        ]
    );
}

#[test]
fn batches_stay_small() {
    let (mut rows, mut last_time_seen) = (0, 0);
    for batch in workload(2_000_000, 30_000, 1).row_batches() {
        assert!(batch.num_rows() <= 65_536);
        assert!(batch.get_array_memory_size() < 16 << 20, "{}", batch.get_array_memory_size());
        let times = batch.column(2).as_primitive::<TimestampMillisecondType>();
        last_time_seen = times.value(0);
        rows += batch.num_rows();
    }
    assert_eq!(rows, 2_000_000);
    // January and February 2026.
    assert!((1_767_225_600_000..1_772_323_200_000).contains(&last_time_seen));
    for batch in workload(20_000, 20_000, 1).robots_batches() {
        assert!(batch.num_rows() <= 8_192 + 3);
        assert!(batch.get_array_memory_size() < 80 << 20, "{}", batch.get_array_memory_size());
        assert!(!batch.column(2).as_primitive::<Int16Type>().is_empty());
    }
}

#[test]
fn equal_arguments_give_equal_files() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second, other] = ["a", "b", "c"].map(|name| folder.path().join(name));
    let workload_one = workload(50_000, 900, 1).with_files(3).unwrap();
    assert_eq!(write(&workload_one, &first), write(&workload_one, &second));
    write(&workload(50_000, 900, 2).with_files(3).unwrap(), &other);
    for name in [
        "robots.parquet",
        "rows/part-00000.parquet",
        "rows/part-00001.parquet",
        "rows/part-00002.parquet",
    ] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(&first) == read(&second), "{name} differs between two runs");
        assert!(read(&first) != read(&other), "{name} does not depend on the seed");
    }
}

#[test]
fn files_hold_even_shares_in_row_groups_of_the_asked_size() {
    let folder = tempfile::tempdir().unwrap();
    let workload =
        workload(100_001, 500, 1).with_files(4).unwrap().with_row_group_rows(10_000).unwrap();
    let mut seen = Vec::new();
    let summary = workload.write(folder.path(), &mut |rows| seen.push(rows)).unwrap();
    assert_eq!(seen.last(), Some(&100_001));
    assert!(seen.is_sorted());
    let mut urls_read = Vec::new();
    let mut octets = fs::metadata(folder.path().join("robots.parquet")).unwrap().len();
    for (number, rows) in [25_000, 25_000, 25_000, 25_001].into_iter().enumerate() {
        let path = folder.path().join(format!("rows/part-{number:05}.parquet"));
        octets += fs::metadata(&path).unwrap().len();
        let builder =
            ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap()).unwrap();
        let groups: Vec<i64> =
            builder.metadata().row_groups().iter().map(|group| group.num_rows()).collect();
        assert_eq!(groups, [10_000, 10_000, rows - 20_000]);
        urls_read
            .extend(builder.build().unwrap().flat_map(|batch| strings(&batch.unwrap(), "url")));
    }
    assert!(urls(&workload).eq(urls_read));
    assert_eq!((summary.rows, summary.origins, summary.files), (100_001, 500, 4));
    assert_eq!(summary.octets, octets);
    let captures: usize = workload.robots_batches().map(|batch| batch.num_rows()).sum();
    assert_eq!(summary.captures, captures as u64);
    assert!((50..=83).contains(&summary.bodies), "{} bodies", summary.bodies);
}

#[test]
fn a_folder_in_use_is_refused_unless_replacing_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let many = workload(1_000, 10, 1).with_files(5).unwrap();
    write(&many, folder.path());
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    let few = workload(1_000, 10, 1);
    let error = few.write(folder.path(), &mut |_| {}).unwrap_err();
    assert!(error.is_usage());
    assert!(error.to_string().contains("--force"), "{error}");
    write(&few.with_replace(true), folder.path());
    let mut left: Vec<String> = fs::read_dir(folder.path().join("rows"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["part-00000.parquet"]);
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt")).unwrap(), "mine");
}

#[test]
fn sizes_that_make_no_sense_are_refused() {
    let message = |result: Result<Workload, _>| match result {
        Ok(workload) => panic!("accepted {workload:?}"),
        Err(error) => {
            let error: robosift::workload::WorkloadError = error;
            assert!(error.is_usage());
            error.to_string()
        }
    };
    assert!(message(Workload::try_new(0, 0, 1)).starts_with("0 origins"));
    assert!(message(Workload::try_new(9, 10, 1)).starts_with("9 rows for 10 origins"));
    assert!(message(workload(9, 9, 1).with_files(0)).starts_with("0 files for 9 rows"));
    assert!(message(workload(9, 9, 1).with_files(10)).starts_with("10 files for 9 rows"));
    assert!(message(workload(9, 9, 1).with_row_group_rows(0)).starts_with("row groups of 0"));
    assert_eq!(workload(25_000_000, 1, 1).files(), 3);
}
