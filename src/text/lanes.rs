//! Sixteen octets at a time.
//!
//! Vector instructions without `unsafe`, through the crate `wide`: SSE2 on x86-64, NEON on ARM, plain
//! loops elsewhere, all with the same answers. Each function is a handful of instructions.

use bytemuck::cast;
use wide::{i8x16, i16x8, i32x4, i32x8, u8x16};

/// Number of octets in [`Lanes`].
pub const LANES: usize = 16;

/// Sixteen octets.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(u8x16);

impl Lanes {
    /// Those of `chunk`.
    #[must_use]
    #[inline]
    pub fn new(chunk: &[u8; LANES]) -> Self {
        Lanes(u8x16::new(*chunk))
    }

    /// Sixteen times `octet`.
    #[must_use]
    #[inline]
    pub fn all(octet: u8) -> Self {
        Lanes(u8x16::splat(octet))
    }

    /// All bits set where an octet is `octet`, none elsewhere.
    #[must_use]
    #[inline]
    pub fn is(self, octet: u8) -> Self {
        self.equals(Lanes::all(octet))
    }

    /// All bits set where both have the same octet, none elsewhere.
    #[must_use]
    #[inline]
    pub fn equals(self, other: Self) -> Self {
        Lanes(self.0.simd_eq(other.0))
    }

    /// All bits set where an octet is from `first` to `last`, none elsewhere.
    #[must_use]
    #[inline]
    pub fn is_in(self, first: u8, last: u8) -> Self {
        let from_first = self.0 - u8x16::splat(first);
        let most = u8x16::splat(last.wrapping_sub(first));
        Lanes(from_first.min(most).simd_eq(from_first))
    }

    /// The bits set in both.
    #[must_use]
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Lanes(self.0 & other.0)
    }

    /// The bits set in either.
    #[must_use]
    #[inline]
    pub fn or(self, other: Self) -> Self {
        Lanes(self.0 | other.0)
    }

    /// The high bit of each octet, that of the first octet lowest.
    #[must_use]
    #[inline]
    pub fn high_bits(self) -> u32 {
        self.0.to_bitmask()
    }

    /// The bits that are set in any octet.
    #[must_use]
    #[inline]
    pub fn united(self) -> u8 {
        let sixteen = u128::from_le_bytes(self.0.to_array());
        let eight = (sixteen | sixteen >> 64).to_le_bytes();
        let eight = eight.first_chunk().map_or(0, |low| u64::from_le_bytes(*low));
        let four = eight | eight >> 32;
        let two = four | four >> 16;
        (two | two >> 8).to_le_bytes()[0]
    }
}

/// Which of four words of four octets agree with `one`: those whose octets are the same or 0. One
/// bit each.
#[must_use]
#[inline]
pub fn agreeing_of_four(one: [u8; 4], words: &[u8; LANES]) -> u32 {
    agreeing_words(splat(one), words).to_bitmask()
}

/// As [`agreeing_of_four`], of eight words.
#[must_use]
#[inline]
pub fn agreeing_of_eight(one: [u8; 4], words: &[u8; 2 * LANES]) -> u32 {
    let (halves, _) = words.as_chunks::<LANES>();
    i8x16::from_i16x16_saturate(cast([agreeing(one, halves), i16x8::ZERO])).to_bitmask()
}

/// As [`agreeing_of_four`], of sixteen words.
#[must_use]
#[inline]
pub fn agreeing_of_sixteen(one: [u8; 4], words: &[u8; 4 * LANES]) -> u32 {
    let (quarters, _) = words.as_chunks::<LANES>();
    let (low, high) = quarters.split_at(2);
    i8x16::from_i16x16_saturate(cast([agreeing(one, low), agreeing(one, high)])).to_bitmask()
}

/// All bits set for each of eight words, in two vectors, that agrees with `one`.
#[inline]
fn agreeing(one: [u8; 4], words: &[[u8; LANES]]) -> i16x8 {
    let one = splat(one);
    let agree = |at: usize| words.get(at).map_or(i32x4::ZERO, |words| agreeing_words(one, words));
    i16x8::from_i32x8_saturate(cast::<[i32x4; 2], i32x8>([agree(0), agree(1)]))
}

/// All bits set for each of four words that agrees with the one that `one` consists of.
#[inline]
fn agreeing_words(one: u8x16, words: &[u8; LANES]) -> i32x4 {
    let words = u8x16::new(*words);
    // Zero where an octet is 0 or the other one.
    let differing = words.min(words ^ one);
    cast::<u8x16, i32x4>(differing).simd_eq(i32x4::ZERO)
}

/// Four times `word`.
#[inline]
fn splat(word: [u8; 4]) -> u8x16 {
    cast(i32x4::splat(i32::from_ne_bytes(word)))
}

/// Calls `each` with all octets of `text`, sixteen at a time; the last sixteen may hold some of those
/// before again, and `filler` where `text` is shorter.
#[inline]
pub fn for_each_chunk(text: &[u8], filler: u8, mut each: impl FnMut(Lanes)) {
    let (chunks, rest) = text.as_chunks::<LANES>();
    chunks.iter().for_each(|chunk| each(Lanes::new(chunk)));
    if !rest.is_empty() {
        each(match text.last_chunk() {
            Some(last) => Lanes::new(last),
            None => Lanes::new(&filled(text, filler)),
        });
    }
}

/// Calls `each` with all octets of `text`, sixteen at a time, any of them more than once; `filler` may be
/// among them where there are less than eight.
///
/// Texts of sixteen to sixty-four octets all take the same steps: where each ends no processor could
/// foresee, and that costs more than to look at some octets again.
#[inline]
pub fn for_covering_chunks(text: &[u8], filler: u8, mut each: impl FnMut(Lanes)) {
    const MOST: usize = 4 * LANES;
    match text.len() {
        LANES..=MOST => (0..MOST).step_by(LANES).for_each(|start| {
            let start = start.min(text.len() - LANES);
            let chunk = text.get(start..).and_then(|tail| tail.first_chunk());
            each(chunk.map_or(Lanes::all(filler), Lanes::new));
        }),
        _ => match (text.first_chunk::<8>(), text.last_chunk::<8>()) {
            (Some(first), Some(last)) if text.len() < LANES => {
                each(Lanes::new(&cast([*first, *last])));
            }
            _ => for_each_chunk(text, filler, each),
        },
    }
}

/// The first octets of `text`, with `filler` behind them where there are fewer.
#[must_use]
#[inline]
pub fn filled<const N: usize>(text: &[u8], filler: u8) -> [u8; N] {
    match text.first_chunk() {
        Some(chunk) => *chunk,
        None => {
            let mut chunk = [filler; N];
            chunk.iter_mut().zip(text).for_each(|(to, octet)| *to = *octet);
            chunk
        }
    }
}
