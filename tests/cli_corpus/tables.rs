//! Robots tables in Parquet: column types, nulls, structs, names, large row groups.

use crate::cli::{Bench, optional, robots, robots_columns, strings};
use arrow::array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int8Array, Int32Array,
    Int64Array, LargeBinaryArray, LargeStringArray, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
    TimestampSecondArray, UInt16Array, UInt64Array,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Field, Int8Type, Int32Type};
use robosift::compile::BodyLimit;
use robosift::corpus::CorpusBuilder;
use robosift::corpus::sources::{self, SourceOptions, SourceReport};
use robosift::parse::Dialect;
use std::sync::Arc;

const BODY: &str = "User-agent: *\nDisallow: /x\n";
const FIXED: &str = "--agent GPTBot rows.parquet";
const CORPUS: &str = "--corpus robots.parquet --agent GPTBot rows.parquet";

/// Rows for `/x` on hosts a to d.
fn bench() -> Bench {
    let bench = Bench::new();
    let urls = ["a", "b", "c", "d"].map(|host| format!("https://{host}.example/x"));
    bench.urls("rows.parquet", &urls.each_ref().map(String::as_str));
    bench
}

fn origins() -> ArrayRef {
    strings(&["https://a.example", "https://b.example", "https://c.example"])
}

#[test]
fn bodies_of_every_string_and_binary_type() {
    let bench = bench();
    let texts = vec![Some(BODY), Some(""), None];
    let octets: Vec<Option<&[u8]>> = texts.iter().map(|text| text.map(str::as_bytes)).collect();
    let dictionary: DictionaryArray<Int32Type> = texts.iter().copied().collect();
    let small: DictionaryArray<Int8Type> = texts.iter().copied().collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from(texts.clone())),
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts.clone())),
        Arc::new(BinaryArray::from(octets.clone())),
        Arc::new(LargeBinaryArray::from(octets.clone())),
        Arc::new(BinaryViewArray::from(octets)),
        Arc::new(dictionary),
        Arc::new(small),
    ];
    for bodies in columns {
        let kind = bodies.data_type().clone();
        bench.parquet("robots.parquet", vec![("origin", origins()), ("body", bodies)]);
        let table = bench.verdicts(CORPUS);
        assert_eq!(table.bases(), ["rule", "no_rules", "no_capture", "no_capture"], "{kind}");
        assert_eq!(table.allowed(), [Some(false), Some(true), None, None], "{kind}");
    }
}

#[test]
fn origins_of_every_string_type() {
    let bench = bench();
    let texts = vec!["https://a.example", "https://b.example"];
    let dictionary: DictionaryArray<Int32Type> = texts.iter().copied().collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(LargeStringArray::from(texts.clone())),
        Arc::new(StringViewArray::from(texts.clone())),
        Arc::new(BinaryArray::from(texts.iter().map(|t| t.as_bytes()).collect::<Vec<_>>())),
        Arc::new(dictionary),
    ];
    for origins in columns {
        let bodies = strings(&[BODY, BODY]);
        bench.parquet("robots.parquet", vec![("origin", origins), ("body", bodies)]);
        let bases = bench.verdicts(CORPUS).bases();
        assert_eq!(bases, ["rule", "rule", "no_capture", "no_capture"]);
    }
}

#[test]
fn statuses_of_every_integer_type() {
    let bench = bench();
    let small: Int8Array = vec![Some(0), Some(-1), None].into();
    let narrow: UInt16Array = vec![Some(404), Some(503), None].into();
    let int: Int32Array = vec![Some(404), Some(503), None].into();
    let long: Int64Array = vec![Some(404), Some(503), None].into();
    let huge: UInt64Array = vec![Some(404), Some(u64::MAX), None].into();
    let usual = ["unavailable", "unreachable", "rule", "no_capture"];
    let columns: Vec<(ArrayRef, [&str; 4])> = vec![
        (Arc::new(small), ["unreachable", "unreachable", "rule", "no_capture"]),
        (Arc::new(narrow), usual),
        (Arc::new(int), usual),
        (Arc::new(long), usual),
        (Arc::new(huge), usual),
    ];
    for (statuses, bases) in columns {
        let kind = statuses.data_type().clone();
        let bodies = strings(&[BODY; 3]);
        let columns = vec![("origin", origins()), ("body", bodies), ("fetch_status", statuses)];
        bench.parquet("robots.parquet", columns);
        assert_eq!(bench.verdicts(CORPUS).bases(), bases, "{kind}");
    }
}

#[test]
fn statuses_as_texts_are_never_taken_for_a_200() {
    let bench = bench();
    let table = |last| {
        let statuses = optional(&[Some("404"), Some(" 503 "), last]);
        vec![("origin", origins()), ("body", strings(&[BODY; 3])), ("status", statuses)]
    };
    bench.parquet("robots.parquet", table(None));
    let bases = bench.verdicts(CORPUS).bases();
    assert_eq!(bases[..3], ["unavailable", "unreachable", "rule"]);
    bench.parquet("robots.parquet", table(Some("404 Not Found")));
    let run = bench.eval(&format!("{CORPUS} -o no.parquet")).ends_with(4);
    run.says(&["robots.parquet", "status", "404 Not Found"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn times_of_every_type_are_one_time() {
    // 2026-01-02T03:04:05Z.
    let second = 1_767_323_045_i64;
    let one = |array: &dyn Array| arrow::array::make_array(array.to_data());
    let columns: Vec<ArrayRef> = vec![
        one(&TimestampSecondArray::from(vec![second])),
        one(&TimestampMillisecondArray::from(vec![second * 1_000]).with_timezone("UTC")),
        one(&TimestampMicrosecondArray::from(vec![second * 1_000_000]).with_timezone("+02:00")),
        one(&TimestampNanosecondArray::from(vec![second * 1_000_000_000])),
        one(&Int64Array::from(vec![second])),
        strings(&["2026-01-02T03:04:05Z"]),
        strings(&["2026-01-02T05:04:05+02:00"]),
        strings(&["2026-01-02 03:04:05"]),
        strings(&["20260102030405"]),
        strings(&["1767323045"]),
    ];
    let bench = Bench::new();
    bench.urls("rows.parquet", &["https://a.example/x"]);
    for times in columns {
        let kind = format!("{times:?}");
        let origin = strings(&["https://a.example"]);
        let columns = vec![("origin", origin), ("body", strings(&[BODY])), ("fetch_time", times)];
        bench.parquet("robots.parquet", columns);
        let table = bench.verdicts(&format!("{CORPUS} --columns full"));
        assert_eq!(table.ints("robots_capture_time"), [Some(second * 1_000_000)], "{kind}");
    }
}

#[test]
fn br155_octets_are_octets_whatever_the_annotation() {
    let bench = Bench::new();
    let body: &[u8] = b"User-agent: *\nDisallow: /caf\xE9\n\xFF\nDisallow: /z\n";
    bench.parquet(
        "robots.parquet",
        vec![
            ("origin", strings(&["https://a.example"])),
            ("body", Arc::new(BinaryArray::from(vec![body]))),
        ],
    );
    bench.urls(
        "rows.parquet",
        &["https://a.example/caf%E9", "https://a.example/caf%C3%A9", "https://a.example/z"],
    );
    let table = bench.verdicts(&format!("{CORPUS} --columns full"));
    assert_eq!(table.allowed(), [Some(false), Some(true), Some(false)]);
    assert_eq!(table.ints("robots_line"), [Some(2), None, Some(4)]);
    assert_eq!(table.ints("robots_flags")[0].unwrap() & 16, 16, "not UTF-8");
}

/// A struct `response{body, status}` whose validity is its own.
fn response(bodies: ArrayRef, statuses: ArrayRef, present: &[bool]) -> ArrayRef {
    let fields = vec![
        Field::new("body", bodies.data_type().clone(), true),
        Field::new("status", DataType::Int32, true),
    ];
    let valid = NullBuffer::from(present.to_vec());
    Arc::new(StructArray::new(fields.into(), vec![bodies, statuses], Some(valid)))
}

#[test]
fn br177_br179_a_null_struct_is_no_robots_known_and_not_an_empty_file() {
    let bench = bench();
    let bodies = optional(&[Some(BODY), Some(""), Some("")]);
    let statuses: ArrayRef = Arc::new(Int32Array::from(vec![Some(200), Some(200), Some(200)]));
    let nested = response(bodies, statuses, &[true, true, false]);
    bench.parquet("robots.parquet", vec![("origin", origins()), ("response", nested)]);
    let mapped = format!("{CORPUS} --robots-columns body=response.body,status=response.status");
    let table = bench.verdicts(&mapped);
    assert_eq!(table.bases(), ["rule", "no_rules", "no_capture", "no_capture"]);
    assert_eq!(table.allowed(), [Some(false), Some(true), None, None]);
    let run = bench.eval(&format!("{CORPUS} -o no.parquet")).ends_with(4);
    run.says(&["body", "robots.parquet", "response"]);
    let wrong = "--robots-columns body=response.text";
    let run = bench.eval(&format!("{CORPUS} {wrong} -o no.parquet")).ends_with(4);
    run.says(&["response.text", "robots.parquet"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn br175_null_bodies_through_a_whole_row_group_are_unknown() {
    let bench = bench();
    let groups = parquet::file::properties::WriterProperties::builder()
        .set_max_row_group_row_count(Some(2))
        .set_statistics_enabled(parquet::file::properties::EnabledStatistics::Page);
    let hosts = strings(&[
        "https://a.example",
        "https://b.example",
        "https://c.example",
        "https://d.example",
    ]);
    let bodies = optional(&[Some(BODY), Some(BODY), None, None]);
    bench.parquet_with("robots.parquet", vec![("origin", hosts), ("body", bodies)], groups);
    let table = bench.verdicts(CORPUS);
    assert_eq!(table.bases(), ["rule", "rule", "no_capture", "no_capture"]);
}

#[test]
fn br189_without_a_status_column_every_body_is_a_200_and_that_is_said_once() {
    let bench = bench();
    bench.parquet("robots.parquet", vec![("origin", origins()), ("body", strings(&[BODY; 3]))]);
    let run = bench.eval(&format!("{CORPUS} -o out.parquet")).ends_with(0);
    assert_eq!(run.stderr.matches("status").count(), 1, "{}", run.stderr);
    assert_eq!(bench.table("out.parquet").bases()[..3], ["rule"; 3]);
    let run = bench.eval(&format!("{CORPUS} --quiet -o out.parquet")).ends_with(0);
    assert_eq!(run.stderr, "");
    bench.robots("robots.parquet", &[robots("https://a.example", BODY)]);
    let run = bench.eval(&format!("{CORPUS} -o out.parquet")).ends_with(0);
    assert_eq!(run.stderr, "");
}

#[test]
fn the_note_on_statuses_names_only_the_source_that_lacks_them() {
    let bench = bench();
    bench.parquet("bare.parquet", vec![("origin", origins()), ("body", strings(&[BODY; 3]))]);
    bench.robots("full.parquet", &[robots("https://d.example", BODY)]);
    for order in [
        "--corpus bare.parquet --corpus full.parquet",
        "--corpus full.parquet --corpus bare.parquet",
    ] {
        let run = bench.eval(&format!("{order} {FIXED} -o out.parquet")).ends_with(0);
        assert!(run.stderr.contains("bare.parquet"), "{}", run.stderr);
        assert!(!run.stderr.contains("full.parquet"), "{order}: {}", run.stderr);
    }
}

#[test]
fn br202_only_the_exact_path_gives_an_origin_its_rules() {
    let bench = bench();
    let captures = [
        robots("https://a.example/robots.txt", BODY),
        robots("https://b.example/robots.txt?x=1", BODY),
        robots("https://c.example/en/robots.txt", BODY),
        robots("https://d.example/ROBOTS.TXT", BODY),
    ];
    bench.parquet("robots.parquet", robots_columns("url", &captures));
    let table = bench.verdicts(CORPUS);
    assert_eq!(table.bases(), ["rule", "no_capture", "no_capture", "no_capture"]);
    let mapped: Vec<_> = robots_columns("robots_url", &captures);
    bench.parquet("robots.parquet", mapped);
    let table = bench.verdicts(&format!("{CORPUS} --robots-columns url=robots_url"));
    assert_eq!(table.bases(), ["rule", "no_capture", "no_capture", "no_capture"]);
}

#[test]
fn several_sources_are_one_corpus() {
    let bench = bench();
    bench.robots("one.parquet", &[robots("https://a.example", BODY).hour(5)]);
    bench.robots(
        "two.parquet",
        &[robots("https://b.example", BODY), robots("https://a.example", "").hour(50)],
    );
    bench.write("c.txt", BODY);
    let table = bench.verdicts(&format!("--corpus one.parquet --corpus two.parquet --corpus c.txt --origin https://c.example {FIXED}"));
    assert_eq!(table.bases(), ["no_rules", "rule", "rule", "no_capture"]);
}

#[test]
fn br154_br159_a_row_group_is_read_in_batches_of_bounded_octets() {
    let bench = Bench::new();
    let count = 300;
    let hosts: Vec<String> = (0..count).map(|n| format!("https://h{n:03}.example")).collect();
    let bodies: Vec<String> = (0..count)
        .map(|n| format!("User-agent: *\nDisallow: /{n}\n#{}\n", "x".repeat(20_000)))
        .collect();
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    let columns: [ArrayRef; 2] =
        [strings(&bodies), Arc::new(StringViewArray::from(bodies.clone()))];
    for column in columns {
        bench.parquet("robots.parquet", vec![("origin", strings(&hosts)), ("body", column)]);
        let fingerprints: Vec<_> = [None, Some(1), Some(100_000), Some(1 << 30)]
            .map(|batch_octets| {
                let options = SourceOptions { batch_octets, ..SourceOptions::default() };
                let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::new(512_000));
                let mut report = SourceReport::default();
                sources::load(&bench.path("robots.parquet"), &options, &mut builder, &mut report)
                    .unwrap();
                let corpus = builder.finish().unwrap();
                assert_eq!((corpus.num_origins(), corpus.num_bodies()), (count, count));
                corpus.facts().fingerprint
            })
            .into();
        assert!(fingerprints.iter().all(|found| *found == fingerprints[0]));
    }
    let urls: Vec<String> =
        hosts.iter().enumerate().map(|(n, host)| format!("{host}/{n}")).collect();
    bench.urls("rows.parquet", &urls.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(bench.verdicts(CORPUS).allowed(), vec![Some(false); count]);
}
