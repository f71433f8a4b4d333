//! `--response`: saved HTTP exchanges, their statuses and redirects.

use serde_json::{Value, json};

use crate::cli::Bench;

const RULES: &str = "User-agent: *\nDisallow: /private\n";

fn ask(url: &str, response: &str, more: &str) -> Value {
    let bench = Bench::new();
    bench.write("response", response);
    let words = format!("explain {url} --agent CCBot --response response --json{more}");
    let run = bench.run(&words.split(' ').collect::<Vec<_>>());
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    run.json()
}

/// A response, more arguments, and verdict, basis and line that it has for `/private`.
type Case = (&'static str, String, &'static str, Value);

fn cases() -> Vec<Case> {
    let moved = |to: &str| format!("HTTP/1.1 301 Moved\r\nLocation: {to}\r\n\r\n");
    let ok = |rest: &str| format!("HTTP/1.1 200 OK\r\n{rest}\r\n{RULES}");
    let chain = |hops: usize| {
        let hops = (0..hops).map(|hop| moved(&format!("https://a.example.com/{hop}.txt")));
        hops.collect::<String>() + &ok("")
    };
    vec![
        ("plain", ok(""), "", json!([false, "rule", 2])),
        (
            "no reason",
            format!("HTTP/2 200\r\nserver: x\r\n\r\n{RULES}"),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "line feeds alone",
            format!("HTTP/1.1 200 OK\nServer: x\n\n{RULES}"),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "interim",
            format!("HTTP/1.1 100 Continue\r\n\r\n{}", ok("")),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "early hints",
            format!("HTTP/2 103\r\nlink: x\r\n\r\n{}", ok("")),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "a proxy",
            format!("HTTP/1.0 200 Connection established\r\n\r\n{}", ok("")),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "redirected",
            moved("https://b.example.com/robots.txt") + &ok(""),
            "",
            json!([false, "rule", 2]),
        ),
        ("relative", moved("/other.txt") + &ok(""), "", json!([false, "rule", 2])),
        ("to itself", moved("/robots.txt") + &ok(""), "", json!([false, "rule", 2])),
        ("five hops", chain(5), "", json!([false, "rule", 2])),
        ("six hops", chain(6), "", json!([true, "unavailable", null])),
        (
            "cut off",
            moved("https://b.example.com/"),
            "",
            json!([null, "redirect_unresolved", null]),
        ),
        (
            "asked to log in",
            format!("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic\r\n\r\n{}", ok("")),
            "",
            json!([false, "rule", 2]),
        ),
        (
            "not found",
            format!("HTTP/1.1 404 Not Found\r\n\r\n{RULES}"),
            "",
            json!([true, "unavailable", null]),
        ),
        ("error", "HTTP/1.1 503 Busy\r\n\r\n".to_owned(), "", json!([false, "unreachable", null])),
        ("forbidden", "HTTP/1.1 403 No\r\n\r\n".to_owned(), "", json!([true, "unavailable", null])),
        (
            "closed",
            "HTTP/1.1 403 No\r\n\r\n".to_owned(),
            " --policy closed",
            json!([false, "forbidden", null]),
        ),
        (
            "set",
            "HTTP/1.1 403 No\r\n\r\n".to_owned(),
            " --status 403=unknown",
            json!([null, "no_capture", null]),
        ),
        (
            "a page",
            "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nHello".to_owned(),
            "",
            json!([true, "not_robots", null]),
        ),
        (
            "a body like a head",
            format!("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 404 No\r\n\r\n{RULES}"),
            "",
            json!([false, "rule", 4]),
        ),
        (
            "without a body",
            "HTTP/1.1 200 OK\r\nServer: x".to_owned(),
            "",
            json!([true, "no_rules", null]),
        ),
    ]
}

#[test]
fn statuses_and_redirects_decide_as_in_a_corpus() {
    for (name, response, more, wanted) in cases() {
        let found = ask("https://a.example.com/private", &response, more);
        let agent = &found["agents"][0];
        let found = json!([agent["allowed"], agent["basis"], agent["line"]]);
        assert_eq!(found, wanted, "{name}");
    }
}

#[test]
fn hops_are_told() {
    let response = "HTTP/1.1 302 Found\r\nlocation: https://b.example.com/r.txt\r\n\r\nHTTP/1.1 308 Again\r\nLocation: s.txt\r\n\r\nHTTP/1.1 200 OK\r\n\r\n";
    let found = ask("https://a.example.com/", response, "");
    assert_eq!(
        found["captures"][0]["redirects"],
        json!([
            {"url": "https://a.example.com/robots.txt", "status": 302, "to": "https://b.example.com/r.txt"},
            {"url": "https://b.example.com/r.txt", "status": 308, "to": "https://b.example.com/s.txt"},
        ])
    );
    assert_eq!(found["captures"][0]["status"], 200);
}

#[test]
fn what_is_no_exchange_is_an_error() {
    let bench = Bench::new();
    for octets in
        [&b""[..], b"User-agent: *\n", b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 x\r\n\r\n"]
    {
        bench.write("response", octets);
        let words = ["explain", "https://a.example.com/", "--agent", "a", "--response", "response"];
        bench.run(&words).ends_with(4).says(&["curl -isL"]);
    }
}

#[test]
fn the_date_of_a_response_is_the_time_of_its_capture() {
    let date = |date: &str| format!("Date: {date}\r\n");
    let hop = |date: &str| format!("HTTP/1.1 301 Moved\r\nLocation: /r.txt\r\n{date}\r\n");
    let ok = |date: &str| format!("HTTP/1.1 200 OK\r\n{date}\r\n{RULES}");
    let [old, new] = [date("Sun, 06 Nov 1994 08:49:37 GMT"), date("Mon, 02 Dec 2024 10:00:00 GMT")];
    let told = json!("2024-12-02T10:00:00Z");
    for (response, time) in [
        (ok(&new), told.clone()),
        // A redirect from a cache is as old as it is, and still part of the exchange.
        (hop(&old) + &ok(&new), told.clone()),
        (hop(&new) + &ok(""), told),
        (ok(""), Value::Null),
        (ok("Date: yesterday\r\n"), Value::Null),
    ] {
        let found = ask("https://a.example.com/private", &response, "");
        assert_eq!(found["agents"][0]["line"], 2, "{response}");
        assert_eq!(found["captures"][0]["time"], time, "{response}");
    }
    let basis = |at: &str| {
        let found = ask("https://a.example.com/private", &ok(&new), &format!(" --at {at}"));
        found["agents"][0]["basis"].clone()
    };
    assert_eq!((basis("2024-12-01"), basis("2024-12-03")), (json!("no_capture"), json!("rule")));
}
