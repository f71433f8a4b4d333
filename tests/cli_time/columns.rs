//! Columns of times: every form, what is no time, which column is taken, and what is said where there is none.

use crate::cli::{Bench, optional, robots, strings};
use crate::{CAPTURED, DAY, captured, micros, on};
use arrow::array::{
    ArrayRef, BinaryArray, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array,
    Int64Array, LargeStringArray, StringArray, StringViewArray, StructArray,
    TimestampMicrosecondArray, UInt32Array,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int32Type, TimeUnit};
use std::sync::Arc;

const A: &str = "https://a.example/robots.txt";
const BODY: &str = "User-agent: *\nDisallow: /x\n";

/// Three captures of a.example at midnight; all refuse /x.
fn bench() -> Bench {
    let captures: Vec<_> = CAPTURED[..3].iter().map(|day| on(robots(A, BODY), *day)).collect();
    captured(&captures)
}

/// Microseconds: midnight of the second capture, of the day after it, of the first and of the day before that.
fn midnights() -> [i64; 4] {
    [CAPTURED[1], CAPTURED[1] + 1, CAPTURED[0], CAPTURED[0] - 1].map(|day| day * DAY)
}

/// The captures that answer for rows of those times: the second one twice, the first, none.
fn answers() -> [Option<i64>; 4] {
    [Some(CAPTURED[1] * DAY), Some(CAPTURED[1] * DAY), Some(CAPTURED[0] * DAY), None]
}

fn write(bench: &Bench, name: &str, times: ArrayRef) {
    let urls = strings(&vec!["https://a.example/x"; times.len()]);
    bench.parquet("rows.parquet", vec![("url", urls), (name, times)]);
}

const FIXED: &str = "--corpus C --agent GPTBot rows.parquet";

fn timestamps(unit: TimeUnit, zone: Option<&str>) -> ArrayRef {
    // From one zone to another or to none, a timestamp stays the same moment.
    let times = micros(&midnights().map(Some));
    cast(&times, &DataType::Timestamp(unit, zone.map(Into::into))).unwrap()
}

/// The times in every form.
fn every_form() -> Vec<(String, ArrayRef)> {
    let days = midnights().map(|time| i32::try_from(time / DAY).unwrap());
    let seconds = midnights().map(|time| time / 1_000_000);
    let mut forms: Vec<(String, ArrayRef)> = vec![
        ("Date32".to_owned(), Arc::new(Date32Array::from(days.to_vec()))),
        ("seconds, i64".to_owned(), Arc::new(Int64Array::from(seconds.to_vec()))),
        (
            "seconds, i32".to_owned(),
            Arc::new(Int32Array::from(seconds.map(|s| i32::try_from(s).unwrap()).to_vec())),
        ),
        (
            "seconds, u32".to_owned(),
            Arc::new(UInt32Array::from(seconds.map(|s| u32::try_from(s).unwrap()).to_vec())),
        ),
        (
            "seconds, f64".to_owned(),
            Arc::new(Float64Array::from(seconds.map(|s| s as f64).to_vec())),
        ),
        (
            "digits, i64".to_owned(),
            Arc::new(Int64Array::from(vec![
                20_240_310_000_000,
                20_240_311_000_000,
                20_240_110_000_000,
                20_240_109_000_000,
            ])),
        ),
    ];
    for unit in
        [TimeUnit::Second, TimeUnit::Millisecond, TimeUnit::Microsecond, TimeUnit::Nanosecond]
    {
        for zone in [None, Some("UTC"), Some("+05:30"), Some("-11:00")] {
            forms.push((format!("{unit:?} {zone:?}"), timestamps(unit, zone)));
        }
    }
    forms
}

/// The times as text.
const TEXTS: [[&str; 4]; 11] = [
    [
        "2024-03-10T00:00:00Z",
        "2024-03-11T00:00:00Z",
        "2024-01-10T00:00:00Z",
        "2024-01-09T00:00:00Z",
    ],
    ["2024-03-10", "2024-03-11", "2024-01-10", "2024-01-09"],
    ["2024-03-10 00:00:00", "2024-03-11 00:00:00", "2024-01-10 00:00:00", "2024-01-09 00:00:00"],
    ["2024-03-10T02:00:00+02:00", "2024-03-10T19:00:00-0500", "2024-01-10T01:00+01", "2024-01-09"],
    ["20240310000000", "20240311000000", "20240110000000", "20240109000000"],
    ["20240310", "20240311", "20240110", "20240109"],
    ["20240310T000000Z", "20240311T0000Z", "20240110T000000Z", "20240109T000000Z"],
    ["2024-03-10T00:00Z", "2024-03-11T00:00Z", "2024-01-10T00:00Z", "2024-01-09T00:00Z"],
    ["1710028800", "1710115200", "1704844800", "1704758400"],
    ["1710028800.0", "1.7101152e9", "1704844800.000", "1704758400.0"],
    ["2024-03-10T00:00:00.000Z", "2024-03-11T00:00:00,000000Z", " 2024-01-10 ", "2024-01-09"],
];

#[test]
fn every_form_of_a_time_is_the_same_time() {
    let bench = bench();
    let mut forms = every_form();
    for texts in TEXTS {
        let plain = StringArray::from(texts.to_vec());
        let view = StringViewArray::from(texts.to_vec());
        let dictionary: DictionaryArray<Int32Type> = texts.into_iter().collect();
        let octets: BinaryArray = texts.iter().map(|text| Some(text.as_bytes())).collect();
        let large = LargeStringArray::from(texts.to_vec());
        let arrays: [ArrayRef; 5] = [
            Arc::new(plain),
            Arc::new(view),
            Arc::new(dictionary),
            Arc::new(octets),
            Arc::new(large),
        ];
        let named = |array: ArrayRef| (format!("{texts:?} as {}", array.data_type()), array);
        // One form takes all array types; what differs is only how octets are held.
        let count = if texts[0].ends_with('Z') { 5 } else { 1 };
        forms.extend(arrays.into_iter().take(count).map(named));
    }
    for (name, array) in forms {
        write(&bench, "when", array);
        let table = bench.verdicts(&format!(
            "{FIXED} --time-column when --columns basis,capture_time,capture_gap_s"
        ));
        assert_eq!(table.ints("robots_capture_time"), answers(), "{name}");
        assert_eq!(
            table.ints("robots_capture_gap_s"),
            [Some(0), Some(86_400), Some(0), None],
            "{name}"
        );
        assert_eq!(table.bases(), ["rule", "rule", "rule", "no_capture"], "{name}");
    }
}

#[test]
fn what_is_no_time_leaves_a_row_without_capture_and_is_counted() {
    let bench = bench();
    let texts = [
        Some("2024-03-10"),
        None,
        Some("yesterday"),
        Some(""),
        Some("2024-13-01"),
        Some("2024-02-30"),
        Some("1e99"),
        Some("nan"),
        Some("1710028800000"),
        Some("2024-03-10T25:00:00Z"),
    ];
    let numbers: Float64Array =
        [Some(1_710_028_800.0), None, Some(f64::NAN), Some(1e99)].into_iter().collect();
    let times: TimestampMicrosecondArray =
        [Some(CAPTURED[1] * DAY), None, Some(i64::MIN)].into_iter().collect();
    let columns: [(ArrayRef, usize); 3] =
        [(optional(&texts), 9), (Arc::new(numbers), 3), (Arc::new(times), 1)];
    for (column, without) in columns {
        let num_rows = column.len();
        write(&bench, "when", column);
        for as_of in ["row", "ever"] {
            let fixed = format!("{FIXED} --time-column when --as-of {as_of}");
            let table = bench.verdicts(&fixed);
            let mut bases = vec!["no_capture"; num_rows];
            bases[0] = "rule";
            if num_rows == 3 && as_of == "ever" {
                // Before all times known: every capture came later, and refuses.
                bases[2] = "rule";
            }
            assert_eq!(table.bases(), bases, "{as_of}");
            let json = bench.eval(&format!("{fixed} --json -o json.parquet")).ends_with(0).json();
            assert_eq!(json["gap"]["without_time"], without, "{as_of}: {json}");
            let text = bench.eval(&format!("{fixed} -o text.parquet")).ends_with(0).stdout;
            assert!(text.contains(&format!("a time that can be read: {without}")), "{text}");
        }
        let fixed = format!("{FIXED} --time-column when --as-of latest");
        assert_eq!(bench.verdicts(&fixed).bases(), vec!["rule"; num_rows]);
        let json = bench.eval(&format!("{fixed} --json -o json.parquet")).ends_with(0).json();
        assert_eq!(json["gap"]["without_time"], 0, "no time decides");
        let table = bench.verdicts(&format!("{FIXED} --time-column when --no-capture disallow"));
        assert!(table.allowed().iter().all(|allowed| *allowed == Some(false)));
    }
}

#[test]
fn a_missing_or_mistyped_time_column_stops_before_the_first_row() {
    let bench = bench();
    let urls = strings(&["https://a.example/x"]);
    let flags: ArrayRef = Arc::new(BooleanArray::from(vec![true]));
    bench.parquet("rows.parquet", vec![("url", urls), ("flag", flags)]);
    for more in ["", "--as-of row", "--as-of ever", "--as-of latest", "--as-of 2024-01-01"] {
        let run = bench.eval(&format!("{FIXED} --time-column when {more} -o no.parquet"));
        run.ends_with(4).says(&["rows.parquet", "when", "url, flag"]);
        let run = bench.eval(&format!("{FIXED} --time-column flag {more} -o no.parquet"));
        run.ends_with(4).says(&[
            "rows.parquet",
            "flag",
            "Boolean",
            "timestamps",
            "14-digit",
            "url",
        ]);
    }
    for as_of in ["row", "ever"] {
        let run = bench.eval(&format!("{FIXED} --as-of {as_of} -o no.parquet")).ends_with(4);
        run.says(&["fetch_time", "metadata.date", "--time-column", "--as-of latest", "url, flag"]);
    }
    let without_time = [("--capture-window 1d", "--capture-window"), ("--nearest", "--nearest")];
    for (more, flag) in without_time {
        let run = bench.eval(&format!("{FIXED} {more} -o no.parquet")).ends_with(2);
        run.says(&[flag, "--as-of"]);
    }
    for more in ["--as-of yesterday", "--as-of 2024-02-30", "--as-of row --capture-window soon"] {
        bench.eval(&format!("{FIXED} {more} -o no.parquet")).ends_with(2);
    }
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn the_known_columns_are_taken_by_default() {
    let bench = bench();
    let as_of = |more: &str| {
        let run = bench.eval(&format!("{FIXED} {more} --json -o out.parquet")).ends_with(0);
        run.json()["as_of"].as_str().unwrap().to_owned()
    };
    let times = || micros(&midnights().map(Some));
    for name in ["fetch_time", "date", "timestamp", "Fetch_Time"] {
        write(&bench, name, times());
        assert_eq!(as_of(""), "row", "{name}");
        assert_eq!(bench.table("out.parquet").bases()[3], "no_capture", "{name}");
        assert_eq!(as_of("--as-of latest"), "latest", "{name}");
        assert_eq!(bench.table("out.parquet").bases()[3], "rule", "{name}");
    }
    write(&bench, "when", times());
    assert_eq!(as_of(""), "latest");
    assert_eq!(as_of("--time-column when"), "row");
    let inner = StructArray::from(vec![(
        Arc::new(Field::new("date", times().data_type().clone(), true)),
        times(),
    )]);
    write(&bench, "metadata", Arc::new(inner));
    assert_eq!(as_of(""), "row", "metadata.date");
    assert_eq!(bench.table("out.parquet").bases()[3], "no_capture");
    // The first of the known names counts, and a named column beats them.
    let urls = strings(&["https://a.example/x"; 4]);
    let late = micros(&[Some(CAPTURED[2] * DAY); 4]);
    let columns = vec![("url", urls), ("date", late.clone()), ("fetch_time", times()), ("t", late)];
    bench.parquet("rows.parquet", columns);
    assert_eq!(as_of(""), "row");
    assert_eq!(bench.table("out.parquet").bases()[3], "no_capture");
    as_of("--time-column t");
    assert_eq!(bench.table("out.parquet").bases()[3], "rule");
    // A column of such a name that cannot hold times is not taken.
    write(&bench, "date", Arc::new(BooleanArray::from(vec![true])));
    assert_eq!(as_of(""), "latest");
}

/// A date alone is its midnight in a column, and its whole day on the command line.
#[test]
fn a_date_alone_is_the_midnight_that_it_begins_with_unless_a_person_typed_it() {
    let noon = robots(A, BODY).hour(CAPTURED[1] * 24 + 12);
    let bench = captured(&[on(robots(A, BODY), CAPTURED[0]), noon]);
    let days = CAPTURED[..2].iter().map(|day| i32::try_from(*day).unwrap()).collect::<Vec<_>>();
    let columns: [ArrayRef; 2] =
        [strings(&["2024-01-10", "2024-03-10"]), Arc::new(Date32Array::from(days))];
    for column in columns {
        write(&bench, "fetch_time", column);
        let fixed = format!("--columns full {FIXED}");
        let times =
            |more: &str| bench.verdicts(&format!("{more} {fixed}")).ints("robots_capture_time");
        let (first, noon) = (CAPTURED[0] * DAY, CAPTURED[1] * DAY + DAY / 2);
        assert_eq!(times(""), [Some(first); 2]);
        assert_eq!(times("--as-of 2024-03-10"), [Some(noon); 2]);
        assert_eq!(times("--as-of 2024-03-10T00:00:00Z"), [Some(first); 2]);
    }
}
