//! The URLs of one origin's rows.
//!
//! Enters: an origin's name and its sequence of random numbers. Leaves: one URL at a time, about 75 octets in the mean,
//! section by section, so that neighbours share long prefixes as in a sorted crawl. One in a thousand is no absolute
//! http(s) URL; some have queries, percent-encoded or raw non-ASCII octets.
//! Cost: about 100 ns a URL, no allocation. Must not know: rules, columns.

use super::random::Random;
use super::vocabulary::{CLOSED_FOLDERS, ENCODED_WORDS, ENDINGS, OPEN_FOLDERS, PARAMETERS, WORDS};

/// Positions (of a thousand) at which the home page, robots.txt and the public sections end.
const HOME_END: u64 = 20;
const ROBOTS_END: u64 = 23;
const OPEN_END: u64 = 880;
const ALL: u64 = 1_000;

/// Public sections of a site.
const OPEN_SECTIONS: usize = 4;
/// Sections of a site that robots files like to close.
const CLOSED_SECTIONS: usize = 2;

/// What the URLs of one origin have in common.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    open: [&'static str; OPEN_SECTIONS],
    closed: [&'static str; CLOSED_SECTIONS],
}

impl Site {
    /// Draws the sections of a site.
    pub(crate) fn draw(random: &mut Random) -> Self {
        Self {
            open: std::array::from_fn(|_| random.pick_early(OPEN_FOLDERS)),
            closed: std::array::from_fn(|_| random.pick_early(CLOSED_FOLDERS)),
        }
    }

    /// Replaces `url` by the URL of row `row` of `rows` at the origin `name`.
    pub(crate) fn write_url(
        &self,
        random: &mut Random,
        name: &str,
        (row, rows): (u64, u64),
        url: &mut String,
    ) {
        url.clear();
        let odd = random.below(10_000);
        if odd < 10 {
            write_bad_url(random, name, url);
            return;
        }
        write_origin(odd, name, url);
        let position = (row * ALL + random.below(ALL)) / rows;
        if position < HOME_END {
            url.push_str(random.pick(&["/", "/", "/", "/?utm_source=newsletter", ""]));
        } else if position < ROBOTS_END {
            url.push_str("/robots.txt");
        } else if position < OPEN_END {
            let place = section(position - ROBOTS_END, OPEN_END - ROBOTS_END, OPEN_SECTIONS);
            write_open_path(random, self.open[place], url);
        } else {
            let place = section(position - OPEN_END, ALL - OPEN_END, CLOSED_SECTIONS);
            write_closed_path(random, self.closed[place], url);
        }
        if odd >= 9_996 {
            write_long_query(random, url);
        }
    }
}

/// Which of `sections` a position belongs to.
fn section(position: u64, positions: u64, sections: usize) -> usize {
    usize::try_from(position * sections as u64 / positions).unwrap_or(0)
}

/// Appends the origin, in a few rows of ten thousand in another form of the same origin.
fn write_origin(odd: u64, name: &str, url: &mut String) {
    url.push_str(name);
    match odd {
        10..13 if name.starts_with("https://") && !name.ends_with("443") => url.push_str(":443"),
        13..16 => {
            let after_scheme = url.find("//").map_or(0, |at| at + 2);
            if let Some(host) = url.get_mut(after_scheme..) {
                host.make_ascii_uppercase();
            }
        }
        // A dot at the end belongs to the host: not behind a port.
        16..18 if !name.ends_with(|end: char| end.is_ascii_digit()) => url.push('.'),
        _ => {}
    }
}

/// Appends the path of a public page.
fn write_open_path(random: &mut Random, folder: &str, url: &mut String) {
    url.push('/');
    url.push_str(folder);
    url.push('/');
    match random.below(1_000) {
        0..370 => {
            let words = random.between(5, 10);
            write_slug(random, words, url);
            url.push_str(random.pick(&["/", "/", ".html", ""]));
        }
        370..560 => {
            write_month(random, url);
            let words = random.between(4, 8);
            write_slug(random, words, url);
            url.push('/');
        }
        560..730 => {
            url.push_str(random.pick(WORDS));
            url.push('/');
            let words = random.between(4, 7);
            write_slug(random, words, url);
            url.push('-');
            write_number(random, 10_000_000, url);
            url.push_str(random.pick(&["", ".html", "/"]));
        }
        730..830 => {
            url.push_str(random.pick(WORDS));
            write_query(random, url);
        }
        830..880 => {
            url.push_str(random.pick(WORDS));
            url.push_str("/page/");
            write_number(random, 400, url);
            url.push('/');
        }
        880..930 => write_upload(random, url),
        930..950 => write_encoded(random, url),
        950..956 => {
            url.push_str(random.pick(ENCODED_WORDS).1);
            url.push('/');
        }
        _ => {
            write_slug(random, 2, url);
            url.push('.');
            url.push_str(random.pick_early(ENDINGS));
        }
    }
}

/// Appends the path of a page that robots files like to close.
fn write_closed_path(random: &mut Random, folder: &str, url: &mut String) {
    url.push('/');
    url.push_str(folder);
    match random.below(10) {
        0..3 => write_query(random, url),
        3..5 => {
            url.push('/');
            write_slug(random, 2, url);
            url.push('/');
        }
        5..7 => {
            url.push('/');
            url.push_str(random.pick(WORDS));
            url.push_str(".php?id=");
            write_number(random, 1_000_000, url);
        }
        7 => url.push('/'),
        _ => {
            url.push('/');
            url.push_str(random.pick(WORDS));
            url.push('/');
            write_number(random, 100_000_000, url);
        }
    }
}

fn write_slug(random: &mut Random, words: u64, url: &mut String) {
    for word in 0..words {
        if word > 0 {
            url.push('-');
        }
        url.push_str(random.pick(WORDS));
    }
}

fn write_month(random: &mut Random, url: &mut String) {
    let draw = random.bits();
    url.push_str(
        ["2019", "2021", "2022", "2023", "2024", "2024", "2025", "2025"][low_bits(draw, 7)],
    );
    url.push('/');
    const MONTHS: [&str; 16] = [
        "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12", "01", "03", "06",
        "10",
    ];
    url.push_str(MONTHS[low_bits(draw >> 8, 15)]);
    url.push('/');
}

/// The low bits of `draw` that `mask` keeps, at most 255.
fn low_bits(draw: u64, mask: u8) -> usize {
    usize::from(draw.to_le_bytes()[0] & mask)
}

fn write_upload(random: &mut Random, url: &mut String) {
    url.push_str("uploads/");
    write_month(random, url);
    write_slug(random, 3, url);
    url.push('.');
    url.push_str(random.pick(&["jpg", "jpg", "png", "pdf", "webp", "gif"]));
}

fn write_query(random: &mut Random, url: &mut String) {
    url.push('?');
    for parameter in 0..random.between(1, 3) {
        if parameter > 0 {
            url.push('&');
        }
        url.push_str(random.pick_early(PARAMETERS));
        url.push('=');
        if random.chance(5_000) {
            url.push_str(random.pick(WORDS));
        } else {
            write_number(random, 100_000, url);
        }
    }
}

fn write_encoded(random: &mut Random, url: &mut String) {
    url.push_str(random.pick(ENCODED_WORDS).0);
    url.push('/');
    write_slug(random, 2, url);
}

/// Appends a query of 500 to 4,000 octets.
fn write_long_query(random: &mut Random, url: &mut String) {
    let end = url.len() + usize::try_from(random.between(500, 4_000)).unwrap_or(500);
    url.push(if url.contains('?') { '&' } else { '?' });
    while url.len() < end {
        url.push_str(random.pick(PARAMETERS));
        url.push('=');
        write_slug(random, 3, url);
        url.push('&');
    }
}

/// Appends a number below `limit` in decimal digits.
fn write_number(random: &mut Random, limit: u64, url: &mut String) {
    let mut number = random.below(limit);
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] += (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    url.push_str(std::str::from_utf8(&digits[first..]).unwrap_or("0"));
}

/// Appends what link extraction leaves behind now and then: no absolute http(s) URL with a host.
fn write_bad_url(random: &mut Random, name: &str, url: &mut String) {
    match random.below(8) {
        0 => {}
        1 => url.push_str("https:///"),
        2 => url.push_str("javascript:void(0)"),
        3 => {
            url.push_str("mailto:");
            url.push_str(random.pick(WORDS));
            url.push_str("@example.com");
        }
        4 => {
            url.push_str("ftp://");
            url.push_str(name.rsplit('/').next().unwrap_or(name));
            url.push_str("/pub/");
        }
        5 => url.push_str("http://?"),
        _ => {
            url.push('/');
            url.push_str(random.pick(OPEN_FOLDERS));
            url.push('/');
            write_slug(random, 3, url);
        }
    }
}
