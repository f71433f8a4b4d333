//! Four captures months apart, and rows before, between, at and after them, under every rule of time and every policy.
//!
//! What is expected was written down from the definition: for each row the capture that answers (0 for none), the basis and the
//! verdict. Capture time, gap and status follow from the capture.

use crate::cli::{Bench, HOUR, capture, robots};
use crate::{CAPTURED, DAY, NO, NULL, YES, captured, judge, on, write_rows};

const A: &str = "https://a.example/robots.txt";
const B: &str = "https://b.example/robots.txt";

/// Refuses /x to GPTBot and /y to all others.
const FIRST: &str = "User-agent: GPTBot\nDisallow: /x\n\nUser-agent: *\nDisallow: /y\n";
/// Refuses all but /x to all.
const LAST: &str = "User-agent: *\nAllow: /x\nDisallow: /\n";

const A_STATUSES: [i64; 4] = [200, 503, 404, 200];
const B_STATUSES: [i64; 4] = [200, 429, 403, 0];

/// Times of the rows: from which capture, and how much later.
const ROWS: [(usize, i64); 12] = [
    (1, -DAY),
    (1, 0),
    (1, 20 * DAY),
    (1, 30 * DAY),
    (1, 40 * DAY),
    (2, 0),
    (2, 20 * DAY),
    (3, -1),
    (3, 0),
    (3, 30 * DAY),
    (4, 0),
    (4, 100 * DAY),
];

fn row_time(row: usize) -> i64 {
    let (capture, later) = ROWS[row];
    CAPTURED[capture - 1] * DAY + later
}

/// All rows ask for `path` of both origins: those of a.example first.
fn bench(path: &str) -> Bench {
    let [one, two, three, four] = CAPTURED;
    let bench = captured(&[
        on(robots(A, FIRST), one),
        on(capture(A).status(503), two),
        on(capture(A).status(404), three),
        on(robots(A, LAST), four),
        on(robots(B, FIRST), one),
        on(capture(B).status(429), two),
        on(capture(B).status(403), three),
        on(capture(B).status(0), four),
    ]);
    let hosts = ["https://a.example", "https://b.example"];
    let urls = hosts.map(|host| vec![format!("{host}{path}"); ROWS.len()]).concat();
    let times: Vec<i64> = (0..2 * ROWS.len()).map(|row| row_time(row % ROWS.len())).collect();
    write_rows(&bench, &urls.iter().map(String::as_str).collect::<Vec<_>>(), &times);
    bench
}

/// Capture (0 for none), basis, verdict.
type Expected = (usize, &'static str, Option<bool>);

const NOTHING: Expected = (0, "no_capture", NULL);

/// The same for so many rows.
fn times(count: usize, expected: Expected) -> Vec<Expected> {
    vec![expected; count]
}

/// Where rows of an origin stand in the table.
#[derive(Clone, Copy)]
enum Of {
    A,
    B,
}

/// Checks the columns of one agent (its suffix, or none) for the rows of an origin.
#[track_caller]
fn check(table: &crate::cli::Table, of: Of, suffix: &str, expected: &[Expected], stale: &[usize]) {
    assert_eq!(expected.len(), ROWS.len());
    let (first, statuses) = match of {
        Of::A => (0, A_STATUSES),
        Of::B => (ROWS.len(), B_STATUSES),
    };
    let own = |name: &str| {
        let long = format!("{name}{suffix}");
        if table.names().contains(&long) { long } else { name.to_owned() }
    };
    let bases = table.texts(&own("robots_basis"));
    let allowed = table.bools(&own("robots_allowed"));
    let captured = table.ints(&own("robots_capture_time"));
    let gaps = table.ints(&own("robots_capture_gap_s"));
    let status = table.ints(&own("robots_status"));
    let is_stale = table.bools(&own("robots_stale"));
    for (row, (capture, basis, verdict)) in expected.iter().enumerate() {
        let at = first + row;
        let time = capture.checked_sub(1).map(|capture| CAPTURED[capture] * DAY);
        let got = (bases[at].as_deref().unwrap(), allowed[at], captured[at], gaps[at], status[at]);
        let gap = time.map(|time| (row_time(row) - time) / 1_000_000);
        let of_capture = capture.checked_sub(1).map(|capture| statuses[capture]);
        assert_eq!(got, (*basis, *verdict, time, gap, of_capture), "row {row} of {suffix}");
        let expected = time.map(|_| stale.contains(&row));
        assert_eq!(is_stale[at], expected, "row {row} of {suffix}: stale");
    }
}

/// What a.example says about /x as of each row's time, whatever the policy.
fn a_by_row() -> Vec<Expected> {
    [
        times(1, NOTHING),
        times(4, (1, "rule", NO)),
        times(3, (2, "unreachable", NO)),
        times(2, (3, "unavailable", YES)),
        times(2, (4, "rule", YES)),
    ]
    .concat()
}

#[test]
fn as_of_row_under_every_policy() {
    let bench = bench("/x");
    let policies = [
        ("rfc9309", ("unavailable", YES), ("unavailable", YES), ("unreachable", NO)),
        ("google", ("unreachable", NO), ("unavailable", YES), ("unreachable", NO)),
        ("closed", ("unreachable", NO), ("forbidden", NO), ("unreachable", NO)),
        ("commoncrawl", ("unreachable", NO), ("forbidden", NO), ("unavailable", YES)),
    ];
    for (policy, of_429, of_403, of_0) in policies {
        let by_row = [
            times(1, NOTHING),
            times(4, (1, "rule", NO)),
            times(3, (2, of_429.0, of_429.1)),
            times(2, (3, of_403.0, of_403.1)),
            times(2, (4, of_0.0, of_0.1)),
        ]
        .concat();
        for as_of in ["", "--as-of row"] {
            let table = judge(&bench, &format!("--agent GPTBot --policy {policy} {as_of}"));
            check(&table, Of::A, "", &a_by_row(), &[]);
            check(&table, Of::B, "", &by_row, &[]);
        }
    }
}

#[test]
fn two_agents_have_their_own_verdicts_by_the_same_capture() {
    let table = judge(&bench("/x"), "--agent GPTBot,CCBot --as-of row");
    check(&table, Of::A, "_gptbot", &a_by_row(), &[]);
    let mut other = a_by_row();
    other[1..5].fill((1, "no_rule", YES));
    check(&table, Of::A, "_ccbot", &other, &[]);
    assert_eq!(table.names().iter().filter(|n| n.starts_with("robots_capture_time")).count(), 1);
}

#[test]
fn as_of_latest_is_the_last_capture_for_all_rows() {
    let table = judge(&bench("/x"), "--agent GPTBot --as-of latest");
    check(&table, Of::A, "", &times(12, (4, "rule", YES)), &[]);
    check(&table, Of::B, "", &times(12, (4, "unreachable", NO)), &[]);
}

#[test]
fn as_of_a_date_is_the_last_capture_up_to_its_end_and_of_a_time_up_to_then() {
    let bench = bench("/x");
    let cases: [(&str, Expected); 9] = [
        ("2024-01-09", NOTHING),
        ("2024-01-10", (1, "rule", NO)),
        ("2024-03-09", (1, "rule", NO)),
        ("2024-03-10", (2, "unreachable", NO)),
        ("20240310", (2, "unreachable", NO)),
        ("2024-05-09T23:59:59.999999Z", (2, "unreachable", NO)),
        ("2024-05-10T02:00:00+02:00", (3, "unavailable", YES)),
        ("20240709235959", (3, "unavailable", YES)),
        ("2030-01-01", (4, "rule", YES)),
    ];
    for (date, expected) in cases {
        let table = judge(&bench, &format!("--agent GPTBot --as-of {date}"));
        check(&table, Of::A, "", &times(12, expected), &[]);
    }
    let table = judge(&bench, "--agent GPTBot --as-of 2024-04-09 --capture-window 30d");
    check(&table, Of::A, "", &times(12, NOTHING), &[]);
    // The end of that day is less than 31 days after the capture.
    let table = judge(&bench, "--agent GPTBot --as-of 2024-04-09 --capture-window 31d");
    check(&table, Of::A, "", &times(12, (2, "unreachable", NO)), &[]);
    let table = judge(&bench, "--agent GPTBot --as-of 2024-01-01 --nearest");
    check(&table, Of::A, "", &times(12, (1, "rule", NO)), &[]);
}

#[test]
fn as_of_ever_takes_what_any_later_visit_refuses_as_refused() {
    let table = judge(&bench("/x"), "--agent GPTBot,CCBot --as-of ever");
    let gptbot = [
        // Nothing was captured yet; the first capture refuses.
        times(5, (1, "rule", NO)),
        times(3, (2, "unreachable", NO)),
        times(2, (3, "unavailable", YES)),
        times(2, (4, "rule", YES)),
    ]
    .concat();
    check(&table, Of::A, "_gptbot", &gptbot, &[]);
    let mut ccbot = gptbot;
    // The first capture allows /x to others; the second one refuses all.
    ccbot[..5].fill((2, "unreachable", NO));
    check(&table, Of::A, "_ccbot", &ccbot, &[]);
    let table = judge(&bench("/z"), "--agent GPTBot --as-of ever");
    let of_z = [
        times(8, (2, "unreachable", NO)),
        // Allowed by the 404, refused by the last capture.
        times(4, (4, "rule", NO)),
    ]
    .concat();
    check(&table, Of::A, "", &of_z, &[]);
    check(&table, Of::B, "", &times(12, (4, "unreachable", NO)), &[]);
}

#[test]
fn captures_older_than_the_window_do_not_count() {
    let bench = bench("/x");
    let mut within = a_by_row();
    for row in [4, 7, 11] {
        within[row] = NOTHING;
    }
    let window = "--agent GPTBot --capture-window 30d";
    check(&judge(&bench, window), Of::A, "", &within, &[]);
    for (word, verdict) in [("unknown", NULL), ("allow", YES), ("disallow", NO)] {
        let mut expected = within.clone();
        for row in [0, 4, 7, 11] {
            expected[row].2 = verdict;
        }
        let table = judge(&bench, &format!("{window} --no-capture {word}"));
        check(&table, Of::A, "", &expected, &[]);
    }
}

#[test]
fn a_nearer_later_capture_counts_where_that_is_asked_for() {
    let bench = bench("/x");
    let mut nearest = a_by_row();
    nearest[0] = (1, "rule", NO);
    // Row 3 is as near to the first as to the second: the earlier one counts.
    nearest[4] = (2, "unreachable", NO);
    nearest[7] = (3, "unavailable", YES);
    check(&judge(&bench, "--agent GPTBot --nearest"), Of::A, "", &nearest, &[]);
    let mut within = nearest.clone();
    for row in [3, 4, 9, 11] {
        within[row] = NOTHING;
    }
    within[2] = NOTHING;
    within[6] = NOTHING;
    let table = judge(&bench, "--agent GPTBot --nearest --capture-window 1d");
    check(&table, Of::A, "", &within, &[]);
    let table = judge(&bench, "--agent GPTBot --nearest --capture-window 20d");
    (within[2], within[4], within[6]) = (nearest[2], nearest[4], nearest[6]);
    check(&table, Of::A, "", &within, &[]);
}

#[test]
fn stale_copies_stand_in_for_unreachable_visits() {
    let bench = bench("/x");
    let mut stale = a_by_row();
    stale[5..8].fill((1, "rule", NO));
    let rows = [5, 6, 7];
    for policy in ["rfc9309", "google", "closed", "commoncrawl"] {
        let at = |span: &str| format!("--agent GPTBot --policy {policy} --stale {span}");
        check(&judge(&bench, &at("60d")), Of::A, "", &stale, &rows);
        check(&judge(&bench, &at("59d")), Of::A, "", &a_by_row(), &[]);
        check(&judge(&bench, &at("off")), Of::A, "", &a_by_row(), &[]);
    }
    // The last answer of b.example is none: its last good one is 182 days older.
    let of_b = |last: Expected| {
        [
            times(1, NOTHING),
            times(7, (1, "rule", NO)),
            times(2, (3, "unavailable", YES)),
            times(2, last),
        ]
        .concat()
    };
    let table = judge(&bench, "--agent GPTBot --policy google --stale 182d");
    check(&table, Of::B, "", &of_b((1, "rule", NO)), &[5, 6, 7, 10, 11]);
    let table = judge(&bench, "--agent GPTBot --policy google --stale 181d");
    check(&table, Of::B, "", &of_b((4, "unreachable", NO)), &rows);
    // A stale copy may be older than the window, which is of the visit it stands in for.
    let table = judge(&bench, "--agent GPTBot --stale 60d --capture-window 30d");
    let mut within = stale;
    for row in [4, 7, 11] {
        within[row] = NOTHING;
    }
    check(&table, Of::A, "", &within, &rows);
}

#[test]
fn captures_of_one_day_are_one_visit() {
    let start = CAPTURED[0] * 24;
    let bench = captured(&[
        robots(A, FIRST).hour(start),
        capture(A).status(503).hour(start + 10),
        capture(A).status(404).hour(start + 20),
        capture(A).status(503).hour(start + 26),
    ]);
    // Hours of rows, the capture's hour, basis, verdict, status.
    let cases = [
        (-1, None, "no_capture", NULL, None),
        (0, Some(0), "rule", NO, Some(200)),
        (12, Some(0), "rule", NO, Some(200)),
        (25, Some(0), "rule", NO, Some(200)),
        // 26 hours after the first capture its day is over: the newest of the others wins.
        (26, Some(26), "unreachable", NO, Some(503)),
        (500, Some(26), "unreachable", NO, Some(503)),
    ];
    let times: Vec<i64> = cases.iter().map(|case| (start + case.0) * HOUR).collect();
    write_rows(&bench, &["https://a.example/x"; 6], &times);
    let table = judge(&bench, "--agent GPTBot");
    let (bases, allowed) = (table.bases(), table.allowed());
    let (captured, statuses) = (table.ints("robots_capture_time"), table.ints("robots_status"));
    for (row, (hour, of, basis, verdict, status)) in cases.into_iter().enumerate() {
        let got = (bases[row].as_str(), allowed[row], captured[row], statuses[row]);
        let time = of.map(|of| (start + of) * HOUR);
        assert_eq!(got, (basis, verdict, time, status), "at hour {hour}");
    }
}
