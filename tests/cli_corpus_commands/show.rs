//! `corpus show`: one origin at a time, line by line.

use crate::cli::Bench;
use crate::crawl::{CLOSED, NOTHING, SHOP, bench, digest, run};

/// What is printed for an origin, with digests for the names of bodies.
#[track_caller]
fn check(arguments: &str, expected: &str) {
    let bench = bench();
    let shown = run(&bench, &format!("corpus show c {arguments}")).ends_with(0);
    assert_eq!(shown.stderr, "");
    let named = [("SHOP", SHOP), ("CLOSED", CLOSED), ("NOTHING", NOTHING)];
    let expected = named.into_iter().fold(expected.to_owned(), |text, (name, body)| {
        text.replace(&format!("sha256 {name}"), &format!("sha256 {}", digest(body)))
    });
    assert_eq!(shown.stdout, expected, "{arguments}");
}

const SHOP_CAPTURES: &str = "\
https://www.shop.example

captures (3, newest first)
  2024-05-01T13:00:00Z   503
  2024-05-01T12:00:00Z   200  body 1
  2023-01-01T00:00:00Z   200  body 2
";

const SHOP_RULES: &str = "
for *
  octets  line  rule (the first that matches decides)
      10     7  disallow  /cart?*id=

for \"ai2bot\", ai, gptbot
  octets  line  rule (the first that matches decides)
      16     4  allow     /private/*.html$
       9     3  disallow  /private/
";

#[test]
fn captures_groups_and_rules_as_the_matcher_sees_them() {
    let counts = "
counts: the capture of 2024-05-01T12:00:00Z
body 1: 189 octets, served by 2 origins, sha256 SHOP
";
    let expected = format!("{SHOP_CAPTURES}{counts}{SHOP_RULES}");
    check("https://www.shop.example", &expected);
    check("www.shop.example", &expected);
    check("HTTPS://user@WWW.shop.example:443/x?y", &expected);
    // The 503 is of the same visit.
    check("www.shop.example --at 2024-05-01", &expected);
    check("www.shop.example --at 2024-05-01T12:00:00Z", &expected);
    check("www.shop.example --at 20240501120000", &expected);
    let google = expected.replace("\"ai2bot\", ai", "ai");
    check("www.shop.example --dialect google", &google);
}

#[test]
fn at_asks_for_an_earlier_visit() {
    let closed = "
counts: the capture of 2023-01-01T00:00:00Z
body 2: 26 octets, served by 2 origins, sha256 CLOSED

for *
  octets  line  rule (the first that matches decides)
       1     2  disallow  /
";
    let expected = format!("{SHOP_CAPTURES}{closed}");
    check("www.shop.example --at 2023-01-01", &expected);
    check("www.shop.example --at 2024-05-01T11:59:59Z", &expected);
    let nothing = format!("{SHOP_CAPTURES}nothing was captured up to that time\n");
    check("www.shop.example --at 2022-12-31", &nothing);
}

#[test]
fn redirects_are_followed_and_told() {
    let head = "\
http://www.shop.example

captures (1, newest first)
  2024-05-01T12:15:00Z   301  → https://www.shop.example/robots.txt

counts: the capture of 2024-05-01T12:15:00Z, redirected
body 1: 189 octets, served by 2 origins, sha256 SHOP
";
    check("http://www.shop.example", &format!("{head}{SHOP_RULES}"));
    let gone = "\
https://gone.example

captures (1, newest first)
  2024-05-02T00:00:00Z   302  → https://gone.example/robots2.txt

counts: the capture of 2024-05-02T00:00:00Z, redirected
a redirect leads to what the corpus does not hold
";
    check("gone.example", gone);
    // Nobody serves the target's body as a robots.txt but odd.example.
    let moved = "\
https://moved.example

captures (1, newest first)
  2024-05-02T00:00:00Z   302  → https://moved.example/rules.txt

counts: the capture of 2024-05-02T00:00:00Z, redirected
body 0: 10 octets, served by 1 origin, sha256 NOTHING
no group
";
    check("moved.example", moved);
}

#[test]
fn what_has_no_rules_is_told_by_the_reason() {
    let one = |host: &str, status: &str, why: &str| {
        let line = format!("  2024-05-02T00:00:00Z   {status}\n");
        let counts = "counts: the capture of 2024-05-02T00:00:00Z";
        let expected =
            format!("https://{host}\n\ncaptures (1, newest first)\n{line}\n{counts}\n{why}\n");
        check(host, &expected);
    };
    one("down.example", "500", "unreachable: nothing may be crawled (policy rfc9309)");
    one("none.example", "404", "unavailable: everything may be crawled (policy rfc9309)");
    one("lost.example", "200", "its body is not known");
}

#[test]
fn a_capture_without_time_and_status() {
    let old = "\
https://old.example

captures (1, newest first)
  no time known         none  body 2

counts: the capture without a time
body 2: 26 octets, served by 2 origins, sha256 CLOSED

for *
  octets  line  rule (the first that matches decides)
       1     2  disallow  /
";
    check("old.example", old);
    check("old.example --at 1999-01-01", old);
}

#[test]
fn of_captures_of_one_time_the_later_in_the_source_counts() {
    let odd = format!(
        "\
https://odd.example

captures (2, newest first)
  2024-05-02T00:00:00Z   200  body 1
  2024-05-02T00:00:00Z   200  body 0

counts: the capture of 2024-05-02T00:00:00Z
body 1: 189 octets, served by 2 origins, sha256 SHOP
{SHOP_RULES}"
    );
    check("odd.example", &odd);
}

#[test]
fn the_text_of_the_body_that_applies() {
    let bench = bench();
    let text = |arguments: &str| {
        run(&bench, &format!("corpus show c --text {arguments}")).ends_with(0).stdout
    };
    assert_eq!(text("www.shop.example"), SHOP);
    assert_eq!(text("http://www.shop.example"), SHOP);
    assert_eq!(text("www.shop.example --at 2023-06-01"), CLOSED);
    for (arguments, words) in [
        ("none.example --text", "no body applied"),
        ("www.shop.example --text --at 2020-01-01", "no body applied"),
        ("unknown.example", "the corpus has no capture of https://unknown.example/robots.txt"),
        ("http://old.example", "the corpus has no capture of http://old.example/robots.txt"),
    ] {
        run(&bench, &format!("corpus show c {arguments}")).ends_with(4).says(&[words]);
    }
    for (arguments, words) in [
        ("http://", "`http://` is not an origin"),
        ("ftp://a.example", "`ftp://a.example` is not an origin"),
        ("www.shop.example --at yesterday", "`yesterday` is neither a date"),
        ("www.shop.example --dialect bing", "[possible values: rfc9309, google]"),
    ] {
        run(&bench, &format!("corpus show c {arguments}")).ends_with(2).says(&[words]);
    }
}

/// Runs a command with a terminal as its stdout; `None` where the system has no way to.
fn on_terminal(bench: &Bench, arguments: &str) -> Option<String> {
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_robosift"));
    let mut script = std::process::Command::new("script");
    script.args(["-q", "-e", "-c", &command, "/dev/null"]).current_dir(bench.path(""));
    let done = script.stdin(std::process::Stdio::null()).output().ok()?;
    // Another one of that name knows other arguments.
    done.status.success().then(|| String::from_utf8(done.stdout).unwrap())
}

#[test]
fn a_text_is_given_as_it_came_and_written_out_on_a_terminal() {
    let bench = Bench::new();
    let body = "User-agent: *\r\n\tDisallow: /\u{1b}[2J\u{7}\u{9b}é\nAllow: /end";
    let line = serde_json::json!({ "origin": "https://a.example", "body": body });
    bench.write("a.jsonl", format!("{line}\n"));
    run(&bench, "corpus build a.jsonl -o c -q").ends_with(0);
    let text = "corpus show c a.example --text";
    assert_eq!(run(&bench, text).ends_with(0).stdout, body);
    if let Some(shown) = on_terminal(&bench, text) {
        let escaped = "User-agent: *\n\tDisallow: /\\u{1b}[2J\\u{7}\\u{9b}é\nAllow: /end\n";
        assert_eq!(shown.replace("\r\n", "\n"), escaped);
    }
}

#[test]
fn many_captures_are_cut_and_what_a_terminal_obeys_is_written_out() {
    let bench = Bench::new();
    let line = |day: usize| {
        let body = r"User-agent: a\u001b[31mb\nDisallow: /\u001b[2J\u0007x\n";
        format!(
            r#"{{"origin": "https://a.example", "fetch_time": "2024-01-{day:02}", "body": "{body}"}}"#
        ) + "\n"
    };
    bench.write("a.jsonl", (1..=25).map(line).collect::<String>());
    run(&bench, "corpus build a.jsonl -o c -q").ends_with(0);
    let shown = run(&bench, "corpus show c a.example").ends_with(0).stdout;
    let times: Vec<&str> = shown.lines().filter(|line| line.starts_with("  2024-01-")).collect();
    assert_eq!(times.len(), 20);
    assert_eq!(times[0], "  2024-01-25T00:00:00Z  none  body 0");
    assert!(shown.contains("captures (25, newest first)") && shown.contains("\n  5 older ones\n"));
    assert!(!shown.contains(['\u{1b}', '\u{7}']), "{shown:?}");
    assert!(shown.contains(r"/\u{1b}[2J\u{7}x"), "{shown}");
}

#[test]
fn as_json_it_tells_the_same() {
    let bench = bench();
    let shown = run(&bench, "corpus show c www.shop.example --json").ends_with(0);
    let object: serde_json::Value = serde_json::from_str(&shown.stdout).unwrap();
    assert_eq!(object["origin"], "https://www.shop.example");
    assert_eq!(object["captures"][0]["status"], 503);
    assert_eq!(object["captures"].as_array().unwrap().len(), 3);
    let body = &object["counts"]["body"];
    assert_eq!(object["counts"]["access"], "rules");
    assert_eq!((&body["body_id"], &body["octets"]), (&1.into(), &189.into()));
    assert_eq!(body["digest"], digest(SHOP));
    let groups = body["groups"].as_array().unwrap();
    let wildcard = groups.iter().find(|group| group["names"][0] == "*").unwrap();
    assert_eq!(wildcard["rules"][0]["pattern"], "/cart?*id=");
    assert_eq!(wildcard["rules"][0]["line"], 7);
}
