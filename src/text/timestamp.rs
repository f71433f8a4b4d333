//! Points in time as crawl data writes them: ISO 8601 strings, archive dates of 14 or 8 digits, epoch
//! seconds, dates of HTTP fields.
//!
//! All become microseconds since 1970 in UTC; a time without a zone is taken as UTC. Constant cost.

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// Reads a time in any of the forms; `None` where it is none of them.
///
/// # Examples
/// ```
/// use robosift::text::timestamp::parse;
/// assert_eq!(parse("2026-11-30T12:00:00Z"), Some(1_796_040_000_000_000));
/// assert_eq!(parse("2026-11-30T13:00:00.5+01:00"), Some(1_796_040_000_500_000));
/// assert_eq!(parse("20261130120000"), parse("2026-11-30 12:00:00"));
/// assert_eq!(parse("1796040000"), parse("2026-11-30T12:00:00Z"));
/// assert_eq!(parse("20261130"), parse("2026-11-30"));
/// assert_eq!(parse("20261130T1200Z"), parse("2026-11-30T12:00:00Z"));
/// assert_eq!(parse("yesterday"), None);
/// ```
#[must_use]
pub fn parse(text: &str) -> Option<i64> {
    let text = text.trim();
    if let Some(time) = plain(text.as_bytes()) {
        return Some(time);
    }
    if !text.is_ascii() {
        return None;
    }
    if text.len() == 14 && text.bytes().all(|octet| octet.is_ascii_digit()) {
        return date_time(&text[..8], &text[8..]);
    }
    if text.len() == 8 && text.bytes().all(|octet| octet.is_ascii_digit()) {
        return date_time(text, "000000");
    }
    if let Ok(seconds) = text.parse::<f64>() {
        return from_epoch_seconds(seconds);
    }
    let is_basic = matches!(text.as_bytes().get(8), Some(b'T' | b't'));
    let (date, time) = text.split_at_checked(if is_basic { 8 } else { 10 })?;
    match time {
        "" => date_time(date, "00:00:00"),
        _ => date_time(date, time.strip_prefix(['T', 't', ' '])?),
    }
}

/// Reads the date of an HTTP field in any of its three forms (RFC 9110 section 5.6.7); `None` where it is none of them.
///
/// # Examples
/// ```
/// use robosift::text::timestamp::{parse, parse_http};
/// assert_eq!(parse_http("Sun, 06 Nov 1994 08:49:37 GMT"), parse("1994-11-06T08:49:37Z"));
/// assert_eq!(parse_http("Sunday, 06-Nov-94 08:49:37 GMT"), parse("1994-11-06T08:49:37Z"));
/// assert_eq!(parse_http("Sun Nov  6 08:49:37 1994"), parse("1994-11-06T08:49:37Z"));
/// assert_eq!(parse_http("Sun, 31 Feb 1994 08:49:37 GMT"), None);
/// ```
#[must_use]
pub fn parse_http(text: &str) -> Option<i64> {
    let words = text.split([' ', ',', '-']).filter(|word| !word.is_empty()).take(7);
    let words: Vec<&str> = words.collect();
    let (year, month, day, time) = match words.as_slice() {
        [_, day, month, year, time, "GMT" | "UTC"] => (year, month, day, time),
        [_, month, day, time, year] => (year, month, day, time),
        _ => return None,
    };
    let year = match year.len() {
        // Two digits are of the last century where they would be far ahead.
        2 => format!("{}{year}", if *year < "70" { "20" } else { "19" }),
        _ => (*year).to_owned(),
    };
    let month = 1 + MONTHS.iter().position(|known| known.eq_ignore_ascii_case(month))?;
    date_time(&format!("{year}{month:02}{day:0>2}"), time)
}

/// Months as HTTP names them.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Whether `text` is a date without a time of day: `2026-11-30` or `20261130`.
#[must_use]
pub fn is_date(text: &str) -> bool {
    let text = text.trim();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    digits == 8 && matches!(text.len(), 8 | 10) && parse(text).is_some()
}

/// A number in microseconds: epoch seconds, or an archive date of 14 digits, which no epoch seconds of the years up to 9999 have.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
pub fn from_number(number: f64) -> Option<i64> {
    let is_archive_date = (1e13..1e14).contains(&number) && number.fract() == 0.0;
    if is_archive_date { parse(&(number as i64).to_string()) } else { from_epoch_seconds(number) }
}

/// Epoch seconds in microseconds; `None` outside the years 0 to 9999.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
pub fn from_epoch_seconds(seconds: f64) -> Option<i64> {
    let in_range = (-62_167_219_200.0..253_402_300_800.0).contains(&seconds);
    in_range.then(|| (seconds * 1e6).round() as i64)
}

/// A time as archives write it, `2026-11-30T12:00:00Z`, read without a copy: one stands in every record. `None` for all
/// other texts, which may be times too.
fn plain(text: &[u8]) -> Option<i64> {
    let text: &[u8; 20] = text.try_into().ok()?;
    let [date @ .., b'T', h0, h1, b':', m0, m1, b':', s0, s1, b'Z'] = text else { return None };
    let [y0, y1, y2, y3, b'-', month0, month1, b'-', d0, d1] = date else { return None };
    let day = day_of([
        number(&[*y0, *y1, *y2, *y3])?,
        number(&[*month0, *month1])?,
        number(&[*d0, *d1])?,
    ])?;
    let clock = clock_of([number(&[*h0, *h1])?, number(&[*m0, *m1])?, number(&[*s0, *s1])?])?;
    Some(day + clock * SECOND)
}

/// A decimal number of few digits.
fn number(digits: &[u8]) -> Option<i64> {
    digits.iter().try_fold(0, |number, digit| {
        digit.is_ascii_digit().then(|| number * 10 + i64::from(digit - b'0'))
    })
}

/// Seconds since midnight at an hour, minute and second.
fn clock_of([hour, minute, second]: [i64; 3]) -> Option<i64> {
    (hour <= 23 && minute <= 59 && second <= 60).then(|| (hour * 60 + minute) * 60 + second)
}

fn date_time(date: &str, time: &str) -> Option<i64> {
    let (clock, offset) = split_zone(time)?;
    let (whole, fraction) = clock.split_once(['.', ',']).unwrap_or((clock, ""));
    let digits: String = whole.split(':').collect();
    // ISO 8601 allows a time without seconds.
    let digits = if digits.len() == 4 { digits + "00" } else { digits };
    let seconds = clock_of(numbers(&digits, [2, 2, 2])?)? - offset;
    day_start(date)?.checked_add(seconds * SECOND + micros(fraction)?)
}

/// The clock part and the zone's offset in seconds.
fn split_zone(time: &str) -> Option<(&str, i64)> {
    if let Some(clock) = time.strip_suffix(['Z', 'z']) {
        return Some((clock, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0)) };
    let digits: String = time[at + 1..].split(':').collect();
    let digits = if digits.len() == 2 { digits + "00" } else { digits };
    let [hours, minutes] = numbers(&digits, [2, 2])?;
    let offset = (hours * 60 + minutes) * 60;
    Some((&time[..at], if time.as_bytes()[at] == b'-' { -offset } else { offset }))
}

fn micros(fraction: &str) -> Option<i64> {
    let six: String = fraction.chars().chain("000000".chars()).take(6).collect();
    six.bytes().all(|octet| octet.is_ascii_digit()).then(|| six.parse().ok())?
}

fn day_start(date: &str) -> Option<i64> {
    let digits: String = date.split('-').collect();
    day_of(numbers(&digits, [4, 2, 2])?)
}

/// When a day of the calendar begins.
fn day_of([year, month, day]: [i64; 3]) -> Option<i64> {
    let lengths = [31, 28 + i64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let length = *lengths.get(usize::try_from(month - 1).ok()?)?;
    (1..=length).contains(&day).then(|| days_since_epoch(year, month, day) * DAY)
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar, counted from March so that the leap
/// day is a year's last.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Reads `text` as decimal numbers of the given widths, nothing left over.
fn numbers<const N: usize>(text: &str, widths: [usize; N]) -> Option<[i64; N]> {
    let mut rest = text;
    let mut values = [0; N];
    for (value, width) in values.iter_mut().zip(widths) {
        let (head, tail) = rest.split_at_checked(width)?;
        *value = head.bytes().all(|octet| octet.is_ascii_digit()).then(|| head.parse().ok())??;
        rest = tail;
    }
    rest.is_empty().then_some(values)
}

/// Microseconds as `2026-11-30T12:00:00Z`, with six decimals where the second is not a whole one.
#[must_use]
pub fn format(micros: i64) -> String {
    let days = micros.div_euclid(DAY);
    let seconds = micros.rem_euclid(DAY) / SECOND;
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let fraction = match micros.rem_euclid(SECOND) {
        0 => String::new(),
        micros => format!(".{micros:06}"),
    };
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

/// The inverse of [`days_since_epoch`].
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (year, month) = if month < 10 { (0, month + 3) } else { (1, month - 9) };
    (year_of_era + era * 400 + year, month, day)
}
