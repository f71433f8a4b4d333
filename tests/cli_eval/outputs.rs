//! What leaves besides verdicts: kept columns, metadata, compression, and the same octets whatever the threads.

use crate::cli::{Bench, robots, strings};
use arrow::array::{Array, AsArray, Int32Array, ListArray, StructArray};
use arrow::datatypes::{DataType, Field, Int32Type};
use parquet::basic::Compression;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::sync::Arc;

const FIXED: &str = "--corpus robots.parquet rows.parquet";

fn small() -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", &[robots("https://a.example", "User-agent: *\nDisallow: /x\n")]);
    let lists: ListArray = ListArray::from_iter_primitive::<Int32Type, _, _>([
        Some(vec![Some(1), None]),
        None,
        Some(vec![]),
    ]);
    let numbers: Int32Array = [Some(7), None, Some(9)].into_iter().collect();
    let inner: Arc<dyn Array> = Arc::new(numbers.clone());
    let pairs = StructArray::from(vec![(Arc::new(Field::new("n", DataType::Int32, true)), inner)]);
    bench.parquet(
        "rows.parquet",
        vec![
            ("url", strings(&["https://a.example/x", "https://a.example/y", "?"])),
            ("n", Arc::new(numbers)),
            ("Tags", Arc::new(lists)),
            ("pair", Arc::new(pairs)),
        ],
    );
    bench
}

#[test]
fn all_columns_are_carried_with_types_and_values() {
    let bench = small();
    let table = bench.verdicts(&format!("{FIXED} --agent GPTBot --keep all"));
    let rows = bench.table("rows.parquet");
    let verdicts = ["robots_allowed", "robots_basis", "robots_rule_id", "robots_group"];
    assert_eq!(table.names(), [&["url", "n", "Tags", "pair"], &verdicts[..]].concat());
    for name in ["url", "n", "Tags", "pair"] {
        let column =
            |batch: &arrow::array::RecordBatch| batch.column_by_name(name).unwrap().clone();
        assert_eq!(&column(&table.batch), &column(&rows.batch), "{name}");
    }
    assert_eq!(table.allowed(), [Some(false), Some(true), None]);
}

#[test]
fn columns_are_kept_by_name() {
    let bench = small();
    let table =
        bench.verdicts(&format!("{FIXED} --agent GPTBot --keep n,url --columns robots_allowed"));
    let mut names = table.names();
    names.sort();
    assert_eq!(names, ["n", "robots_allowed", "url"]);
    let run = bench.eval(&format!("{FIXED} --agent GPTBot --keep n,lost -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["lost", "rows.parquet", "pair"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn long_layout_repeats_kept_columns() {
    let bench = small();
    let fixed = format!("{FIXED} --agent GPTBot,CCBot --layout long --keep n,Tags");
    let table = bench.verdicts(&fixed);
    assert_eq!(table.ints("n"), [Some(7), Some(7), None, None, Some(9), Some(9)]);
    let tags = table.batch.column_by_name("Tags").unwrap().as_list::<i32>().clone();
    let nulls: Vec<bool> = (0..6).map(|row| tags.is_null(row)).collect();
    assert_eq!(nulls, [false, false, true, true, false, false]);
    assert_eq!(tags.value(1).len(), 2);
}

#[test]
fn a_kept_column_that_bears_a_verdict_s_name_is_refused() {
    let bench = small();
    let urls = strings(&["https://a.example/x"]);
    bench.parquet("rows.parquet", vec![("url", urls.clone()), ("robots_allowed", urls)]);
    let run = bench.eval(&format!("{FIXED} --agent GPTBot --keep all -o no.parquet"));
    assert!(run.code == 2 || run.code == 4, "{run:?}");
    run.says(&["robots_allowed", "rows.parquet"]);
    assert!(!bench.exists("no.parquet"));
    bench.verdicts(&format!("{FIXED} --agent GPTBot"));
}

#[test]
fn metadata_tells_how_the_file_came_about() {
    let bench = small();
    let arguments =
        "--agent GPTBot,CCBot --policy google --dialect google --no-capture allow --body-limit 0";
    let table = bench.verdicts(&format!("{FIXED} {arguments}"));
    let value = |key: &str| {
        let found = table.metadata.iter().find(|(known, _)| known == &format!("robosift.{key}"));
        found.unwrap_or_else(|| panic!("{key} among {:?}", table.metadata)).1.clone()
    };
    assert_eq!(value("version"), env!("CARGO_PKG_VERSION"));
    assert_eq!(value("dialect"), "google");
    assert_eq!(value("policy"), "google");
    assert_eq!(value("agents"), "GPTBot\nCCBot");
    assert_eq!(value("as_of"), "latest");
    assert_eq!(value("no_capture"), "allow");
    assert_eq!(value("body_limit"), "0");
    assert_eq!(value("stale"), "2592000 s");
    assert!(!value("registry").is_empty());
    let fingerprint = value("corpus");
    assert!(fingerprint.len() == 64 && fingerprint.bytes().all(|o| o.is_ascii_hexdigit()));
    let command = value("command");
    for word in ["robosift eval", "robots.parquet", "GPTBot", "--dialect google", "rows.parquet"] {
        assert!(command.contains(word), "`{word}` is not in {command}");
    }
    let json = bench.eval(&format!("{FIXED} {arguments} --json -o json.parquet")).json();
    assert_eq!(json["corpus"]["fingerprint"], fingerprint);
}

#[test]
fn threads_and_place_change_no_octet() {
    let bench = small();
    let fixed = format!("{FIXED} --agent GPTBot --columns full --keep all");
    let run = |more: &str, output: &str| {
        bench.eval(&format!("{fixed} {more} -o {output}")).ends_with(0);
        bench.read(output)
    };
    let first = run("--threads 1", "one.parquet");
    assert_eq!(run("--threads 7 --quiet", "deep/er/seven.parquet"), first);
    assert_eq!(run("--memory 1MiB --json", "json.parquet"), first);
    assert_ne!(run("--policy closed", "closed.parquet"), first);
}

#[test]
fn the_fingerprint_is_that_of_the_captures() {
    let bench = small();
    let fingerprint = |corpus: &str| {
        let fixed = "--agent GPTBot --json rows.parquet -o out.parquet";
        let run = bench.eval(&format!("{corpus} {fixed}")).ends_with(0);
        run.json()["corpus"]["fingerprint"].as_str().unwrap().to_owned()
    };
    let first = fingerprint("--corpus robots.parquet");
    let body = "User-agent: *\nDisallow: /x\n";
    bench.robots("same.parquet", &[robots("https://a.example", body)]);
    assert_eq!(fingerprint("--corpus same.parquet"), first);
    bench.robots("other.parquet", &[robots("https://b.example", body)]);
    assert_ne!(fingerprint("--corpus other.parquet"), first);
}

#[test]
fn compression_is_the_one_asked_for() {
    let bench = small();
    let codecs =
        [("zstd", "ZSTD"), ("snappy", "SNAPPY"), ("lz4", "LZ4_RAW"), ("none", "UNCOMPRESSED")];
    for (word, codec) in codecs {
        let fixed = format!("{FIXED} --agent GPTBot --compression {word}");
        assert_eq!(bench.verdicts(&fixed).allowed(), [Some(false), Some(true), None]);
        let reader =
            SerializedFileReader::new(File::open(bench.path("out.parquet")).unwrap()).unwrap();
        let found: Compression = reader.metadata().row_group(0).column(0).compression();
        assert!(format!("{found}").starts_with(codec), "{word} gives {found}");
    }
}
