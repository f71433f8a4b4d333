//! Rows for which every later visit counts too: many visits of one origin, against a plain reading, and what they cost.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::array::{ArrayRef, AsArray, StringArray, TimestampMicrosecondArray};
use arrow::datatypes::{Int64Type, TimestampMicrosecondType};
use random::Random;
use robosift::compile::BodyLimit;
use robosift::corpus::{AsOf, Corpus, CorpusBuilder, Moment, Place, RawCapture, Status};
use robosift::evaluate::{
    Asked, Evaluator, Layout, RowColumns, Scratch, Settings, Suffix, Tally, VerdictColumn,
};
use robosift::parse::Dialect;

const ORIGIN: &str = "https://a.example";
const HOUR: i64 = 3_600_000_000;
const AGENTS: [&str; 2] = ["GPTBot", "CCBot"];

/// A capture: hour, status, the path that it refuses to each agent.
type Seen = (i64, i16, [&'static str; 2]);

/// A verdict: allowed, the time of the capture that decided.
type Verdict = (bool, i64);

fn corpus(captures: &[Seen]) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    for (hour, status, refuses) in captures {
        let groups = AGENTS.iter().zip(refuses);
        let groups = groups.map(|(agent, path)| format!("User-agent: {agent}\nDisallow: {path}\n"));
        let capture = RawCapture {
            place: Place::Origin(ORIGIN.into()),
            body: (*status == 200).then(|| groups.collect::<String>().into_bytes()),
            status: Some(Status(*status)),
            time: Some(hour * HOUR),
            ..RawCapture::default()
        };
        builder.add(capture).unwrap();
    }
    builder.finish().unwrap()
}

/// Verdicts on rows of that origin, for each agent.
fn evaluated(corpus: &Corpus, rows: &[(&str, i64)]) -> [Vec<Verdict>; 2] {
    let moment = Moment { as_of: AsOf::Ever, ..Moment::default() };
    let settings = Settings { moment, ..Settings::default() };
    let asked = Asked::parse(AGENTS, &settings).unwrap();
    let columns = VerdictColumn::parse_list("full").unwrap();
    let (layout, suffix) = (Layout::Wide, Suffix::Always);
    let evaluator = Evaluator::try_new(corpus, settings, asked, &columns, layout, suffix).unwrap();
    let urls = rows.iter().map(|(path, _)| Some(format!("{ORIGIN}{path}")));
    let urls: ArrayRef = Arc::new(urls.collect::<StringArray>());
    let times = rows.iter().map(|(_, hour)| Some(hour * HOUR));
    let times: ArrayRef = Arc::new(times.collect::<TimestampMicrosecondArray>());
    let rows = RowColumns::try_new(&urls, None, None).unwrap().with_times(Some(&times)).unwrap();
    let (mut scratch, mut tally) = (Scratch::default(), Tally::default());
    let batch = evaluator.evaluate(&rows, 0, &mut scratch, &mut tally).unwrap();
    ["gptbot", "ccbot"].map(|agent| {
        let column = |name: &str| {
            let name = format!("{name}_{agent}");
            let found = batch.schema();
            let found = found.fields().iter().position(|f| f.name().eq_ignore_ascii_case(&name));
            Arc::clone(batch.column(found.unwrap()))
        };
        let (allowed, time) = (column("robots_allowed"), column("robots_capture_time"));
        let gap = column("robots_capture_gap_s");
        let (allowed, gap) = (allowed.as_boolean(), gap.as_primitive::<Int64Type>());
        let time = time.as_primitive::<TimestampMicrosecondType>();
        let verdict = |row: usize| {
            let gap_of_times = times.as_primitive::<TimestampMicrosecondType>().value(row);
            assert_eq!(gap.value(row), (gap_of_times - time.value(row)) / 1_000_000);
            (allowed.value(row), time.value(row) / HOUR)
        };
        (0..batch.num_rows()).map(verdict).collect()
    })
}

/// What the visit of the last of `captures` says of a path: refused or not, and the hour of the capture that says so.
fn visit_says(captures: &[Seen], path: &str, agent: usize) -> Verdict {
    let newest = captures.last().unwrap();
    let visit = captures.iter().filter(|(hour, ..)| newest.0 - hour <= 24);
    let successful = visit.rev().find(|(_, status, _)| *status == 200);
    match successful {
        Some((hour, _, refuses)) => (!path.starts_with(refuses[agent]), *hour),
        // As policy rfc9309 has it, 503 refuses and 404 does not.
        None => (newest.1 != 503, newest.0),
    }
}

/// The verdict by looking at all captures: the visit as of the row's time, and all later ones from the newest back.
fn naive(captures: &[Seen], path: &str, hour: i64, agent: usize) -> Verdict {
    let num_until = captures.iter().filter(|(own, ..)| *own <= hour).count();
    let mut said = Vec::new();
    let mut end = captures.len();
    while end > num_until {
        let rest = &captures[num_until..end];
        said.push(visit_says(rest, path, agent));
        let newest = rest.last().unwrap().0;
        end -= rest.iter().filter(|(own, ..)| newest - own <= 24).count();
    }
    said.push(visit_says(&captures[..num_until], path, agent));
    said.reverse();
    said.iter().find(|(allowed, _)| !allowed).copied().unwrap_or(said[0])
}

#[test]
fn of_many_visits_the_first_that_refuses_decides_for_rows_in_any_order() {
    let (mut later, mut at_once) = (0, 0);
    for seed in 0..60 {
        let random = &mut Random::new(seed);
        let refuses = ["/a", "/b", "/c", "/d", "/never"];
        let mut hour = 0;
        let mut capture = |_| {
            hour += random.pick(&[1, 2, 5, 12, 23, 24, 25, 48, 100]);
            let status = random.pick(&[200, 200, 200, 404, 404, 404, 503]);
            let status = if status == 503 && !random.one_in(12) { 404 } else { status };
            (hour, status, [random.pick(&refuses), random.pick(&refuses)])
        };
        let captures: Vec<Seen> = (0..80).map(&mut capture).collect();
        let (first, last) = (captures[0].0, captures[79].0);
        let span = usize::try_from(last - first).unwrap() + 10;
        let row = |_| {
            let path = random.pick(&["/a", "/b", "/c", "/d", "/e"]);
            (path, first + i64::try_from(random.below(span)).unwrap())
        };
        let mut rows: Vec<(&str, i64)> = (0..400).map(row).collect();
        if seed % 2 == 0 {
            rows.sort_by_key(|(_, hour)| *hour);
        }
        let corpus = corpus(&captures);
        let found = evaluated(&corpus, &rows);
        for (agent, found) in found.iter().enumerate() {
            for ((path, hour), found) in rows.iter().zip(found) {
                let expected = naive(&captures, path, *hour, agent);
                assert_eq!(*found, expected, "seed {seed}, {path} at {hour}: {captures:?}");
                let is_later = expected.1 > *hour;
                (later, at_once) = (later + u64::from(is_later), at_once + u64::from(!is_later));
            }
        }
    }
    assert!(later > 5_000 && at_once > 5_000, "{later} {at_once}");
}

/// Seconds for as many rows as captures, all of one origin and in an order that is not that of time.
fn seconds(num: usize) -> Duration {
    let hours = |at: usize| i64::try_from(at).unwrap() * 25;
    let refuses = ["/a", "/b", "/c"];
    let capture = |at: usize| (hours(at), 200, [refuses[at % 3], refuses[at % 2]]);
    let corpus = corpus(&(0..num).map(capture).collect::<Vec<_>>());
    let rows: Vec<(&str, i64)> = (0..num).map(|at| ("/e", hours(at * 7_919 % num))).collect();
    let began = Instant::now();
    let found = evaluated(&corpus, &rows);
    let seconds = began.elapsed();
    assert!(found.iter().flatten().all(|(allowed, _)| *allowed));
    seconds
}

/// Captures and rows four times as many: four times as long where each visit is looked at once, sixteen times where each row
/// looks at all.
#[test]
fn the_cost_does_not_grow_with_the_square_of_captures() {
    let least = |num| (0..5).map(|_| seconds(num)).min().unwrap();
    let (some, more) = (least(3_000), least(12_000));
    println!("{some:?} for some, {more:?} for four times as many");
    assert!(more < some * 8, "{some:?} for some, {more:?} for four times as many");
}
