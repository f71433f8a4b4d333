//! Heads of HTTP responses, as servers send and archives change them.

use crate::made::{URL, ok, read_one, read_whole, record, response};

#[test]
fn status_lines() {
    let cases: [(&[u8], i16); 16] = [
        (b"HTTP/1.1 200 OK\r\n\r\nbody", 200),
        (b"HTTP/1.0 200\r\n\r\nbody", 200),
        (b"HTTP/2 200\r\n\r\nbody", 200),
        (b"HTTP/2 200 \r\n\r\nbody", 200),
        (b"http/1.1   404   Not Found\r\n\r\nbody", 404),
        (b"HTTP/1.1 200 OK\n\nbody", 200),
        (b"HTTP/1.1 200 OK\nA: b\r\n\nbody", 200),
        (b"\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody", 200),
        (b"\0\0HTTP/1.1 200 OK\r\n\r\nbody", 200),
        (b"xyz HTTP/1.1 503 Busy\r\nA: b\r\n\r\nbody", 503),
        (b"HTTP/1.1 200 O\0K\r\nA\0: \0\r\n\r\nbody", 200),
        (b"HTTP/1.1 99999999999999999999 x\r\n\r\nbody", i16::MAX),
        (b"HTTP/1.1 \xFF\r\n\r\nbody", 0),
        (b"HTTP/1.1\r\n\r\nbody", 0),
        (b"<html>HTTP/1.1 200 OK\r\n\r\nbody", 0),
        (b"", 0),
    ];
    for (message, status) in cases {
        let all = read_whole(&response(URL, message));
        let shown = String::from_utf8_lossy(message);
        assert_eq!(all.captures[0].status, Some(status), "{shown}");
        let body = if status == 0 { "(none)" } else { "body" };
        assert_eq!(all.bodies(), [body], "{shown}");
        assert_eq!(all.counts.unreadable_heads, u64::from(status == 0), "{shown}");
    }
}

#[test]
fn fields_are_found_among_any_others() {
    let many: String = (0..500).map(|number| format!("X-{number}: {number}\r\n")).collect();
    let cases = [
        "LOCATION: /t\r\ncontent-TYPE: text/plain\r\n",
        "Location:/t\r\nContent-Type:text/plain\r\nLocation: /second\r\n",
        "Location:\r\n /t\r\nContent-Type:\r\n\ttext/plain\r\n",
        "no colon\r\n: no name\r\nLocation : /t\r\nContent-Type\t: text/plain\r\n",
        "\u{FFFD}\0: \0\r\nLocation: /t\nContent-Type: text/plain\n",
        &format!("{many}Location: /t\r\n{many}Content-Type: text/plain\r\n{many}"),
    ];
    for lines in cases {
        let capture = read_one(&response(URL, ok(lines, "body")));
        let found = (capture.redirect.as_deref(), capture.content_type.as_deref());
        assert_eq!(found, (Some("/t"), Some("text/plain")), "{lines}");
        assert_eq!(capture.text(), "body");
    }
}

#[test]
fn a_head_without_an_end_is_all_head() {
    let capture = read_one(&response(URL, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nA: b"));
    assert_eq!((capture.text(), capture.content_type.as_deref()), ("", Some("text/plain")));
}

#[test]
fn an_answer_304_without_a_payload_has_no_body() {
    assert_eq!(read_one(&response(URL, "HTTP/1.1 304 x\r\n\r\n")).body, None);
    assert_eq!(read_one(&response(URL, "HTTP/1.1 304 x\r\n\r\nbody")).text(), "body");
    assert_eq!(read_one(&response(URL, "HTTP/1.1 200 x\r\n\r\n")).text(), "");
}

#[test]
fn a_payload_shorter_than_announced_is_truncated() {
    let cases = [
        ("Content-Length: 4\r\n", "body", false),
        ("Content-Length: 5\r\n", "body", true),
        ("Content-Length: 3\r\n", "body", false),
        ("Content-Length: -1\r\n", "body", false),
        ("Content-Length: 99999999999999999999999\r\n", "body", false),
        ("X-Crawl-Content-Length: 99\r\nContent-Length: 4\r\n", "body", false),
    ];
    for (lines, payload, wanted) in cases {
        let capture = read_one(&response(URL, ok(lines, payload)));
        assert_eq!((capture.text(), capture.is_truncated), ("body", wanted), "{lines}");
    }
}

/// Common Crawl's files had a line end too many before payloads until September 2018.
#[test]
fn the_extra_line_end_of_old_files_is_dropped() {
    let crawl = record("warcinfo", &[], "isPartOf: CC-MAIN-2016-40\r\n");
    let other = record("warcinfo", &[], "isPartOf: mine\r\n");
    let cases = [
        (&crawl, "2016-09-25T00:00:00Z", "", "\r\nbody", "body"),
        (&crawl, "2016-09-25T00:00:00Z", "Content-Length: 2\r\n", "\r\nbody", "body"),
        (&crawl, "2016-09-25T00:00:00Z", "", "\r\n\r\nbody", "\r\nbody"),
        (&crawl, "2016-09-25T00:00:00Z", "", "body", "body"),
        (&crawl, "2016-09-25T00:00:00Z", "Content-Length: 6\r\n", "\r\nbody", "\r\nbody"),
        (&crawl, "2018-09-20T00:00:00Z", "", "\r\nbody", "\r\nbody"),
        (&crawl, "", "", "\r\nbody", "\r\nbody"),
        (&other, "2016-09-25T00:00:00Z", "", "\r\nbody", "\r\nbody"),
        (&other, "2026-09-25T00:00:00Z", "Content-Length: 4\r\n", "\r\nbody", "body"),
        (&other, "2026-09-25T00:00:00Z", "Content-Length: 4\r\n", "body\r\n", "body\r\n"),
    ];
    for (warcinfo, date, lines, payload, wanted) in cases {
        let fields = [("WARC-Target-URI", URL), ("WARC-Date", date)];
        let file = [warcinfo.clone(), record("response", &fields, ok(lines, payload))].concat();
        let capture = read_one(&file);
        assert_eq!(
            (capture.text(), capture.is_truncated),
            (wanted, false),
            "{date} {lines} {payload}"
        );
    }
}

/// Lines that stand alone, each of which could be mistaken for another kind.
const LINES: [&str; 12] = [
    "Location: /a",
    "location:/b",
    "LOCATION :  /c ",
    "Content-Type: text/plain",
    "nonsense",
    ":",
    "A:",
    "\u{B}Location: /v",
    "\rLocation: /r",
    "\u{C}Location: /f",
    "Location\u{C}: /g",
    "a-name-that-is-longer-than-any-of-those-that-are-known: x",
];

#[test]
fn a_folded_line_changes_nothing_about_others() {
    for first in LINES {
        for second in LINES {
            for end in ["\r\n", "\n"] {
                let lines = format!("{first}{end}{second}{end}");
                let plain = read_one(&response(URL, ok(&lines, "body")));
                let folded =
                    read_one(&response(URL, ok(&format!("{lines}X: y{end}\tz{end}"), "body")));
                assert_eq!(plain.text(), "body", "{lines:?}");
                assert_eq!(plain.redirect, folded.redirect, "{lines:?}");
                assert_eq!(plain.content_type, folded.content_type, "{lines:?}");
            }
        }
    }
}

#[test]
fn a_folded_line_changes_nothing_about_other_lines_of_a_record() {
    let known =
        ["WARC-Date: 2026-11-30T12:00:00Z", "WARC-Truncated: length", "WARC-Payload-Digest: a"];
    // Its type would say that the record is no HTTP.
    let lines = || LINES.into_iter().filter(|line| !line.starts_with("Content")).chain(known);
    for first in lines() {
        for second in lines() {
            let block = ok("", "body");
            let head = format!("WARC/1.0\r\n{first}\r\nWARC-Type: response\r\n{second}\r\n");
            let rest = format!("WARC-Target-URI: {URL}\r\nContent-Length: {}\r\n\r\n", block.len());
            let read = |more: &str| {
                let head = format!("{head}{more}{rest}").into_bytes();
                let mut capture = read_one(&[head.as_slice(), &block, b"\r\n\r\n"].concat());
                capture.offset = 0;
                capture
            };
            assert_eq!(read(""), read("X: y\r\n z\r\n"), "{head:?}");
        }
    }
}
