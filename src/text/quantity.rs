//! Quantities as people type them: octets, spans of time, points in time, counts.
//!
//! Enters: text. Leaves: numbers, or a sentence that says what is accepted. Must not know: what is counted.

use super::timestamp;

/// Reads `256MiB`, `2GiB`, `512k`, `1000000`; units of 1,024, or of 1,000 where they end in `B`
/// without an `i`.
///
/// # Errors
/// What is accepted, where `text` is none.
pub fn octets(text: &str) -> Result<usize, String> {
    let accepted = || format!("`{text}` is not a size such as 256MiB, 2GiB or 1000000");
    let (number, unit) = split(text).ok_or_else(accepted)?;
    let scale: usize = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return Err(accepted()),
    };
    usize::try_from(number).ok().and_then(|number| number.checked_mul(scale)).ok_or_else(accepted)
}

/// Reads `30d`, `24h`, `90m`, `60s`; in microseconds.
///
/// # Errors
/// What is accepted, where `text` is none.
pub fn span(text: &str) -> Result<i64, String> {
    let accepted = || format!("`{text}` is not a span of time such as 30d, 24h, 90m or 60s");
    let (number, unit) = split(text).ok_or_else(accepted)?;
    let seconds: i64 = match unit {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        "d" => 86_400,
        _ => return Err(accepted()),
    };
    let number = i64::try_from(number).map_err(|_| accepted())?;
    number.checked_mul(seconds * 1_000_000).ok_or_else(accepted)
}

/// Reads a point in time, in microseconds since 1970 UTC; a date alone is all of its day.
///
/// # Errors
/// What is accepted, where `text` is none.
pub fn moment(text: &str) -> Result<i64, String> {
    let digits = text.trim().len();
    let is_number = text.trim().bytes().all(|octet| octet.is_ascii_digit());
    // A year is no number of seconds.
    let is_time = !is_number || matches!(digits, 8 | 14) || digits >= 9;
    let time = timestamp::parse(text).filter(|_| is_time).ok_or_else(|| {
        format!("`{text}` is neither a date such as 2024-05-01, a time such as 2024-05-01T12:00:00Z nor a 14-digit date")
    })?;
    Ok(if timestamp::is_date(text) { time.saturating_add(86_400_000_000 - 1) } else { time })
}

/// Reads a whole number, if wanted with `k`, `m` or `b` behind it and `_` or `,` inside.
///
/// # Errors
/// What is accepted, where `text` is none.
pub fn count(text: &str) -> Result<u64, String> {
    let accepted =
        || format!("`{text}` is not a whole number; k, m and b may follow: 500k, 20m, 1b");
    let plain: String = text.chars().filter(|c| !matches!(c, '_' | ',')).collect();
    let (number, unit) = split(&plain).ok_or_else(accepted)?;
    let scale = match unit.to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "b" => 1_000_000_000,
        _ => return Err(accepted()),
    };
    number.checked_mul(scale).ok_or_else(accepted)
}

fn split(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim()))
}
