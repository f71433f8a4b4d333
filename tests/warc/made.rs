//! WARC files made octet by octet, and what the reader gives of them as values of its own.

use flate2::Compression;
use flate2::write::GzEncoder;
use robosift::corpus::sources::warc::{
    BodyCap, RevisitProfile, WarcCapture, WarcCounts, WarcReader,
};
use std::io::{Read, Write};

pub(crate) const URL: &str = "https://a.example/robots.txt";

/// A record with these fields besides its type and length.
pub(crate) fn record(kind: &str, fields: &[(&str, &str)], block: impl AsRef<[u8]>) -> Vec<u8> {
    let block = block.as_ref();
    let mut octets = format!("WARC/1.0\r\nWARC-Type: {kind}\r\n").into_bytes();
    for (name, value) in fields {
        octets.extend(format!("{name}: {value}\r\n").bytes());
    }
    octets.extend(format!("Content-Length: {}\r\n\r\n", block.len()).bytes());
    octets.extend(block);
    octets.extend(b"\r\n\r\n");
    octets
}

/// The fields that a response of `url` has.
pub(crate) fn about(url: &str) -> [(&str, &str); 3] {
    [
        ("WARC-Target-URI", url),
        ("WARC-Date", "2026-11-30T12:00:00Z"),
        ("Content-Type", "application/http; msgtype=response"),
    ]
}

/// A response of `url` with this HTTP message.
pub(crate) fn response(url: &str, message: impl AsRef<[u8]>) -> Vec<u8> {
    record("response", &about(url), message)
}

/// `200 OK` with these lines in its head.
pub(crate) fn ok(lines: &str, payload: impl AsRef<[u8]>) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{lines}\r\n").as_bytes(), payload.as_ref()].concat()
}

pub(crate) fn gzip(octets: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(octets.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// Each record in a member of its own.
pub(crate) fn members(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(gzip).collect()
}

/// A capture with nothing borrowed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) url: String,
    pub(crate) time: Option<i64>,
    pub(crate) status: Option<i16>,
    pub(crate) redirect: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) is_truncated: bool,
    pub(crate) is_over_cap: bool,
    pub(crate) payload_digest: Option<String>,
    pub(crate) offset: u64,
    pub(crate) refers: Option<SeenRefers>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SeenRefers {
    pub(crate) profile: RevisitProfile,
    pub(crate) url: Option<String>,
    pub(crate) time: Option<i64>,
}

fn owned(text: Option<&[u8]>) -> Option<String> {
    text.map(|text| String::from_utf8_lossy(text).into_owned())
}

impl Seen {
    fn of(capture: &WarcCapture<'_>) -> Seen {
        Seen {
            url: String::from_utf8_lossy(capture.url).into_owned(),
            time: capture.time,
            status: capture.status.map(|status| status.0),
            redirect: owned(capture.redirect),
            content_type: owned(capture.content_type),
            body: capture.body.map(<[u8]>::to_vec),
            is_truncated: capture.is_truncated,
            is_over_cap: capture.is_over_cap,
            payload_digest: owned(capture.payload_digest),
            offset: capture.offset,
            refers: capture.refers.map(|refers| SeenRefers {
                profile: refers.profile,
                url: owned(refers.url),
                time: refers.time,
            }),
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.body.as_deref().map_or("(none)", |body| std::str::from_utf8(body).unwrap())
    }
}

/// All that a file gave, damaged places passed over.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct All {
    pub(crate) captures: Vec<Seen>,
    pub(crate) errors: Vec<String>,
    pub(crate) counts: WarcCounts,
}

impl All {
    pub(crate) fn bodies(&self) -> Vec<&str> {
        self.captures.iter().map(Seen::text).collect()
    }

    pub(crate) fn urls(&self) -> Vec<&str> {
        self.captures.iter().map(|capture| capture.url.as_str()).collect()
    }
}

pub(crate) fn read_from(source: impl Read, cap: BodyCap) -> All {
    let mut reader = WarcReader::new(source).unwrap().with_cap(cap);
    let (mut captures, mut errors) = (Vec::new(), Vec::new());
    while let Some(next) = reader.next_capture() {
        match next {
            Ok(capture) => captures.push(Seen::of(&capture)),
            Err(error) => {
                errors.push(error.to_string());
                assert!(reader.next_capture().is_none(), "goes on after an error by itself");
                reader.skip_damage().unwrap();
            }
        }
    }
    let counts = *reader.counts();
    assert_eq!(counts.records, counts.captures + counts.skipped(), "{counts:?}");
    assert_eq!(counts.captures, captures.len() as u64);
    assert_eq!(counts.damaged, errors.len() as u64);
    All { captures, errors, counts }
}

pub(crate) fn read(file: &[u8]) -> All {
    read_from(file, BodyCap::DEFAULT)
}

/// A file without damage.
#[track_caller]
pub(crate) fn read_whole(file: &[u8]) -> All {
    let all = read(file);
    assert_eq!(all.errors, [""; 0]);
    all
}

/// The only capture of a file without damage.
#[track_caller]
pub(crate) fn read_one(file: &[u8]) -> Seen {
    let all = read_whole(file);
    let [capture] = all.captures.as_slice() else { panic!("{all:?}") };
    capture.clone()
}
