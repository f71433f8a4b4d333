//! Parquet's whole numbers as packed differences (`DELTA_BINARY_PACKED`).
//!
//! **Purpose.** Write numbers that are near the one before in few bits. **Enters**: numbers, none below zero, and below 2³¹ where the
//! column has 32 bits: their differences then need no more bits than the column has. **Leaves**: octets. **Cost**: some steps a
//! number; memory for the octets. **Must not know**: what the numbers stand for.
//! Source: "Delta Encoding" in Parquet's format description.

use super::hybrid::write_varint;

/// Numbers of a block, and of each part that has a width of its own: the least that the format allows.
const BLOCK: usize = 128;
const PART: usize = 32;
const PARTS: usize = BLOCK / PART;

/// Numbers of a page so far.
pub(crate) struct Deltas {
    first: Option<i64>,
    /// What the next block's first number differs from.
    last: i64,
    /// Numbers that make no block yet.
    pending: [i64; BLOCK],
    num_pending: usize,
    num_blocks: usize,
    least: i64,
    greatest: i64,
    blocks: Vec<u8>,
}

impl Deltas {
    pub(crate) fn new() -> Self {
        Self {
            first: None,
            last: 0,
            pending: [0; BLOCK],
            num_pending: 0,
            num_blocks: 0,
            least: i64::MAX,
            greatest: i64::MIN,
            blocks: Vec::new(),
        }
    }

    /// Adds a number.
    #[inline]
    pub(crate) fn push(&mut self, value: i64) {
        if self.first.is_none() {
            (self.first, self.last) = (Some(value), value);
            (self.least, self.greatest) = (value, value);
            return;
        }
        if let Some(place) = self.pending.get_mut(self.num_pending) {
            *place = value;
        }
        self.num_pending += 1;
        if self.num_pending == BLOCK {
            self.end_block();
        }
    }

    /// The values of a page, and what is to be known of them.
    pub(crate) fn into_page(mut self) -> (Vec<u8>, Numbers) {
        let len = self.num_blocks * BLOCK + self.num_pending + usize::from(self.first.is_some());
        self.end_block();
        let mut page = Vec::with_capacity(self.blocks.len() + 4 * size_of::<u64>());
        for number in [BLOCK, PARTS, len] {
            write_varint(number as u64, &mut page);
        }
        write_varint(zigzag(self.first.unwrap_or(0)), &mut page);
        page.append(&mut self.blocks);
        (page, Numbers { len, bounds: self.first.map(|_| (self.least, self.greatest)) })
    }

    #[inline(never)]
    fn end_block(&mut self) {
        let num_pending = std::mem::take(&mut self.num_pending);
        let values = self.pending.get(..num_pending).unwrap_or_default();
        let mut deltas = [0; BLOCK];
        for (delta, value) in deltas.iter_mut().zip(values) {
            *delta = value.wrapping_sub(self.last);
            self.last = *value;
            (self.least, self.greatest) = (self.least.min(*value), self.greatest.max(*value));
        }
        if let Some(deltas) = deltas.get(..num_pending).filter(|deltas| !deltas.is_empty()) {
            write_block(deltas, &mut self.blocks);
        }
        self.num_blocks += 1;
    }
}

/// How many numbers a page has, and the least and the greatest of them.
pub(crate) struct Numbers {
    pub(crate) len: usize,
    pub(crate) bounds: Option<(i64, i64)>,
}

/// Writes the least difference, the widths of all parts, and by how much each difference is more.
fn write_block(deltas: &[i64], out: &mut Vec<u8>) {
    let least = deltas.iter().copied().min().unwrap_or(0);
    write_varint(zigzag(least), out);
    let widths_at = out.len();
    // A part that is not there has no width.
    out.extend_from_slice(&[0; PARTS]);
    for (number, part) in deltas.chunks(PART).enumerate() {
        let (mut packed, mut united) = ([0; PART], 0);
        for (more, delta) in packed.iter_mut().zip(part) {
            *more = delta.wrapping_sub(least).cast_unsigned();
            united |= *more;
        }
        let width = u64::BITS - united.leading_zeros();
        if let Some(place) = out.get_mut(widths_at + number) {
            *place = width.to_le_bytes()[0];
        }
        match width {
            0 => {}
            1..=u32::BITS => pack_narrow(&packed, width, out),
            _ => pack_wide(&packed, width, out),
        }
    }
}

/// Numbers of up to 32 bits one after the other, the lowest bit first; those of a part fill whole words of 32 bits.
fn pack_narrow(values: &[u64; PART], width: u32, out: &mut Vec<u8>) {
    let (mut bits, mut filled) = (0_u64, 0);
    for value in values {
        bits |= value << filled;
        filled += width;
        if filled >= u32::BITS {
            let [first, second, third, fourth, ..] = bits.to_le_bytes();
            out.extend_from_slice(&[first, second, third, fourth]);
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    }
}

/// As [`pack_narrow`], of any width.
fn pack_wide(values: &[u64; PART], width: u32, out: &mut Vec<u8>) {
    let (mut bits, mut filled) = (0_u128, 0);
    for value in values {
        bits |= u128::from(*value) << filled;
        filled += width;
        while filled >= u32::BITS {
            let [first, second, third, fourth, ..] = bits.to_le_bytes();
            out.extend_from_slice(&[first, second, third, fourth]);
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    }
}

/// Numbers near zero, of either sign, as small ones without.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> (i64::BITS - 1)).cast_unsigned()
}
