//! Booleans, as one bit each.

use arrow::array::{Array, BooleanArray, BooleanBufferBuilder};

/// The flags of a page under way.
pub(super) struct Flags {
    bits: BooleanBufferBuilder,
    /// Whether false and true were seen in the chunk.
    seen: [bool; 2],
}

impl Flags {
    pub(super) fn new() -> Self {
        Self { bits: BooleanBufferBuilder::new(0), seen: [false; 2] }
    }

    /// Adds the values that are there.
    pub(super) fn add(&mut self, array: &BooleanArray) {
        let values = array.values();
        match array.nulls().filter(|nulls| nulls.null_count() > 0) {
            None => self.bits.append_buffer(values),
            Some(nulls) => nulls.valid_slices().for_each(|(start, end)| {
                self.bits.append_buffer(&values.slice(start, end - start));
            }),
        }
    }

    /// Writes the values and begins a page anew.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        let bits = self.bits.finish_cloned();
        let num_true = bits.count_set_bits();
        self.seen[0] |= num_true < bits.len();
        self.seen[1] |= num_true > 0;
        out.extend_from_slice(self.bits.as_slice());
        self.bits.truncate(0);
    }

    /// The least and the greatest value of the chunk.
    pub(super) fn bounds(&self) -> Option<(bool, bool)> {
        match self.seen {
            [false, false] => None,
            [has_false, has_true] => Some((!has_false, has_true)),
        }
    }
}
