//! Rows judged as of their time, batch by batch, against a definition that looks at all captures for each row.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "evaluate_time/naive.rs"]
mod naive;
#[path = "common/random.rs"]
mod random;

use arrow::array::{
    Array, ArrayRef, AsArray, DictionaryArray, StringArray, TimestampMicrosecondArray,
};
use arrow::compute::concat_batches;
use arrow::datatypes::{Int16Type, Int32Type, Int64Type, TimestampMicrosecondType};
use naive::{DAY, Fetched, Verdict, judge};
use random::Random;
use robosift::compile::BodyLimit;
use robosift::corpus::{AsOf, Corpus, CorpusBuilder, Moment, Place, Policy, RawCapture, Status};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scope, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;
use std::sync::Arc;

/// Those of the first two share a host.
const ORIGINS: [&str; 4] =
    ["http://a.example", "https://a.example", "https://b.example", "https://never.example"];

const HOUR: i64 = 3_600_000_000;

/// Some captures of each origin but the last, hours and months apart, in any order; no two of an origin at one time.
fn captures(random: &mut Random) -> Vec<Fetched> {
    let mut captures: Vec<Fetched> = Vec::new();
    for origin in &ORIGINS[..3] {
        let mut hour = 0;
        for at in 0..random.below(8) {
            hour += random.pick(&[1, 5, 12, 23, 24, 25, 48, 300, 1_000]);
            let undated = at == 0 && random.one_in(4);
            captures.push(Fetched {
                origin,
                time: (!undated).then_some(hour * HOUR),
                status: random.pick(&[200, 200, 200, 404, 429, 503, 403]),
                refuses: random.pick(&["/x", "/y", ""]),
            });
        }
    }
    for at in (1..captures.len()).rev() {
        captures.swap(at, random.below(at + 1));
    }
    captures
}

fn corpus(captures: &[Fetched]) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    for capture in captures {
        let body = format!("User-agent: *\nDisallow: {}\nDisallow: /never\n", capture.refuses);
        let raw = RawCapture {
            place: Place::Origin(capture.origin.as_bytes().to_vec()),
            body: (capture.status == 200).then(|| body.into_bytes()),
            status: Some(Status(capture.status)),
            time: capture.time,
            ..RawCapture::default()
        };
        builder.add(raw).unwrap();
    }
    builder.finish().unwrap()
}

fn settings(random: &mut Random) -> Settings {
    let date = i64::try_from(random.below(1_500)).unwrap() * HOUR;
    let as_of =
        random.pick(&[AsOf::Row, AsOf::Row, AsOf::Row, AsOf::Ever, AsOf::Date(date), AsOf::Latest]);
    let window = random.pick(&[None, None, Some(HOUR), Some(DAY), Some(20 * DAY)]);
    let policy = random.pick(&["rfc9309", "google", "closed"]);
    let mut policy = match policy {
        "google" => Policy::GOOGLE,
        "closed" => Policy::CLOSED,
        _ => Policy::RFC9309,
    };
    policy.stale = random.pick(&[None, policy.stale, Some(10 * HOUR), Some(3 * DAY)]);
    let is_latest = as_of == AsOf::Latest;
    Settings {
        policy,
        moment: Moment {
            as_of,
            window: window.filter(|_| !is_latest),
            nearest: !is_latest && random.one_in(3),
        },
        scope: random.pick(&[Scope::Origin, Scope::Host]),
        ..Settings::default()
    }
}

/// URL and time of each row: runs of one origin, and jumps between them.
fn rows(random: &mut Random) -> Vec<(String, Option<i64>)> {
    let mut origin = ORIGINS[0];
    let row = |_| {
        if random.one_in(3) {
            origin = random.pick(&ORIGINS);
        }
        let path = random.pick(&["/x", "/y", "/z"]);
        let hour = i64::try_from(random.below(1_600)).unwrap();
        let near = random.pick(&[-1, 0, 0, 0, 1]);
        let time = (!random.one_in(20)).then_some(hour * HOUR + near);
        (format!("{origin}{path}"), time)
    };
    (0..300).map(row).collect()
}

/// A column of texts as a dictionary.
fn dictionary(texts: &ArrayRef) -> ArrayRef {
    let texts = texts.as_string::<i32>();
    Arc::new(texts.iter().collect::<DictionaryArray<Int32Type>>())
}

/// Columns of rows: URLs, or paths and origins.
struct Places {
    url: ArrayRef,
    origin: Option<ArrayRef>,
}

/// The same rows in every shape, with the number of rows of a batch.
fn shapes(rows: &[(String, Option<i64>)]) -> Vec<(Places, usize)> {
    let texts = |text: fn(&str) -> &str| -> ArrayRef {
        Arc::new(rows.iter().map(|(url, _)| Some(text(url))).collect::<StringArray>())
    };
    let url = || texts(|url| url);
    let path = || texts(|url| url.split_at(url.rfind('/').unwrap()).1);
    let origin = || texts(|url| url.split_at(url.rfind('/').unwrap()).0);
    vec![
        (Places { url: url(), origin: None }, rows.len()),
        (Places { url: url(), origin: None }, 7),
        (Places { url: dictionary(&url()), origin: None }, rows.len()),
        (Places { url: path(), origin: Some(origin()) }, 50),
        (Places { url: path(), origin: Some(dictionary(&origin())) }, rows.len()),
    ]
}

/// What the library says, row by row, from batches of this many rows.
fn evaluated(
    corpus: &Corpus,
    settings: &Settings,
    places: &Places,
    times: &ArrayRef,
    step: usize,
) -> (Vec<Verdict>, Tally) {
    let asked = Asked::parse(["GPTBot"], settings).unwrap();
    let (layout, suffix) = (Layout::Wide, Suffix::Auto);
    let columns = &VerdictColumn::ALL;
    let evaluator =
        Evaluator::try_new(corpus, settings.clone(), asked, columns, layout, suffix).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let batches = (0..times.len()).step_by(step).map(|from| {
        let slice = |array: &ArrayRef| array.slice(from, step.min(times.len() - from));
        let (url, origin) = (slice(&places.url), places.origin.as_ref().map(slice));
        let rows = RowColumns::try_new(&url, None, origin.as_ref()).unwrap();
        let rows = rows.with_times(Some(&slice(times))).unwrap();
        evaluator.evaluate(&rows, from as u64, &mut scratch, &mut tally).unwrap()
    });
    let batches: Vec<_> = batches.collect();
    let table = concat_batches(&evaluator.schema(), &batches).unwrap();
    let column = |name: &str| table.column_by_name(name).unwrap();
    let allowed = column("robots_allowed").as_boolean();
    let basis = column("robots_basis").as_string::<i32>();
    let time = column("robots_capture_time").as_primitive::<TimestampMicrosecondType>();
    let gap = column("robots_capture_gap_s").as_primitive::<Int64Type>();
    let status = column("robots_status").as_primitive::<Int16Type>();
    let stale = column("robots_stale").as_boolean();
    let origin = column("robots_origin").as_string::<i32>();
    let verdict = |row: usize| Verdict {
        allowed: allowed.is_valid(row).then(|| allowed.value(row)),
        basis: basis.value(row).to_owned(),
        time: time.is_valid(row).then(|| time.value(row)),
        gap_s: gap.is_valid(row).then(|| gap.value(row)),
        status: status.is_valid(row).then(|| status.value(row)),
        stale: stale.is_valid(row).then(|| stale.value(row)),
        origin: origin.value(row).to_owned(),
    };
    ((0..table.num_rows()).map(verdict).collect(), tally)
}

#[test]
fn rows_in_any_order_are_judged_by_their_own_time() {
    let (mut refused, mut allowed, mut stale, mut twins) = (0, 0, 0, 0);
    for seed in 0..400 {
        let random = &mut Random::new(seed);
        let (captures, settings, rows) = (captures(random), settings(random), rows(random));
        let corpus = corpus(&captures);
        let expected: Vec<Verdict> =
            rows.iter().map(|(url, time)| judge(&captures, &settings, url, *time)).collect();
        let times: ArrayRef =
            Arc::new(rows.iter().map(|(_, time)| *time).collect::<TimestampMicrosecondArray>());
        let mut tallies = Vec::new();
        for (places, step) in shapes(&rows) {
            let (got, tally) = evaluated(&corpus, &settings, &places, &times, step);
            for (row, (got, expected)) in got.iter().zip(&expected).enumerate() {
                let asked = (&rows[row], &captures, &settings);
                assert_eq!(got, expected, "seed {seed}, row {row}: {asked:#?}");
            }
            tallies.push(tally);
        }
        assert!(tallies.iter().all(|tally| *tally == tallies[0]), "seed {seed}");
        check_tally(&tallies[0], &expected, &settings, &rows);
        refused += expected.iter().filter(|verdict| verdict.allowed == Some(false)).count();
        allowed += expected.iter().filter(|verdict| verdict.allowed == Some(true)).count();
        stale += expected.iter().filter(|verdict| verdict.stale == Some(true)).count();
        let has_own =
            |(row, verdict): &(&(String, _), &Verdict)| row.0.starts_with(&verdict.origin);
        twins += rows.iter().zip(&expected).filter(|pair| !has_own(pair)).count();
    }
    let seen = [refused, allowed, stale, twins];
    assert!(seen.iter().all(|count| *count > 500), "{seen:?}");
}

fn check_tally(
    tally: &Tally,
    expected: &[Verdict],
    settings: &Settings,
    rows: &[(String, Option<i64>)],
) {
    let count =
        |allowed| expected.iter().filter(|verdict| verdict.allowed == allowed).count() as u64;
    assert_eq!(tally.all_agents().total(), [Some(true), Some(false), None].map(count));
    let without = rows.iter().filter(|(_, time)| time.is_none()).count() as u64;
    let decides = matches!(settings.moment.as_of, AsOf::Row | AsOf::Ever);
    assert_eq!(tally.without_time, if decides { without } else { 0 });
    if settings.moment.as_of != AsOf::Ever {
        let gaps = expected.iter().filter(|verdict| verdict.gap_s.is_some()).count() as u64;
        assert_eq!(tally.gaps.counts().iter().sum::<u64>(), gaps);
    }
}
