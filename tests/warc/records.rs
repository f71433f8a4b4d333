//! Kinds of records, the fields of their heads, and how they are counted.

use crate::made::{
    Seen, SeenRefers, URL, about, gzip, members, ok, read, read_one, read_whole, record, response,
};
use robosift::corpus::sources::warc::{RevisitProfile, WarcCounts};

const NOON: i64 = 1_796_040_000_000_000;

#[test]
fn a_response_with_all_that_is_kept_of_it() {
    let mut fields = about(URL).to_vec();
    fields.extend([
        ("WARC-Payload-Digest", "sha1:ABC"),
        ("WARC-Identified-Payload-Type", "text/x-robots"),
        ("WARC-Truncated", "length"),
    ]);
    let message = b"HTTP/1.1 301 Moved\r\nLocation: /other\r\nContent-Type: text/plain\r\n\r\nbody";
    let file = [gzip(record("warcinfo", &[], "x")), gzip(record("response", &fields, message))];
    let wanted = Seen {
        url: URL.to_owned(),
        time: Some(NOON),
        status: Some(301),
        redirect: Some("/other".to_owned()),
        content_type: Some("text/plain".to_owned()),
        body: Some(b"body".to_vec()),
        is_truncated: true,
        payload_digest: Some("sha1:ABC".to_owned()),
        offset: file[0].len() as u64,
        ..Seen::default()
    };
    assert_eq!(read_one(&file.concat()), wanted);
}

#[test]
fn every_kind_is_counted_once() {
    let http = about(URL);
    let dns = [("WARC-Target-URI", "dns:a.example"), ("Content-Type", "text/dns")];
    let segment = [&about(URL)[..], &[("WARC-Segment-Number", "1")]].concat();
    let other = [("WARC-Target-URI", "https://a.example/screenshot.png")];
    let robots = [("WARC-Target-URI", URL), ("Content-Type", "text/plain")];
    let records = vec![
        record("warcinfo", &[], "software: x"),
        record("request", &http, "GET /robots.txt HTTP/1.1\r\n\r\n"),
        record("response", &http, ok("", "one")),
        record("metadata", &http, "fetchTimeMs: 7"),
        record("revisit", &http, ok("", "")),
        record("conversion", &http, "text"),
        record("resource", &other, "png"),
        record("resource", &robots, "two"),
        record("continuation", &segment, "three"),
        record("response", &segment, ok("", "four")),
        record("response", &dns, "a.example. 1 IN A 127.0.0.1"),
        record("response", &[], ok("", "five")),
        record("hologram", &http, ok("", "six")),
    ];
    let wanted = WarcCounts {
        records: 13,
        captures: 3,
        requests: 1,
        metadata: 1,
        warcinfos: 1,
        conversions: 1,
        resources: 1,
        segments: 2,
        unknown: 1,
        not_http: 1,
        without_url: 1,
        revisits: 1,
        ..WarcCounts::default()
    };
    for file in [records.concat(), members(&records), gzip(records.concat())] {
        let all = read_whole(&file);
        assert_eq!(all.counts, wanted);
        assert_eq!(all.bodies(), ["one", "(none)", "two"]);
        let resource = all.captures.last().unwrap();
        assert_eq!((resource.status, resource.content_type.as_deref()), (None, Some("text/plain")));
    }
}

#[test]
fn a_revisit_says_what_it_refers_to() {
    let fields = |profile: &'static str| {
        let refers = [
            ("WARC-Profile", profile),
            ("WARC-Payload-Digest", "sha1:ABC"),
            ("WARC-Refers-To", "<urn:uuid:1>"),
            ("WARC-Refers-To-Target-URI", "http://a.example/robots.txt"),
            ("WARC-Refers-To-Date", "2026-11-30T12:00:00Z"),
        ];
        [&about(URL)[..], &refers].concat()
    };
    let cases = [
        ("http://netpreserve.org/warc/1.1/revisit/identical-payload-digest", "200", 0),
        ("http://netpreserve.org/warc/1.0/revisit/server-not-modified", "304", 1),
        ("http://example.com/mine", "200", 2),
    ];
    let profiles =
        [RevisitProfile::IdenticalPayload, RevisitProfile::NotModified, RevisitProfile::Other];
    for (profile, status, wanted) in cases {
        let head = format!("HTTP/1.1 {status} x\r\n\r\n");
        let capture = read_one(&record("revisit", &fields(profile), head));
        let refers = SeenRefers {
            profile: profiles[wanted],
            url: Some("http://a.example/robots.txt".to_owned()),
            time: Some(NOON),
        };
        assert_eq!(capture.refers, Some(refers), "{profile}");
        assert_eq!(capture.status.unwrap().to_string(), status);
        assert_eq!((capture.body, capture.payload_digest.as_deref()), (None, Some("sha1:ABC")));
    }
    let bare = read_one(&record("revisit", &about(URL), ""));
    assert_eq!((bare.status, bare.body, bare.refers.is_some()), (None, None, true));
}

#[test]
fn heads_of_records_are_read_leniently() {
    let cases = [
        (
            "names in any case",
            "WARC/1.1\r\nwarc-TYPE: Response\r\nWARC-TARGET-uri: {url}\r\ncontent-LENGTH: {len}\r\n\r\n",
        ),
        (
            "line ends without CR",
            "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: {url}\nContent-Length: {len}\n\n",
        ),
        (
            "continued lines",
            "WARC/1.0\r\nWARC-Type:\r\n response\r\nX: y\r\n\tz\r\nWARC-Target-URI:\r\n\t{url}\r\nContent-Length: {len}\r\n\r\n",
        ),
        (
            "no blank after the colon",
            "WARC/1.0\r\nWARC-Type:response\r\nWARC-Target-URI:{url}\r\nContent-Length:{len}\r\n\r\n",
        ),
        (
            "many blanks",
            "WARC/1.0\r\nWARC-Type :  response \r\nWARC-Target-URI: \t {url}\t\r\nContent-Length:   {len}  \r\n\r\n",
        ),
        (
            "a URL in brackets",
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: <{url}>\r\nContent-Length: {len}\r\n\r\n",
        ),
        (
            "a line without a colon",
            "WARC/1.0\r\nnonsense\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len}\r\n\r\n",
        ),
        (
            "another version",
            "WARC/0.18\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nContent-Length: {len}\r\n\r\n",
        ),
    ];
    let block = ok("", "body");
    for (name, head) in cases {
        let head = head.replace("{url}", URL).replace("{len}", &block.len().to_string());
        let file = [head.as_bytes(), &block, b"\r\n\r\n"].concat();
        let capture = read_one(&file);
        assert_eq!((capture.url.as_str(), capture.text()), (URL, "body"), "{name}");
    }
}

#[test]
fn dates_of_any_precision() {
    let cases = [
        ("2026", Some("2026-01-01")),
        ("2026-11", Some("2026-11-01")),
        ("2026-11-30", Some("2026-11-30")),
        ("2026-11-30T12:00Z", Some("2026-11-30T12:00:00Z")),
        ("2026-11-30T12:00:00Z", Some("2026-11-30T12:00:00Z")),
        ("2026-11-30T12:00:00.123456789Z", Some("2026-11-30T12:00:00.123456Z")),
        ("20261130120000", Some("2026-11-30T12:00:00Z")),
        ("1796040000", None),
        ("yesterday", None),
        ("", None),
    ];
    for (date, wanted) in cases {
        let fields = [("WARC-Target-URI", URL), ("WARC-Date", date)];
        let time = read_one(&record("response", &fields, ok("", ""))).time;
        let wanted = wanted.map(|text| robosift::text::timestamp::parse(text).unwrap());
        assert_eq!(time, wanted, "{date}");
    }
}

#[test]
fn blank_lines_between_records_may_be_any_number() {
    let one = response(URL, ok("", "one"));
    let bare = one.strip_suffix(b"\r\n\r\n").unwrap();
    for between in ["", "\n", "\r\n", "\r\n\r\n", "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"] {
        let file = [b"\r\n", bare, between.as_bytes(), bare, between.as_bytes()].concat();
        assert_eq!(read_whole(&file).bodies(), ["one", "one"], "{between:?}");
    }
}

#[test]
fn an_empty_file_has_no_records() {
    for file in
        [&b""[..], b"\r\n\r\n", &gzip(""), &gzip("\r\n"), &zstd::encode_all(&b""[..], 1).unwrap()]
    {
        assert_eq!(read(file).counts, WarcCounts::default());
    }
}

#[test]
fn a_plain_date_is_what_any_other_spelling_of_it_is() {
    let dates = [
        "0000-01-01",
        "1969-12-31",
        "2024-02-29",
        "2026-02-29",
        "2026-04-31",
        "2026-00-10",
        "2026-13-01",
    ];
    let more = ["2026-01-00", "9999-12-31", "20a6-01-01", "2026-1-001"];
    let times =
        ["00:00:00", "23:59:60", "24:00:00", "12:60:00", "12:00:61", "1:002:00", "12:00:0x"];
    for date in dates.into_iter().chain(more) {
        for time in times {
            // A fraction is read by the way for all forms.
            let parse = robosift::text::timestamp::parse;
            let (plain, other) =
                (parse(&format!("{date}T{time}Z")), parse(&format!("{date}T{time}.0Z")));
            assert_eq!(plain, other, "{date} {time}");
        }
    }
}
