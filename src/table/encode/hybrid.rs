//! Parquet's hybrid of run lengths and packed bits.
//!
//! **Purpose.** Write numbers of a few bits. **Enters**: values below 2 to the power of a width. **Leaves**: octets.
//! **Cost**: one comparison a value in a run, a shift for others. **Must not know**: what the numbers stand for.
//! Source: the RLE encoding (3) of the Parquet format.

/// Equal values from which on a run is written as one, where it begins with a group. Shorter ones are
/// packed, which for wide values takes some more octets and no second look.
const MIN_RUN: usize = 16;

/// Values packed together, in which the format counts them.
const GROUP: usize = 8;

/// Bits that the values up to `largest` need, at least one.
pub(crate) fn width_of(largest: u32) -> u32 {
    (u32::BITS - largest.leading_zeros()).max(1)
}

/// Appends `values`, each below 2 to the power of `width`.
pub(crate) fn write<T: Copy + PartialEq + Into<u32>>(values: &[T], width: u32, out: &mut Vec<u8>) {
    let (mut packed_from, mut at) = (0, 0);
    while let Some(tail) = values.get(at..).filter(|tail| !tail.is_empty()) {
        let run = run_len(tail);
        if run < MIN_RUN {
            at = (at + GROUP).min(values.len());
            continue;
        }
        write_packed(values.get(packed_from..at).unwrap_or_default(), width, out);
        write_run(tail.first().copied().map_or(0, Into::into), run, width, out);
        at += run;
        packed_from = at;
    }
    write_packed(values.get(packed_from..).unwrap_or_default(), width, out);
}

/// How many values at the front are equal.
#[inline]
fn run_len<T: Copy + PartialEq>(values: &[T]) -> usize {
    let Some(first) = values.first() else { return 0 };
    let (groups, rest) = values.as_chunks::<GROUP>();
    let is_whole =
        |group: &&[T; GROUP]| group.iter().fold(true, |all, value| all & (value == first));
    let whole = groups.iter().take_while(is_whole).count();
    let next = groups.get(whole).map_or(rest, |group| group.as_slice());
    whole * GROUP + next.iter().take_while(|value| *value == first).count()
}

fn write_run(value: u32, len: usize, width: u32, out: &mut Vec<u8>) {
    write_varint((len as u64) << 1, out);
    let octets = width.div_ceil(8);
    out.extend(value.to_le_bytes().into_iter().zip(0..octets).map(|(octet, _)| octet));
}

/// Values packed bit by bit; where they fill no group, zeros follow.
fn write_packed<T: Copy + Into<u32>>(values: &[T], width: u32, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let groups = values.len().div_ceil(GROUP);
    write_varint((groups as u64) << 1 | 1, out);
    out.reserve(groups * usize::try_from(width).unwrap_or(GROUP) + GROUP);
    let (mut bits, mut filled) = (0_u64, 0);
    let blanks = groups * GROUP - values.len();
    let padded = values.iter().map(|value| (*value).into()).chain(std::iter::repeat_n(0, blanks));
    padded.for_each(|value: u32| {
        bits |= u64::from(value) << filled;
        filled += width;
        if filled >= u32::BITS {
            let [first, second, third, fourth, ..] = bits.to_le_bytes();
            out.extend_from_slice(&[first, second, third, fourth]);
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    });
    let left = filled.div_ceil(8);
    out.extend(bits.to_le_bytes().into_iter().zip(0..left).map(|(octet, _)| octet));
}

/// A bitmap of `len` bits, as values of one bit each.
pub(crate) fn write_bitmap(bits: &[u8], len: usize, out: &mut Vec<u8>) {
    let groups = len.div_ceil(GROUP);
    write_varint((groups as u64) << 1 | 1, out);
    out.extend(bits.iter().take(groups));
}

/// `len` times the bit 1.
pub(crate) fn write_ones(len: usize, out: &mut Vec<u8>) {
    write_run(1, len, 1, out);
}

/// Seven bits an octet, the lowest first.
pub(super) fn write_varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}
