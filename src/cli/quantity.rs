//! Quantities as people type and read them.

use indicatif::HumanCount;

pub(crate) use robosift::text::quantity::{count, moment, octets, span};

/// `1 file`, `2 files`.
pub(crate) fn counted(number: u64, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {what}{plural}", HumanCount(number))
}

/// A count in at most five places: `950`, `12.3k`, `6.2M`, `1.0G`.
pub(crate) fn brief(number: u64) -> String {
    let (scale, unit) = match number {
        0..10_000 => return number.to_string(),
        10_000..1_000_000 => (1e3, "k"),
        1_000_000..1_000_000_000 => (1e6, "M"),
        _ => (1e9, "G"),
    };
    format!("{:.1}{unit}", number as f64 / scale)
}
