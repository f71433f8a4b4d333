//! How a file is compressed: told by its octets, and the same captures whatever it is.

use crate::made::{
    All, Seen, URL, gzip, members, ok, read, read_from, read_whole, record, response,
};
use crate::random::Random;
use flate2::Compression;
use flate2::write::GzEncoder;
use robosift::corpus::sources::warc::BodyCap;
use std::io::{Error, ErrorKind, Read, Write};

/// A thousand records and more, requests and responses in turn, bodies from nothing to 40 KiB.
fn crawl() -> Vec<Vec<u8>> {
    let mut records = vec![record("warcinfo", &[], "software: x\r\n")];
    for number in 0..500_usize {
        let url = format!("https://h{number}.example/robots.txt");
        let body = format!("Disallow: /{number}\n").repeat(number * number % 2_000);
        records.push(record("request", &[("WARC-Target-URI", &url)], "GET / HTTP/1.1\r\n\r\n"));
        // What is found in some: the start of a gzip member that is none of the file's.
        records.push(match number % 50 {
            7 => response(&url, ok("Content-Encoding: gzip\r\n", gzip(body))),
            _ => response(&url, ok("Content-Type: text/plain\r\n", body)),
        });
    }
    records
}

fn zst(octets: impl AsRef<[u8]>) -> Vec<u8> {
    zstd::encode_all(octets.as_ref(), 3).unwrap()
}

/// A gzip member in which the octets stand as they are.
fn stored(octets: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder.write_all(octets).unwrap();
    encoder.finish().unwrap()
}

/// A frame that decoders pass over.
fn skippable(kind: u8, content: &[u8]) -> Vec<u8> {
    let len = u32::try_from(content.len()).unwrap().to_le_bytes();
    [&[0x50 + kind, 0x2A, 0x4D, 0x18][..], &len, content].concat()
}

fn without_offsets(all: All) -> Vec<Seen> {
    all.captures.into_iter().map(|seen| Seen { offset: 0, ..seen }).collect()
}

/// Where each of `parts` begins when they follow one another.
fn starts(parts: &[Vec<u8>]) -> Vec<u64> {
    let start = |at: usize| parts[..at].iter().map(|part| part.len() as u64).sum();
    (0..parts.len()).map(start).collect()
}

/// The offsets of the responses in [`crawl`].
fn of_responses(starts: &[u64]) -> Vec<u64> {
    starts.iter().skip(2).step_by(2).copied().collect()
}

#[test]
fn the_same_captures_however_the_file_is_compressed() {
    let records = crawl();
    let all = records.concat();
    let plain = read_whole(&all);
    assert_eq!(plain.counts.records, 1_001);
    assert_eq!((plain.counts.captures, plain.counts.requests), (500, 500));
    for (number, capture) in plain.captures.iter().enumerate() {
        assert_eq!(capture.url, format!("https://h{number}.example/robots.txt"));
        let body = format!("Disallow: /{number}\n").repeat(number * number % 2_000);
        assert_eq!(capture.text(), body);
    }
    let plain = without_offsets(plain);
    let frames: Vec<u8> = records.iter().flat_map(zst).collect();
    let files = [
        ("a member for each record", members(&records)),
        (
            "members that are not compressed",
            records.iter().flat_map(|record| stored(record)).collect(),
        ),
        ("a member for all", gzip(&all)),
        (
            "ten records in a member",
            records.chunks(10).flat_map(|ten| gzip(ten.concat())).collect(),
        ),
        ("members that end anywhere", all.chunks(10_007).flat_map(gzip).collect()),
        (
            "members of one octet",
            all[..5_000].chunks(1).flat_map(gzip).chain(gzip(&all[5_000..])).collect(),
        ),
        ("padding", [gzip(&all), vec![0; 1_000]].concat()),
        ("empty members", [gzip(""), gzip(""), gzip(&all), gzip("")].concat()),
        ("a frame for each record", frames.clone()),
        ("a frame for all", zst(&all)),
        ("skippable frames", [skippable(0, b"x"), frames, skippable(13, b"y")].concat()),
    ];
    for (name, file) in files {
        assert_eq!(without_offsets(read_whole(&file)), plain, "{name}");
    }
}

#[test]
fn offsets_are_those_of_members_frames_and_plain_records() {
    let records = crawl();
    let gzipped: Vec<_> = records.iter().map(gzip).collect();
    let frames: Vec<_> = records.iter().map(zst).collect();
    for parts in [records.clone(), gzipped, frames] {
        let offsets: Vec<u64> =
            read_whole(&parts.concat()).captures.iter().map(|capture| capture.offset).collect();
        assert_eq!(offsets, of_responses(&starts(&parts)));
    }
    // In a member of many records, where the member begins.
    let tens: Vec<_> = records.chunks(10).map(|ten| gzip(ten.concat())).collect();
    let starts = starts(&tens);
    for (number, capture) in read_whole(&tens.concat()).captures.iter().enumerate() {
        assert_eq!(capture.offset, starts[(2 + 2 * number) / 10]);
    }
}

#[test]
fn frames_with_a_dictionary() {
    let records = crawl();
    // Any octets serve as a dictionary.
    let dictionary: Vec<u8> =
        records[..20].iter().flat_map(|record| &record[..300.min(record.len())]).copied().collect();
    let mut compressor = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
    let frames: Vec<u8> =
        records.iter().flat_map(|record| compressor.compress(record).unwrap()).collect();
    let plain = without_offsets(read_whole(&records.concat()));
    for content in [dictionary.clone(), zst(&dictionary)] {
        let file = [skippable(13, &content), frames.clone()].concat();
        assert_eq!(without_offsets(read_whole(&file)), plain);
    }
    assert_eq!(read(&frames).captures, []);
    for wrong in [
        skippable(13, b""),
        skippable(13, b"\x28\xB5\x2F\xFDxxxx"),
        vec![0x5D, 0x2A, 0x4D, 0x18, 255, 255, 255, 255],
    ] {
        let all = read(&[wrong, frames.clone()].concat());
        assert!(!all.errors.is_empty() && all.captures.is_empty());
    }
}

/// Gives a few octets at a time and is interrupted in between.
struct Drops<'f> {
    file: &'f [u8],
    turn: usize,
}

impl Read for Drops<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(5) {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = (self.turn % 7 + 1).min(to.len());
        (&mut self.file).take(len as u64).read(to)
    }
}

#[test]
fn a_source_may_give_few_octets_at_a_time() {
    let records = &crawl()[..60];
    let all = records.concat();
    for file in [all.clone(), members(records), gzip(&all), zst(&all)] {
        let drops = Drops { file: &file, turn: 0 };
        assert_eq!(read_from(drops, BodyCap::DEFAULT), read_whole(&file));
    }
}

#[test]
fn an_error_of_the_source_is_no_damage() {
    struct Fails(usize);
    impl Read for Fails {
        fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
            let file = members(&[response(URL, ok("", "one")), response(URL, ok("", "two"))]);
            let rest = &file[self.0..file.len() - 30];
            self.0 += rest.len().min(9);
            if rest.is_empty() {
                Err(Error::other("gone"))
            } else {
                (&rest[..rest.len().min(9)]).read(to)
            }
        }
    }
    let mut reader = robosift::corpus::sources::warc::WarcReader::new(Fails(0)).unwrap();
    assert_eq!(reader.next_capture().unwrap().unwrap().body, Some(&b"one"[..]));
    let error = reader.next_capture().unwrap().unwrap_err();
    assert!(!error.is_damage() && error.to_string().ends_with("gone"), "{error}");
    reader.skip_damage().unwrap();
    assert!(reader.next_capture().is_none());
}

/// Files of random records, packed at random, against what they were made of.
#[test]
fn made_up_files_are_read_as_they_were_made() {
    let pieces: [&str; 8] = [
        "Disallow: /",
        "\r\n\r\n",
        "\n",
        "WARC/1.0\r\n",
        "\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n",
        "HTTP/1.1 404 x\r\n",
        "Content-Length: 9\r\n",
        "x",
    ];
    let mut random = Random::new(5);
    for _ in 0..400 {
        let (mut records, mut wanted) = (Vec::new(), Vec::new());
        for number in 0..random.below(30) {
            let num_pieces = random.below(12);
            let body: String = (0..num_pieces).map(|_| random.pick(&pieces)).collect();
            let url = format!("https://h{number}.example/robots.txt");
            if random.one_in(2) {
                records.push(response(&url, ok("", &body)));
                wanted.push((url, body));
            } else {
                let kind = random.pick(&["request", "metadata", "conversion"]);
                records.push(record(kind, &[("WARC-Target-URI", &url)], body));
            }
        }
        let mut file = Vec::new();
        let pack = random.below(4);
        let mut rest = records.as_slice();
        while !rest.is_empty() {
            let (part, after) = rest.split_at(1 + random.below(rest.len().min(4)));
            rest = after;
            file.extend(match pack {
                0 => part.concat(),
                1 => gzip(part.concat()),
                2 => stored(&part.concat()),
                _ => zst(part.concat()),
            });
        }
        let all = read_whole(&file);
        let found: Vec<_> =
            all.captures.iter().map(|seen| (seen.url.clone(), seen.text().to_owned())).collect();
        assert_eq!(found, wanted);
        assert_eq!(all.counts.records, records.len() as u64);
    }
}
