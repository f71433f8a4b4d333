//! Texts too short for sixteen octets at a time, made so long.

use super::lanes::{LANES, filled};

/// A text of less than sixteen octets with zeros behind it. Longer than seven or than three octets, it
/// is put together of its first and last eight or four.
#[inline]
pub(crate) fn short(text: &[u8]) -> [u8; LANES] {
    let shift = |len: usize| text.len().saturating_sub(len) * 8;
    if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let last = u128::from(u64::from_le_bytes(*last)) << shift(8);
        (u128::from(u64::from_le_bytes(*first)) | last).to_le_bytes()
    } else if let (Some(first), Some(last)) = (text.first_chunk(), text.last_chunk()) {
        let last = u64::from(u32::from_le_bytes(*last)) << shift(4);
        u128::from(u64::from(u32::from_le_bytes(*first)) | last).to_le_bytes()
    } else {
        filled(text, 0)
    }
}
