//! Lists of things, one after the other in memory: names of origins, captures by origin.
//!
//! Enters: lists in order. Leaves: each by its number. Cost: two reads next to each other, then the
//! list; eight octets a list besides its items. Must not know: what the items are.

/// Lists by number.
#[derive(Debug)]
pub(super) struct Lists<T> {
    items: Vec<T>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    /// With room for so many lists and items.
    pub(super) fn with_capacity(num_lists: usize, num_items: usize) -> Self {
        Lists { items: Vec::with_capacity(num_items), ends: Vec::with_capacity(num_lists) }
    }

    /// Adds a list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// Number of lists.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The list at `at`, from 0.
    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&[T]> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before)).copied();
        self.items.get(start.unwrap_or(0)..end)
    }

    /// All lists in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.len()).filter_map(|at| self.get(at))
    }

    /// The items of all lists in order.
    pub(super) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}
