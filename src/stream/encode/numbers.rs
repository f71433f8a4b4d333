//! Integers of 64 bits, as a dictionary while that is small, else plain.
//!
//! **Purpose.** Encode ids, of which runs of rows share a few. **Enters**: values, batch by batch. **Leaves**: pages of keys, or of
//! values once the dictionary is full; the dictionary. **Cost**: a probe of a table for each value that differs from the one before.
//! **Must not know**: what the numbers are.

use arrow::array::{Array, Int64Array};
use foldhash::fast::RandomState;
use parquet::basic::Encoding;
use std::hash::BuildHasher;

use crate::table::encode::hybrid;

/// Most values of a dictionary: a mebioctet of them, as is usual.
const MAX_VALUES: usize = 128 << 10;

/// The numbers of a page under way, and the dictionary of the chunk.
pub(super) struct Numbers {
    values: Vec<i64>,
    keys: Vec<u32>,
    dictionary: Dictionary,
    /// The dictionary was too small: pages hold values from then on.
    is_plain: bool,
    bounds: Option<(i64, i64)>,
}

impl Numbers {
    pub(super) fn new() -> Self {
        Self {
            values: Vec::new(),
            keys: Vec::new(),
            dictionary: Dictionary::default(),
            is_plain: false,
            bounds: None,
        }
    }

    /// Adds the values that are there.
    pub(super) fn add(&mut self, array: &Int64Array) {
        let values: &[i64] = array.values();
        match array.nulls().filter(|nulls| nulls.null_count() > 0) {
            None => self.values.extend_from_slice(values),
            Some(nulls) => {
                let present = nulls.valid_indices().filter_map(|row| values.get(row));
                self.values.extend(present);
            }
        }
    }

    /// Writes the values, begins a page anew and says how they are encoded.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) -> Encoding {
        self.widen_bounds();
        self.is_plain |= !self.find_keys();
        if self.is_plain {
            self.values.iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
        } else {
            let largest = self.dictionary.values.len().saturating_sub(1);
            let width = hybrid::width_of(u32::try_from(largest).unwrap_or(u32::MAX));
            out.extend(width.to_le_bytes().first());
            hybrid::write(&self.keys, width, out);
        }
        self.values.clear();
        if self.is_plain { Encoding::PLAIN } else { Encoding::RLE_DICTIONARY }
    }

    fn widen_bounds(&mut self) {
        let Some(first) = self.values.first() else { return };
        let (mut least, mut greatest) = self.bounds.unwrap_or((*first, *first));
        for value in &self.values {
            least = least.min(*value);
            greatest = greatest.max(*value);
        }
        self.bounds = Some((least, greatest));
    }

    /// The keys of the page's values; false where they would not fit into the dictionary, which is then
    /// as it was.
    fn find_keys(&mut self) -> bool {
        self.keys.clear();
        if self.is_plain {
            return false;
        }
        let len_before = self.dictionary.values.len();
        let mut last = (0, None);
        for value in &self.values {
            if last.1.is_none() || last.0 != *value {
                last = (*value, self.dictionary.key_of(*value));
            }
            let Some(key) = last.1 else {
                self.dictionary.values.truncate(len_before);
                return false;
            };
            self.keys.push(key);
        }
        true
    }

    /// The least and the greatest value of the chunk.
    pub(super) fn bounds(&self) -> Option<(i64, i64)> {
        self.bounds
    }

    /// The dictionary's values, and how many they are.
    pub(super) fn dictionary(&self) -> (Vec<u8>, usize) {
        let values = &self.dictionary.values;
        (values.iter().flat_map(|value| value.to_le_bytes()).collect(), values.len())
    }
}

/// Distinct values in the order in which they came.
#[derive(Default)]
struct Dictionary {
    values: Vec<i64>,
    /// Keys by the hash of their value, one more than they are; 0 is a free place. A power of two.
    places: Vec<u32>,
    hasher: RandomState,
}

impl Dictionary {
    /// The key of `value`, a new one where it is new; `None` where there is no room for it.
    #[inline]
    fn key_of(&mut self, value: i64) -> Option<u32> {
        if self.values.len() * 2 >= self.places.len() {
            self.grow();
        }
        let mut at = self.place_of(value);
        loop {
            let place = self.places.get_mut(at)?;
            let Some(key) = place.checked_sub(1) else { break };
            if self.values.get(usize::try_from(key).ok()?) == Some(&value) {
                return Some(key);
            }
            at = (at + 1) & (self.places.len() - 1);
        }
        if self.values.len() == MAX_VALUES {
            return None;
        }
        let key = u32::try_from(self.values.len()).ok()?;
        *self.places.get_mut(at)? = key + 1;
        self.values.push(value);
        Some(key)
    }

    #[inline]
    fn place_of(&self, value: i64) -> usize {
        let hash = self.hasher.hash_one(value) & (self.places.len() as u64 - 1);
        usize::try_from(hash).unwrap_or(0)
    }

    fn grow(&mut self) {
        let len = (self.places.len() * 2).max(256);
        self.places.clear();
        self.places.resize(len, 0);
        for at in 0..self.values.len() {
            let Some(value) = self.values.get(at) else { return };
            let mut place = self.place_of(*value);
            while self.places.get(place).is_some_and(|taken| *taken != 0) {
                place = (place + 1) & (len - 1);
            }
            if let Some(free) = self.places.get_mut(place) {
                *free = u32::try_from(at + 1).unwrap_or(0);
            }
        }
    }
}
