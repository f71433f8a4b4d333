//! Access policies: every class of status under every policy, overrides, unknown captures, body limits.

use crate::cli::{Bench, Robots, capture, robots};

/// Refuses `/x`, so that a body which is read shows.
const BODY: &str = "User-agent: *\nDisallow: /x\n";
const POLICIES: [&str; 4] = ["rfc9309", "google", "closed", "commoncrawl"];

/// What a capture is, and the basis of `/x` under each policy in the order of [`POLICIES`].
fn table() -> Vec<(Robots, [&'static str; 4])> {
    let place = |name: &str| capture(&format!("https://{name}.example"));
    let status =
        |status: i16| place(&format!("s{}", status.unsigned_abs())).body(BODY).status(status);
    let (rule, un, gone) = ("rule", "unreachable", "unavailable");
    let (shut, none, lost) = ("forbidden", "no_capture", "redirect_unresolved");
    let mut rows = vec![
        (status(401), [gone, gone, shut, gone]),
        (status(403), [gone, gone, shut, shut]),
        (status(429), [gone, un, un, un]),
        (place("nostatus").body(BODY), [rule; 4]),
        (place("nothing"), [none; 4]),
        (place("ok-lost").status(200), [none; 4]),
        (place("revisit").status(304), [none; 4]),
        (place("revisit-kept").status(304).body(BODY), [rule; 4]),
        (place("away").status(302).body(BODY).redirect("https://gone.test/robots.txt"), [lost; 4]),
        (place("astray").status(307).body(BODY), [lost; 4]),
    ];
    rows.extend([200, 203, 206, 299].map(|code| (status(code), [rule; 4])));
    rows.extend([400, 402, 404, 410, 418, 451, 499].map(|code| (status(code), [gone; 4])));
    rows.extend([500, 502, 503, 599].map(|code| (status(code), [un; 4])));
    rows.extend([0, 100, 199, 600, 999, -1].map(|code| (status(code), [un, un, un, gone])));
    rows
}

fn allowed(basis: &str) -> Option<bool> {
    match basis {
        "rule" | "unreachable" | "forbidden" => Some(false),
        "unavailable" => Some(true),
        _ => None,
    }
}

fn bench(captures: &[Robots], urls: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.robots("robots.parquet", captures);
    bench.urls("rows.parquet", urls);
    bench
}

const FIXED: &str = "--corpus robots.parquet rows.parquet --agent GPTBot";

#[test]
fn br187_every_status_under_every_policy() {
    let table = table();
    let captures: Vec<Robots> = table.iter().map(|(capture, _)| capture.clone()).collect();
    let urls: Vec<String> = captures.iter().map(|c| format!("{}/x", c.place())).collect();
    let bench = bench(&captures, &urls.iter().map(String::as_str).collect::<Vec<_>>());
    for (at, policy) in POLICIES.into_iter().enumerate() {
        let verdicts = bench.verdicts(&format!("{FIXED} --policy {policy}"));
        for (row, (capture, bases)) in table.iter().enumerate() {
            let found = (verdicts.bases()[row].clone(), verdicts.allowed()[row]);
            let expected = (bases[at].to_owned(), allowed(bases[at]));
            assert_eq!(found, expected, "{policy}: {capture:?}");
        }
    }
}

#[test]
fn one_status_is_set_otherwise() {
    let status = |code: i16| capture(&format!("https://s{code}.example")).status(code);
    let urls = ["https://s401.example/x", "https://s403.example/x", "https://s500.example/x"];
    let bench = bench(&[status(401), status(403), status(500)], &urls);
    let verdicts = bench.verdicts(&format!("{FIXED} --status 403=disallow"));
    assert_eq!(verdicts.allowed(), [Some(true), Some(false), Some(false)]);
    assert_eq!(verdicts.bases(), ["unavailable", "forbidden", "unreachable"]);
    let verdicts =
        bench.verdicts(&format!("{FIXED} --policy closed --status 403=allow --status 500=allow"));
    assert_eq!(verdicts.allowed(), [Some(false), Some(true), Some(true)]);
    let metadata = &verdicts.metadata;
    let given = metadata.iter().find(|(key, _)| key == "robosift.status_overrides").unwrap();
    assert_eq!(given.1, "403=allow,500=allow");
    bench.eval(&format!("{FIXED} --status 403 -o no.parquet")).ends_with(2).says(&["403"]);
    bench.eval(&format!("{FIXED} --status 403=maybe -o no.parquet")).ends_with(2).says(&["maybe"]);
    assert!(!bench.exists("no.parquet"));
}

#[test]
fn unknown_is_null_unless_the_user_says_otherwise() {
    let captures = [capture("https://lost.example").status(200), robots("https://a.example", BODY)];
    let urls =
        ["https://lost.example/x", "https://never.example/x", "https://a.example/x", "nonsense"];
    let bench = bench(&captures, &urls);
    for (word, verdict) in [("unknown", None), ("allow", Some(true)), ("disallow", Some(false))] {
        let verdicts = bench.verdicts(&format!("{FIXED} --no-capture {word}"));
        assert_eq!(verdicts.allowed(), [verdict, verdict, Some(false), None], "{word}");
        assert_eq!(verdicts.bases(), ["no_capture", "no_capture", "rule", "bad_url"]);
    }
}

#[test]
fn br212_what_is_past_the_body_limit_is_ignored_and_flagged() {
    let mut body = String::from("User-agent: *\nDisallow: /early\n#");
    body.push_str(&"x".repeat(512_000 - body.len() - 1));
    body.push_str("\nDisallow: /late\n");
    let urls = ["https://a.example/early", "https://a.example/late"];
    let bench = bench(&[robots("https://a.example", &body)], &urls);
    let full = format!("{FIXED} --columns full");
    let verdicts = bench.verdicts(&full);
    assert_eq!(verdicts.allowed(), [Some(false), Some(true)]);
    assert_eq!(verdicts.ints("robots_flags")[0].unwrap() & 1, 1);
    let verdicts = bench.verdicts(&format!("{full} --body-limit 0"));
    assert_eq!(verdicts.allowed(), [Some(false), Some(false)]);
    assert_eq!(verdicts.ints("robots_flags")[0].unwrap() & 1, 0);
    assert_eq!(verdicts.ints("robots_line"), [Some(2), Some(4)]);
    let verdicts = bench.verdicts(&format!("{full} --body-limit 14"));
    assert_eq!(verdicts.allowed(), [Some(true), Some(true)]);
    assert_eq!(verdicts.ints("robots_flags")[0].unwrap() & 1, 1);
}

#[test]
fn a_body_of_exactly_the_limit_is_not_flagged() {
    let body = format!("User-agent: *\nDisallow: /x\n#{}", "x".repeat(512_000 - 28));
    assert_eq!(body.len(), 512_000);
    let bench = bench(&[robots("https://a.example", &body)], &["https://a.example/x"]);
    let verdicts = bench.verdicts(&format!("{FIXED} --columns full"));
    assert_eq!(verdicts.ints("robots_flags")[0].unwrap() & 1, 0);
    let verdicts = bench.verdicts(&format!("{FIXED} --columns full --body-limit 511999"));
    assert_eq!(verdicts.ints("robots_flags")[0].unwrap() & 1, 1);
}

#[test]
fn br186_an_unreachable_origin_is_refused_whatever_its_body_says() {
    let page = "<html><body>User-agent: *\nAllow: /\n</body></html>";
    let down = |code: i16| capture(&format!("https://s{code}.example")).status(code).body(page);
    let urls = ["https://s500.example/", "https://s503.example/a?b"];
    let bench = bench(&[down(500), down(503)], &urls);
    let verdicts = bench.verdicts(&format!("{FIXED} --columns full"));
    assert_eq!(verdicts.allowed(), [Some(false); 2]);
    assert_eq!(verdicts.bases(), ["unreachable"; 2]);
    assert_eq!(verdicts.rules(), [None; 2]);
    assert_eq!(verdicts.ints("robots_status"), [Some(500), Some(503)]);
}

#[test]
fn br198_pages_and_binaries_without_rules_are_no_robots() {
    let png = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D];
    let page = "<!DOCTYPE html>\n<html><head><title>Home</title></head></html>\n";
    let captures = [
        robots("https://page.example", page).content_type("text/plain"),
        robots("https://icon.example", png),
        robots("https://typed.example", "Not found").content_type("text/html; charset=utf-8"),
        robots("https://both.example", format!("<html>\n{BODY}")).content_type("text/html"),
        robots("https://empty.example", ""),
        robots("https://odd.example", BODY).content_type("text/plain; charset=made-up"),
    ];
    let names = ["page", "icon", "typed", "both", "empty", "odd"];
    let urls = names.map(|name| format!("https://{name}.example/x"));
    let bench = bench(&captures, &urls.each_ref().map(String::as_str));
    let verdicts = bench.verdicts(&format!("{FIXED} --columns full"));
    let bases = ["not_robots", "not_robots", "not_robots", "rule", "no_rules", "rule"];
    assert_eq!(verdicts.bases(), bases);
    let allowed = [true, true, true, false, true, false].map(Some);
    assert_eq!(verdicts.allowed(), allowed);
    let flags = verdicts.ints("robots_flags");
    let has = |bit: i64| flags.iter().map(|f| f.unwrap() & bit != 0).collect::<Vec<_>>();
    assert_eq!(has(2), [true, false, false, true, false, false], "begins like a page");
    assert_eq!(has(4), [false, true, false, false, false, false], "binary");
    assert_eq!(has(512), [false, false, true, true, false, false], "declared as a page");
}
