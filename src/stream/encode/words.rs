//! Words of a small vocabulary: dictionaries whose keys are octets.
//!
//! **Purpose.** Carry keys over as they are. **Enters**: dictionary arrays, batch by batch. **Leaves**: pages of keys, the dictionary of
//! the words that occur, in the order in which they did. **Cost**: one look-up in a table of 256 a value.
//! **Must not know**: the words.

use arrow::array::{Array, ArrayRef, AsArray, DictionaryArray};
use arrow::datatypes::UInt8Type;
use parquet::errors::{ParquetError, Result};
use std::sync::Arc;

use crate::table::encode::hybrid;

/// Longest word that is told in the statistics.
const MAX_BOUND: usize = 64;

/// The keys of a page under way, and the words of the chunk.
pub(super) struct Words {
    keys: Vec<u8>,
    words: Vec<Box<[u8]>>,
    /// The vocabulary of the batch before.
    vocabulary: Option<ArrayRef>,
    /// For each of its words the key in the chunk, once it has one.
    key_of: [Option<u8>; 256],
}

impl Words {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), words: Vec::new(), vocabulary: None, key_of: [None; 256] }
    }

    /// Adds the values that are there.
    ///
    /// # Errors
    /// More than 256 distinct words in the chunk, or a key without a word.
    pub(super) fn add(&mut self, array: &DictionaryArray<UInt8Type>) -> Result<()> {
        let values = array.values();
        if !self.vocabulary.as_ref().is_some_and(|known| Arc::ptr_eq(known, values)) {
            self.vocabulary = Some(Arc::clone(values));
            self.key_of = [None; 256];
        }
        let keys: &[u8] = array.keys().values();
        match array.keys().nulls().filter(|nulls| nulls.null_count() > 0) {
            None => self.add_keys(keys, values),
            Some(nulls) => nulls.valid_slices().try_for_each(|(start, end)| {
                self.add_keys(keys.get(start..end).unwrap_or_default(), values)
            }),
        }
    }

    fn add_keys(&mut self, keys: &[u8], values: &ArrayRef) -> Result<()> {
        self.keys.reserve(keys.len());
        for key in keys {
            let known = self.key_of.get(usize::from(*key)).copied().flatten();
            let key = match known {
                Some(known) => known,
                None => self.enter(*key, values)?,
            };
            self.keys.push(key);
        }
        Ok(())
    }

    /// Gives the word that `key` has in the vocabulary a key in the chunk.
    #[cold]
    fn enter(&mut self, key: u8, values: &ArrayRef) -> Result<u8> {
        let refuse = |what: &str| ParquetError::General(format!("a dictionary column has {what}"));
        let words =
            values.as_string_opt::<i32>().ok_or_else(|| refuse("values that are no words"))?;
        let at = usize::from(key);
        let word = (at < words.len() && words.is_valid(at)).then(|| words.value(at).as_bytes());
        let word = word.ok_or_else(|| refuse("a key without a word"))?;
        let known = self.words.iter().position(|known| **known == *word);
        let id = known.unwrap_or(self.words.len());
        let id = u8::try_from(id).map_err(|_| refuse("more than 256 words"))?;
        if known.is_none() {
            self.words.push(word.into());
        }
        self.key_of[at] = Some(id);
        Ok(id)
    }

    /// Writes the keys and begins a page anew.
    pub(super) fn take(&mut self, out: &mut Vec<u8>) {
        let largest = self.words.len().saturating_sub(1);
        let width = hybrid::width_of(u32::try_from(largest).unwrap_or(u32::MAX));
        out.extend(width.to_le_bytes().first());
        hybrid::write(&self.keys, width, out);
        self.keys.clear();
    }

    /// The least and the greatest word of the chunk, where they are short.
    pub(super) fn bounds(&self) -> Option<(&[u8], &[u8])> {
        let (least, greatest) = (self.words.iter().min()?, self.words.iter().max()?);
        (least.len().max(greatest.len()) <= MAX_BOUND).then_some((least, greatest))
    }

    /// The dictionary's words, each with its length in front, and how many they are.
    pub(super) fn dictionary(&self) -> (Vec<u8>, usize) {
        let mut octets = Vec::new();
        for word in &self.words {
            let len = u32::try_from(word.len()).unwrap_or(u32::MAX);
            octets.extend_from_slice(&len.to_le_bytes());
            octets.extend_from_slice(word);
        }
        (octets, self.words.len())
    }
}
