//! Where the octets stand at which reading a body has to stop: one pass, 64 octets at a time.
//!
//! Marked is everything but printable ASCII, so that the line ends and NUL are among it, and `#`.
//! Lines are short: a search for the end of each would start again every few octets.

use super::lanes::{LANES, Lanes, filled};

/// Octets looked at together, a bit of one word each.
const BLOCK_LEN: usize = 64;

/// Calls `visit` with the place of each marked octet of `text`, in order: `#`, and what is neither
/// printable ASCII nor DEL.
///
/// # Complexity
/// One pass, constant space.
#[inline]
pub fn for_each_mark(text: &[u8], mut visit: impl FnMut(usize)) {
    let (blocks, rest) = text.as_chunks::<BLOCK_LEN>();
    let last = filled(rest, b' ');
    for (at, block) in blocks.iter().chain([&last]).enumerate() {
        let mut marks = marks_of(block);
        while marks != 0 {
            // A place within a block fits.
            visit(at * BLOCK_LEN + usize::try_from(marks.trailing_zeros()).unwrap_or(0));
            marks &= marks - 1;
        }
    }
}

/// Which octets of `block` are marked, a bit each, the first lowest.
#[inline]
fn marks_of(block: &[u8; BLOCK_LEN]) -> u64 {
    let (chunks, _) = block.as_chunks::<LANES>();
    let marks = chunks.iter().rev().map(|chunk| {
        let octets = Lanes::new(chunk);
        // From 0x80 around to the last control character.
        octets.is_in(0x80, 0x1F).or(octets.is(b'#')).high_bits()
    });
    marks.fold(0, |bits, marks| bits << LANES | u64::from(marks))
}
