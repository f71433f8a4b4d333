//! Payloads that are still coded, claim to be, or grow without end.

use crate::made::{Seen, URL, gzip, ok, read_from, read_one, read_whole, response};
use flate2::Compression;
use flate2::write::{DeflateEncoder, ZlibEncoder};
use robosift::corpus::sources::warc::BodyCap;
use std::io::Write;

const BODY: &str = "User-agent: *\nDisallow: /private/\nSitemap: https://a.example/sitemap.xml\n";

fn zlib(octets: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn deflate(octets: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

fn zst(octets: &[u8]) -> Vec<u8> {
    zstd::encode_all(octets, 3).unwrap()
}

/// In chunks of seven octets, with an extension and a trailer.
fn chunked(octets: &[u8]) -> Vec<u8> {
    let chunk =
        |part: &[u8]| [format!("{:X};x=y\r\n", part.len()).as_bytes(), part, b"\r\n"].concat();
    let chunks = octets.chunks(7).flat_map(chunk);
    chunks.chain(*b"0\r\nX-Trailer: z\r\n\r\n").collect()
}

/// [`BODY`] in Brotli.
fn brotli() -> Vec<u8> {
    base64::Engine::decode(&base64::engine::general_purpose::STANDARD, BROTLI).unwrap()
}

const BROTLI: &str = "G0gAUCwO7LatbVEEJjdv1vhUaK2g01K1XYjCyuSLilyAVNqcYxywj9c4DjROtAdcpiWEceH0f7pblCwBzMx0nU0dGcQNJQg=";
/// Brotli of ten million times `a`.
const BROTLI_BOMB: &str = "y///P/glwuKxQCD3/i//LDHwSwDEYRGAjiMG";

fn body_of(lines: &str, payload: &[u8]) -> Seen {
    read_one(&response(URL, ok(lines, payload)))
}

#[test]
fn every_coding_is_undone() {
    let plain = BODY.as_bytes();
    let cases = [
        ("Content-Encoding: gzip\r\n", gzip(plain)),
        ("content-encoding: X-GZIP\r\n", gzip(plain)),
        ("Content-Encoding: gzip\r\n", [gzip(&plain[..9]), gzip(&plain[9..])].concat()),
        ("Content-Encoding: gzip\r\n", [gzip(plain), b"\r\n".to_vec()].concat()),
        ("Content-Encoding: deflate\r\n", zlib(plain)),
        ("Content-Encoding: deflate\r\n", deflate(plain)),
        ("Content-Encoding: deflate\r\n", [deflate(plain), b"\r\n".to_vec()].concat()),
        ("Content-Encoding: br\r\n", brotli()),
        ("Content-Encoding: zstd\r\n", zst(plain)),
        ("Transfer-Encoding: chunked\r\n", chunked(plain)),
        ("Transfer-Encoding: Chunked\r\nContent-Encoding: gzip\r\n", chunked(&gzip(plain))),
        ("Content-Encoding: br\r\nTransfer-Encoding: chunked\r\n", chunked(&brotli())),
        ("Transfer-Encoding: gzip, chunked\r\n", chunked(&gzip(plain))),
        ("Content-Encoding: deflate, gzip\r\n", gzip(zlib(plain))),
        ("Content-Encoding: zstd\r\nContent-Encoding: gzip\r\n", gzip(zst(plain))),
        ("Content-Encoding: identity, , none\r\n", plain.to_vec()),
    ];
    for (lines, payload) in cases {
        let capture = body_of(lines, &payload);
        assert_eq!(capture.text(), BODY, "{lines}");
        assert!(!capture.is_truncated && !capture.is_over_cap, "{lines}");
    }
}

#[test]
fn what_claims_to_be_coded_and_is_not_stays_as_it_is() {
    let codings =
        ["gzip", "x-gzip", "deflate", "br", "zstd", "compress", "gzip, br", "br, deflate"];
    let bodies = [BODY, "Sitemap: https://a.example/s\n", "", "a", "s", "\n", "User-agent: *\n"];
    for coding in codings {
        for body in bodies {
            let capture = body_of(&format!("Content-Encoding: {coding}\r\n"), body.as_bytes());
            assert_eq!((capture.text(), capture.is_truncated), (body, false), "{coding}");
        }
    }
    let renamed = "X-Crawl-Content-Encoding: gzip\r\nX-Crawl-Transfer-Encoding: chunked\r\n";
    assert_eq!(body_of(renamed, BODY.as_bytes()).text(), BODY);
    assert_eq!(body_of("Transfer-Encoding: chunked\r\n", BODY.as_bytes()).text(), BODY);
    // Chunked, as said, but no longer compressed.
    let lines = "Transfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n";
    assert_eq!(body_of(lines, &chunked(BODY.as_bytes())).text(), BODY);
    // A coding that is not known here stays, what was put around it does not.
    let lines = "Content-Encoding: compress, gzip\r\n";
    assert_eq!(body_of(lines, &gzip("\x1F\x1D\x10")).text(), "\x1F\x1D\x10");
}

#[test]
fn a_coded_payload_that_is_cut_gives_its_beginning() {
    let long: String = (0..20_000).map(|number| format!("Disallow: /{number}\n")).collect();
    let cases = [
        ("Content-Encoding: gzip\r\n", gzip(&long)),
        ("Content-Encoding: deflate\r\n", zlib(long.as_bytes())),
        ("Content-Encoding: deflate\r\n", deflate(long.as_bytes())),
        ("Content-Encoding: zstd\r\n", zst(long.as_bytes())),
        ("Transfer-Encoding: chunked\r\n", chunked(long.as_bytes())),
        ("Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", chunked(&gzip(&long))),
    ];
    for (lines, payload) in cases {
        let capture = body_of(lines, &payload[..payload.len() / 2]);
        assert!(capture.is_truncated, "{lines}");
        assert!(
            capture.text().len() > long.len() / 9 && long.starts_with(capture.text()),
            "{lines}"
        );
    }
    let half = &brotli()[..brotli().len() / 2];
    assert!(body_of("Content-Encoding: br\r\n", half).is_truncated);
}

#[test]
fn bodies_are_cut_at_the_cap() {
    let cap = BodyCap(1_000);
    let cases = [(999, false), (1_000, false), (1_001, true), (100_000, true), (3_000_000, true)];
    for (len, is_over) in cases {
        let body = "a".repeat(len).into_bytes();
        let messages = [
            ok("", &body),
            ok("Content-Encoding: gzip\r\n", gzip(&body)),
            ok("Content-Encoding: deflate\r\n", deflate(&body)),
            ok("Content-Encoding: zstd\r\n", zst(&body)),
            ok("Transfer-Encoding: chunked\r\n", chunked(&body)),
        ];
        let next = response(URL, ok("", "next"));
        for message in messages {
            let file = [response(URL, message), next.clone()].concat();
            for file in [gzip(&file), file] {
                let all = read_from(file.as_slice(), cap);
                assert_eq!(all.errors, [""; 0]);
                let [capture, next] = all.captures.as_slice() else { panic!("{len}") };
                assert_eq!(capture.text().len(), len.min(1_000));
                assert_eq!((capture.is_over_cap, next.text()), (is_over, "next"), "{len}");
                assert_eq!(all.counts.over_cap, u64::from(is_over));
            }
        }
    }
}

#[test]
fn bombs_cost_no_more_than_the_cap() {
    let cap = BodyCap::DEFAULT.0;
    let large = vec![b'a'; 4 * cap];
    let bomb = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, BROTLI_BOMB);
    let cases = [
        ("Content-Encoding: gzip\r\n", gzip(&large)),
        ("Content-Encoding: gzip, gzip\r\n", gzip(gzip(&large))),
        (
            "Content-Encoding: gzip, gzip\r\nTransfer-Encoding: chunked\r\n",
            chunked(&gzip(gzip(&large))),
        ),
        ("Content-Encoding: br\r\n", bomb.unwrap()),
        ("Content-Encoding: zstd\r\n", zst(&large)),
    ];
    for (lines, payload) in cases {
        let all = read_whole(&gzip(response(URL, ok(lines, payload))));
        let capture = &all.captures[0];
        assert_eq!((capture.text().len(), capture.is_over_cap), (cap, true), "{lines}");
    }
    // Gzip that inflates to gzip for ever: only so many codings are undone.
    let mut nested = gzip("inside");
    for _ in 0..9 {
        nested = gzip(nested);
    }
    let lines = format!("Content-Encoding: {}\r\n", ["gzip"; 10].join(", "));
    assert!(body_of(&lines, &nested).body.unwrap().starts_with(b"\x1F\x8B"));
}

#[test]
fn wrong_chunks() {
    let cases: [(&[u8], &str, bool); 9] = [
        (b"4\nbody\n0\n\n", "body", false),
        (b"00004 \r\nbody\r\n0\r\n\r\n", "body", false),
        (b"4\r\nbody\r\n", "body", true),
        (b"4\r\nbody\r\n5\r\nxy", "bodyxy", true),
        (b"4\r\nbody\r\nzz\r\n", "body", true),
        (b"4\r\nbody0\r\n\r\n", "body", false),
        (b"FFFFFFFFFFFFFFFF\r\nbody", "body", true),
        (b"FFFFFFFFFFFFFFFFF\r\nbody", "FFFFFFFFFFFFFFFFF\r\nbody", false),
        (b"-4\r\nbody\r\n0\r\n\r\n", "-4\r\nbody\r\n0\r\n\r\n", false),
    ];
    for (payload, wanted, is_truncated) in cases {
        let capture = body_of("Transfer-Encoding: chunked\r\n", payload);
        let shown = String::from_utf8_lossy(payload);
        assert_eq!((capture.text(), capture.is_truncated), (wanted, is_truncated), "{shown}");
    }
}
