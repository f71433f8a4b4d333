//! Redirects followed inside the corpus.

use crate::cli::{Bench, HOUR, Robots, Table, capture, robots, robots_columns};

const BODY: &str = "User-agent: *\nDisallow: /x\n";

/// Verdicts on `/x` of these hosts; places are URLs.
fn judge(captures: &[Robots], hosts: &[&str]) -> Table {
    let bench = Bench::new();
    bench.parquet("robots.parquet", robots_columns("url", captures));
    let urls: Vec<String> = hosts.iter().map(|host| format!("{host}/x")).collect();
    bench.urls("rows.parquet", &urls.iter().map(String::as_str).collect::<Vec<_>>());
    bench.verdicts("--corpus robots.parquet --agent GPTBot --columns full rows.parquet")
}

fn moved(place: &str, target: &str) -> Robots {
    capture(place).status(301).body("<html>moved</html>").redirect(target)
}

#[test]
fn a_redirect_gives_the_first_origin_the_target_s_rules() {
    let captures = [
        robots("https://www.a.example/robots.txt", BODY).hour(100),
        moved("https://a.example/robots.txt", "https://www.a.example/robots.txt").hour(99),
        moved("http://a.example/robots.txt", "https://a.example/robots.txt").hour(98),
        moved("http://b.example/robots.txt", "//www.a.example/robots.txt").hour(100),
        moved("https://www.a.example/old/robots.txt", "/robots.txt").hour(100),
        moved("https://c.example/robots.txt", "https://www.a.example/old/robots.txt").hour(100),
    ];
    let hosts =
        ["https://a.example", "http://a.example", "https://c.example", "https://www.a.example"];
    let table = judge(&captures, &hosts);
    assert_eq!(table.bases(), ["rule"; 4]);
    let rules = table.rules();
    assert!(rules.iter().all(|rule| *rule == rules[3]), "{rules:?}");
    let origins = table.texts("robots_origin");
    let told: Vec<_> = origins.iter().map(|origin| origin.as_deref().unwrap()).collect();
    assert_eq!(told, hosts);
    assert_eq!(table.ints("robots_capture_time"), [99, 98, 100, 100].map(|h| Some(h * HOUR)));
    let flags = table.ints("robots_flags");
    let redirected: Vec<_> = flags.iter().map(|flag| flag.unwrap() & 256).collect();
    assert_eq!(redirected, [256, 256, 256, 0]);
    // `//host` takes the scheme of where it stands: http://www.a.example was not captured.
    assert_eq!(judge(&captures, &["http://b.example"]).bases(), ["redirect_unresolved"]);
}

#[test]
fn br203_the_target_s_own_host_gains_nothing() {
    let target = "https://static.example.net/a/robots.txt";
    let captures = [moved("https://a.example/robots.txt", target), robots(target, BODY)];
    let table = judge(&captures, &["https://a.example", "https://static.example.net"]);
    assert_eq!(table.bases(), ["rule", "no_capture"]);
    assert_eq!(table.allowed(), [Some(false), None]);
}

#[test]
fn br201_the_body_of_a_redirect_is_never_read() {
    let captures = [
        capture("https://a.example/robots.txt")
            .status(301)
            .body(BODY)
            .redirect("https://gone.example/robots.txt"),
        capture("https://b.example/robots.txt").status(302).body(BODY),
        capture("https://c.example/robots.txt")
            .status(301)
            .body(BODY)
            .redirect("ftp://c.example/robots.txt"),
    ];
    let table = judge(&captures, &["https://a.example", "https://b.example", "https://c.example"]);
    assert_eq!(table.bases(), ["redirect_unresolved"; 3]);
    assert_eq!(table.allowed(), [None; 3]);
}

#[test]
fn the_target_s_status_counts() {
    let captures = [
        moved("https://a.example/robots.txt", "https://gone.example/robots.txt"),
        capture("https://gone.example/robots.txt").status(404),
        moved("https://b.example/robots.txt", "https://down.example/robots.txt"),
        capture("https://down.example/robots.txt").status(503),
        moved("https://c.example/robots.txt", "https://shut.example/robots.txt"),
        capture("https://shut.example/robots.txt").status(200),
    ];
    let table = judge(&captures, &["https://a.example", "https://b.example", "https://c.example"]);
    assert_eq!(table.bases(), ["unavailable", "unreachable", "no_capture"]);
}

/// A chain of so many hops from https://h0.example to https://end.example.
fn chain(hops: usize) -> Vec<Robots> {
    let place = |at: usize| match at == hops {
        true => "https://end.example/robots.txt".to_owned(),
        false => format!("https://h{at}.example/robots.txt"),
    };
    let mut captures: Vec<_> = (0..hops).map(|at| moved(&place(at), &place(at + 1))).collect();
    captures.push(robots(&place(hops), BODY));
    captures
}

#[test]
fn five_hops_are_followed_and_six_are_unavailable() {
    let start = ["https://h0.example"];
    for (hops, basis) in
        [(1, "rule"), (4, "rule"), (5, "rule"), (6, "unavailable"), (9, "unavailable")]
    {
        let table = judge(&chain(hops), &start);
        assert_eq!(table.bases(), [basis], "{hops} hops");
    }
    // A loop is more than five hops; a chain whose end is missing within five is unresolved.
    let mut ring = chain(3);
    ring[3] = moved("https://end.example/robots.txt", "https://h0.example/robots.txt");
    assert_eq!(judge(&ring, &start).bases(), ["unavailable"]);
    let own = [moved("https://h0.example/robots.txt", "https://h0.example/robots.txt")];
    assert_eq!(judge(&own, &start).bases(), ["unavailable"]);
    assert_eq!(judge(&chain(5)[..5], &start).bases(), ["redirect_unresolved"]);
    assert_eq!(judge(&chain(6)[..6], &start).bases(), ["unavailable"]);
}

#[test]
fn the_target_is_the_capture_nearest_in_time_within_a_day() {
    let target = "https://t.example/robots.txt";
    let at = |hour: i64, path: &str| {
        robots(target, format!("User-agent: *\nDisallow: /{path}\n")).hour(hour)
    };
    let start = moved("https://a.example/robots.txt", target).hour(1_000);
    let far = [start.clone(), at(975, "x"), at(1_025, "x")];
    assert_eq!(judge(&far, &["https://a.example"]).bases(), ["redirect_unresolved"]);
    let edge = [start.clone(), at(976, "x")];
    assert_eq!(judge(&edge, &["https://a.example"]).bases(), ["rule"]);
    let later = [start.clone(), at(990, "y"), at(1_005, "x")];
    assert_eq!(judge(&later, &["https://a.example"]).bases(), ["rule"]);
    let earlier = [start, at(997, "x"), at(1_005, "y")];
    assert_eq!(judge(&earlier, &["https://a.example"]).bases(), ["rule"]);
}

#[test]
fn targets_are_compared_as_urls() {
    let captures = [
        moved("https://a.example/robots.txt", "HTTPS://T.Example:443/robots.txt#top"),
        moved("https://b.example/robots.txt", "https://t.example/x/../robots.txt"),
        robots("https://t.example/robots.txt", BODY),
    ];
    assert_eq!(judge(&captures, &["https://a.example", "https://b.example"]).bases(), ["rule"; 2]);
}

#[test]
fn br200_a_redirect_to_a_home_page_is_flagged_as_both() {
    let page = "<!doctype html><html><body>Welcome</body></html>";
    let captures = [
        moved("https://a.example/robots.txt", "https://a.example/"),
        robots("https://a.example/", page).content_type("text/html"),
    ];
    let table = judge(&captures, &["https://a.example"]);
    assert_eq!((table.bases()[0].as_str(), table.allowed()[0]), ("not_robots", Some(true)));
    let flags = table.ints("robots_flags")[0].unwrap();
    assert_eq!(flags & (2 | 256 | 512), 2 | 256 | 512, "{flags}");
}

#[test]
fn a_target_without_a_time_counts_only_where_no_other_is_near() {
    let allows = "User-agent: *\nAllow: /x\n";
    let target = "https://b.example/robots.txt";
    let first = moved("https://a.example/robots.txt", target).hour(100);
    let timeless = robots(target, allows);
    let timed = robots(target, BODY).hour(101);
    let both = judge(&[first.clone(), timeless.clone(), timed.clone()], &["https://a.example"]);
    assert_eq!(both.allowed(), [Some(false)]);
    let alone = judge(&[first.clone(), timeless], &["https://a.example"]);
    assert_eq!(alone.allowed(), [Some(true)]);
    // Of two equally near ones the later counts; a day is the most.
    let before = robots(target, allows).hour(99);
    let near = judge(&[first.clone(), before, timed], &["https://a.example"]);
    assert_eq!(near.allowed(), [Some(false)]);
    let far = judge(&[first, robots(target, BODY).hour(125)], &["https://a.example"]);
    assert_eq!(far.bases(), ["redirect_unresolved"]);
}
