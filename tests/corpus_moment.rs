//! Which captures answer for a row, against a plain reading of section 6 of the semantics: every as-of rule, windows,
//! nearest, stale copies, captures with and without times.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test reports by failing")]

#[path = "common/random.rs"]
mod random;

use random::Random;
use robosift::compile::BodyLimit;
use robosift::corpus::{
    Access, AsOf, Corpus, CorpusBuilder, Moment, Outcome, Place, Policy, RawCapture, Site, Status,
    Visits,
};
use robosift::parse::Dialect;

const ORIGIN: &str = "https://a.example";
const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;
const CORPORA: u64 = 120;
const MOMENTS: usize = 12;

/// A capture as the naive reading sees it, oldest first and in the order of their source among those of one time.
#[derive(Clone, Debug)]
struct Seen {
    time: Option<i64>,
    status: Option<i16>,
    /// Its own number, so that it is told from all others: the line of its only rule.
    body: Option<usize>,
}

/// What an origin says, in the words of the semantics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Said {
    /// The body whose rules apply, or what its absence means.
    what: What,
    time: Option<i64>,
    is_stale: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Rules(usize),
    NoCapture,
    Unavailable,
    Unreachable,
    RedirectUnresolved,
}

impl Seen {
    fn what(&self) -> What {
        match (self.status, self.body) {
            (None | Some(200 | 204 | 304), Some(body)) => What::Rules(body),
            (None | Some(200 | 204 | 304), None) => What::NoCapture,
            (Some(404), _) => What::Unavailable,
            (Some(302), _) => What::RedirectUnresolved,
            (Some(0 | 503), _) => What::Unreachable,
            (Some(other), _) => panic!("status {other}"),
        }
    }

    fn is_successful(&self) -> bool {
        self.body.is_some() && self.status != Some(304) && matches!(self.what(), What::Rules(_))
    }

    fn said(&self) -> Said {
        Said { what: self.what(), time: self.time, is_stale: false }
    }

    /// Undated captures are older than any time.
    fn is_until(&self, time: i64) -> bool {
        self.time.is_none_or(|own| own <= time)
    }
}

/// At most `span` before `newest`; the undated belong together.
fn is_within(time: Option<i64>, newest: Option<i64>, span: i64) -> bool {
    match (time, newest) {
        (Some(time), Some(newest)) => newest - time <= span,
        (None, None) => true,
        _ => false,
    }
}

/// What the visit of the newest of `recent` says; stale copies are looked for in `known`.
fn visit(recent: &[&Seen], known: &[&Seen], stale: Option<i64>) -> Option<Said> {
    let newest = recent.last()?;
    let visit = recent.iter().rev().filter(|seen| is_within(seen.time, newest.time, DAY));
    let visit: Vec<&&Seen> = visit.collect();
    let successful = visit.iter().find(|seen| seen.is_successful());
    let with_rules = visit.iter().find(|seen| matches!(seen.what(), What::Rules(_)));
    let said = successful.or(with_rules).map_or(newest.said(), |seen| seen.said());
    let Some(span) = stale.filter(|_| said.what == What::Unreachable) else { return Some(said) };
    let mut copies = known.iter().rev().filter(|seen| is_within(seen.time, newest.time, span));
    let copy = copies.find(|seen| matches!(seen.what(), What::Rules(_)));
    Some(copy.map_or(said, |copy| Said { is_stale: true, ..copy.said() }))
}

/// The answer as section 6 tells it.
fn naive(all: &[Seen], moment: &Moment, row_time: Option<i64>, stale: Option<i64>) -> Option<Said> {
    let time = match moment.as_of {
        AsOf::Latest => {
            let all: Vec<&Seen> = all.iter().collect();
            return visit(&all, &all, stale);
        }
        AsOf::Date(time) => time,
        AsOf::Row | AsOf::Ever => row_time?,
    };
    let is_recent = |seen: &&Seen| match (moment.window, seen.time) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(window), Some(own)) => own >= time - window,
    };
    let before = all.iter().filter(|seen| seen.is_until(time)).rfind(is_recent);
    let in_window = |own: &i64| moment.window.is_none_or(|window| own - time <= window);
    let after = all.iter().filter_map(|seen| seen.time).find(|own| *own > time);
    let after = after.filter(in_window).filter(|_| moment.nearest);
    let end = match (before, after) {
        (None, None) => return None,
        (None, Some(after)) => after,
        (Some(_), None) => time,
        // Of two equally near the earlier one counts; an undated one is further than any.
        (Some(before), Some(after)) => match before.time {
            Some(before) if time - before <= after - time => time,
            _ => after,
        },
    };
    let known: Vec<&Seen> = all.iter().filter(|seen| seen.is_until(end)).collect();
    let recent: Vec<&Seen> = known.iter().copied().filter(is_recent).collect();
    visit(&recent, &known, stale)
}

/// Every visit after the row's time, oldest first.
fn naive_later(all: &[Seen], row_time: i64, stale: Option<i64>) -> Vec<Said> {
    let known: Vec<&Seen> = all.iter().collect();
    let first = known.iter().filter(|seen| seen.is_until(row_time)).count();
    let mut end = known.len();
    let mut said = Vec::new();
    while end > first {
        let rest = &known[first..end];
        said.extend(visit(rest, &known[..end], stale));
        let newest = rest.last().unwrap().time;
        end -= rest.iter().filter(|seen| is_within(seen.time, newest, DAY)).count();
    }
    said.reverse();
    said
}

/// Captures in an order that is not that of their times, and as they are seen.
fn made_up(random: &mut Random) -> (Vec<RawCapture>, Vec<Seen>) {
    let count = random.below(9);
    let mut seen: Vec<Seen> = (0..count)
        .map(|number| {
            let status =
                random.pick(&[None, Some(200), Some(200), Some(204), Some(304), Some(404)]);
            let status = if random.one_in(3) { Some(random.pick(&[302, 0, 503])) } else { status };
            let may_have_body = matches!(status, None | Some(200 | 204 | 304));
            let hour = i64::try_from(random.below(50)).unwrap() * 2;
            // Often a whole day apart, give or take the least there is.
            let hour = if random.one_in(3) { hour / 24 * 24 } else { hour };
            let off = i64::try_from(random.below(3)).unwrap() - 1;
            Seen {
                time: (!random.one_in(6)).then_some(hour * HOUR + off),
                status,
                body: (may_have_body && !random.one_in(5)).then_some(number),
            }
        })
        .collect();
    let raw = seen.iter().map(|seen| RawCapture {
        place: Place::Origin(ORIGIN.into()),
        body: seen
            .body
            .map(|line| format!("{}User-agent: *\nDisallow: /\n", "\n".repeat(line)).into_bytes()),
        status: seen.status.map(Status),
        time: seen.time,
        ..RawCapture::default()
    });
    let raw = raw.collect();
    seen.sort_by_key(|seen| (seen.time.is_some(), seen.time));
    (raw, seen)
}

fn build(raw: Vec<RawCapture>) -> Corpus {
    let mut builder = CorpusBuilder::new(Dialect::RFC9309, BodyLimit::DEFAULT);
    raw.into_iter().for_each(|capture| builder.add(capture).unwrap());
    builder.finish().unwrap()
}

/// A site in the naive words; the body is told by the line of its rule.
fn said(corpus: &Corpus, site: &Site) -> Said {
    let what = match site.access {
        Access::Rules(body) => {
            let program = corpus.program(body).unwrap();
            let rules = program.group(program.wildcard().unwrap()).rules();
            What::Rules(usize::try_from(rules.into_iter().next().unwrap().line).unwrap() - 2)
        }
        Access::RedirectUnresolved => What::RedirectUnresolved,
        Access::Closed(Outcome::NoCapture) => What::NoCapture,
        Access::Closed(Outcome::Unavailable) => What::Unavailable,
        Access::Closed(Outcome::Unreachable) => What::Unreachable,
        Access::Closed(other) => panic!("{other:?}"),
    };
    Said { what, time: site.time, is_stale: site.stale }
}

fn some_moment(random: &mut Random) -> (Moment, Policy) {
    let date = AsOf::Date(some_time(random));
    let as_of = random.pick(&[AsOf::Latest, AsOf::Row, AsOf::Row, AsOf::Row, AsOf::Ever, date]);
    let window = random.pick(&[None, None, Some(0), Some(5 * HOUR), Some(DAY), Some(60 * HOUR)]);
    let stale = random.pick(&[None, Some(10 * HOUR), Some(30 * DAY)]);
    let moment = Moment { as_of, window, nearest: random.one_in(2) };
    let mut policy = Policy::RFC9309;
    policy.stale = stale;
    (moment, policy)
}

fn some_time(random: &mut Random) -> i64 {
    (i64::try_from(random.below(130)).unwrap() - 15) * HOUR
}

/// Times of rows: each half hour from before the first capture to after the last, give or take the least there is.
fn times() -> Vec<i64> {
    let around = |half: i64| [-1, 0, 1].map(|off| half * HOUR / 2 + off);
    (-60..320).flat_map(around).collect()
}

#[test]
fn every_answer_is_that_of_a_plain_reading_and_holds_as_long_as_it_says() {
    let times = times();
    let (mut answered, mut stretched) = (0_u64, 0_u64);
    for seed in 0..CORPORA {
        let mut random = Random::new(seed);
        let (raw, seen) = made_up(&mut random);
        let corpus = build(raw);
        let Some(origin) = corpus.find(ORIGIN.as_bytes()) else {
            assert!(seen.is_empty());
            continue;
        };
        for _ in 0..MOMENTS {
            let (moment, policy) = some_moment(&mut random);
            let what = |row| {
                format!("seed {seed}, {moment:?}, stale {:?}, {row:?}\n{seen:#?}", policy.stale)
            };
            let expected: Vec<Option<Said>> =
                times.iter().map(|row| naive(&seen, &moment, Some(*row), policy.stale)).collect();
            // Where every later visit is asked too, those must be the same as long.
            let later = |row: &i64| match moment.as_of {
                AsOf::Ever => naive_later(&seen, *row, policy.stale),
                _ => Vec::new(),
            };
            let later: Vec<Vec<Said>> = times.iter().map(later).collect();
            let expected: Vec<(Option<Said>, Vec<Said>)> =
                expected.into_iter().zip(later).collect();
            for (row, now) in times.iter().zip(&expected) {
                let answer = corpus.answer(origin, &policy, &moment, Some(*row));
                let found = answer.site.map(|site| said(&corpus, &site));
                assert_eq!(found, now.0, "{}", what(row));
                assert!(answer.times.contains(*row), "its own time: {}", what(row));
                let stretch = times.iter().zip(&expected);
                let stretch = stretch.filter(|(time, _)| answer.times.contains(**time));
                for (time, expected) in stretch {
                    assert_eq!(expected, now, "said to hold at {time}: {}", what(row));
                    stretched += 1;
                }
                answered += 1;
            }
        }
    }
    // Answers hold for long: a run of rows is asked about once.
    assert!(stretched > answered * 50, "{stretched} times in {answered} stretches");
}

#[test]
fn answers_that_no_row_decides_hold_for_all_times_and_rows_without_a_time_have_none() {
    for seed in 0..CORPORA {
        let mut random = Random::new(seed + 10_000);
        let (raw, seen) = made_up(&mut random);
        let corpus = build(raw);
        let Some(origin) = corpus.find(ORIGIN.as_bytes()) else { continue };
        let (moment, policy) = some_moment(&mut random);
        let answer = corpus.answer(origin, &policy, &moment, None);
        let found = answer.site.map(|site| said(&corpus, &site));
        assert_eq!(found, naive(&seen, &moment, None, policy.stale), "{moment:?} {seen:#?}");
        assert_eq!(moment.needs_row_time(), matches!(moment.as_of, AsOf::Row | AsOf::Ever));
        if !moment.needs_row_time() {
            assert!(answer.times.contains(i64::MIN) && answer.times.contains(i64::MAX));
        }
        let latest = said(&corpus, &corpus.latest(origin, &policy));
        assert_eq!(Some(latest), naive(&seen, &Moment::default(), None, policy.stale));
    }
}

/// The visits after a time, oldest first.
fn later(visits: &mut Visits<'_>, row: i64) -> Vec<Site> {
    let later = visits.later_than(row);
    let whole = (0..later.num_whole).rev().map(|number| visits.site(number).unwrap());
    later.cut.into_iter().chain(whole).collect()
}

#[test]
fn later_visits_are_those_of_a_plain_reading_in_whatever_order_they_are_asked() {
    let mut num_cut = 0;
    for seed in 0..CORPORA {
        let mut random = Random::new(seed + 20_000);
        let (raw, seen) = made_up(&mut random);
        let corpus = build(raw);
        let Some(origin) = corpus.find(ORIGIN.as_bytes()) else { continue };
        let (_, policy) = some_moment(&mut random);
        let mut visits = corpus.visits(origin, &policy);
        let mut times = times();
        for at in (1..times.len()).rev().filter(|_| seed % 3 > 0) {
            times.swap(at, random.below(at + 1));
        }
        for row in times {
            num_cut += u64::from(visits.later_than(row).cut.is_some());
            let found = later(&mut visits, row);
            let found: Vec<Said> = found.iter().map(|site| said(&corpus, site)).collect();
            assert_eq!(
                found,
                naive_later(&seen, row, policy.stale),
                "seed {seed}, {row} {seen:#?}"
            );
        }
    }
    assert!(num_cut > 5_000, "{num_cut}");
}

/// The ends of time overflow nothing.
#[test]
fn extreme_times_are_answered() {
    let capture = |time, path: &str| RawCapture {
        place: Place::Origin(ORIGIN.into()),
        body: Some(format!("User-agent: *\nDisallow: /{path}\n").into_bytes()),
        time: Some(time),
        ..RawCapture::default()
    };
    let corpus = build(vec![capture(i64::MIN + 1, "a"), capture(0, "b"), capture(i64::MAX, "c")]);
    let origin = corpus.find(ORIGIN.as_bytes()).unwrap();
    for window in [None, Some(0), Some(DAY), Some(i64::MAX)] {
        for nearest in [false, true] {
            for row in [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX] {
                let moment = Moment { as_of: AsOf::Row, window, nearest };
                for policy in [Policy::RFC9309, Policy::GOOGLE] {
                    let answer = corpus.answer(origin, &policy, &moment, Some(row));
                    assert!(answer.times.contains(row), "{moment:?} {row}");
                    let expected = match row {
                        i64::MAX => Some(i64::MAX),
                        0 => Some(0),
                        _ => answer.site.and_then(|site| site.time),
                    };
                    assert_eq!(
                        answer.site.and_then(|site| site.time),
                        expected,
                        "{moment:?} {row}"
                    );
                }
            }
        }
    }
}
