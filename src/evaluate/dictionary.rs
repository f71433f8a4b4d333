//! Dictionaries of a batch's columns, and what is kept of their values from batch to batch.
//!
//! Enters: the values of a dictionary. Leaves: for each value, what was found out about it. Cost: a place
//! for each value, made once rows have come that are as many: until then a dictionary of many values that
//! is new with every batch would cost more than its rows. Must not know: what is kept.

use arrow::array::{Array, ArrayRef};

/// The dictionary that came last.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    values: Option<ArrayRef>,
    /// Rows that came with it.
    num_rows: usize,
}

impl Dictionary {
    /// A batch of so many rows comes with `values`; true where the one before came with others.
    pub(super) fn changes(&mut self, values: &ArrayRef, num_rows: usize) -> bool {
        let known = self.values.as_ref().is_some_and(|known| is_same(known, values));
        if !known {
            *self = Dictionary { values: Some(ArrayRef::clone(values)), num_rows: 0 };
        }
        self.num_rows = self.num_rows.saturating_add(num_rows);
        !known
    }

    /// Whether there were more rows than there are values.
    pub(super) fn pays(&self) -> bool {
        self.values.as_ref().is_some_and(|values| values.len() < self.num_rows)
    }
}

/// Whether two arrays are the same values in the same memory. The one that is kept holds on to its
/// memory, so that nothing else can come to stand there.
fn is_same(one: &ArrayRef, other: &ArrayRef) -> bool {
    ArrayRef::ptr_eq(one, other) || one.to_data().ptr_eq(&other.to_data())
}

/// Something known of each value of one dictionary.
#[derive(Debug)]
pub(super) struct PerValue<T> {
    dictionary: Dictionary,
    known: Vec<Option<T>>,
}

impl<T> Default for PerValue<T> {
    fn default() -> Self {
        PerValue { dictionary: Dictionary::default(), known: Vec::new() }
    }
}

impl<T> PerValue<T> {
    /// Begins a batch of so many rows whose dictionary has these `values`; true where what is known of
    /// others is forgotten. Without values, as where the column is plain, nothing changes.
    pub(super) fn start(&mut self, values: Option<&ArrayRef>, num_rows: usize) -> bool {
        let Some(values) = values else { return false };
        let changes = self.dictionary.changes(values, num_rows);
        if changes {
            self.known.clear();
        }
        if self.known.is_empty() && self.dictionary.pays() {
            self.known.resize_with(values.len(), || None);
        }
        changes
    }

    /// The place for what is known of a value, if there is one.
    #[inline]
    pub(super) fn place(&mut self, key: usize) -> Option<&mut Option<T>> {
        self.known.get_mut(key)
    }
}
