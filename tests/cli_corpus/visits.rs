//! Several captures of one origin: visits, and stale copies.

use crate::cli::{Bench, HOUR, Robots, Table, capture};

const A: &str = "https://a.example";

/// A 200 that refuses `/NAME`.
fn good(name: &str, hour: i64) -> Robots {
    crate::cli::robots(A, format!("User-agent: *\nDisallow: /{name}\n")).hour(hour)
}

fn down(status: i16, hour: i64) -> Robots {
    capture(A).status(status).hour(hour)
}

/// The verdict on /x of the origin, in both orders of its captures.
#[track_caller]
fn judge(captures: &[Robots], more: &str) -> Table {
    let bench = Bench::new();
    bench.urls("rows.parquet", &["https://a.example/x"]);
    let fixed =
        format!("--corpus robots.parquet --agent GPTBot --columns full {more} rows.parquet");
    bench.robots("robots.parquet", captures);
    let table = bench.verdicts(&fixed);
    let turned: Vec<Robots> = captures.iter().rev().cloned().collect();
    bench.robots("robots.parquet", &turned);
    let again = bench.verdicts(&fixed);
    assert_eq!(table.batch, again.batch, "the order of the captures decides");
    table
}

#[track_caller]
fn basis(captures: &[Robots], more: &str) -> String {
    judge(captures, more).bases().remove(0)
}

#[test]
fn the_newest_visit_counts() {
    assert_eq!(basis(&[good("y", 100), good("x", 200)], ""), "rule");
    assert_eq!(basis(&[good("x", 100), good("y", 200)], ""), "no_rule");
    assert_eq!(basis(&[good("x", 100), down(404, 200)], ""), "unavailable");
    assert_eq!(basis(&[good("y", 100), down(503, 200)], ""), "unreachable");
    assert_eq!(basis(&[good("x", 100), good("y", 200)], "--as-of latest"), "no_rule");
}

#[test]
fn in_a_visit_a_successful_capture_beats_the_others_then_the_newest_wins() {
    assert_eq!(basis(&[good("x", 100), down(503, 110)], ""), "rule");
    assert_eq!(basis(&[good("x", 100), down(503, 124)], ""), "rule", "24 hours are within");
    assert_eq!(basis(&[good("x", 100), down(503, 125)], ""), "unreachable");
    assert_eq!(basis(&[good("y", 100), good("x", 110), down(404, 111)], ""), "rule");
    assert_eq!(basis(&[down(404, 100), down(503, 110)], ""), "unreachable");
    assert_eq!(basis(&[down(503, 100), down(404, 110)], ""), "unavailable");
    // The day is counted from the newest capture, not from one to the next.
    assert_eq!(basis(&[good("x", 100), down(503, 115), down(503, 130)], ""), "unreachable");
}

#[test]
fn undated_captures_are_the_oldest() {
    let undated = crate::cli::robots(A, "User-agent: *\nDisallow: /x\n");
    assert_eq!(basis(std::slice::from_ref(&undated), ""), "rule");
    assert_eq!(basis(&[undated.clone(), good("y", 5)], ""), "no_rule");
    assert_eq!(basis(&[undated, down(404, 5)], ""), "unavailable");
}

#[test]
fn a_lost_body_is_no_success() {
    assert_eq!(basis(&[good("x", 100), capture(A).status(200).hour(110)], ""), "rule");
    assert_eq!(basis(&[good("x", 100), capture(A).status(304).hour(110)], ""), "rule");
}

#[test]
fn a_stale_copy_stands_in_for_an_unreachable_visit() {
    let captures = [good("y", 10), good("x", 100), down(503, 200), down(500, 230)];
    let table = judge(&captures, "--stale 6d");
    assert_eq!((table.bases()[0].as_str(), table.allowed()[0]), ("rule", Some(false)));
    assert_eq!(table.bools("robots_stale"), [Some(true)]);
    assert_eq!(table.ints("robots_capture_time"), [Some(100 * HOUR)]);
    assert_eq!(basis(&captures, "--stale 130h"), "rule", "130 hours are within");
    assert_eq!(basis(&captures, "--stale 129h"), "unreachable");
    assert_eq!(basis(&captures, "--stale off"), "unreachable");
    let table = judge(&captures, "");
    assert_eq!(table.bools("robots_stale"), [Some(false)]);
    assert_eq!(table.bases(), ["unreachable"]);
}

#[test]
fn policy_google_takes_stale_copies_for_thirty_days() {
    let month = 30 * 24;
    let at = |hour: i64| [good("x", 100), down(503, hour)];
    assert_eq!(basis(&at(100 + month), "--policy google"), "rule");
    assert_eq!(basis(&at(101 + month), "--policy google"), "unreachable");
    assert_eq!(basis(&at(200), "--policy google --stale off"), "unreachable");
    for policy in ["rfc9309", "closed", "commoncrawl"] {
        assert_eq!(basis(&at(200), &format!("--policy {policy}")), "unreachable", "{policy}");
    }
    // 429 is unreachable there, 404 is not.
    assert_eq!(basis(&[good("x", 100), down(429, 200)], "--policy google"), "rule");
    assert_eq!(basis(&[good("x", 100), down(404, 200)], "--policy google"), "unavailable");
}

#[test]
fn br201_a_redirect_beside_a_200_in_one_visit() {
    let gone = capture(A)
        .status(301)
        .body("<html>moved</html>")
        .redirect("https://gone.example/robots.txt");
    assert_eq!(basis(&[good("x", 100), gone.clone().hour(110)], ""), "rule");
    assert_eq!(basis(&[gone.clone().hour(100), good("x", 110)], ""), "rule");
    assert_eq!(basis(&[good("x", 100), gone.hour(200)], ""), "redirect_unresolved");
}

#[test]
fn a_stale_copy_stands_in_for_a_redirect_to_an_unreachable_target_too() {
    let target = "https://t.example";
    let moved = capture(A).status(301).redirect("https://t.example/robots.txt");
    let captures = [good("x", 100), moved.clone().hour(200), capture(target).status(503).hour(200)];
    assert_eq!(basis(&captures, ""), "unreachable");
    let table = judge(&captures, "--stale 30d");
    assert_eq!((table.bases()[0].as_str(), table.bools("robots_stale")[0]), ("rule", Some(true)));
    let rules = crate::cli::robots(target, "User-agent: *\nDisallow: /x\n");
    let captures = [moved.hour(100), rules.hour(100), down(503, 200)];
    let table = judge(&captures, "--stale 30d");
    assert_eq!((table.bases()[0].as_str(), table.bools("robots_stale")[0]), ("rule", Some(true)));
    assert_eq!(table.ints("robots_capture_time"), [Some(100 * HOUR)]);
}
