//! What WARC files make their reader hold: a small multiple of the cap, whatever they say and however
//! long they are. Counted by the allocator.
#![allow(clippy::unwrap_used, reason = "a test reports by failing")]

#[path = "common/counting.rs"]
mod counting;

use counting::{alone, peak};
use flate2::Compression;
use flate2::write::GzEncoder;
use robosift::corpus::sources::warc::{BodyCap, WarcReader};
use std::io::{Read, Write};

const CAP: usize = 1 << 20;

/// What the reader holds for input and window, whatever the cap.
const BUFFERS: usize = 2 << 20;

/// Octets of a large file: a hundred times the cap.
const LARGE: usize = 100 * CAP;

fn head(len: usize, http: &str) -> Vec<u8> {
    let head =
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/robots.txt\r\n";
    format!("{head}Content-Length: {}\r\n\r\n{http}", http.len() + len).into_bytes()
}

fn gzip(source: impl Read) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    std::io::copy(&mut { source }, &mut encoder).unwrap();
    encoder.flush().unwrap();
    encoder.finish().unwrap()
}

/// Captures of a file, and that its peak is within `caps` times the cap.
#[track_caller]
fn read_within(caps: usize, source: impl Read) -> usize {
    let (peak, captures) = peak(|| {
        let mut reader = WarcReader::new(source).unwrap().with_cap(BodyCap(CAP));
        let mut captures = 0;
        while let Some(next) = reader.next_capture() {
            let is_damaged = next.is_err();
            captures += usize::from(next.is_ok_and(|capture| capture.body.unwrap().len() <= CAP));
            if is_damaged {
                reader.skip_damage().unwrap();
            }
        }
        captures
    });
    assert!(peak <= caps * CAP + BUFFERS, "{peak} octets");
    captures
}

#[test]
fn a_record_may_be_of_any_length() {
    let _alone = alone();
    let zeros = || std::io::repeat(0).take(LARGE as u64);
    let whole = head(LARGE, "HTTP/1.1 200 OK\r\n\r\n");
    assert_eq!(read_within(3, whole.as_slice().chain(zeros())), 1);
    let endless = head(usize::MAX / 2, "HTTP/1.1 200 OK\r\n\r\n");
    assert_eq!(read_within(3, endless.as_slice().chain(zeros())), 1);
    let packed = gzip(whole.as_slice().chain(zeros()));
    assert_eq!(read_within(3, packed.as_slice()), 1);
}

#[test]
fn a_head_may_be_of_any_length() {
    let _alone = alone();
    let letters = || std::io::repeat(b'x').take(LARGE as u64);
    assert_eq!(read_within(4, b"WARC/1.0\r\n".chain(letters())), 0);
    assert_eq!(read_within(4, gzip(b"WARC/1.0\r\n".chain(letters())).as_slice()), 0);
    assert_eq!(read_within(4, letters()), 0);
}

#[test]
fn a_payload_may_unfold_to_any_length() {
    let _alone = alone();
    let zeros = gzip(std::io::repeat(0).take(LARGE as u64));
    let twice = gzip(zeros.as_slice());
    for (coding, payload) in [("gzip", zeros), ("gzip, gzip", twice)] {
        let http = format!("HTTP/1.1 200 OK\r\nContent-Encoding: {coding}\r\n\r\n");
        let file = [head(payload.len(), &http), payload].concat();
        assert_eq!(read_within(6, file.as_slice()), 1);
    }
}

#[test]
fn a_file_may_have_any_number_of_members() {
    let _alone = alone();
    let record = [head(4, "HTTP/1.1 200 OK\r\n\r\n"), b"body\r\n\r\n".to_vec()].concat();
    let file = gzip(record.as_slice()).repeat(50_000);
    assert_eq!(read_within(0, file.as_slice()), 50_000);
    // Without a record in most of them.
    let file = [gzip(record.as_slice()), gzip(&b"\r\n"[..]).repeat(50_000)].concat();
    assert_eq!(read_within(0, file.as_slice()), 1);
    let whole = gzip(record.repeat(50_000).as_slice());
    assert_eq!(read_within(0, whole.as_slice()), 50_000);
}

/// Quadratic work would show here as a test that does not end.
#[test]
fn a_record_may_be_spread_over_any_number_of_members() {
    let _alone = alone();
    let record = [head(200_000, "HTTP/1.1 200 OK\r\n\r\n"), vec![b'x'; 200_000]].concat();
    let file: Vec<u8> = record.chunks(1).flat_map(gzip).collect();
    assert_eq!(read_within(4, file.as_slice()), 1);
    let empty = gzip(&b""[..]).repeat(200_000);
    let file = [gzip(&record[..100]), empty, gzip(&record[100..])].concat();
    assert_eq!(read_within(0, file.as_slice()), 1);
    // One that gives no capture.
    let skipped = String::from_utf8(record).unwrap().replacen("response", "request", 1);
    let file: Vec<u8> = skipped.as_bytes().chunks(1).flat_map(gzip).collect();
    assert_eq!(read_within(0, file.as_slice()), 0);
}

#[test]
fn a_gzip_header_may_have_no_end() {
    let _alone = alone();
    let header = b"\x1F\x8B\x08\x08\0\0\0\0\0\0";
    assert_eq!(read_within(4, header.chain(std::io::repeat(b'x').take(LARGE as u64))), 0);
}
