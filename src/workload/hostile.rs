//! Bodies that are no proper robots.txt: web pages, binary octets, odd encodings, oversized and malicious files.
//!
//! Leaves: octets. Each kind is rare, as in real crawls, but a corpus of some size holds all of them.
//! Must not know: which origin serves them.

use super::random::Random;
use super::vocabulary::{CLOSED_FOLDERS, WORDS};

/// Hostile bodies in ten thousand of the pool, pages not counted.
pub(crate) const HOSTILE_SHARE: u64 = 70;

/// Octets of the oversized body: past the parsing limit of 500 KiB.
const OVERSIZED: usize = 620_000;
/// Octets of the over-long line.
const LONG_LINE: usize = 40_000;

/// Appends a web page.
pub(crate) fn write_page(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"<!DOCTYPE html>\n<html lang=\"en\">\n<head><title>");
    out.extend_from_slice(random.pick(WORDS).as_bytes());
    out.extend_from_slice(b"</title></head>\n<body>\n");
    for _ in 0..random.between(3, 60) {
        out.extend_from_slice(b"<p class=\"text\">");
        for _ in 0..random.between(4, 20) {
            out.extend_from_slice(random.pick(WORDS).as_bytes());
            out.push(b' ');
        }
        out.extend_from_slice(b"</p>\n");
    }
    out.extend_from_slice(b"</body>\n</html>\n");
}

/// Appends one of the other kinds.
pub(crate) fn write_hostile(random: &mut Random, out: &mut Vec<u8>) {
    let write: fn(&mut Random, &mut Vec<u8>) = random.weighted(&[
        (16, write_binary as _),
        (14, write_cr_only as _),
        (8, write_long_line as _),
        (8, write_many_stars as _),
        (3, write_oversized as _),
        (10, write_utf16 as _),
        (16, write_latin1 as _),
        (8, write_nul_octets as _),
        (17, write_blank_lines as _),
    ]);
    write(random, out);
}

/// A few lines of an ordinary file, ended by `end`.
fn ordinary(random: &mut Random, end: &str) -> String {
    let mut text = format!("User-agent: *{end}");
    for _ in 0..random.between(2, 9) {
        text.push_str("Disallow: /");
        text.push_str(random.pick_early(CLOSED_FOLDERS));
        text.push('/');
        text.push_str(end);
    }
    text
}

fn write_binary(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(&[0x1f, 0x8b, 0x08, 0x00]);
    for _ in 0..random.between(20, 800) {
        out.extend_from_slice(&random.bits().to_le_bytes());
    }
}

fn write_cr_only(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(ordinary(random, "\r").as_bytes());
}

fn write_long_line(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"User-agent: *\nDisallow: /");
    while out.len() < LONG_LINE {
        out.extend_from_slice(random.pick(WORDS).as_bytes());
        out.push(b'/');
    }
    out.extend_from_slice(b"\nDisallow: /private/\n");
}

fn write_many_stars(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"User-agent: *\nDisallow: /");
    for _ in 0..50 {
        out.push(b'*');
        out.push(random.pick(b"aeio"));
    }
    out.extend_from_slice(b"*q$\nDisallow: /search\n");
}

fn write_oversized(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(ordinary(random, "\n").as_bytes());
    while out.len() < OVERSIZED {
        out.extend_from_slice(b"Disallow: /archive/");
        for _ in 0..3 {
            out.extend_from_slice(random.pick(WORDS).as_bytes());
            out.push(b'-');
        }
        out.extend_from_slice(random.below(1_000_000).to_string().as_bytes());
        out.push(b'\n');
    }
}

fn write_utf16(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(&[0xff, 0xfe]);
    for unit in ordinary(random, "\r\n").encode_utf16() {
        out.extend_from_slice(&unit.to_le_bytes());
    }
}

fn write_latin1(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(b"# Zugriff f\xfcr alle\n");
    out.extend_from_slice(ordinary(random, "\n").as_bytes());
    out.extend_from_slice(b"Disallow: /caf\xe9/\n");
}

fn write_nul_octets(random: &mut Random, out: &mut Vec<u8>) {
    out.extend_from_slice(ordinary(random, "\r\0\n").as_bytes());
    out.extend_from_slice(b"Disallow: /tmp\0/x\n");
}

fn write_blank_lines(random: &mut Random, out: &mut Vec<u8>) {
    for _ in 0..random.between(1, 400) {
        out.extend_from_slice(random.pick(&[b"\n".as_slice(), b"\r\n", b"   \n", b"#\n", b"\t\n"]));
    }
}
