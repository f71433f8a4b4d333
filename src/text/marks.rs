//! Where the octets stand at which reading a body has to stop: one pass, 64 octets at a time.
//!
//! Marked are the control characters up to 0x1F but TAB, so that the line ends and NUL are among them,
//! and `#`. Lines are short: a search for the end of each would start again every few octets.

use super::lanes::{LANES, Lanes, filled};

/// Octets looked at together, a bit of one word each.
const BLOCK_LEN: usize = 64;

/// Calls `visit` with the place of each marked octet of `text`, in order: `#`, and octets up to 0x1F
/// but TAB.
/// Says whether all of the text is ASCII.
///
/// # Complexity
/// One pass, constant space.
#[inline]
pub fn for_each_mark(text: &[u8], mut visit: impl FnMut(usize)) -> bool {
    let (blocks, rest) = text.as_chunks::<BLOCK_LEN>();
    let last = filled(rest, b' ');
    let mut united = Lanes::all(0);
    for (at, block) in blocks.iter().chain([&last]).enumerate() {
        let mut marks = marks_of(block, &mut united);
        while marks != 0 {
            // A place within a block fits.
            visit(at * BLOCK_LEN + usize::try_from(marks.trailing_zeros()).unwrap_or(0));
            marks &= marks - 1;
        }
    }
    united.high_bits() == 0
}

/// Which octets of `block` are marked, a bit each, the first lowest; the octets are united with others.
#[inline]
fn marks_of(block: &[u8; BLOCK_LEN], united: &mut Lanes) -> u64 {
    let (chunks, _) = block.as_chunks::<LANES>();
    let unmarked = chunks.iter().rev().map(|chunk| {
        let octets = Lanes::new(chunk);
        *united = united.or(octets);
        // Equal where an octet is a TAB, which is in the range, or neither.
        octets.is_in(0, 0x1F).or(octets.is(b'#')).equals(octets.is(b'\t')).high_bits()
    });
    !unmarked.fold(0, |bits, unmarked| bits << LANES | u64::from(unmarked))
}
