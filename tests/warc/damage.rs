//! Damaged files: each place is told with its offset, and what follows it is found again.

use crate::made::{URL, about, gzip, members, ok, read, read_whole, record, response};
use crate::random::Random;
use std::collections::HashSet;

fn numbered(number: usize) -> Vec<u8> {
    // Enough different lines that octets in the middle of a member matter.
    let lines: String =
        (0..40).map(|line| format!("Disallow: /{}\n", line * number % 977)).collect();
    response(&format!("https://h{number}.example/robots.txt"), ok("", lines))
}

fn zst(octets: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    std::io::Write::write_all(&mut encoder, octets).unwrap();
    encoder.finish().unwrap()
}

/// One of three members is spoilt in some way: the other two are read, and the place is told.
#[test]
fn a_damaged_member_is_passed_over() {
    let records: Vec<_> = (1..4).map(numbered).collect();
    for pack in [|record: &[u8]| gzip(record), zst] {
        let parts: Vec<_> = records.iter().map(|record| pack(record)).collect();
        let middle = &parts[1];
        let flipped = |at: usize| {
            let mut part = middle.clone();
            part[at] ^= 0x55;
            part
        };
        let len = middle.len();
        let spoilt = [
            flipped(0),
            flipped(len / 2),
            flipped(len - 1),
            flipped(len - 6),
            middle[..len / 2].to_vec(),
            middle[..len - 1].to_vec(),
            middle[..12].to_vec(),
            [&middle[..len / 2], &middle[len / 2 + 9..]].concat(),
            b"something else entirely".to_vec(),
        ];
        for part in spoilt {
            let file = [&parts[0][..], &part, &parts[2]].concat();
            let all = read(&file);
            let wanted = ["https://h1.example/robots.txt", "https://h3.example/robots.txt"];
            assert_eq!(all.urls(), wanted, "{:?}", all.errors);
            assert!(
                all.errors[0].starts_with(&format!("offset {}: ", parts[0].len())),
                "{:?}",
                all.errors
            );
            // The offset of what follows is its own.
            assert_eq!(all.captures[1].offset, (parts[0].len() + part.len()) as u64);
        }
    }
}

#[test]
fn a_file_that_is_cut_off_gives_what_is_whole() {
    let records: Vec<_> = (1..6).map(numbered).collect();
    let all = records.concat();
    for file in [all.clone(), members(&records), gzip(&all)] {
        for len in [file.len() * 7 / 10, file.len() * 9 / 10] {
            let cut = read(&file[..len]);
            assert_eq!(cut.errors.len(), 1, "{:?}", cut.errors);
            assert!(cut.errors[0].contains("cut off") || cut.errors[0].contains("ends inside"));
            assert!(cut.captures.len() >= 2, "{}", cut.captures.len());
            assert_eq!(cut.captures[..], read_whole(&file).captures[..cut.captures.len()]);
        }
    }
}

#[test]
fn a_wrong_length_spoils_its_own_record_alone() {
    let (one, two) = (numbered(1), numbered(2));
    let good = String::from_utf8(one.clone()).unwrap();
    let at = good.find("Content-Length: ").unwrap() + "Content-Length: ".len();
    let (before, rest) = good.split_at(at);
    let (len, after) = rest.split_once("\r\n").unwrap();
    let len: usize = len.parse().unwrap();
    let lengths = [
        (len + 5).to_string(),
        (len + 100).to_string(),
        (len + 1_000_000).to_string(),
        (len - 2).to_string(),
        (len / 2).to_string(),
        "0".to_owned(),
        u64::MAX.to_string(),
        (u64::MAX / 2).to_string(),
        "99999999999999999999999999".to_owned(),
        "-1".to_owned(),
        "+5".to_owned(),
        "0x10".to_owned(),
        String::new(),
    ];
    for length in lengths {
        let bad = format!("{before}{length}\r\n{after}");
        let skipped = bad.replacen("Type: response", "Type: request", 1).into_bytes();
        let all = read(&members(&[two.clone(), skipped, two.clone()]));
        assert_eq!((all.captures.len(), all.errors.len()), (2, 1), "{length}: {:?}", all.errors);
        let bad = bad.into_bytes();
        let all = read(&members(&[two.clone(), bad.clone(), two.clone()]));
        assert_eq!(all.captures.len(), 2, "{length}: {:?}", all.errors);
        assert_eq!(all.errors.len(), 1, "{length}: {:?}", all.errors);
        assert!(all.errors[0].starts_with(&format!("offset {}: ", gzip(&two).len())));
        // Without members nothing tells where the record ends but the next one.
        let all = read(&[two.clone(), bad].concat());
        assert_eq!((all.captures.len(), all.errors.len()), (1, 1), "{length}: {:?}", all.errors);
    }
    let missing = good.replace("Content-Length: ", "Content-Width: ").into_bytes();
    let all = read(&[two.clone(), missing, two].concat());
    assert_eq!((all.captures.len(), all.errors.len()), (2, 1));
    assert!(all.errors[0].contains("no Content-Length"));
}

#[test]
fn damage_after_damage_is_told_too() {
    let good = numbered(1);
    let wrong = String::from_utf8(numbered(2)).unwrap().replacen("Content-Length", "Length", 1);
    let mut spoilt = gzip(numbered(3));
    let middle = spoilt.len() / 2;
    spoilt[middle] ^= 0xFF;
    let parts = [gzip(&good), gzip(&wrong), spoilt.clone(), spoilt, gzip(&good)];
    let all = read(&parts.concat());
    assert_eq!(all.captures.len(), 2);
    for (error, part) in all.errors.iter().zip(1..4) {
        let offset = parts[..part].concat().len();
        assert!(error.starts_with(&format!("offset {offset}: ")), "{error}");
    }
    assert_eq!(all.errors.len(), 3);
}

/// The body of a damaged record may look like a record; where each has its member it is not taken for one.
#[test]
fn lines_of_a_body_are_no_record() {
    let planted = response("https://victim.example/robots.txt", ok("", "Disallow: /\n"));
    let outer = response(URL, ok("", [b"\r\n\r\n".to_vec(), planted].concat()));
    assert_eq!(read_whole(&gzip(&outer)).urls(), [URL]);
    let spoilt = String::from_utf8(outer).unwrap().replacen("Content-Length", "Content-Width", 1);
    let all = read(&members(&[spoilt.into_bytes(), numbered(1)]));
    assert_eq!(all.urls(), ["https://h1.example/robots.txt"]);
}

#[test]
fn what_is_no_warc_is_one_error() {
    let long = vec![b'x'; 3_000_000];
    for file in [
        &b"hello"[..],
        b"W",
        b"WARC/1.0",
        b"WARC/1.0\r\n",
        &long,
        &gzip("hello"),
        &gzip(&long),
        b"\x1F\x8B",
        b"\x1F\x8B\x08\xFF",
    ] {
        let all = read(file);
        assert_eq!((all.errors.len(), all.counts.records), (1, 0), "{:?}", all.errors);
        assert!(all.errors[0].starts_with("offset 0: "), "{:?}", all.errors);
    }
    let endless = [b"WARC/1.0\r\n".to_vec(), long].concat();
    assert_eq!(read(&endless).errors.len(), 1);
}

/// Whatever octet is changed: never a panic, never a hang, never a capture that was not there.
#[test]
fn any_octet_may_be_wrong() {
    let mut records: Vec<_> = (1..7).map(numbered).collect();
    records.insert(0, record("warcinfo", &[], "isPartOf: CC-MAIN-2016-40"));
    records.insert(3, record("request", &about(URL), "GET / HTTP/1.1\r\n\r\n"));
    records.push(response(URL, ok("Content-Encoding: gzip\r\n", gzip("Disallow: /zipped"))));
    let frames: Vec<u8> = records.iter().flat_map(|record| zst(record)).collect();
    let mut random = Random::new(7);
    for (file, is_checked) in [(members(&records), true), (frames, true), (records.concat(), false)]
    {
        let known: HashSet<String> =
            read_whole(&file).captures.iter().map(|capture| capture.text().to_owned()).collect();
        for _ in 0..1_500 {
            let mut spoilt = file.clone();
            let at = random.below(file.len());
            spoilt[at] ^= u8::try_from(1 + random.below(255)).unwrap();
            if random.one_in(4) {
                spoilt.truncate(random.below(file.len()));
            }
            let all = read(&spoilt);
            assert!(all.captures.len() <= known.len() + 8);
            if is_checked {
                let is_known = |capture: &crate::made::Seen| known.contains(capture.text());
                assert!(all.captures.iter().all(is_known), "octet {at}: {:?}", all.errors);
            }
        }
    }
}

#[test]
fn any_octets_at_all() {
    let mut random = Random::new(11);
    let words: [&[u8]; 12] = [
        b"WARC/1.0\r\n",
        b"\r\n\r\n",
        b"WARC-Type: response\r\n",
        b"Content-Length: 9\r\n",
        b"WARC-Target-URI: https://a.example/robots.txt\r\n",
        b"HTTP/1.1 200\r\n",
        b"\x1F\x8B\x08\0\0\0\0\0\0\0",
        b"\x28\xB5\x2F\xFD",
        b"\x5D\x2A\x4D\x18\x04\0\0\0",
        b"\0\0\0",
        b"Transfer-Encoding: chunked\r\n",
        b"4\r\n",
    ];
    for _ in 0..3_000 {
        let num_words = random.below(40);
        let words: Vec<&[u8]> = (0..num_words).map(|_| random.pick(&words)).collect();
        let text = words.concat();
        read(&text);
        read(&gzip(&text));
        read(&[gzip(&text), text].concat());
    }
}
